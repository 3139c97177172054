// From nothing to a daemon that answers: what the first hook of the day waits for. With an empty compile cache and with a full one, from the
// sources and from JavaScript as it is packed, and with a long record. Beside a Node that does nothing.
// node bench/daemon-start.ts [--json FILE]

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { homePaths } from '../src/client/home-paths.ts';
import { daemonClient } from '../src/client/node.ts';
import { report, sized } from './report/report.ts';
import { median, takeTurns, timed } from './report/rounds.ts';
import { scratchFolder } from './stack/scratch.ts';
import { writeLedger } from './stack/write-ledger.ts';

const ROUNDS = sized(7, 1);
const RECORDS = sized(100_000, 200);
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FLAGS = ['--disable-warning=ExperimentalWarning'];

const scratch = scratchFolder();
const path = (name: string) => join(scratch.path, name);
try {
  const sources = join(ROOT, 'src/app/main.ts');
  const packed = await packedMain();
  await writeLedger(path('long'), RECORDS);
  const cpu: Record<string, number[]> = {};

  /** A new home unless one is named; the compile cache is emptied first for a cold start. */
  const start = async (name: string, main: string, { home = path(`home-${name}`), cold = false } = {}) => {
    const cache = path(`cache-${main === packed ? 'packed' : 'sources'}`);
    if (cold) rmSync(cache, { recursive: true, force: true });
    const isKept = home === path('long');
    if (!isKept) rmSync(home, { recursive: true, force: true });
    const { hookFile, socket } = homePaths(home);
    // A daemon that was killed leaves it behind: found here, it would say that this one is up.
    rmSync(hookFile, { force: true });
    const env = { PATH: process.env['PATH'], HOME: scratch.path, MCP_DASHBOARD_PORT: '0', NODE_COMPILE_CACHE: cache };
    const begun = performance.now();
    const daemon = spawn(process.execPath, [...FLAGS, main, 'daemon', '--home', home], { env, stdio: ['ignore', 'ignore', 'inherit'] });
    try {
      while (!existsSync(hookFile)) {
        if (daemon.exitCode !== null) throw new Error(`the daemon ended with ${daemon.exitCode}`);
        await pause(2);
      }
      const { pid, ledger } = await daemonClient(socket).ask('status', {});
      const took = performance.now() - begun;
      if (pid !== daemon.pid) throw new Error(`the process ${pid} answered, and not the daemon that was started, ${daemon.pid}`);
      if (isKept && ledger.size < RECORDS) throw new Error(`the daemon knows of ${ledger.size} records, and not of ${RECORDS}`);
      (cpu[name] ??= []).push(cpuSeconds(daemon.pid));
      return took;
    } finally {
      daemon.kill('SIGTERM');
      if (daemon.exitCode === null) await once(daemon, 'exit');
    }
  };

  await start('warm', sources, { cold: true });
  // That record has not been read yet: the first start reads all of it, and leaves a snapshot behind when it ends.
  const firstLong = await start('firstLong', sources, { home: path('long') });
  const times = await takeTurns(ROUNDS, {
    node: () => timed(() => spawnSync(process.execPath, ['-e', '0'])),
    cold: () => start('cold', sources, { cold: true }),
    warm: () => start('warm', sources),
    coldPacked: () => start('coldPacked', packed, { cold: true }),
    warmPacked: () => start('warmPacked', packed),
    long: () => start('long', sources, { home: path('long') }),
  });
  const node = median(times.node);
  const against = 'a Node that does nothing';
  report('daemon-start', [
    { what: 'a Node that does nothing', value: node, unit: 'ms' },
    { what: 'sources, empty compile cache', value: median(times.cold), unit: 'ms' },
    { what: 'sources, full compile cache', value: median(times.warm), unit: 'ms' },
    { what: 'processor time of that', value: median(cpu['warm'] ?? []), unit: 's' },
    { what: 'packed, empty compile cache', value: median(times.coldPacked), unit: 'ms' },
    { what: 'packed, full compile cache', value: median(times.warmPacked), unit: 'ms' },
    { what: `sources, full cache, ${RECORDS} records, no snapshot`, value: firstLong, unit: 'ms' },
    { what: `sources, full cache, ${RECORDS} records`, value: median(times.long), unit: 'ms' },
    { what: 'processor time of that', value: median(cpu['long'] ?? []), unit: 's' },
    { what: 'sources, full compile cache', value: median(times.warm) / node, unit: '×', against, atMost: 8 },
    {
      what: 'packed, empty compile cache',
      value: median(times.coldPacked) / median(times.cold),
      unit: '×',
      against: 'sources, empty compile cache',
    },
    { what: `${RECORDS} records`, value: median(times.long) / median(times.warm), unit: '×', against: 'an empty record' },
  ]);
} finally {
  scratch.remove();
}

/** JavaScript as `npm pack` makes it, with this clone's packages. */
async function packedMain(): Promise<string> {
  const root = path('packed');
  mkdirSync(join(root, 'clients/web'), { recursive: true });
  for (const name of ['src', 'bin', 'node_modules']) symlinkSync(join(ROOT, name), join(root, name));
  cpSync(join(ROOT, 'package.json'), join(root, 'package.json'));
  mkdirSync(join(root, 'clients/web/dist'), { recursive: true });
  const code = pathToFileURL(join(ROOT, 'scripts/packed-code.mjs')).href;
  const { writePackedCode } = (await import(code)) as { writePackedCode: (root: string) => unknown };
  writePackedCode(root);
  return join(root, 'lib/app/main.js');
}

/** User and system time so far; the clock of /proc ticks a hundred times a second. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
