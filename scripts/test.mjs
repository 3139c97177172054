// `npm test`: sets the clone up and runs every suite that this machine can run. Arguments go to vitest (`npm test -- src/ledger`).
// The suites with real agents, a real browser, MCP's own tools and a real Neo4j run in a second vitest, inside a network of its own,
// so that the daemon, the scripted model, the browser, the database and the agent share one loopback and nothing else.
//   COUNTERSIGN_REQUIRE_ALL=1  brings what is missing; what is still missing counts as a failure
//   --all-agents               the suites with the other agents' clients too
//   COUNTERSIGN_CAMPAIGNS=1    the campaigns too (crashes, tampers), which take minutes; with COUNTERSIGN_REQUIRE_ALL=1 they run anyway
//   COUNTERSIGN_FETCH=1        brings what is missing; what is still missing is skipped, loudly

import './require-node.mjs';
import childProcess from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { readyOrExit, ROOT } from './bootstrap.mjs';
import { fetchNeeds } from './fetch-needs.mjs';
import { AGENT_CLIENTS, clientVariable, OTHER_CLIENTS, probeNeeds } from './needs.mjs';
import { NODE_FLAGS, productEnvironment } from './product-node.mjs';
import { expectedTime, rememberTime } from './test-times.mjs';
import { NOTHING, readTotals, sum, totalsLine } from './test-totals.mjs';

/** What a suite's folder needs; every other test file belongs to the plain suite. */
const SPECIAL = {
  agents: ['claude', 'codex', 'namespaces'],
  page: ['chromium'],
  mcp: ['conformance', 'inspector'],
  neo4j: ['neo4j'],
  commands: ['bubblewrap'],
  walls: ['bubblewrap'],
  sealed: ['bubblewrap', 'script'],
  packed: [],
  campaigns: ['time'],
  terminal: ['script'],
  'small-model': ['smallModel'],
  logins: ['script', 'logins', 'namespaces'],
  shells: ['shells', 'bubblewrap'],
};
/** Needs the package registry, and minutes: with COUNTERSIGN_REQUIRE_ALL=1, or when it is named. */
const HEAVY = 'packed';

const allAgents = process.argv.includes('--all-agents');
const args = process.argv.slice(2).filter((argument) => argument !== '--all-agents');
const requireAll = process.env.COUNTERSIGN_REQUIRE_ALL === '1';
const { node } = await readyOrExit({ web: true });
if (requireAll || process.env.COUNTERSIGN_FETCH === '1') await fetchNeeds({ allAgents });
const needs = probeNeeds();
/** Clients whose suites do not run now. */
const left = OTHER_CLIENTS.filter((client) => !allAgents || needs[client] === null);

const wantsHeavy = requireAll || args.some((argument) => argument.includes(`test/${HEAVY}`));
const runnable = Object.keys(SPECIAL)
  .filter((suite) => SPECIAL[suite].every((need) => needs[need] !== null))
  .filter((suite) => suite !== HEAVY || wantsHeavy);
const isolated = runnable.filter((suite) => suite !== HEAVY);
const skippedFiles = Object.keys(SPECIAL)
  .filter((suite) => !runnable.includes(suite))
  .flatMap(selectedFiles);

const parts = [];
if (args.length === 0)
  console.log(expectedTime(ROOT, [['plain'], ...(isolated.length > 0 ? [isolated] : []), ...(wantsHeavy ? [[HEAVY]] : [])]));
if (selectedFiles('plain').length > 0) parts.push(await runVitest(['plain'], []));
// Only suites with a selected file: naming one of them must not start the database of another.
const selected = isolated.filter((suite) => selectedFiles(suite).length > 0);
if (selected.length > 0) parts.push(await runVitest(selected, needs.namespaces || []));
if (wantsHeavy && selectedFiles(HEAVY).length > 0) parts.push(await runVitest([HEAVY], []));
report(parts.reduce(sum, NOTHING));

function report(totals) {
  const lines = [];
  let all = totals;
  for (const { need, why, get } of needs.missing.filter(({ need }) => allAgents || !OTHER_CLIENTS.includes(need))) {
    const suites = Object.keys(SPECIAL).filter((suite) => SPECIAL[suite].includes(need));
    const named = OTHER_CLIENTS.includes(need) ? [`test/agents/${need}.test.ts`] : suites.map((suite) => `test/${suite}`);
    lines.push(`${requireAll ? 'MISSING' : 'SKIPPED'}: ${named.join(', ')} need ${need}, but ${why}.`, `  ${get}`);
    if (requireAll) all = sum(all, { ...NOTHING, failed: 1 });
  }
  if (!wantsHeavy && skippedFiles.some((file) => file.startsWith(`test/${HEAVY}/`)))
    lines.push(
      `SKIPPED: test/${HEAVY} packs the product and installs it from the package registry. Run it with npm test -- test/${HEAVY}.`,
    );
  if (skippedFiles.length > 0) lines.push(`Files that did not run, each counted as one skipped: ${skippedFiles.join(', ')}`);
  all = sum(all, { ...NOTHING, skipped: skippedFiles.length });
  if (all.passed + all.failed === 0) lines.push('No test ran: nothing matches, or all of it was skipped.');
  console.log(['', ...lines, totalsLine(all)].join('\n'));
  process.exitCode = all.failed > 0 || all.passed === 0 ? 1 : 0;
}

/** One vitest over the named suites, after a command prefix. Resolves to its totals. */
async function runVitest(suites, prefix) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'countersign-test-'));
  const file = path.join(folder, 'results.json');
  const vitest = [
    path.join(ROOT, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--passWithNoTests',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
  ];
  const [command, ...rest] = [...prefix, node, ...NODE_FLAGS, ...vitest, ...args];
  const begun = Date.now();
  try {
    const code = await finish(childProcess.spawn(command, rest, { cwd: ROOT, env: suiteEnvironment(suites), stdio: 'inherit' }));
    if (args.length === 0) rememberTime(ROOT, suites, Date.now() - begun);
    return readTotals(file, code);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** `unshare` does not pass a signal on, but what it started dies with it. */
function finish(child) {
  const stop = () => {
    child.kill('SIGKILL');
    process.exit(143);
  };
  process.once('SIGTERM', stop);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => {
      process.removeListener('SIGTERM', stop);
      resolve(code === null ? 1 : code);
    });
  });
}

function suiteEnvironment(suites) {
  const env = { ...productEnvironment(), COUNTERSIGN_SUITES: suites.join(','), COUNTERSIGN_LEFT: left.join(',') };
  const found = {
    COUNTERSIGN_CHROMIUM: needs.chromium,
    ...Object.fromEntries(Object.keys(AGENT_CLIENTS).map((client) => [clientVariable(client), needs[client]])),
    COUNTERSIGN_MCP_CONFORMANCE: needs.conformance,
    COUNTERSIGN_MCP_INSPECTOR: needs.inspector,
    COUNTERSIGN_NEO4J: needs.neo4j,
    COUNTERSIGN_SMALL_MODEL: needs.smallModel,
    COUNTERSIGN_NAMESPACE: needs.namespaces && JSON.stringify(needs.namespaces),
  };
  for (const [name, value] of Object.entries(found)) {
    if (value === null) delete env[name];
    else env[name] = value;
  }
  return env;
}

/** The suite's test files that the arguments select. With any option among them, vitest alone knows, so all count. */
function selectedFiles(suite) {
  const isSpecial = (file) => Object.keys(SPECIAL).find((name) => file.startsWith(`test/${name}/`));
  const files = ['src', 'test', 'clients', 'scripts']
    .flatMap(testFilesBelow)
    .filter((file) => (isSpecial(file) || 'plain') === suite)
    .filter((file) => !left.some((client) => file === `test/agents/${client}.test.ts`));
  if (args.length === 0 || args.some((argument) => argument.startsWith('-'))) return files;
  return files.filter((file) => args.some((argument) => path.join(ROOT, file).includes(argument.replace(/^\.\//, ''))));
}

function testFilesBelow(name) {
  const full = path.join(ROOT, name);
  if (!fs.existsSync(full) || name.endsWith('/node_modules') || name.endsWith('/dist')) return [];
  if (!fs.statSync(full).isDirectory()) return name.endsWith('.test.ts') ? [name] : [];
  return fs.readdirSync(full).flatMap((entry) => testFilesBelow(`${name}/${entry}`));
}
