// run_command as an agent on the contract surface calls it: the official client, live output, a call that is cancelled.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { outputIn } from '../../src/protocol/index.ts';
import { type Installation, makeInstallation } from '../lab/installation.ts';
import { verifies } from '../verifies.ts';

let place: Installation;
let client: Client;
beforeAll(async () => {
  place = await makeInstallation();
  await place.human(['intent', 'work', 'src']);
  client = await place.mcpClient();
  await client.callTool({ name: 'begin_work', arguments: {} });
});
afterAll(async () => {
  await client.close();
  await place.dispose();
});

const read = (name: string) => readFile(join(place.repo.path, name), 'utf8').catch(() => null);

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => void setTimeout(resolve, 50));
}

/** Says yes to every question until the call ends. */
async function approving<T>(call: Promise<T>): Promise<T> {
  let goesOn = true;
  const answered = (async () => {
    while (goesOn) {
      for (const { id } of await place.client.ask('approvals', { state: 'pending' })) await place.human(['approve', id]);
      await new Promise((resolve) => void setTimeout(resolve, 100));
    }
  })();
  try {
    return await call;
  } finally {
    goesOn = false;
    await answered;
  }
}

verifies('I12', 'a command answers with what it printed and wrote, under its receipt', async () => {
  const call = client.callTool({ name: 'run_command', arguments: { command: 'echo hello; echo 1 > src/new.ts', timeout_ms: 20_000 } });
  const { structuredContent, isError } = await approving(call);
  expect([isError ?? false, structuredContent]).toEqual([
    false,
    {
      exit_code: 0,
      sandbox: 'bubblewrap',
      changed: [{ path: 'src/new.ts', change: 'created' }],
      rolled_back: [],
      left: [],
      derived: 0,
      output: 'hello\n',
      receipt_id: expect.stringMatching(/^rcp_/),
    },
  ]);
});

test('what it prints is reported while it runs, to whoever asked for it', async () => {
  const heard: string[] = [];
  const call = client.callTool(
    { name: 'run_command', arguments: { command: 'echo one; sleep 1; echo two; sleep 1' } },
    { onprogress: ({ message }) => void heard.push(message ?? '') },
  );
  await approving(call);
  expect(heard.filter((message) => !message.startsWith('Still '))).toEqual(['one\n', 'two\n']);
});

test('a call that is taken back ends the command', async () => {
  const taken = new AbortController();
  const call = client.callTool(
    { name: 'run_command', arguments: { command: 'echo 1 > src/taken.ts; sleep 300' } },
    { signal: taken.signal },
  );
  const ended = approving(call).catch((error: unknown) => error);
  await until(async () => (await read('src/taken.ts')) !== null);
  taken.abort();
  expect(await ended).toBeInstanceOf(Error);
  await until(async () => (await place.client.ask('receipts', { limit: 1 }))[0]?.status === 'failed');
  const [receipt] = await place.client.ask('receipts', { limit: 1 });
  expect([receipt && outputIn(receipt).includes('"cancelled":true'), receipt?.file_refs.map(({ path }) => path)]).toEqual([
    true,
    ['src/taken.ts'],
  ]);
});

test('a client that goes away ends its command', async () => {
  const other = await place.mcpClient();
  await other.callTool({ name: 'begin_work', arguments: {} });
  const call = other.callTool({ name: 'run_command', arguments: { command: 'echo 1 > src/gone.ts; sleep 300' } });
  const ended = approving(call).catch((error: unknown) => error);
  await until(async () => (await read('src/gone.ts')) !== null);
  await other.close();
  await ended;
  await until(async () => (await place.client.ask('receipts', { limit: 1 }))[0]?.file_refs[0]?.path === 'src/gone.ts');
});
