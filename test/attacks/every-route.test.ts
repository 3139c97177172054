// Every route that the router has, tried in the ways that fit all of them: without a login, by the wrong method, with bodies that never
// end, by clients that take their time. A new route is included automatically.

import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeOf, openBareDoor, type Route, startTestDaemon, type TestDaemon } from '../lab/daemon.ts';

const MIB = 1024 * 1024;
let daemon: TestDaemon;
let routes: readonly Route[];
let credentials: Readonly<Record<string, Readonly<Record<string, string>>>>;
beforeAll(async () => {
  daemon = await startTestDaemon();
  routes = await daemon.routes();
  const login = await daemon.login();
  const mcp = await daemon.asMcp();
  credentials = { public: {}, reader: login, human: login, hook: await daemon.asHook(), mcp, agent: mcp };
});
afterAll(() => daemon.dispose());

const body = (method: string) => (method === 'POST' ? { body: {} } : {});
const withBody = () => routes.filter(({ method, access }) => method === 'POST' && access !== 'owner');

test('without a login only what is public is answered', async () => {
  const before = await daemon.ledgerSize();
  for (const { method, url, access } of routes) {
    const reply = await daemon.web(method, url, body(method));
    expect([method, url, access === 'public' ? reply.status !== 401 : reply.status]).toEqual([
      method,
      url,
      access === 'public' ? true : 401,
    ]);
  }
  expect(await daemon.ledgerSize()).toBe(before);
  expect(routes.filter(({ access }) => access === 'public').map(({ method, url }) => `${method} ${url}`)).toEqual([
    'GET /health',
    'GET /',
    'GET /ui',
    'GET /ui/',
    'POST /api/login',
  ]);
});

test('a method that a route does not have finds nothing, and headers that rename the method are not heard', async () => {
  const before = await daemon.ledgerSize();
  const known = new Set(routes.map(({ method, url }) => `${method} ${url}`));
  for (const { url, access } of routes) {
    const headers = { ...credentials[access], 'x-http-method-override': 'POST', 'x-method-override': 'POST', 'x-http-method': 'DELETE' };
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'TRACE', 'PROPFIND']) {
      if (known.has(`${method} ${url}`)) continue;
      const { status } = await daemon.web(method, url, { headers, ...body(method) });
      expect([method, url, status]).toEqual([method, url, 404]);
    }
  }
  expect(await daemon.ledgerSize()).toBe(before);
});

/** Only the head and the first byte of a body are sent. */
async function announce(route: Route, lines: readonly string[], port = daemon.port()): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  const headers = Object.entries(credentials[route.access] ?? {}).map(([name, value]) => `${name}: ${value}`);
  socket.write([`${route.method} ${route.url} HTTP/1.1`, `Host: 127.0.0.1:${port}`, ...headers, ...lines, '', ''].join('\r\n'));
  return socket;
}

test('100 MB are refused by every route before they are sent, announced or not', async () => {
  for (const route of withBody()) {
    const announced = await announce(route, ['Content-Type: application/json', `Content-Length: ${100 * MIB}`]);
    announced.write('{');
    const [chunk] = (await once(announced, 'data')) as [Buffer];
    expect([route.url, chunk.toString('latin1').split('\r\n')[0]]).toEqual([route.url, 'HTTP/1.1 413 Payload Too Large']);
    announced.destroy();
  }
  const before = process.memoryUsage().rss;
  for (const route of withBody()
    .filter(({ access }) => access === 'human')
    .slice(0, 2)) {
    const endless = await announce(route, ['Content-Type: application/json', 'Transfer-Encoding: chunked', 'Connection: close']);
    const answer = text(endless).catch(() => '');
    const mebibyte = Buffer.concat([Buffer.from(`${MIB.toString(16)}\r\n`), Buffer.alloc(MIB, ' '), Buffer.from('\r\n')]);
    let sent = 0;
    while (sent < 100 && (await new Promise<boolean>((done) => endless.write(mebibyte, (error) => done(!error))))) sent++;
    expect(sent).toBeLessThan(100);
    expect((await answer).split('\r\n')[0]).toMatch(/^(?:HTTP\/1\.1 413 Payload Too Large)?$/);
  }
  expect(process.memoryUsage().rss - before).toBeLessThan(64 * MIB);
});

test('headers beyond all measure are refused before any route is looked for', async () => {
  for (const route of routes.slice(0, 3)) {
    const socket = await announce(
      route,
      Array.from({ length: 40 }, (_, number) => `X-${number}: ${'x'.repeat(1024)}`),
    );
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    expect(chunk.toString('latin1').split('\r\n')[0]).toBe('HTTP/1.1 431 Request Header Fields Too Large');
    socket.destroy();
  }
});

test('whoever takes too long to say what they want is cut off, with and without a body under way', async () => {
  const before = await daemon.ledgerSize();
  const door = await openBareDoor(daemon.services(), {
    timeouts: { headersTimeout: 200, requestTimeout: 400, connectionsCheckingInterval: 50 },
  });
  door.loopbackServer.listen(0, '127.0.0.1');
  await once(door.loopbackServer, 'listening');
  const { port } = door.loopbackServer.address() as AddressInfo;
  try {
    const headers = connect(port, '127.0.0.1');
    headers.write(`GET /health HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-Slow: `);
    const slow = { method: 'POST', url: '/api/login', access: 'public' };
    const bodies = await announce(slow, ['Content-Type: application/json', 'Content-Length: 50'], port);
    bodies.write('{"code"');
    expect((await text(headers)).split('\r\n')[0]).toBe('HTTP/1.1 408 Request Timeout');
    expect((await text(bodies)).split('\r\n')[0]).toMatch(/^(?:HTTP\/1\.1 408 Request Timeout)?$/);
    // A client without a login cannot fill the record by disconnecting.
    expect(await daemon.recordedSince(before)).toEqual([]);
  } finally {
    await door.close();
  }
});

test('the doors that the daemon opens have such limits', async () => {
  const door = await openBareDoor(daemon.services());
  for (const server of [door.loopbackServer, door.ownerServer])
    expect([server.headersTimeout, server.requestTimeout, server.keepAliveTimeout, server.maxConnections]).toEqual([
      10_000, 30_000, 5_000, 1_024,
    ]);
  await door.close();
});

test('a body that is no JSON, and one of another type, are distinguished on every route', async () => {
  const before = await daemon.ledgerSize();
  for (const { method, url, access } of withBody()) {
    const headers = credentials[access] ?? {};
    const broken = await daemon.web(method, url, { headers: { ...headers, 'content-type': 'application/json' }, body: '{"a":' });
    const typed = await daemon.web(method, url, { headers: { ...headers, 'content-type': 'text/plain' }, body: '{}' });
    expect([url, codeOf(broken), codeOf(typed)]).toEqual([url, 'BAD_REQUEST', 'UNSUPPORTED_MEDIA_TYPE']);
  }
  expect(await daemon.recordedSince(before)).toEqual([]);
});
