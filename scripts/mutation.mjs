// The mutation score of the rooms that decide and remember: `npm run test:long` calls it, `node scripts/mutation.mjs ROOM…` runs some.
// Stryker brings over a hundred packages that nothing else needs, so it runs in a copy of the project in the user's cache. It saves its
// results only when it ends, so a room is tried a few files at a time: an interrupted run resumes with the part that it was in, and a
// mutant whose code and tests did not change is not tried again. A survivor is a change of the sources that no test of its room notices.

import './require-node.mjs';
import childProcess from 'node:child_process';
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { ROOT } from './bootstrap.mjs';
import { cacheFolder } from './cached-install.mjs';
import { runNpm } from './npm.mjs';
import { ensureProductNode, NODE_FLAGS, productEnvironment } from './product-node.mjs';

const STRYKER = ['@stryker-mutator/core@10.1.1', '@stryker-mutator/vitest-runner@10.1.1'];
const ROOMS = ['policy', 'ledger', 'kernel'];
/** Most of a test's time is waiting for a disk, and that finds no mutant. */
const MEMORY = '/dev/shm';
/** Of every byte that could be changed one in ten, and a few lives of sessions: thousands of mutants meet each. */
const FEWER = { COUNTERSIGN_STEP: '10', COUNTERSIGN_RUNS: '4' };
/** A few minutes' work. */
const FILES_IN_PART = 8;
/** What the tests of these rooms read. */
const COPIED = ['src', 'test', 'bin', 'scripts', 'docs', 'package.json', 'package-lock.json', 'tsconfig.json', '.npmrc'];

const rooms = process.argv.slice(2);
const unknown = rooms.filter((room) => !ROOMS.includes(room));
if (unknown.length > 0) {
  console.error(`There is no room ${unknown.join(', ')} to measure. Choose among ${ROOMS.join(', ')}.`);
  process.exit(2);
}

const node = await ensureProductNode({ quiet: false });
const copy = await copyOfProject();
const scores = [];
for (const room of rooms.length > 0 ? rooms : ROOMS) scores.push(scoreOf(room));
console.log(`\nMutation score\n${scores.map(lineOf).join('\n')}`);
process.exitCode = scores.every(({ code }) => code === 0) ? 0 : 1;

/** With packages that fit the lock file; the sources are brought up to date every time. */
async function copyOfProject() {
  const lock = fs.readFileSync(path.join(ROOT, 'package-lock.json'));
  const key = crypto.createHash('sha256').update(lock).update(STRYKER.join()).digest('hex').slice(0, 12);
  const folder = path.join(cacheFolder(), `mutation-${key}`);
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of COPIED) {
    fs.rmSync(path.join(folder, name), { recursive: true, force: true });
    fs.cpSync(path.join(ROOT, name), path.join(folder, name), { recursive: true });
  }
  if (!fs.existsSync(path.join(folder, 'node_modules/.countersign-mutation'))) {
    const args = ['install', '--no-save', '--include=dev', ...STRYKER];
    await runNpm({ title: 'Fetching Stryker and what the project needs', args, folder, quiet: false });
    fs.writeFileSync(path.join(folder, 'node_modules/.countersign-mutation'), '');
  }
  return folder;
}

function scoreOf(room) {
  const files = fs
    .readdirSync(path.join(ROOT, 'src', room), { recursive: true })
    .filter((name) => name.endsWith('.ts') && !/\.(?:test|fixture)\.ts$/.test(name))
    .map((name) => `src/${room}/${name}`)
    .toSorted();
  const score = { room, code: 0, found: 0, tried: 0 };
  for (let part = 0; part * FILES_IN_PART < files.length; part++) {
    const { code, found, tried } = scoreOfPart(room, part, files.slice(part * FILES_IN_PART, (part + 1) * FILES_IN_PART));
    score.code ||= code;
    score.found += found;
    score.tried += tried;
  }
  return score;
}

function scoreOfPart(room, part, mutate) {
  const name = `${room}-${part + 1}`;
  const config = {
    testRunner: 'vitest',
    vitest: { configFile: 'vitest.mutation.mjs', related: false },
    mutate,
    ignorePatterns: ['reports'],
    coverageAnalysis: 'perTest',
    // Tables at the top of a file: each of their mutants would need every test of the room.
    ignoreStatic: true,
    concurrency: 2,
    timeoutMS: 5_000,
    dryRunTimeoutMinutes: 20,
    // It reads tsconfig.json with an interface that TypeScript 7 does not have.
    tsconfigFile: 'none.json',
    incremental: true,
    incrementalFile: `reports/${name}.incremental.json`,
    reporters: ['progress-append-only', 'clear-text', 'json'],
    clearTextReporter: { allowColor: false, reportTests: false, reportScoreTable: false },
    jsonReporter: { fileName: `reports/${name}.json` },
  };
  fs.writeFileSync(path.join(copy, 'stryker.json'), JSON.stringify(config));
  // Tests of other rooms use these files too, and would be run for every mutant.
  const include = [`src/${room}/**/*.test.ts`];
  const vitest = { test: { include, testTimeout: 60_000, isolate: false, setupFiles: ['fewer-runs.mjs'] } };
  fs.writeFileSync(path.join(copy, 'vitest.mutation.mjs'), `export default ${JSON.stringify(vitest)};\n`);
  fs.writeFileSync(path.join(copy, 'fewer-runs.mjs'), `import fc from 'fast-check';\nfc.configureGlobal({ numRuns: 20 });\n`);
  console.log(`\nMutants of ${mutate[0]} to ${mutate.at(-1)}`);
  fs.rmSync(path.join(copy, 'reports', `${name}.json`), { force: true });
  const program = path.join(copy, 'node_modules/@stryker-mutator/core/bin/stryker.js');
  const { status } = childProcess.spawnSync(node, [...NODE_FLAGS, program, 'run', 'stryker.json'], {
    cwd: copy,
    env: { ...productEnvironment(), ...FEWER, ...(fs.existsSync(MEMORY) ? { TMPDIR: MEMORY } : {}) },
    stdio: 'inherit',
  });
  return { code: status ?? 1, ...counted(path.join(copy, 'reports', `${name}.json`)) };
}

function counted(file) {
  if (!fs.existsSync(file)) return { found: 0, tried: 0 };
  const mutants = Object.values(JSON.parse(fs.readFileSync(file, 'utf8')).files).flatMap((each) => each.mutants);
  const has = (...states) => mutants.filter(({ status }) => states.includes(status)).length;
  const found = has('Killed', 'Timeout');
  return { found, tried: found + has('Survived', 'NoCoverage') };
}

function lineOf({ room, code, found, tried }) {
  const score = tried === 0 ? 'not measured' : `${((100 * found) / tried).toFixed(1)} %`;
  return `  ${room.padEnd(8)} ${score.padStart(12)}   ${found} of ${tried} mutants found${code === 0 ? '' : ', and the run did not end well'}`;
}
