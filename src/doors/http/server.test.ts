import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codeOf, type Reply, send, startTestDaemon, type TestDaemon } from '../../../test/lab/daemon.ts';
import type { DoorServices } from '../services.ts';
import type { PageFile } from './page-files.ts';
import { type HttpDoor, openHttpDoor } from './server.ts';

let daemon: TestDaemon;
let login: Readonly<Record<string, string>>;
beforeAll(async () => {
  daemon = await startTestDaemon();
  login = await daemon.login();
});
afterAll(() => daemon.dispose());

/** A second door to the same daemon, with a page or a service that the test provides. */
async function withDoor(
  { services = {}, page = new Map() }: { services?: Partial<DoorServices>; page?: ReadonlyMap<string, PageFile> },
  work: (ask: (method: string, url: string) => Promise<Reply>, door: HttpDoor) => Promise<void>,
): Promise<void> {
  const door = await openHttpDoor({
    services: { ...daemon.services(), ...services },
    hookToken: 'of-hooks',
    hookAnswer: 'secret',
    page,
    mcpToken: 'of-mcp-clients',
    doors: [],
  });
  door.loopbackServer.listen(0, '127.0.0.1');
  await once(door.loopbackServer, 'listening');
  const { port } = door.loopbackServer.address() as AddressInfo;
  try {
    await work(
      (method, url) => send({ host: '127.0.0.1', port }, method, url, { headers: login, ...(method === 'POST' ? { body: {} } : {}) }),
      door,
    );
  } finally {
    await door.close();
  }
}

describe('trouble', () => {
  test('a defect says that there was one, and nothing of the inside; the record keeps it', async () => {
    const before = await daemon.ledgerSize();
    const ask = () => Promise.reject(new TypeError('cannot read /root/secret.pem'));
    await withDoor({ services: { ask } }, async (call) => {
      const reply = await call('GET', '/api/status');
      expect([reply.status, JSON.parse(reply.text)]).toEqual([
        500,
        { error: { code: 'INTERNAL', message: 'A defect of Countersign; it was recorded.', fix: null } },
      ]);
      expect((await call('GET', '/health')).status).toBe(200);
    });
    expect(await daemon.recordedSince(before)).toEqual([
      { type: 'defect_caught', data: { door: 'http GET /api/status', message: 'TypeError: cannot read /root/secret.pem' } },
    ]);
  });

  test('an error that merely looks like one of the framework is still a defect', async () => {
    // A program that failed: its exit code is a number.
    for (const looks of [{ statusCode: 502 }, { code: 128 }]) {
      const ask = () => Promise.reject(Object.assign(new Error('upstream said /root/secret.pem'), looks));
      await withDoor({ services: { ask } }, async (call) =>
        expect(JSON.parse((await call('GET', '/api/status')).text)).toMatchObject({ error: { code: 'INTERNAL', fix: null } }),
      );
    }
  });

  test('what is not there is not found, with the address in words', async () => {
    const summaryOf = async (method: string, url: string) => {
      const reply = await daemon.web(method, url, { headers: login });
      return [reply.status, codeOf(reply)];
    };
    const unknown = [
      ['GET', '/nowhere'],
      ['GET', '/api/stop'],
      ['PUT', '/api/status'],
      ['DELETE', '/api/intents'],
      ['OPTIONS', '/api/status'],
      ['GET', '/API/status'],
      ['GET', '/api/status/'],
      ['GET', '//api/status'],
    ] as const;
    for (const [method, url] of unknown) expect([method, url, await summaryOf(method, url)]).toEqual([method, url, [404, 'NOT_FOUND']]);
    expect(await summaryOf('GET', '/api/%')).toEqual([400, 'BAD_REQUEST']);
    expect((await daemon.web('GET', '/nowhere?secret=1')).text).not.toContain('secret');
  });

  test('no answer is kept by the browser', async () => {
    for (const url of ['/health', '/api/status', '/nowhere'])
      expect((await daemon.web('GET', url, { headers: login })).headers['cache-control']).toBe('no-store');
  });
});

describe('the page', () => {
  const html: PageFile = { type: 'text/html; charset=utf-8', content: Buffer.from('<!doctype html>'), immutable: false };
  const script: PageFile = { type: 'text/javascript; charset=utf-8', content: Buffer.from('export {};'), immutable: true };
  const page = new Map([
    ['', html],
    ['index.html', html],
    ['assets/a.js', script],
  ]);

  test('carries a policy that lets nothing foreign run, frame or guess it', async () => {
    await withDoor({ page }, async (call) => {
      const { status, headers, text } = await call('GET', '/ui/');
      expect([status, text]).toEqual([200, '<!doctype html>']);
      expect(headers).toMatchObject({
        'content-security-policy': "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
      });
      const asset = await call('GET', '/ui/assets/a.js');
      expect([asset.status, asset.headers['x-content-type-options'], asset.headers['cache-control']]).toEqual([
        200,
        'nosniff',
        'public, max-age=31536000, immutable',
      ]);
    });
  });

  test('is where the bare address leads', async () => {
    await withDoor({ page }, async (call) => {
      for (const url of ['/', '/ui']) {
        const { status, headers } = await call('GET', url);
        expect([status, headers.location]).toEqual([302, '/ui/']);
      }
    });
  });

  const OUTSIDE = [
    '/ui/../package.json',
    '/ui/../../etc/passwd',
    '/ui/..%2f..%2fetc%2fpasswd',
    '/ui/%2e%2e/%2e%2e/etc/passwd',
    '/ui/%252e%252e%252fetc%252fpasswd',
    '/ui/..%5c..%5cetc%5cpasswd',
    '/ui//etc/passwd',
    '/ui/assets/../../../package.json',
    '/ui/index.html%00.js',
    '/ui/__proto__',
    '/ui/constructor',
    '/ui/.',
  ];
  test.each(OUTSIDE)('%s leads nowhere', async (url) => {
    await withDoor({ page }, async (call) => {
      const reply = await call('GET', url);
      expect([reply.status, codeOf(reply)]).toEqual([404, 'NOT_FOUND']);
    });
  });

  test('that has not been built says how to build it', async () => {
    await withDoor({}, async (call) => {
      expect(JSON.parse((await call('GET', '/ui/')).text)).toEqual({
        error: { code: 'NOT_FOUND', message: 'The page has not been built.', fix: 'npm start builds the page' },
      });
    });
  });
});

describe('hooks', () => {
  test('an agent without an adapter is not found', async () => {
    const reply = await daemon.web('POST', '/hooks/nobody/PreToolUse', { headers: await daemon.asHook(), body: {} });
    expect([reply.status, codeOf(reply)]).toEqual([404, 'NOT_FOUND']);
  });

  test('a client that goes away while a human is asked leaves the question open and nothing admitted', async () => {
    const session = await daemon.beginWork('src/**');
    const headers = { ...(await daemon.asHook()), 'x-countersign-patience': '60' };
    const body = {
      session_id: 'session-of-test',
      cwd: daemon.repo.path,
      tool_name: 'Bash',
      tool_input: { command: 'rm -rf src/build' },
      tool_use_id: 'toolu_gone',
    };
    const lapsed = Promise.withResolvers<void>();
    const waiting = Promise.withResolvers<void>();
    const unsubscribe = daemon.services().subscribe((event) => {
      if (event.topic !== 'action') return;
      if (event.row.state === 'waiting') waiting.resolve();
      if (event.row.state === 'refused') lapsed.resolve();
    });
    const gone = new AbortController();
    const call = send({ host: '127.0.0.1', port: daemon.port() }, 'POST', '/hooks/claude/PreToolUse', {
      headers,
      body,
      signal: gone.signal,
    });
    await waiting.promise;
    gone.abort();
    await expect(call).rejects.toThrow('aborted');
    await lapsed.promise;
    unsubscribe();
    const [action] = await daemon.services().ask('actions', { session: session.id });
    expect(action).toMatchObject({
      state: 'refused',
      subject: 'rm -rf src/build',
      receipt_id: null,
      message: 'the caller went away while a human was asked',
    });
    expect(await daemon.services().ask('approvals', { state: 'pending' })).toHaveLength(1);
  });
});
