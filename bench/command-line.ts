// The CPU time of a command, user and system together: the real command line with a daemon that is up, beside a Node process that does
// nothing. node bench/command-line.ts [--json FILE]

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { report, sized } from './report/report.ts';
import { median, takeTurns } from './report/rounds.ts';
import { scratchFolder } from './stack/scratch.ts';
import { bin, wiredRepository } from './stack/wired-repository.ts';

const ROUNDS = sized(10, 1);
const EACH = sized(10, 2);
const COMMANDS = ['status', 'receipts', 'approvals'] as const;
/** Prints the time of the shell and its children; all but a millisecond is the children's. */
const DRIVER = `
  count=$1; shift
  for ((at = 0; at < count; at++)); do "$@" >/dev/null || exit; done
  times`;

const scratch = scratchFolder();
const place = await wiredRepository(scratch.path);
try {
  const empty = join(scratch.path, 'empty.mjs');
  writeFileSync(empty, '');
  const cpuMs = (...command: string[]) => {
    const { status, stdout, stderr } = spawnSync('bash', ['-c', DRIVER, 'driver', String(EACH), ...command], {
      ...{ env: place.env, cwd: place.repo, encoding: 'utf8' },
    });
    const [, children = ''] = stdout.trim().split('\n');
    const seconds = [...children.matchAll(/(\d+)m([\d.]+)s/g)].map(([, minutes, rest]) => Number(minutes) * 60 + Number(rest));
    if (status !== 0 || seconds.length !== 2) throw new Error(`${command.join(' ')}: ${stdout}${stderr}`);
    return (seconds.reduce((sum, each) => sum + each, 0) * 1000) / EACH;
  };
  const command = (name: string) => cpuMs(bin('countersign'), name);
  // Compiled code is kept by the first run.
  for (const name of COMMANDS) command(name);
  const rounds = await takeTurns(ROUNDS, {
    node: () => cpuMs(process.execPath, empty),
    status: () => command('status'),
    receipts: () => command('receipts'),
    approvals: () => command('approvals'),
  });
  const node = median(rounds.node);
  report('command-line', [
    { what: 'an empty Node process, CPU', value: node, unit: 'ms' },
    ...COMMANDS.map((name) => ({ what: `countersign ${name}, CPU`, value: median(rounds[name]), unit: 'ms' })),
    ...COMMANDS.map((name) => ({
      ...{ what: `countersign ${name}, CPU`, value: median(rounds[name]) / node, unit: '×' },
      ...{ against: 'an empty Node process', atMost: 2.5 },
    })),
  ]);
} finally {
  place.end();
  scratch.remove();
}
