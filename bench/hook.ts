// What a hook costs an agent before each tool: the real client, a real daemon, an edit that is admitted, durable before the answer. Beside
// `/bin/true`, which is what starting any process costs, and beside the same hook as a Node program. node bench/hook.ts [--json FILE]

import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { clientRunner, DECISION } from '../src/agents/wire.ts';
import { report, sized } from './report/report.ts';
import { median, percentile, takeTurns } from './report/rounds.ts';
import { scratchFolder } from './stack/scratch.ts';
import { bin, wiredRepository } from './stack/wired-repository.ts';

const ROUNDS = sized(10, 1);
const EACH = sized(20, 2);
/** A shell starts them, as agents do: from Node, most of the time would be Node's. Prints the microseconds of each. */
const DRIVER = `
  folder=$1 first=$2 count=$3; shift 3
  for ((at = first; at < first + count; at++)); do
    begun=\${EPOCHREALTIME/./}
    "$@" <"$folder/$at" >>"$folder/$SAID" 2>&1
    echo $((\${EPOCHREALTIME/./} - begun))
  done`;

/** Another guard for agents, where it is installed: its whole decision is in the hook, ours is in the daemon. */
const openmoat = process.env['COUNTERSIGN_OPENMOAT'] || null;
const RUNNER = clientRunner({ timing: DECISION }, {});
const scratch = scratchFolder();
const place = await wiredRepository(scratch.path);
try {
  const payloads = join(scratch.path, 'payloads');
  mkdirSync(payloads);
  let written = 0;
  const times: Record<string, number[]> = {};
  /** The median of one round; every single time is kept too. */
  const round = (name: string, ...command: string[]) => {
    const first = written;
    for (; written < first + EACH; written++) writeFileSync(join(payloads, String(written)), place.editPayload(`t${written}`));
    const run = spawnSync('bash', ['-c', DRIVER, 'driver', payloads, String(first), String(EACH), ...command], {
      ...{ env: { ...place.env, SAID: name === 'peer' ? 'said-by-peer' : 'said' }, cwd: place.repo, encoding: 'utf8' },
    });
    const took = run.stdout.trim().split('\n').map(Number);
    if (run.status !== 0 || took.length !== EACH) throw new Error(`${name}: ${run.stderr}`);
    (times[name] ??= []).push(...took);
    return median(took);
  };
  if (openmoat !== null) spawnSync(openmoat, ['init'], { env: place.env, cwd: place.repo, stdio: 'ignore' });
  const sides: Record<string, () => number> = {
    true: () => round('true', '/bin/true'),
    // As the line starts it that `init` writes.
    ours: () => round('ours', 'bash', '-p', '-c', RUNNER, bin('countersign-hook'), '--home', place.home, 'claude', 'PreToolUse'),
    node: () =>
      round('node', process.execPath, fileURLToPath(new URL('stack/node-hook.mjs', import.meta.url)), place.home, 'claude', 'PreToolUse'),
  };
  if (openmoat !== null) sides['peer'] = () => round('peer', openmoat, 'guard', '--host', 'claude-code');
  await takeTurns(ROUNDS, sides);
  const said = readFileSync(join(payloads, 'said'), 'utf8');
  if (/deny|UNAVAILABLE|Error/.test(said)) throw new Error(`an edit was not admitted: ${said.slice(0, 500)}`);
  const p50 = (name: string) => median(times[name] ?? []) / 1000;
  report('hook', [
    { what: 'hook client, durable and authorised, p50', value: p50('ours'), unit: 'ms' },
    { what: 'hook client, durable and authorised, p95', value: percentile(times['ours'] ?? [], 0.95) / 1000, unit: 'ms' },
    { what: '/bin/true, p50', value: p50('true'), unit: 'ms' },
    { what: 'a Node program as the hook, p50', value: p50('node'), unit: 'ms' },
    ...(openmoat === null
      ? []
      : [
          { what: 'openmoat guard, p50', value: p50('peer'), unit: 'ms' },
          { what: 'hook client, p50', value: p50('ours') / p50('peer'), unit: '×', against: 'openmoat guard' },
        ]),
    { what: 'hook client, p50', value: p50('ours') / p50('true'), unit: '×', against: '/bin/true', atMost: 5 },
    { what: 'hook client, p50', value: p50('ours') / p50('node'), unit: '×', against: 'a Node program as the hook', atMost: 1 / 15 },
  ]);
} finally {
  place.end();
  scratch.remove();
}
