// What walls cost an agent's command: the real wall program, a real daemon, a command that was admitted. Beside the same line in the ordinary
// shell. And a build that works for a while, in both. node bench/walls.ts [--json FILE]

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { report, sized } from './report/report.ts';
import { median, percentile, takeTurns } from './report/rounds.ts';
import { scratchFolder } from './stack/scratch.ts';
import { bin, wiredRepository } from './stack/wired-repository.ts';

const ROUNDS = sized(8, 1);
const EACH = sized(20, 2);
/** About ten seconds of work. */
const BUILD_FILES = sized(30_000, 50);

/** A shell starts them, as agents do: from Node, most of the time would be Node's. Prints the microseconds of each. */
const DRIVER = `
  count=$1; shift
  for ((at = 0; at < count; at++)); do
    begun=\${EPOCHREALTIME/./}
    "$@" </dev/null >/dev/null || exit
    echo $((\${EPOCHREALTIME/./} - begun))
  done`;

/** Reads, writes and starts processes, as builds do. */
const BUILD = `
import fs from 'node:fs';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
fs.mkdirSync('src/out', { recursive: true });
for (let at = 0; at < ${BUILD_FILES}; at++) {
  fs.writeFileSync('src/out/' + at, createHash('sha256').update('x'.repeat(20_000) + at).digest('hex').repeat(50));
  fs.readFileSync('src/out/' + at);
  if (at % 100 === 0) execFileSync('true');
}
fs.rmSync('src/out', { recursive: true });
`;

const scratch = scratchFolder();
const place = await wiredRepository(scratch.path);
try {
  writeFileSync(join(place.repo, 'src/build.mjs'), BUILD);
  const times: Record<string, number[]> = {};
  let calls = 0;
  const admit = (command: string) => {
    const payload = {
      ...{ session_id: 'bench', cwd: place.repo, hook_event_name: 'PreToolUse', permission_mode: 'acceptEdits' },
      ...{ tool_name: 'Bash', tool_input: { command, description: 'x' }, tool_use_id: `w${calls++}` },
    };
    const { stdout } = spawnSync(bin('countersign-hook'), ['--home', place.home, 'claude', 'PreToolUse'], {
      ...{ env: place.env, input: JSON.stringify(payload), encoding: 'utf8' },
    });
    if (stdout.includes('"deny"')) throw new Error(stdout);
  };
  const round = (name: string, count: number, command: string, shell: string) => {
    if (shell !== 'bash') for (let at = 0; at < count; at++) admit(command);
    const line = `eval '${command}' < /dev/null && pwd -P >| /tmp/claude-bench-cwd`;
    const env = { ...place.env, CLAUDE_CODE_SESSION_ID: 'bench', COUNTERSIGN_WALL_HOME: place.home };
    const run = spawnSync('bash', ['-c', DRIVER, 'driver', String(count), shell, '-c', line], { env, cwd: place.repo, encoding: 'utf8' });
    const took = run.stdout.trim().split('\n').map(Number);
    if (run.status !== 0 || took.length !== count) throw new Error(`${name}: ${run.stderr}${run.stdout}`);
    (times[name] ??= []).push(...took);
    return median(took);
  };
  const wall = bin('countersign-wall-bash');
  // The first call of a session makes the box.
  round('first', 1, 'touch src/a.ts', wall);
  await takeTurns(ROUNDS, {
    bare: () => round('bare', EACH, 'touch src/a.ts', 'bash'),
    walled: () => round('walled', EACH, 'touch src/a.ts', wall),
  });
  await takeTurns(sized(3, 1), {
    bareBuild: () => round('bareBuild', 1, 'node src/build.mjs', 'bash'),
    walledBuild: () => round('walledBuild', 1, 'node src/build.mjs', wall),
  });
  const p50 = (name: string) => median(times[name] ?? []) / 1000;
  report('walls', [
    { what: 'command behind walls, p50', value: p50('walled'), unit: 'ms' },
    { what: 'command behind walls, p95', value: percentile(times['walled'] ?? [], 0.95) / 1000, unit: 'ms' },
    { what: 'the same in bash, p50', value: p50('bare'), unit: 'ms' },
    { what: 'more than in bash, p50', value: p50('walled') - p50('bare'), unit: 'ms', atMost: 15 },
    { what: 'first command of a session', value: p50('first'), unit: 'ms' },
    { what: 'build behind walls', value: p50('walledBuild') / 1000, unit: 's' },
    { what: 'build behind walls', value: p50('walledBuild') / p50('bareBuild'), unit: '×', against: 'the same in bash', atMost: 1.05 },
  ]);
} finally {
  place.end();
  scratch.remove();
}
