// The pipe that an agent starts, with a real daemon behind it that ends.

import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { CallToolResult, Client, ClientOptions } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';
import { CLI, hasEnded, type Installation, makeInstallation } from '../../../test/lab/installation.ts';
import { CODES } from '../../protocol/index.ts';
import { DAEMON_UNAVAILABLE } from './pipe.ts';

async function connectAgent(place: Installation, options?: { surface?: string; client?: ClientOptions }): Promise<Client> {
  const client = await place.mcpClient(options);
  onTestFinished(() => client.close());
  return client;
}

async function call(client: Client, name: string, args: Record<string, unknown> = {}, callId?: string): Promise<CallToolResult> {
  return client.callTool({ name, arguments: args, ...(callId === undefined ? {} : { _meta: { 'claudecode/toolUseId': callId } }) });
}

async function placeForThisTest(): Promise<Installation> {
  const place = await makeInstallation();
  onTestFinished(() => place.dispose());
  return place;
}

test('what it says of a lost daemon is as in the table of codes', () => {
  expect(DAEMON_UNAVAILABLE).toBe(CODES.DAEMON_UNAVAILABLE.rpc);
});

test('killed between two calls: the next call finds or starts another, which knows the agent', async () => {
  const place = await placeForThisTest();
  const client = await connectAgent(place);
  await call(client, 'propose_intent', { name: 'fix login', owned_scope: ['src/auth/**'] });
  await call(client, 'memory_set_mode', { mode: 'GUARDED' });
  const { session } = (await call(client, 'countersign_status')).structuredContent as { session: string };
  const { tools } = await client.listTools();
  const first = await place.daemonPid();
  process.kill(first, 'SIGKILL');
  await hasEnded(first);
  expect((await call(client, 'countersign_status')).structuredContent).toMatchObject({
    session,
    mode: 'GUARDED',
    proposed_intents: [{ id: 'INT-001', name: 'fix login' }],
  });
  expect(await place.daemonPid()).not.toBe(first);
  expect((await client.listTools()).tools).toEqual(tools);
});

test('killed under a client of the newer protocol: the same', async () => {
  const place = await placeForThisTest();
  const client = await connectAgent(place, { client: { versionNegotiation: { mode: { pin: '2026-07-28' } } } });
  process.kill(await place.daemonPid(), 'SIGKILL');
  await call(client, 'countersign_status').catch(() => null);
  expect((await call(client, 'countersign_status')).structuredContent).toMatchObject({ level: 'advisory' });
});

test('killed while calls are open: each is answered, by a result or an error that says to call again', async () => {
  const place = await placeForThisTest();
  const client = await connectAgent(place);
  const pid = await place.daemonPid();
  const calls = Array.from({ length: 20 }, (_, index) =>
    call(client, 'propose_intent', { name: `change ${index}`, owned_scope: ['src/**'] }),
  );
  await calls[0];
  process.kill(pid, 'SIGKILL');
  const ends = await Promise.allSettled(calls);
  const lost = ends.flatMap((end) => (end.status === 'rejected' ? [String(end.reason)] : []));
  expect(lost.length).toBeGreaterThan(0);
  expect(lost.filter((reason) => !reason.includes('The daemon ended during tools/call; call again.'))).toEqual([]);
  expect((await call(client, 'countersign_status')).isError).toBeUndefined();
});

test('a call made while the next daemon is still starting waits for it and is answered', async () => {
  const place = await placeForThisTest();
  const client = await connectAgent(place);
  const pid = await place.daemonPid();
  process.kill(pid, 'SIGKILL');
  await hasEnded(pid);
  const answers = await Promise.all(Array.from({ length: 5 }, () => call(client, 'countersign_status')));
  expect(answers.map(({ isError }) => isError)).toEqual(Array.from({ length: 5 }, () => undefined));
});

test('stopped by a human, it stops although an agent is connected, and stays so until the agent calls', async () => {
  const place = await placeForThisTest();
  const client = await connectAgent(place);
  await call(client, 'countersign_status');
  const pid = await place.daemonPid();
  expect((await place.human(['stop'])).code).toBe(0);
  await hasEnded(pid);
  await expect(place.daemonPid()).rejects.toThrow('The daemon did not answer');
  await expect(readFile(join(place.home, 'run/hook'))).rejects.toThrow('ENOENT');
  expect((await call(client, 'countersign_status')).isError).toBeUndefined();
});

test('without a daemon calls get an error, and the connection lives on for when there is one again', async () => {
  const place = await placeForThisTest();
  const client = await connectAgent(place);
  const segment = join(place.home, 'ledger/00000001.jsonl');
  const pid = await place.daemonPid();
  process.kill(pid, 'SIGKILL');
  await hasEnded(pid);
  const sound = await readFile(segment);
  const broken = Buffer.from(sound);
  broken[20]! ^= 1;
  await writeFile(segment, broken);
  await expect(call(client, 'countersign_status')).rejects.toThrow('No daemon could be had for tools/call; call again.');
  await writeFile(segment, sound);
  expect((await call(client, 'countersign_status')).isError).toBeUndefined();
});

test('the pipe ends with its input', async () => {
  const place = await placeForThisTest();
  for (const args of [['mcp'], ['--home', place.home, 'mcp']]) expect(await place.run(args)).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(await place.daemonPid()).toBeGreaterThan(0);
  const info = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
  const pipe = spawn(CLI, ['mcp'], {
    cwd: place.repo.path,
    env: { PATH: process.env['PATH'], ...place.env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  createInterface({ input: pipe.stdout }).on('line', (line) => lines.push(line));
  const ended = new Promise((resolve) => pipe.once('close', resolve));
  pipe.stdin.end(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: info })}\n`);
  expect(await ended).toBe(0);
  expect(lines.map((line) => (JSON.parse(line) as { id: number }).id)).toEqual([1]);
});
