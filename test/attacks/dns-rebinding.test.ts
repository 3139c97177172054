// A foreign page, open in the human's browser, whose name now resolves to this machine: it has the browser's cookie jar and may read
// answers, but it cannot forge its Host or its Origin.

import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeOf, type Route, startTestDaemon, type TestDaemon } from '../lab/daemon.ts';

let daemon: TestDaemon;
let routes: readonly Route[];
let login: Readonly<Record<string, string>>;
beforeAll(async () => {
  daemon = await startTestDaemon();
  routes = await daemon.routes();
  login = await daemon.login();
});
afterAll(() => daemon.dispose());

const UNKNOWN: readonly Route[] = ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'HEAD'].flatMap((method) =>
  ['/nowhere', '/api', '/api/status', '/ui/../etc', '/%', '/ui/%ff'].map((url) => ({ method, url, access: 'unknown' })),
);

/** Every route and many that do not exist, with every credential: the answers, in one set. */
async function outcomes(headers: Readonly<Record<string, string>>): Promise<ReadonlySet<string>> {
  const seen = new Set<string>();
  for (const credential of [{}, login, await daemon.asHook(), await daemon.asMcp()]) {
    for (const { method, url } of [...routes, ...UNKNOWN]) {
      const reply = await daemon.web(method, url, { headers: { ...credential, ...headers }, ...(method === 'POST' ? { body: {} } : {}) });
      seen.add(`${reply.status} ${method === 'HEAD' ? '' : codeOf(reply)}`.trim());
    }
  }
  return seen;
}

test('the router is not empty', () => {
  expect(routes.length).toBeGreaterThan(15);
});

const HOSTS = [
  'evil.example',
  'evil.example:80',
  '127.0.0.1',
  'localhost',
  '127.0.0.1.evil.example',
  '127.0.0.1:1',
  '[::1]',
  '0.0.0.0',
  'evil.example#@127.0.0.1',
];
test.each(HOSTS)('a Host of "%s" is turned away everywhere, with any other content', async (host) => {
  const before = await daemon.ledgerSize();
  expect(await outcomes({ host })).toEqual(new Set(['403 FORBIDDEN', '403']));
  expect(await daemon.ledgerSize()).toBe(before);
});

const ORIGINS = ['http://evil.example', 'null', 'https://127.0.0.1', 'http://127.0.0.1:1', 'file://', 'chrome-extension://abc'];
test.each(ORIGINS)('an Origin of "%s" is turned away everywhere, with any other content', async (origin) => {
  const before = await daemon.ledgerSize();
  expect(await outcomes({ origin })).toEqual(new Set(['403 FORBIDDEN', '403']));
  expect(await daemon.ledgerSize()).toBe(before);
});

test('an Origin of this machine under its other name is not the page that was asked for', async () => {
  const { status } = await daemon.web('GET', '/api/status', {
    headers: { ...login, host: `127.0.0.1:${daemon.port()}`, origin: `http://localhost:${daemon.port()}` },
  });
  expect(status).toBe(403);
});

test('our own Host and Origin pass', async () => {
  for (const name of ['127.0.0.1', 'localhost', '[::1]']) {
    const host = `${name}:${daemon.port()}`;
    expect((await daemon.web('GET', '/api/status', { headers: { ...login, host, origin: `http://${host}` } })).status).toBe(200);
  }
});

async function raw(...lines: string[]): Promise<string> {
  const socket = connect(daemon.port(), '127.0.0.1');
  socket.end(`${lines.join('\r\n')}\r\n\r\n`);
  return (await text(socket)).split('\r\n')[0] ?? '';
}

test('a call without Host, with two, or with a whole address in its first line gets no further', async () => {
  const ours = `Host: 127.0.0.1:${daemon.port()}`;
  expect(await raw('GET /health HTTP/1.1', 'Connection: close')).toBe('HTTP/1.1 400 Bad Request');
  expect(await raw('GET /health HTTP/1.1', 'Host:', 'Connection: close')).toBe('HTTP/1.1 403 Forbidden');
  expect(await raw('GET /health HTTP/1.0')).toBe('HTTP/1.1 403 Forbidden');
  expect(await raw('GET /health HTTP/1.1', 'Host: evil.example', ours, 'Connection: close')).toMatch(/^HTTP\/1\.1 40[03] /);
  expect(await raw('GET http://evil.example/api/status HTTP/1.1', 'Host: evil.example', 'Connection: close')).toBe(
    'HTTP/1.1 403 Forbidden',
  );
  expect(await raw('GET /health HTTP/1.1', ours, 'Connection: close')).toBe('HTTP/1.1 200 OK');
});
