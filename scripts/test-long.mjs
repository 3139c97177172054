// `npm run test:long`: campaigns that take too long for every change. A campaign that passed on this commit is not run again, so an
// interrupted run resumes where it was; `-- --fresh` runs all of them.

import './require-node.mjs';
import childProcess from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { ROOT } from './bootstrap.mjs';
import { cacheFolder } from './cached-install.mjs';
import { fetchOpenmoat } from './fetch-needs.mjs';

const openmoat = await fetchOpenmoat();

const CAMPAIGNS = [
  { name: 'lives of sessions, against the reference', env: { COUNTERSIGN_RUNS: '3000' }, files: ['src/kernel/session-model.test.ts'] },
  { name: 'never a dead end', env: { COUNTERSIGN_RUNS: '3000' }, files: ['src/kernel/never-dead-end.test.ts'] },
  {
    name: 'two kernels on one store, 20,000 rounds',
    env: { COUNTERSIGN_ROUNDS: '20000' },
    files: ['src/stores/stores.test.ts'],
  },
  { name: 'a folder swapped for a link, 100,000 times', env: { COUNTERSIGN_RACES: '100000' }, files: ['test/attacks/path-swap.test.ts'] },
  {
    name: 'commands, against what a real shell does',
    env: { COUNTERSIGN_RUNS: '3000' },
    files: ['src/shell/differential.test.ts', 'src/shell/differential-writes.test.ts'],
  },
  {
    name: '5,000 kills of stores and daemons, and what else may happen to a daemon',
    env: { COUNTERSIGN_CAMPAIGNS: '1', COUNTERSIGN_KILLS: '5000' },
    files: ['test/campaigns/crashes.test.ts', 'test/campaigns/faults.test.ts'],
    resumable: true,
  },
  {
    name: '10,000 tampers with ledgers',
    env: { COUNTERSIGN_CAMPAIGNS: '1', COUNTERSIGN_TAMPERS: '10000' },
    files: ['test/campaigns/tampers.test.ts'],
  },
  {
    name: 'MoatBench, the scenarios of another guard',
    env: { COUNTERSIGN_CAMPAIGNS: '1', COUNTERSIGN_OPENMOAT: openmoat ?? '' },
    files: ['test/campaigns/moatbench.test.ts'],
  },
  { name: 'checks that build first', env: { COUNTERSIGN_SLOW_TOOLS: '1' }, files: ['test/quality.test.ts'] },
  { name: 'real agents', env: {}, files: ['test/agents'] },
  { name: 'changes of policy, ledger and kernel that no test notices', env: {}, files: [], script: 'scripts/mutation.mjs' },
];

const doneFile = path.join(ROOT, 'node_modules', '.countersign', 'long.json');
const commit = childProcess.spawnSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).stdout.trim();
const campaignFile = path.join(cacheFolder(), 'campaigns', `${commit}.json`);
if (process.argv.includes('--fresh')) fs.rmSync(campaignFile, { force: true });
const known = process.argv.includes('--fresh') ? {} : readDone();
const done = known.commit === commit ? known.done : [];

childProcess.spawnSync(process.execPath, ['scripts/fetch-needs.mjs'], { cwd: ROOT, stdio: 'inherit' });
let failed = 0;
for (const { name, env, files, resumable = false, script = 'scripts/test.mjs' } of CAMPAIGNS) {
  if (done.includes(name)) {
    console.log(`passed before on this commit: ${name}`);
    continue;
  }
  console.log(`\n${name}`);
  const started = Date.now();
  const run = childProcess.spawnSync(process.execPath, [script, ...files], {
    cwd: ROOT,
    // Outside this clone, so that an interrupted campaign resumes unless the commit changes.
    env: { ...process.env, ...env, ...(resumable ? { COUNTERSIGN_CAMPAIGN: campaignFile } : {}) },
    stdio: 'inherit',
  });
  console.log(`${run.status === 0 ? 'passed' : 'FAILED'} in ${Math.round((Date.now() - started) / 1000)} s: ${name}`);
  if (run.status === 0) {
    done.push(name);
    fs.writeFileSync(doneFile, JSON.stringify({ commit, done }));
    if (resumable) fs.rmSync(campaignFile, { force: true });
  } else failed += 1;
}
console.log(`${CAMPAIGNS.length - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

function readDone() {
  try {
    return JSON.parse(fs.readFileSync(doneFile, 'utf8'));
  } catch {
    return {};
  }
}
