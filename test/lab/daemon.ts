// A real daemon in this process, with a home and a repository of its own, and the ways to its doors: the owner's socket, the
// loopback port as a browser or a foreign page would use it, and hooks. `dispose` ends it.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { type IncomingHttpHeaders, request } from 'node:http';
import path from 'node:path';
import { type Daemon, startDaemon } from '../../src/app/daemon.ts';
import { type Home, homeOf } from '../../src/client/node.ts';
import { DOORS } from '../../src/doors/doors.ts';
import { type HttpDoorOptions, openHttpDoor } from '../../src/doors/http/server.ts';
import type { DoorServices } from '../../src/doors/services.ts';
import type { Event, SessionRow } from '../../src/protocol/index.ts';
import { MEMORY_FOLDER } from './memory-folder.ts';
import { makeScratchRepo, type ScratchRepo } from './scratch-repo.ts';
import { FIRST_DOORS } from '../../src/protocol/index.ts';

export interface Call {
  readonly headers?: Readonly<Record<string, string>>;
  /** A text goes as it is; anything else as JSON, with its content type. */
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export type Send = (method: string, address: string, call?: Call) => Promise<Reply>;

export interface Route {
  readonly method: string;
  /** With an id, an agent and an event in place of the parameters. */
  readonly url: string;
  readonly access: string;
}

export interface TestDaemon {
  readonly home: Home;
  readonly repo: ScratchRepo;
  readonly port: () => number;
  readonly services: () => DoorServices;
  /** Over the owner's socket. */
  readonly owner: Send;
  /** Over the loopback port; Host is ours unless the call names another. */
  readonly web: Send;
  /** The headers of a logged-in page. */
  readonly login: () => Promise<Readonly<Record<string, string>>>;
  /** The headers of a hook client. */
  readonly asHook: () => Promise<Readonly<Record<string, string>>>;
  /** The headers of an MCP client that works in the repository. */
  readonly asMcp: () => Promise<Readonly<Record<string, string>>>;
  /** A hook of Claude Code in the repository; what it prints, parsed. */
  readonly hook: (event: string, payload: Readonly<Record<string, unknown>>) => Promise<unknown>;
  readonly routes: () => Promise<readonly Route[]>;
  /** The ledger's size: unchanged if nothing was recorded. */
  readonly ledgerSize: () => Promise<number>;
  /** The events after the first `size` records, read from the ledger's file. */
  readonly recordedSince: (size: number) => Promise<Event[]>;
  /** A human grants the paths, and the agent of `hook` begins to work on them. */
  readonly beginWork: (...globs: string[]) => Promise<SessionRow>;
  /** What the daemon does every second, now. */
  readonly housekeep: () => Promise<void>;
  /** `meanwhile` runs while no daemon does. */
  readonly restart: (meanwhile?: () => void) => Promise<void>;
  readonly dispose: () => Promise<void>;
}

/** `now`: the daemon's clock, if a test needs another than the real one. `parent`: the folder for its home. */
export async function startTestDaemon(now?: () => Date, parent = MEMORY_FOLDER): Promise<TestDaemon> {
  process.env['MCP_DASHBOARD_PORT'] = '0';
  const repo = await makeScratchRepo();
  // Short: a socket's path has little room.
  const base = await mkdtemp(`${parent}/cs-`);
  const home = homeOf(base);
  const start = () => startDaemon(home, (message) => console.error(message), now && { now });
  let daemon: Daemon = await start();
  const stop = async () => {
    daemon.stop();
    await daemon.ended;
  };

  const port = () => Number(new URL(daemon.address).port);
  const owner: Send = (method, address, call) => send({ socketPath: home.socket }, method, address, call);
  const web: Send = (method, address, call) => send({ host: '127.0.0.1', port: port() }, method, address, call);
  const asHook = async () => ({ authorization: `Bearer ${(await readFile(home.hookFile, 'utf8')).trim().split(' ')[1]}` });
  const ledgerSize = async () => (await daemon.services.ask('status', {})).ledger.size;

  const hook: TestDaemon['hook'] = async (event, payload) => {
    const body = { session_id: 'session-of-test', cwd: repo.path, permission_mode: 'acceptEdits', hook_event_name: event, ...payload };
    const { status, text } = await web('POST', `/hooks/claude/${event}`, { headers: await asHook(), body });
    if (status !== 200) throw new Error(`hook: ${status} ${text}`);
    return JSON.parse(text) as unknown;
  };

  return {
    home,
    repo,
    port,
    services: () => daemon.services,
    owner,
    web,
    login: async () => {
      const { status, headers, text } = await web('POST', '/api/login', { body: { code: daemon.services.logins.issueCode() } });
      const cookie = headers['set-cookie']?.[0]?.split(';')[0];
      if (status !== 200 || cookie === undefined) throw new Error(`no login: ${status}`);
      return { cookie, 'x-countersign-page': (JSON.parse(text) as { page_token: string }).page_token };
    },
    asHook,
    asMcp: async () => ({
      authorization: `Bearer ${(await readFile(home.mcpToken, 'utf8')).trim()}`,
      'x-countersign-cwd': encodeURIComponent(repo.path),
    }),
    hook,
    routes: () => routesOf(daemon.services),
    ledgerSize,
    recordedSince: async (size) => {
      const file = await readFile(path.join(home.dir, 'ledger/00000001.jsonl'), 'utf8');
      const lines = file.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Event & { seq?: number }]));
      return lines.flatMap(({ seq, type, data }) => (seq !== undefined && seq > size ? [{ type, data } as Event] : []));
    },
    beginWork: async (...ownedScope) => {
      await hook('SessionStart', { source: 'startup' });
      const { kernel, ask } = daemon.services;
      const [session] = await ask('sessions', {});
      if (!session) throw new Error('the hook opened no session');
      const { workspace } = session;
      const request = { workspace, name: 'work of the test', ownedScope, constraints: [], acceptanceCriteria: [] };
      await kernel.authority.declareIntent({ kind: 'human', human: { proof: 'login', via: 'cli' } }, request);
      const { outcome } = await kernel.spine.pass({
        session: session.id,
        workspace,
        root: repo.path,
        cwd: repo.path,
        actor: { agent: session.agent },
        door: FIRST_DOORS.mcp,
        tool: 'begin_work',
        input: {},
        waitTimeoutMs: 0,
        signal: AbortSignal.timeout(60_000),
      });
      if (outcome.kind !== 'settled' || outcome.refusal !== null) throw new Error(`begin_work: ${JSON.stringify(outcome)}`);
      return session;
    },
    housekeep: () => daemon.housekeep(),
    restart: async (meanwhile) => {
      await stop();
      meanwhile?.();
      daemon = await start();
    },
    dispose: async () => {
      await stop();
      await repo.dispose();
      await rm(base, { recursive: true, force: true });
    },
  };
}

const EXAMPLES: Readonly<Record<string, string>> = {
  ':id': 'apr_00000000000000000000000000',
  ':agent': 'claude',
  ':event': 'Stop',
  '*': '',
};

/** A second server with the same doors, and no valid token. */
export const openBareDoor = (services: DoorServices, more: Pick<HttpDoorOptions, 'timeouts'> = {}) =>
  openHttpDoor({
    services,
    hookToken: '',
    hookAnswer: '',
    page: new Map(),
    mcpToken: '',
    doors: DOORS.map((open) => open({ services, identity: '', log: () => {} })),
    ...more,
  });

async function routesOf(services: DoorServices): Promise<readonly Route[]> {
  const door = await openBareDoor(services);
  await door.close();
  return door.routes.map(({ method, url, access }) => ({
    method,
    url: url.replaceAll(/:\w+|\*/g, (name) => EXAMPLES[name] ?? name),
    access,
  }));
}

interface Where {
  readonly socketPath?: string;
  readonly host?: string;
  readonly port?: number;
}

export function send(where: Where, method: string, address: string, { headers = {}, body, signal }: Call = {}): Promise<Reply> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>();
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const typed = body !== undefined && typeof body !== 'string' ? { 'content-type': 'application/json' } : {};
  const length = text === undefined ? {} : { 'content-length': String(Buffer.byteLength(text)) };
  const call = request(
    {
      ...where,
      method,
      path: address,
      agent: false,
      headers: { ...typed, ...length, ...headers },
      ...(signal === undefined ? {} : { signal }),
    },
    (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text: Buffer.concat(chunks).toString('utf8') }),
      );
    },
  );
  call.on('error', reject);
  call.end(text);
  return promise;
}

/** The code of an answer, or null when it is not one of ours. */
export function codeOf({ text }: Reply): string | null {
  try {
    return (JSON.parse(text) as { error?: { code?: string } }).error?.code ?? null;
  } catch {
    return null;
  }
}
