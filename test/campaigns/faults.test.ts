// What may happen to a daemon besides a crash: its disk is full or read-only, the clock jumps, two start at once, a dead one has left its
// socket and its hook file, a client hangs. What cannot be recorded is not done, reading continues, and the ledger stays whole.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { verifyFolder } from '../../src/ledger/index.ts';
import { daemonClient } from '../../src/client/node.ts';
import { CLIENT, hook as runHookClient, PASSED } from '../lab/hook-client.ts';
import { type Installation, makeInstallation } from '../lab/installation.ts';
import { verifies } from '../verifies.ts';
import { connect, isUp, startDaemon } from './kill-daemons.ts';

vi.setConfig({ testTimeout: 120_000 });

const MAIN = fileURLToPath(new URL('../../src/app/main.ts', import.meta.url));
let place: Installation;
const clock = () => join(place.base, 'clock');
/** A home in which an agent may write below src, and no daemon runs. */
beforeAll(async () => {
  place = await makeInstallation();
  mkdirSync(place.home, { recursive: true, mode: 0o700 });
  const child = startDaemon(place, null);
  await isUp(place, child);
  await place.human(['intent', 'work of the test', 'src']);
  await connect(place, 'faults');
  await end(child, 'SIGTERM');
});
afterAll(() => place.dispose());

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

/** Where everything is required, what cannot be shown counts as a failure. */
function skipped(what: string): void {
  const said = `SKIPPED: ${what}, because a process gets no mounts of its own here (unshare -rm)`;
  if (process.env['COUNTERSIGN_REQUIRE_ALL'] === '1') throw new Error(said);
  console.warn(said);
}

let calls = 0;
/** The hook answer of that home's daemon to a call of the agent. */
async function asked(home: string, tool_name: string, tool_input: Record<string, unknown>): Promise<string> {
  const [port, token] = readFileSync(join(home, 'run/hook'), 'utf8').trim().split(' ');
  const response = await fetch(`http://127.0.0.1:${port}/hooks/claude/PreToolUse`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      session_id: 'faults',
      cwd: place.repo.path,
      hook_event_name: 'PreToolUse',
      tool_name,
      tool_input,
      tool_use_id: `toolu_${++calls}`,
    }),
  });
  return response.text();
}
const write = (home: string, name: string) => asked(home, 'Write', { file_path: join(place.repo.path, 'src', name), content: 'x' });
const look = (home: string) => asked(home, 'Read', { file_path: join(place.repo.path, 'README.md') });

/** A copy of the home on a disk of a few megabytes that only this daemon has; null where namespaces are not allowed. */
async function daemonOnSmallDisk(): Promise<{ readonly child: ChildProcess; readonly home: string } | null> {
  if (spawnSync('unshare', ['-rm', 'true']).status !== 0) return null;
  const disk = mkdtempSync('/tmp/cs-');
  onTestFinished(() => rmSync(disk, { recursive: true, force: true }));
  const script = 'mount -t tmpfs -o size=6m tmpfs "$1" && cp -a "$2/." "$1" && shift 2 && exec "$@"';
  const daemon = [process.execPath, '--disable-warning=ExperimentalWarning', MAIN, 'daemon', '--home', disk];
  const child = spawn('unshare', ['-rm', 'sh', '-c', script, 'sh', disk, place.home, ...daemon], {
    env: { ...place.env, PATH: process.env['PATH'], MCP_DASHBOARD_PORT: '0' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  // Its files as it sees them.
  const home = `/proc/${child.pid}/root${disk}`;
  const client = daemonClient(join(home, 'run/daemon.sock'));
  // It listens before it writes where hooks find it.
  while (!(await client.isAlive()) || !existsSync(join(home, 'run/hook'))) {
    if (child.exitCode !== null) throw new Error('no daemon came up on the small disk');
    await pause(20);
  }
  return { child, home };
}

verifies('T10', 'a disk that is really full: no change is admitted, looking goes on, and so does work when there is space', async () => {
  const small = await daemonOnSmallDisk();
  if (small === null) return skipped('a full disk');
  const { child, home } = small;
  const client = daemonClient(join(home, 'run/daemon.sock'));
  expect(await write(home, 'before.ts')).not.toContain('deny');
  const { bavail, bsize } = statfsSync(home);
  try {
    writeFileSync(join(home, 'ballast'), Buffer.alloc(bavail * bsize));
  } catch (error) {
    // The daemon has used some of it since: the disk is still full.
    expect(error).toMatchObject({ code: 'ENOSPC' });
  }
  // The page that the ledger's end is in may have room for some records more.
  let said = '';
  for (let more = 0; more < 50 && !said.includes('deny'); more++) said = await write(home, `full-${more}.ts`);
  expect(said).toContain('AUDIT_UNAVAILABLE');
  expect(said).toContain('Free some space on the disk');
  expect(await look(home)).not.toContain('deny');
  expect((await client.ask('status', {})).ledger.writable).toBe(false);
  rmSync(join(home, 'ballast'));
  expect(await write(home, 'after.ts')).not.toContain('deny');
  expect((await client.ask('status', {})).ledger.writable).toBe(true);
  expect(await verifyFolder(join(home, 'ledger'), undefined)).toMatchObject({ ok: true, torn_tail_bytes: 0 });
  await end(child, 'SIGTERM');
});

verifies('T10', 'a folder that cannot be written: no daemon comes up and says why, changes are denied and reads pass', async () => {
  if (spawnSync('unshare', ['-rm', 'true']).status !== 0) return skipped('a read-only folder');
  const script = 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && shift && "$@"; echo "ended with $?" >&2';
  const within = (tool_name: string, ...command: string[]) =>
    spawnSync('unshare', ['-rm', 'sh', '-c', script, 'sh', place.home, ...command], {
      encoding: 'utf8',
      env: { ...place.env, PATH: process.env['PATH'] },
      input: JSON.stringify({ session_id: 'faults', cwd: place.repo.path, hook_event_name: 'PreToolUse', tool_name, tool_input: {} }),
    });
  const daemon = within('', process.execPath, '--disable-warning=ExperimentalWarning', MAIN, 'daemon', '--home', place.home);
  expect(daemon.stderr).toMatch(/cannot be written|read-only/i);
  expect(daemon.stderr).toContain('ended with 3');
  const hook = [CLIENT, '--home', place.home, '--deadline', '4', '--reads', 'Read', 'claude', 'PreToolUse'];
  expect(within('Write', ...hook).stderr).toContain('ended with 2');
  expect(within('Read', ...hook)).toMatchObject({ stdout: '{}\n', stderr: 'ended with 0\n' });
});

verifies('N2', 'of daemons that start at once exactly one owns the ledger, and every client is served', async () => {
  const children = Array.from({ length: 4 }, () => startDaemon(place, null));
  const ended = children.map((child) => once(child, 'exit').then(([code]) => code as number | null));
  while (!(await place.client.isAlive())) await pause(20);
  const owner = (await place.client.ask('status', {})).pid;
  const own = children.find(({ pid }) => pid === owner) as ChildProcess;
  expect(await Promise.all(ended.filter((_, at) => children[at] !== own))).toEqual([3, 3, 3]);
  expect(await isUp(place, own)).toBe(true);
  const answers = await Promise.all([
    place.client.ask('status', {}),
    place.client.ask('status', {}),
    look(place.home),
    write(place.home, 'one.ts'),
  ]);
  expect([answers[0].pid, answers[1].pid]).toEqual([owner, owner]);
  expect(`${answers[2]}${answers[3]}`).not.toContain('deny');
  await end(own, 'SIGTERM');
  expect(await verifyFolder(join(place.home, 'ledger'), undefined)).toMatchObject({ ok: true });
});

test('a socket and a hook file that a dead daemon left do no harm', async () => {
  const first = startDaemon(place, null);
  expect(await isUp(place, first)).toBe(true);
  const hookFile = readFileSync(join(place.home, 'run/hook'), 'utf8');
  await end(first, 'SIGKILL');
  expect([existsSync(join(place.home, 'run/daemon.sock')), readFileSync(join(place.home, 'run/hook'), 'utf8')]).toEqual([true, hookFile]);
  const payload = {
    session_id: 'faults',
    cwd: place.repo.path,
    hook_event_name: 'PreToolUse',
    tool_name: 'Read',
    tool_input: { file_path: join(place.repo.path, 'README.md') },
    tool_use_id: 'toolu_stale',
  };
  // It starts a daemon of its own, and its answer comes from that one.
  expect(await runHookClient(place.home, 'PreToolUse', payload)).toEqual(PASSED);
  while (!(await place.client.isAlive())) await pause(20);
  const { pid } = await place.client.ask('status', {});
  expect([pid === first.pid, readFileSync(join(place.home, 'run/hook'), 'utf8') === hookFile]).toEqual([false, false]);
  process.kill(pid, 'SIGTERM');
  while (await place.client.isAlive()) await pause(20);
});

verifies('T10', 'a client that hangs with half a request keeps no one waiting, and not the end of the daemon either', async () => {
  const child = startDaemon(place, null);
  expect(await isUp(place, child)).toBe(true);
  const [port] = readFileSync(join(place.home, 'run/hook'), 'utf8').split(' ');
  const halves = [
    'POST /hooks/claude/PreToolUse HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: 5000\r\n\r\n{"session_id":',
    'POST /hooks/claude/PreToolUse HTTP/1.1\r\nhost: 127.',
    '',
  ];
  const sockets: Socket[] = [];
  for (const half of halves)
    for (const where of [{ host: '127.0.0.1', port: Number(port) }, { path: join(place.home, 'run/daemon.sock') }]) {
      const socket = createConnection(where);
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      socket.write(half);
      sockets.push(socket);
    }
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
  expect([await look(place.home), await write(place.home, 'hanging.ts')].join('')).not.toContain('deny');
  expect((await place.client.ask('status', {})).pid).toBe(child.pid);
  await end(child, 'SIGTERM');
  expect(child.exitCode).toBe(0);
});

verifies('N2', 'the clock jumps back and forth, in a life and between lives: work goes on and the record is in order', async () => {
  const jumps = [0, -86_400_000, 3_600_000, -7 * 86_400_000];
  for (const jump of jumps) {
    writeFileSync(clock(), String(jump));
    const child = startDaemon(place, { folders: [place.home], clock: clock() });
    expect(await isUp(place, child)).toBe(true);
    for (const further of [0, 60_000, -60_000]) {
      writeFileSync(clock(), String(jump + further));
      expect(await write(place.home, `clock-${calls}.ts`)).not.toContain('AUDIT_UNAVAILABLE');
      expect(await look(place.home)).not.toContain('deny');
    }
    await end(child, 'SIGKILL');
  }
  expect(await verifyFolder(join(place.home, 'ledger'), undefined)).toMatchObject({ ok: true });
});
