// A new name for every call, to escape earlier refusals: other session ids in the arguments, a new MCP session, a new pipe, another
// client's name. What was refused stays refused, and a really different caller starts without any state.

import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../lab/daemon.ts';
import { type Installation, makeInstallation } from '../lab/installation.ts';
import { connectOverHttp, type HttpClientOptions, VERSIONS } from '../lab/mcp-http.ts';
import { verifies } from '../verifies.ts';

type Answer = Readonly<Record<string, unknown>>;

const ROTATED = () => ({ runSessionId: crypto.randomUUID(), workId: crypto.randomUUID(), session_id: crypto.randomUUID() });

async function call(client: Client, name: string, args: Record<string, unknown> = {}, meta: Record<string, unknown> = {}): Promise<Answer> {
  return (await client.callTool({ name, arguments: args, _meta: meta })).structuredContent as Answer;
}

const statusOf = async (client: Client, meta?: Record<string, unknown>) => {
  const { session, mode, recall, intent } = await call(client, 'countersign_status', {}, meta);
  return { session, mode, recall, intent };
};

describe('over HTTP', () => {
  let daemon: TestDaemon;
  beforeAll(async () => {
    daemon = await startTestDaemon();
    await daemon.beginWork('src/**');
  });
  afterAll(() => daemon.dispose());

  async function client(options: HttpClientOptions = {}): Promise<Client> {
    const made = await connectOverHttp(daemon, { ...options, headers: { 'x-countersign-surface': 'contract', ...options.headers } });
    onTestFinished(() => made.close());
    return made;
  }

  verifies('I16', 'the breaker counts on through new MCP sessions and made-up ids', async () => {
    const codes: unknown[] = [];
    for (let round = 0; round < 4; round++) {
      const again = await client({ name: 'stubborn', version: VERSIONS[round % 2]! });
      codes.push((await call(again, 'write_file', { path: 'src/a.ts', content: 'x' }, ROTATED()))['error_code']);
    }
    expect(codes).toEqual([codes[0], codes[0], 'NEEDS_HUMAN', 'NEEDS_HUMAN']);
    expect(codes[0]).not.toBe('NEEDS_HUMAN');
  });

  test('mode, intent and recall are neither lost nor won by connecting again', async () => {
    const first = await client({ name: 'worker' });
    await call(first, 'begin_work');
    const before = await statusOf(first);
    expect(before).toMatchObject({ mode: 'GUARDED', intent: 'INT-001', recall: expect.anything() });
    await first.close();
    for (const version of VERSIONS) expect(await statusOf(await client({ name: 'worker', version }), ROTATED())).toEqual(before);
  });

  test('ids in the arguments are refused, and in the envelope they are ignored', async () => {
    const worker = await client({ name: 'ids' });
    const { session } = await statusOf(worker);
    for (const [key, value] of Object.entries(ROTATED()))
      expect([key, (await call(worker, 'memory_set_mode', { mode: 'STRICT', [key]: value }))['session']]).toEqual([key, undefined]);
    expect(await statusOf(worker, ROTATED())).toEqual({ session, mode: null, recall: null, intent: null });
  });

  test('another name is another principal, who has nothing and gets past nothing', async () => {
    await call(await client({ name: 'one' }), 'begin_work');
    const other = await client({ name: 'two' });
    expect(await statusOf(other)).toMatchObject({ mode: null, recall: null, intent: null });
    expect(await call(other, 'write_file', { path: 'src/a.ts', content: 'x' })).toMatchObject({ error_code: expect.any(String) });
  });

  verifies('I10', 'a file that one is at is taken for whoever the others say they are', async () => {
    const path = 'src/auth/login.ts';
    const holder = { file_path: `${daemon.repo.path}/${path}`, old_string: 'login(', new_string: 'signIn(' };
    await daemon.hook('PreToolUse', { tool_name: 'Edit', tool_input: holder, tool_use_id: 'toolu_holder' });
    for (const name of ['rival', 'rival again']) {
      const rival = await client({ name });
      await call(rival, 'begin_work');
      const edits = [{ old_text: 'login(', new_text: 'logIn(' }];
      expect([name, (await call(rival, 'edit_file', { path, edits }, ROTATED()))['error_code']]).toEqual([name, 'FILE_LEASED']);
    }
  });
});

describe('over a pipe', () => {
  let place: Installation;
  beforeAll(async () => {
    place = await makeInstallation();
    await place.human(['intent', 'work of the test', 'src']);
  });
  afterAll(() => place.dispose());

  async function pipe(): Promise<Client> {
    const made = await place.mcpClient();
    onTestFinished(() => made.close());
    return made;
  }

  verifies('I16', 'on one pipe the breaker counts on whatever ids come along', async () => {
    const client = await pipe();
    const { session } = await statusOf(client);
    const codes: unknown[] = [];
    for (let round = 0; round < 3; round++) {
      codes.push((await call(client, 'write_file', { path: 'src/a.ts', content: 'x' }, ROTATED()))['error_code']);
      expect(await statusOf(client, ROTATED())).toEqual({ session, mode: null, recall: null, intent: null });
    }
    expect(codes).toEqual([codes[0], codes[0], 'NEEDS_HUMAN']);
  });

  test('a new pipe begins with nothing of the old one', async () => {
    const old = await pipe();
    await call(old, 'begin_work');
    expect(await statusOf(old)).toMatchObject({ mode: 'GUARDED', intent: 'INT-001' });
    const next = await pipe();
    expect(await statusOf(next)).toMatchObject({ mode: null, recall: null, intent: null });
    expect(await call(next, 'write_file', { path: 'src/a.ts', content: 'x' })).toMatchObject({ error_code: expect.any(String) });
  });
});
