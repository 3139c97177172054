import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import { Fault } from '../../protocol/index.ts';
import { type Access, checkAccess, type Credential, type Gatekeeper } from './access.ts';

const COOKIE = 'of-a-human';
const TOKEN = 'of-hooks';
const MCP_TOKEN = 'of-mcp-clients';
const PAGE = 'of-the-page';

interface Caller {
  readonly owner?: true;
  readonly headers?: Readonly<Record<string, string>>;
}

const HOST = { host: '127.0.0.1:8722' };
const CALLERS: Readonly<Record<Credential, Caller>> = {
  owner: { owner: true },
  login: { headers: { ...HOST, cookie: `theme=dark; countersign=${COOKIE}; a=b`, 'x-countersign-page': PAGE } },
  viewer: { headers: { ...HOST, cookie: `countersign=${COOKIE}` } },
  hook: { headers: { ...HOST, authorization: `Bearer ${TOKEN}` } },
  mcp: { headers: { ...HOST, authorization: `Bearer ${MCP_TOKEN}` } },
  none: { headers: HOST },
};

/** The caller that was let in, or the code of the refusal. */
function judge({ owner, headers = {} }: Caller, access: Access): string {
  const gate: Gatekeeper = {
    sealOf: () => undefined,
    onOwnerSocket: () => owner === true,
    port: () => 8722,
    logins: {
      issueCode: () => '',
      exchange: async () => null,
      mayRead: (cookie) => cookie === COOKIE,
      mayDecide: (cookie, page) => cookie === COOKIE && page === PAGE,
    },
    hookToken: TOKEN,
    mcpToken: MCP_TOKEN,
  };
  try {
    return checkAccess(gate, { headers, rawHeaders: Object.entries(headers).flat() } as unknown as IncomingMessage, access);
  } catch (error) {
    if (error instanceof Fault) return error.code;
    throw error;
  }
}

describe('who comes in where', () => {
  const table: Readonly<Record<Access, readonly [owner: string, login: string, viewer: string, hook: string, mcp: string, none: string]>> =
    {
      public: ['owner', 'login', 'viewer', 'hook', 'mcp', 'none'],
      reader: ['owner', 'login', 'viewer', 'FORBIDDEN', 'FORBIDDEN', 'UNAUTHENTICATED'],
      human: ['owner', 'login', 'UNAUTHENTICATED', 'FORBIDDEN', 'FORBIDDEN', 'UNAUTHENTICATED'],
      owner: ['owner', 'FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN', 'UNAUTHENTICATED'],
      hook: ['owner', 'FORBIDDEN', 'FORBIDDEN', 'hook', 'FORBIDDEN', 'UNAUTHENTICATED'],
      mcp: ['owner', 'FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN', 'mcp', 'UNAUTHENTICATED'],
      agent: ['owner', 'login', 'FORBIDDEN', 'FORBIDDEN', 'mcp', 'UNAUTHENTICATED'],
    };
  test.each(Object.entries(table) as [Access, readonly string[]][])('%s', (access, expected) => {
    expect(
      [CALLERS.owner, CALLERS.login, CALLERS.viewer, CALLERS.hook, CALLERS.mcp, CALLERS.none].map((caller) => judge(caller, access)),
    ).toEqual(expected);
  });
});

describe('a foreign address is turned away before any credential is looked at', () => {
  const { login } = CALLERS;
  const from = (headers: Readonly<Record<string, string>>) => judge({ headers: { ...login.headers, ...headers } }, 'public');

  test.each(['evil.example', '127.0.0.1', '127.0.0.1:8723', 'localhost:8722.evil.example', 'LOCALHOST:8722', ''])('Host: %s', (host) => {
    expect(from({ host })).toBe('FORBIDDEN');
  });
  test.each(['null', '', 'http://127.0.0.1', 'https://127.0.0.1:8722', 'http://localhost:8722', 'http://127.0.0.1:8722/'])(
    'Origin: %s',
    (origin) => {
      expect(from({ origin })).toBe('FORBIDDEN');
    },
  );
  test('ours, by each of its names', () => {
    const names = ['127.0.0.1:8722', 'localhost:8722', '[::1]:8722'];
    expect(names.map((host) => from({ host, origin: `http://${host}` }))).toEqual(['login', 'login', 'login']);
  });
  test("the owner's socket has no Host to forge", () => {
    expect(judge({ owner: true, headers: { host: 'countersign', origin: 'null' } }, 'owner')).toBe('owner');
  });
});

test("a login's cookie counts for our own page only, as far as the browser says for which it asks", () => {
  const asked = (site: string) => judge({ headers: { ...CALLERS.login.headers, 'sec-fetch-site': site } }, 'reader');
  expect(['same-origin', 'none', 'same-site', 'cross-site', 'anything'].map(asked)).toEqual([
    ...['login', 'login', 'UNAUTHENTICATED', 'UNAUTHENTICATED', 'UNAUTHENTICATED'],
  ]);
});
