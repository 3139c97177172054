import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createSocketServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../../test/lab/daemon.ts';
import { daemonClient } from './daemon-client.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon.dispose());

test('questions are answered with the rows that were asked for', async () => {
  const client = daemonClient(daemon.home.socket);
  expect(await client.isAlive()).toBe(true);
  expect(await client.ask('status', {})).toMatchObject({ pid: process.pid, home: daemon.home.dir });
  expect(await client.ask('approvals', { state: 'pending', limit: 3 })).toEqual([]);
});

test('a command proves its process, and what the daemon says no to is reported with code and fix', async () => {
  const client = daemonClient(daemon.home.socket);
  await expect(client.act('set_intent_status', { id: 'INT-404', cwd: daemon.repo.path, status: 'done' })).rejects.toMatchObject({
    name: 'Refused',
    code: 'NOT_FOUND',
    message: 'There is no intent INT-404 in this workspace.',
    fix: 'countersign intents lists them',
    output: null,
  });
  const intent = await client.act('declare_intent', {
    cwd: daemon.repo.path,
    name: 'fix login',
    paths: ['src/auth'],
    constraints: [],
    acceptance_criteria: [],
  });
  expect(intent).toMatchObject({ id: 'INT-001', status: 'active', owned_scope: ['src/auth/**'] });
});

test('what happens is followed until the signal, which is no trouble', async () => {
  const client = daemonClient(daemon.home.socket);
  const enough = new AbortController();
  const heard: string[] = [];
  const onEvent = (topic: string, row: unknown) => {
    // Other rows, such as the workspace's, may come first.
    if (topic !== 'intent') return;
    heard.push(`${topic} ${(row as { name?: string }).name}`);
    enough.abort();
  };
  const following = client.follow({ onEvent }, enough.signal);
  // The stream's first rows come as soon as it is open.
  for (let turn = 0; heard.length === 0; turn++) {
    await client.act('declare_intent', {
      cwd: daemon.repo.path,
      name: `work ${turn}`,
      paths: ['src'],
      constraints: [],
      acceptance_criteria: [],
    });
  }
  await following;
  expect(heard[0]).toMatch(/^intent work \d+$/);
});

test('no daemon is a fault that says how to start one', async () => {
  const client = daemonClient(join(daemon.home.run, 'nobody.sock'));
  expect(await client.isAlive()).toBe(false);
  const gone = { name: 'Fault', code: 'DAEMON_UNAVAILABLE', fix: 'countersign start' };
  await expect(client.ask('status', {})).rejects.toMatchObject(gone);
  await expect(client.act('stop', {})).rejects.toMatchObject(gone);
  await expect(client.follow({ onEvent: () => {} }, new AbortController().signal)).rejects.toMatchObject(gone);
});

test('something else at the other end is a fault too', async () => {
  const dir = mkdtempSync('/tmp/cs-');
  const server = createServer((request, response) => {
    if (request.url === '/health') response.end('{}');
    else response.end('<html>not json</html>');
  });
  onTestFinished(async () => {
    await new Promise((resolve) => server.close(resolve));
    rmSync(dir, { recursive: true });
  });
  const socket = join(dir, 'other.sock');
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  await expect(daemonClient(socket).ask('status', {})).rejects.toMatchObject({ name: 'Fault', code: 'DAEMON_UNAVAILABLE' });
});

test('an answer that is cut off is no answer, and the first request starts a daemon once', async () => {
  const dir = mkdtempSync('/tmp/cs-');
  const server = createSocketServer((socket) => socket.resume().end('HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n{"pid":1}'));
  onTestFinished(async () => {
    await new Promise((resolve) => server.close(resolve));
    rmSync(dir, { recursive: true });
  });
  const socket = join(dir, 'cut.sock');
  let starts = 0;
  const client = daemonClient(socket, async () => {
    starts++;
    await new Promise<void>((resolve) => server.listen(socket, resolve));
  });
  expect([await client.isAlive(), starts]).toEqual([false, 0]);
  const gone = { code: 'DAEMON_UNAVAILABLE', message: 'The daemon did not answer (what answered is not a daemon).' };
  await expect(client.act('stop', {})).rejects.toMatchObject(gone);
  await expect(client.ask('status', {})).rejects.toMatchObject(gone);
  expect(starts).toBe(1);
});

test('a request that is given up starts no daemon', async () => {
  let starts = 0;
  const client = daemonClient(join(daemon.home.run, 'nobody.sock'), async () => void starts++);
  await expect(client.ask('status', {}, AbortSignal.abort())).rejects.toMatchObject({ code: 'DAEMON_UNAVAILABLE' });
  expect(starts).toBe(0);
});

test('an answer to a body that is not read to its end counts', async () => {
  const client = daemonClient(daemon.home.socket);
  const huge = { cwd: daemon.repo.path, name: 'x'.repeat(32 * 1024 * 1024), paths: ['src'] };
  await expect(client.act('declare_intent', huge)).rejects.toMatchObject({ name: 'Refused', code: 'TOO_LARGE' });
});
