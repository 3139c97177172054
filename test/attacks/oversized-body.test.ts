// Bodies too large, clients too slow, connections too many: each is bounded, and other clients are served.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeOf, startTestDaemon, type TestDaemon } from '../lab/daemon.ts';

let daemon: TestDaemon;
let login: Readonly<Record<string, string>>;
beforeAll(async () => {
  daemon = await startTestDaemon();
  login = await daemon.login();
});
afterAll(() => daemon.dispose());

const KIB = 1024;
const MIB = 1024 * KIB;

async function open(...lines: string[]): Promise<Socket> {
  const socket = connect(daemon.port(), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write([...lines, `Host: 127.0.0.1:${daemon.port()}`, ''].join('\r\n'));
  return socket;
}

/** The first line of an answer. */
async function heard(socket: Socket): Promise<string> {
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  return chunk.toString('latin1').split('\r\n')[0] ?? '';
}

const others = async () => (await daemon.web('GET', '/api/status', { headers: login })).status;

test('100 MB announced are refused before they are sent', async () => {
  const post = await open('POST /api/login HTTP/1.1', 'Content-Type: application/json', `Content-Length: ${100 * MIB}`);
  post.write('\r\n{');
  expect(await heard(post)).toBe('HTTP/1.1 413 Payload Too Large');
  post.destroy();

  const { authorization } = await daemon.asHook();
  const hook = await open(
    'POST /hooks/claude/Stop HTTP/1.1',
    `Authorization: ${authorization}`,
    'Content-Type: application/json',
    `Content-Length: ${100 * MIB}`,
  );
  hook.write('\r\n{');
  expect(await heard(hook)).toBe('HTTP/1.1 413 Payload Too Large');
  hook.destroy();
  expect(await others()).toBe(200);
});

test('100 MB that come unannounced are cut off at the limit', async () => {
  const post = await open('POST /api/login HTTP/1.1', 'Content-Type: application/json', 'Transfer-Encoding: chunked', 'Connection: close');
  let answer = '';
  post.on('data', (chunk: Buffer) => (answer += chunk.toString('latin1')));
  post.write('\r\n');
  const mebibyte = Buffer.concat([Buffer.from(`${MIB.toString(16)}\r\n`), Buffer.alloc(MIB, ' '), Buffer.from('\r\n')]);
  const isWritten = () => new Promise<boolean>((resolve) => post.write(mebibyte, (error) => resolve(!error)));
  let sent = 0;
  while (sent < 100 && (await isWritten())) sent++;
  expect(sent).toBeLessThan(100);
  expect(answer).toMatch(/^HTTP\/1\.1 413 Payload Too Large\r\n/);
  expect(await others()).toBe(200);
});

test('one byte over the limit is over it', async () => {
  const body = (bytes: number) => `{"code":"${'x'.repeat(bytes - 11)}"}`;
  const post = (bytes: number) => daemon.web('POST', '/api/login', { headers: { 'content-type': 'application/json' }, body: body(bytes) });
  expect([(await post(64 * KIB)).status, codeOf(await post(64 * KIB + 1))]).toEqual([401, 'TOO_LARGE']);
});

test('a hook carries whole files: 20 MB are read', async () => {
  const answer = await daemon.hook('PreToolUse', { tool_name: 'Write', tool_input: { file_path: 'a', content: 'x'.repeat(20 * MIB) } });
  expect(answer).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } });
});

test('endless headers and endless addresses are cut off', async () => {
  const long = await open('GET /health HTTP/1.1');
  const answer = heard(long);
  for (let sent = 0; sent < 64 && long.writable; sent++) long.write(`X-${sent}: ${'x'.repeat(KIB)}\r\n`);
  expect(await answer).toBe('HTTP/1.1 431 Request Header Fields Too Large');
  long.destroy();
  expect((await daemon.web('GET', `/${'x'.repeat(15 * KIB)}`)).status).toBe(404);
  expect((await daemon.web('GET', `/api/status?x=${'x'.repeat(15 * KIB)}`, { headers: login })).status).toBe(400);
});

test('clients that never finish their request do not keep others waiting', async () => {
  const slow: Socket[] = [];
  for (let number = 0; number < 300; number++) {
    const socket = await open(
      number % 2 === 0 ? 'GET /health HTTP/1.1' : 'POST /api/login HTTP/1.1',
      'Content-Type: application/json',
      'Content-Length: 50',
    );
    if (number % 2 !== 0) socket.write('\r\n{"code"');
    slow.push(socket);
  }
  expect(await Promise.all(Array.from({ length: 20 }, others))).toEqual(Array.from({ length: 20 }, () => 200));
  for (const socket of slow) socket.destroy();
});
