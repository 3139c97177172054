// A local program without a credential, or with one for another purpose.

import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeOf, type Reply, type Route, startTestDaemon, type TestDaemon } from '../lab/daemon.ts';

let daemon: TestDaemon;
let routes: readonly Route[];
beforeAll(async () => {
  daemon = await startTestDaemon();
  routes = await daemon.routes();
});
afterAll(() => daemon.dispose());

const behind = (...accesses: string[]) => routes.filter(({ access }) => accesses.includes(access));
const call = ({ method, url }: Route, headers: Readonly<Record<string, string>>): Promise<Reply> =>
  daemon.web(method, url, { headers, ...(method === 'POST' ? { body: {} } : {}) });

/** The answer of each of these routes, and that none of them changed the record. */
async function answers(tried: readonly Route[], headers: Readonly<Record<string, string>>): Promise<ReadonlySet<string>> {
  expect(tried.length).toBeGreaterThan(0);
  const before = await daemon.ledgerSize();
  const seen = new Set<string>();
  for (const route of tried) {
    const reply = await call(route, headers);
    seen.add(`${reply.status} ${codeOf(reply)}`);
  }
  expect(await daemon.ledgerSize()).toBe(before);
  return seen;
}

const closed = () => behind('reader', 'human', 'owner', 'hook', 'mcp', 'agent');

test('without a credential nothing opens but what is public', async () => {
  expect(await answers(closed(), {})).toEqual(new Set(['401 UNAUTHENTICATED']));
  expect(behind('public').map(({ method, url }) => `${method} ${url}`)).toEqual([
    'GET /health',
    'GET /',
    'GET /ui',
    'GET /ui/',
    'POST /api/login',
  ]);
  expect(closed().length + behind('public').length).toBe(routes.length);
});

test('a made-up token, cookie or another scheme counts as none', async () => {
  const { authorization = '' } = await daemon.asHook();
  const { cookie = '' } = await daemon.login();
  const wrong = [
    { authorization: 'Bearer x' },
    { authorization: 'Bearer ' },
    { authorization: `${authorization}x` },
    { authorization: authorization.slice(0, -1) },
    { authorization: authorization.replace('Bearer', 'Basic') },
    { authorization: cookie.replace('countersign=', 'Bearer ') },
    { cookie: 'countersign=' },
    { cookie: `${cookie}x` },
    { cookie: cookie.replace('countersign', 'x-countersign') },
    { cookie: authorization.replace('Bearer ', 'countersign=') },
    // A wrong token stays wrong even with a valid cookie.
    { authorization: 'Bearer x', cookie },
  ];
  for (const headers of wrong) expect(await answers(closed(), headers)).toEqual(new Set(['401 UNAUTHENTICATED']));
});

test('the token of hooks, which every agent can read, opens hooks and nothing of a human', async () => {
  expect(await answers(behind('reader', 'human', 'owner', 'mcp', 'agent'), await daemon.asHook())).toEqual(new Set(['403 FORBIDDEN']));
});

test('the token of MCP clients opens MCP and nothing else', async () => {
  expect(await answers(behind('reader', 'human', 'owner', 'hook'), await daemon.asMcp())).toEqual(new Set(['403 FORBIDDEN']));
});

test("a login opens neither the owner's socket routes nor hooks nor MCP", async () => {
  expect(await answers(behind('owner', 'hook', 'mcp'), await daemon.login())).toEqual(new Set(['403 FORBIDDEN']));
});

test('a page on another port of this machine gets the cookie from the browser, and can look but decide nothing', async () => {
  const { cookie = '', 'x-countersign-page': token = '' } = await daemon.login();
  expect(await answers(behind('human'), { cookie })).toEqual(new Set(['401 UNAUTHENTICATED']));
  expect(await answers(behind('human'), { cookie, 'x-countersign-page': cookie })).toEqual(new Set(['401 UNAUTHENTICATED']));
  expect(await answers(behind('human'), { 'x-countersign-page': token })).toEqual(new Set(['401 UNAUTHENTICATED']));
  expect((await daemon.web('GET', '/api/status', { headers: { cookie } })).status).toBe(200);
});

test('a credential in the address is not looked at', async () => {
  const token = (await daemon.asHook()).authorization?.slice('Bearer '.length) ?? '';
  const cookie = (await daemon.login()).cookie?.split('=')[1] ?? '';
  const names = ['token', 'access_token', 'code', 'cookie', 'countersign', 'authorization'];
  const addressed = [token, `Bearer ${token}`, cookie].flatMap((secret) =>
    names.flatMap((name) => closed().map((route) => ({ ...route, url: `${route.url}?${name}=${encodeURIComponent(secret)}` }))),
  );
  expect(await answers(addressed, {})).toEqual(new Set(['401 UNAUTHENTICATED']));
});

test('a login link counts once, and its cookie is out of reach of scripts and of other sites', async () => {
  const code = daemon.services().logins.issueCode();
  const first = await daemon.web('POST', '/api/login', { body: { code } });
  const [cookie = ''] = first.headers['set-cookie'] ?? [];
  expect([first.status, Object.keys(JSON.parse(first.text) as object)]).toEqual([200, ['page_token']]);
  expect(cookie.replace(/=[\w-]{43};/, '=…;')).toBe('countersign=…; Path=/; HttpOnly; SameSite=Strict; Max-Age=43200');

  const second = await daemon.web('POST', '/api/login', { body: { code } });
  expect([second.status, codeOf(second), second.headers['set-cookie']]).toEqual([401, 'UNAUTHENTICATED', undefined]);
  for (const made of ['', 'x', `${code} `]) expect((await daemon.web('POST', '/api/login', { body: { code: made } })).status).toBe(401);
});

test('what a program on the port of a dead daemon collects counts for nothing with the next one: logins, links, tokens', async () => {
  const login = await daemon.login();
  const [hook, mcp] = [await daemon.asHook(), await daemon.asMcp()];
  const code = daemon.services().logins.issueCode();
  await daemon.restart();
  expect((await daemon.web('GET', '/api/status', { headers: login })).status).toBe(401);
  expect((await daemon.web('POST', '/api/login', { body: { code } })).status).toBe(401);
  expect((await daemon.web('POST', '/hooks/claude/Stop', { headers: hook, body: {} })).status).toBe(401);
  expect((await daemon.web('POST', '/mcp', { headers: mcp, body: {} })).status).toBe(401);
  expect((await daemon.web('GET', '/api/status', { headers: await daemon.login() })).status).toBe(200);
});

test('what proves an answer to hook clients is heard with their token alone, in every answer, and is another after each start', async () => {
  const secretOf = async () => (await readFile(daemon.home.hookFile, 'utf8')).trim().split(' ')[2]!;
  const secret = await secretOf();
  expect(secret).toMatch(/^[\w-]{43}$/);
  const hook = await daemon.asHook();
  const mcp = { authorization: `Bearer ${(await readFile(daemon.home.mcpToken, 'utf8')).trim()}` };
  const at = (url: string, headers: Readonly<Record<string, string>>, body: unknown = {}) => daemon.web('POST', url, { headers, body });
  const said = await Promise.all([
    at('/hooks/claude/Stop', hook),
    at('/hooks/claude/PreToolUse', hook),
    at('/hooks/nobody/Stop', hook),
    at('/hooks/claude/Stop', hook, [1]),
    at('/hooks/claude/Stop', hook, { x: 'x'.repeat(33 * 1024 * 1024) }),
  ]);
  expect(said.map(({ headers }) => headers['x-countersign-answer'])).toEqual(said.map(() => secret));
  const others = await Promise.all([
    ...[{}, mcp, await daemon.login(), { authorization: 'Bearer x' }].map((headers) => at('/hooks/claude/Stop', headers)),
    ...['/hooks', '/hooks/claude', '/api/status'].map((url) => at(url, hook)),
    daemon.web('GET', '/health', { headers: hook }),
  ]);
  expect(JSON.stringify(others)).not.toContain(secret);
  await daemon.restart();
  expect(await secretOf()).not.toBe(secret);
});
