import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { descentOf, holdsOpen, isHeldByChildOf, processEntry, processStarted } from './process-tree.ts';

function folder(): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-tree-')));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** A program that runs until its input ends; what it prints first says that it has begun. */
async function begun(command: string, args: readonly string[] = []): Promise<{ pid: number; word: string; end: () => Promise<void> }> {
  const child = spawn(command, args);
  const ended = new Promise((resolve) => child.once('close', resolve));
  const end = async () => {
    child.stdin.end();
    await ended;
  };
  onTestFinished(end);
  const { value } = (await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next()) as { value: string };
  return { pid: child.pid!, word: value, end };
}

test('the line of descent begins with the process itself and goes up by parents', () => {
  const descent = descentOf(process.pid);
  expect(descent?.chain[0]).toEqual({ pid: process.pid, started: processStarted(process.pid) });
  expect(descent?.chain[1]?.pid).toBe(process.ppid);
  expect(descent?.chain.every(({ started }) => /^\d+$/.test(started))).toBe(true);
});

test('a child has the same ancestors', async () => {
  const { pid } = await begun('sh', ['-c', 'echo here; read line']);
  expect(descentOf(pid)?.chain.slice(1)).toEqual(descentOf(process.pid)?.chain);
});

test('a child that left for a session of its own still has its ancestors, and no terminal', async () => {
  const { pid } = await begun('setsid', ['sh', '-c', 'echo here; read line']);
  const descent = descentOf(pid);
  expect(descent?.chain.slice(1)).toEqual(descentOf(process.pid)?.chain);
  expect(descent).toMatchObject({ terminal: false, unbroken: true });
});

test('an orphan that was handed over to another parent is not unbroken', async () => {
  // The session's leader is alive; the process in between is gone.
  const script = 'exec 3<&0; orphan=$(sh -c "sh -c \'read line\' <&3 >/dev/null & echo \\$!"); echo $orphan; exec cat >/dev/null';
  const { pid: leader, word } = await begun('setsid', ['sh', '-c', script]);
  const orphan = Number(word);
  const descent = descentOf(orphan);
  expect(descent?.chain.map(({ pid }) => pid)).not.toContain(leader);
  expect(descent?.unbroken).toBe(false);
});

test('a process may have any name: its parent is still read right', async () => {
  const program = join(folder(), 'x) S 1 (y');
  writeFileSync(program, '#!/bin/sh\necho here; read line\n', { mode: 0o755 });
  const { pid } = await begun(program);
  expect(processEntry(pid)).toMatchObject({ pid, parent: process.pid });
  expect(descentOf(pid)?.chain[1]).toEqual({ pid: process.pid, started: processStarted(process.pid) });
});

test('a process that is gone has no entry', async () => {
  const { pid, end } = await begun('sh', ['-c', 'echo here; read line']);
  expect(processStarted(pid)).not.toBeNull();
  await end();
  expect([processEntry(pid), processStarted(pid), descentOf(pid)]).toEqual([null, null, null]);
});

test('an open file is found with the process that opened it, and with no other', async () => {
  const file = join(folder(), 'proof');
  writeFileSync(file, '');
  const { pid } = await begun('sh', ['-c', `exec 7<'${file}'; echo here; read line`]);
  expect([holdsOpen(pid, file), holdsOpen(process.pid, file), holdsOpen(pid, `${file}2`), holdsOpen(0x3fffffff, file)]).toEqual([
    true,
    false,
    false,
    false,
  ]);
  const held = openSync(file, 'r');
  expect(holdsOpen(process.pid, file)).toBe(true);
  closeSync(held);
  expect(holdsOpen(process.pid, file)).toBe(false);
});

test('who holds the other end of a connection: a child of that process, and of no other', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const client = await begun('bash', ['-c', `exec 3<>/dev/tcp/127.0.0.1/${port}; echo here; read line`]);
  const [{ localPort, remotePort }] = await accepted;
  const connection = { localPort: localPort!, remotePort: remotePort! };
  const holders = [process.pid, process.ppid, client.pid, 1, 0x3fffffff].map((pid) => isHeldByChildOf(pid, connection));
  expect(await Promise.all(holders)).toEqual([true, false, false, false, false]);
  // This process holds its own end of the connection; its child does not.
  expect(await isHeldByChildOf(process.pid, { localPort: remotePort!, remotePort: localPort! })).toBe(false);
});

test('a process that has ended does not live on because its parent does not ask for it', async () => {
  const { word } = await begun('bash', ['-c', 'sleep 0 & echo $!; exec cat > /dev/null']);
  await expect.poll(() => processStarted(Number(word))).toBeNull();
});
