// MCP over HTTP, tried by a web page, by another program on this machine, and by an MCP client that wants more than its own.

import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { connect } from 'node:net';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Receipt } from '../../src/protocol/index.ts';
import { codeOf, type Reply, startTestDaemon, type TestDaemon } from '../lab/daemon.ts';
import { connectOverHttp, type HttpClientOptions, VERSIONS } from '../lab/mcp-http.ts';

let daemon: TestDaemon;
let mcp: Readonly<Record<string, string>>;
beforeAll(async () => {
  daemon = await startTestDaemon();
  mcp = await daemon.asMcp();
});
afterAll(() => daemon.dispose());

const MIB = 1024 * 1024;
const METHODS = ['GET', 'POST', 'DELETE', 'PUT', 'PATCH', 'OPTIONS', 'HEAD'];
const ACCEPT = { accept: 'application/json, text/event-stream' };
const hello = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'agent', version: '1' } },
};

const post = (headers: Readonly<Record<string, string>>, body: unknown = hello, address = '/mcp'): Promise<Reply> =>
  daemon.web('POST', address, { headers: { ...ACCEPT, ...headers }, body });

async function client(options?: HttpClientOptions): Promise<Client> {
  const made = await connectOverHttp(daemon, options);
  onTestFinished(() => made.close());
  return made;
}

const status = async (of: Client) =>
  (await of.callTool({ name: 'countersign_status', arguments: {} })).structuredContent as {
    session: string;
    receipt_id: string;
    mode: string | null;
  };

test('the token is for its owner’s eyes', async () => {
  expect((await stat(daemon.home.mcpToken)).mode & 0o777).toBe(0o600);
});

test.each(METHODS)('%s from a foreign page is turned away, with the token and without', async (method) => {
  const before = await daemon.ledgerSize();
  const foreign = [
    { host: 'evil.example' },
    { host: `127.0.0.1.evil.example:${daemon.port()}` },
    { origin: 'http://evil.example' },
    { origin: 'null' },
    { origin: `http://localhost:${daemon.port() + 1}` },
  ];
  for (const headers of foreign) {
    for (const credential of [{}, mcp]) {
      const reply = await daemon.web(method, '/mcp', {
        headers: { ...credential, ...ACCEPT, ...headers },
        ...(method === 'POST' ? { body: hello } : {}),
      });
      expect(reply.status).toBe(403);
    }
  }
  expect(await daemon.ledgerSize()).toBe(before);
});

test('without the token, or with one in the address, nothing is read', async () => {
  const before = await daemon.ledgerSize();
  const { authorization = '', ...place } = mcp;
  const token = authorization.replace('Bearer ', '');
  const tries = [
    post(place),
    post({ ...place, authorization: 'Bearer x' }),
    post({ ...place, authorization: `Basic ${token}` }),
    post({ ...place, cookie: `countersign=${token}` }),
    post({ ...place, 'x-countersign-page': token }),
    ...['token', 'access_token', 'authorization', 'bearer'].map((name) => post(place, hello, `/mcp?${name}=${token}`)),
  ];
  for (const reply of await Promise.all(tries))
    expect([reply.status, codeOf(reply), reply.headers['www-authenticate']]).toEqual([401, 'UNAUTHENTICATED', 'Bearer']);
  for (const method of ['GET', 'DELETE']) expect((await daemon.web(method, '/mcp', { headers: place })).status).toBe(401);
  expect((await post(place, hello, `/mcp/${token}`)).status).toBe(404);
  expect(await daemon.ledgerSize()).toBe(before);
});

test('JSON that calls itself something else is not read', async () => {
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/json', '']) {
    const reply = await post({ ...mcp, 'content-type': type }, JSON.stringify(hello));
    expect([reply.status, codeOf(reply)]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  }
});

test('what is no message is a bad request, and the door stays open', async () => {
  for (const body of [
    '{',
    '[]',
    '"x"',
    '1',
    'null',
    '{"__proto__":{}}',
    '{"jsonrpc":"2.0"}',
    '[{"jsonrpc":"2.0","id":1,"method":"tools/list"}]',
  ]) {
    const { status } = await post({ ...mcp, 'content-type': 'application/json' }, body);
    expect({ body, status }).toEqual({ body, status: 400 });
  }
  expect((await post(mcp)).status).toBe(200);
});

test('a body over the limit is refused before it is sent; one below it is read', async () => {
  const socket = connect(daemon.port(), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(
    [
      'POST /mcp HTTP/1.1',
      `Host: 127.0.0.1:${daemon.port()}`,
      `Authorization: ${mcp['authorization']}`,
      'Content-Type: application/json',
      `Content-Length: ${100 * MIB}`,
      '',
      '{',
    ].join('\r\n'),
  );
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  expect(chunk.toString('latin1').split('\r\n')[0]).toBe('HTTP/1.1 413 Payload Too Large');
  socket.destroy();
  const padded = (bytes: number) => post(mcp, { ...hello, params: { ...hello.params, _meta: { padding: 'x'.repeat(bytes) } } });
  expect([(await padded(3 * MIB)).status, codeOf(await padded(4 * MIB))]).toEqual([200, 'TOO_LARGE']);
});

test('a call that does not say where, or not clearly, hears what to send', async () => {
  const { authorization = '' } = mcp;
  const summaryOf = async (headers: Readonly<Record<string, string>>) => {
    const reply = await post({ authorization, ...headers });
    return [reply.status, (JSON.parse(reply.text) as { error: { message: string } }).error.message];
  };
  expect(await summaryOf({})).toEqual([400, 'The call does not say which work tree it is about.']);
  expect(await summaryOf({ 'x-countersign-cwd': 'src' })).toEqual([400, '"src" is no absolute path.']);
  expect(await summaryOf({ 'x-countersign-cwd': '%E0%A4%A' })).toEqual([400, 'The header x-countersign-cwd is not percent-encoded text.']);
  expect(await summaryOf({ 'x-countersign-cwd': '/%00' })).toEqual([400, '"/\\u0000" is no absolute path.']);
  expect(await summaryOf({ 'x-countersign-cwd': '/', 'x-countersign-surface': 'everything' })).toEqual([
    400,
    'There is no surface "everything".',
  ]);
});

test('a folder that is not there is a refusal of the call', async () => {
  const there = await client({ headers: { 'x-countersign-cwd': '/no/such/folder' } });
  expect((await there.callTool({ name: 'countersign_status', arguments: {} })).structuredContent).toMatchObject({
    error_code: 'NOT_FOUND',
  });
});

test.each(VERSIONS)('%s: connecting again, or under another MCP session, is no new principal', async (version) => {
  const first = await client({ version });
  await first.callTool({ name: 'memory_set_mode', arguments: { mode: 'GUARDED' } });
  const before = await status(first);
  await first.close();
  const [again, other] = [await client({ version }), await client({ version, headers: { 'x-countersign-cwd': `${daemon.repo.path}/.` } })];
  expect(before.mode).toBe('GUARDED');
  expect([(await status(again)).session, (await status(other)).session]).toEqual([before.session, before.session]);
  expect((await status(again)).mode).toBe('GUARDED');
});

test('both protocols of one client are one principal, and stay so over a restart of the daemon, whose token is another one', async () => {
  const older = await status(await client({ name: 'both' }));
  const newer = await status(await client({ name: 'both', version: '2026-07-28' }));
  await daemon.restart();
  mcp = await daemon.asMcp();
  const later = await status(await client({ name: 'both' }));
  expect([newer.session, later.session]).toEqual([older.session, older.session]);
});

test("another client's receipts are not shown", async () => {
  const mine = await client({ name: 'mine' });
  const theirs = await client({ name: 'theirs' });
  const [my, their] = [await status(mine), await status(theirs)];
  expect(my.session).not.toBe(their.session);
  const { contents } = await theirs.readResource({ uri: 'countersign://receipts' });
  const { receipts } = JSON.parse((contents[0] as { text: string }).text) as { receipts: Receipt[] };
  expect(receipts.map(({ receipt_id }) => receipt_id)).toEqual([their.receipt_id]);
});

test('a session answers only for the work tree and the surface that it began with, and ends on request', async () => {
  const session = (await post(mcp)).headers['mcp-session-id'] as string;
  const list = { jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} };
  const ask = async (headers: Readonly<Record<string, string>>) =>
    (await post({ ...mcp, 'mcp-session-id': session, ...headers }, list)).status;
  expect([
    await ask({}),
    await ask({ 'x-countersign-cwd': '/' }),
    await ask({ 'x-countersign-surface': 'hooked' }),
    await ask({ 'mcp-session-id': 'guess' }),
    (await post(mcp, list)).status,
  ]).toEqual([200, 404, 404, 404, 400]);
  expect((await daemon.web('DELETE', '/mcp', { headers: { ...mcp, 'mcp-session-id': session } })).status).toBe(200);
  expect(await ask({})).toBe(404);
});

test('what a client says about itself cannot hurt the record', async () => {
  for (const name of ['', '\ud800', 'x'.repeat(MIB), 'two\nlines', '\u202eevil']) {
    for (const version of VERSIONS) {
      const made = await client({ name, version });
      const { isError, structuredContent } = await made.callTool({
        name: 'countersign_status',
        arguments: {},
        _meta: { 'claudecode/toolUseId': name },
      });
      expect([isError ?? false, structuredContent]).toEqual([false, expect.objectContaining({ level: 'advisory' })]);
    }
  }
});

test('sessions that are never ended make room for others', async () => {
  const begin = async () => (await post(mcp)).headers['mcp-session-id'] as string;
  const first = await begin();
  for (let count = 0; count < 100; count++) await begin();
  const ping = { jsonrpc: '2.0', id: 2, method: 'ping' };
  expect((await post({ ...mcp, 'mcp-session-id': first }, ping)).status).toBe(404);
  expect((await post({ ...mcp, 'mcp-session-id': await begin() }, ping)).status).toBe(200);
});
