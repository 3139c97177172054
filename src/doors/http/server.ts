// The HTTP door: one router behind two listeners, the owner's socket and a loopback port. All input is parsed here; errors are
// translated here, once, by the table of codes.

import type { IncomingMessage, Server } from 'node:http';
import querystring from 'node:querystring';
import fastify, { errorCodes, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { CallerFollowing, CallerJudgement, Recorded } from '../../kernel/index.ts';
import {
  ADDRESSES,
  type Code,
  CODES,
  COMMANDS,
  Fault,
  fieldsInPath,
  pathOf,
  QUERIES,
  type Refusal,
  type Seal,
} from '../../protocol/index.ts';
import type { OpenedDoor } from '../door.ts';
import { positive } from '../headers.ts';
import type { DoorServices } from '../services.ts';
import { type Access, browserOf, checkAccess, COOKIE, type Credential, type Gatekeeper } from './access.ts';
import { EventStream } from './event-stream.ts';
import { type DescribedRoute, describedRoutes, openApiDocument, type RouteForm } from './openapi.ts';
import type { PageFile } from './page-files.ts';
import { followed } from './followed.ts';
import { filledIn, withPlace } from './named-place.ts';
import { RAW_ROUTES, type RawRouteName } from './raw-routes.ts';
import { accessFor, askRoutes, commandNames, isForClients } from './routes.ts';

// Not imported: the import would make Node load its whole web client as well.
const { createServer } = process.getBuiltinModule('node:http');

export interface HttpDoorOptions {
  readonly services: DoorServices;
  readonly hookToken: string;
  /** Proves to hook clients that the answer is this daemon's. It is sent only to callers with the token. */
  readonly hookAnswer: string;
  readonly page: ReadonlyMap<string, PageFile>;
  readonly mcpToken: string;
  /** How long clients may take; ours unless a test cannot wait that long. */
  readonly timeouts?: Partial<typeof TIMEOUTS>;
  /** Their routes are beside the server's own. */
  readonly doors: readonly OpenedDoor[];
}

export interface HttpDoor {
  readonly app: FastifyInstance;
  /** Requests on this server come from whoever may open the owner's socket. */
  readonly ownerServer: Server;
  readonly loopbackServer: Server;
  /** A server for the hooks and the MCP client of one sealed run, and for nothing else. The caller listens, and closes it. */
  readonly sealedServer: (seal: Seal) => Server;
  /** What the router itself has. */
  readonly routes: readonly DescribedRoute[];
  readonly close: () => Promise<void>;
}

const BODY_BYTES = 64 * 1024;

/** How long a client may take to send its request. An answer may take as long as a human needs. */
const TIMEOUTS = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 5_000,
  keepAliveTimeout: 5_000,
  maxHeaderSize: 16 * 1024,
};
const MAX_CONNECTIONS = 1_024;

const PAGE_HEADERS = {
  'content-security-policy': "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

export async function openHttpDoor({
  services,
  hookToken,
  hookAnswer,
  page,
  mcpToken,
  doors,
  timeouts,
}: HttpDoorOptions): Promise<HttpDoor> {
  const app = fastify({
    bodyLimit: BODY_BYTES,
    routerOptions: { ignoreTrailingSlash: false },
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    // An address that the router cannot read has no route whose access could be checked.
    frameworkErrors: (error, request, reply) => void answer(services, reply, addressFault(gate, request.raw) ?? asFault(error)),
  });
  const ownerSockets = new WeakSet<object>();
  const handle = (request: IncomingMessage, response: import('node:http').ServerResponse) => app.routing(request, response);
  const ownerServer = createServer({ ...TIMEOUTS, ...timeouts }, handle);
  const loopbackServer = createServer({ ...TIMEOUTS, ...timeouts }, handle);
  for (const server of [ownerServer, loopbackServer]) server.maxConnections = MAX_CONNECTIONS;
  ownerServer.on('connection', (socket) => ownerSockets.add(socket));
  const pipes = new Map(doors.flatMap((door) => Object.entries(door.pipes ?? {})));
  const takePipes = (server: Server, seal: Seal | null) =>
    server.on('upgrade', (request, socket) => {
      const take = pipes.get(request.headers.upgrade ?? '');
      return take ? take(request, socket, seal) : socket.destroy();
    });
  takePipes(ownerServer, null);
  const seals = new WeakMap<object, Seal>();
  const sealedServer = (seal: Seal): Server => {
    const server = createServer({ ...TIMEOUTS, ...timeouts }, handle);
    server.maxConnections = MAX_CONNECTIONS;
    server.on('connection', (socket) => seals.set(socket, seal));
    return takePipes(server, seal);
  };

  const gate: Gatekeeper = {
    onOwnerSocket: (request) => ownerSockets.has(request.socket),
    sealOf: (request) => seals.get(request.socket),
    port: () => {
      const address = loopbackServer.address();
      return typeof address === 'object' && address ? address.port : 0;
    },
    logins: services.logins,
    hookToken,
    mcpToken,
  };
  const routes: DescribedRoute[] = [];
  // Taken from the router itself, so that no route can be missing from the list.
  app.addHook('onRoute', (route) => void routes.push(...describedRoutes(route)));
  const credentials = new WeakMap<FastifyRequest, Credential>();
  const enter = (
    method: 'GET' | 'POST' | 'DELETE',
    url: string,
    access: Access,
    form: RouteForm,
    handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
    bodyLimit = BODY_BYTES,
  ) => {
    app.route({
      method,
      url,
      bodyLimit,
      exposeHeadRoute: false,
      config: { access, form },
      onRequest: async (request, reply) => {
        credentials.set(request, checkAccess(gate, request.raw, access));
        if (access === 'hook') reply.header('x-countersign-answer', seals.get(request.raw.socket)?.hookAnswer ?? hookAnswer);
      },
      handler,
    });
  };

  const enterRaw = (name: RawRouteName, handler: Parameters<typeof enter>[4]) => {
    const { methods, url, access, form } = RAW_ROUTES[name];
    for (const method of methods) enter(method, url, access, form, handler);
  };

  app.removeContentTypeParser('text/plain');
  app.addHook('onSend', async (_request, reply) => void reply.header('cache-control', reply.getHeader('cache-control') ?? 'no-store'));
  app.setNotFoundHandler(async (request) => {
    checkAccess(gate, request.raw, 'public');
    throw new Fault('NOT_FOUND', `There is nothing at ${request.method} ${shownAddress(services, request.url.split('?')[0] ?? '')}.`);
  });
  app.setErrorHandler(async (error, request, reply) => {
    // A client that disconnects in the middle of its body is not a defect, and a caller without a login must not fill the ledger.
    const fault = asFault(error) ?? (request.raw.complete ? null : new Fault('BAD_REQUEST', 'The body ended before it was complete.'));
    if (!fault) await services.kernel.recordDefect(`http ${request.method} ${request.routeOptions.url ?? ''}`, error).catch(() => {});
    return answer(services, reply, fault);
  });

  enterRaw('health', async () => ({ status: 'ok', version: services.version }));
  for (const name of ['root', 'page'] as const) enterRaw(name, async (_request, reply) => reply.redirect(ADDRESSES.page));
  enterRaw('pageFile', async (request, reply) => {
    const file = page.get((request.params as { '*': string })['*']);
    if (!file)
      throw new Fault('NOT_FOUND', page.size === 0 ? 'The page has not been built.' : 'The page has no such file.', {
        fix: 'npm start builds the page',
      });
    return reply
      .headers({
        ...PAGE_HEADERS,
        'content-type': file.type,
        'cache-control': file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
      })
      .send(file.content);
  });

  enterRaw('login', async (request, reply) => {
    const { code } = parse(RAW_ROUTES.login.form.body, request.body, 'body');
    const login = await services.logins.exchange(code);
    if (login === null)
      throw new Fault('UNAUTHENTICATED', 'This login link was used before or is too old.', {
        fix: 'Run countersign open in a terminal for a new one',
      });
    return reply
      .header('set-cookie', `${COOKIE}=${login.cookie}; Path=/; HttpOnly; SameSite=Strict; Max-Age=43200`)
      .send({ page_token: login.pageToken });
  });
  enterRaw('challenge', async () => services.challengeProcess());

  for (const route of askRoutes) {
    const { input, output, ...more } = QUERIES[route.query];
    const summary = `Answers ${route.query.replaceAll('_', ' ')}.`;
    enter('GET', route.url, route.access, { summary, query: input, output, ...more, ...filledIn(route.query) }, async (request, reply) => {
      const asked = await withPlace(services, route.query, inputOf(route.url, request.params, request.query), request.headers);
      const answer = await services.ask(route.query, parse(input, asked, 'query', route.url));
      return 'answers' in more ? reply.header('content-type', more.answers).send(answer) : answer;
    });
  }
  for (const name of commandNames) {
    const { input, output, who } = COMMANDS[name];
    const url = pathOf(name);
    const form = { summary: `A human's decision: ${url.slice('/api/'.length)}.`, input, output, ...filledIn(name) };
    enter('POST', url, accessFor(who), form, async (httpRequest, reply) => {
      const sent = inputOf(url, httpRequest.params, withoutSecrets(services, httpRequest.body ?? {}));
      const request = parse(input, await withPlace(services, name, sent, httpRequest.headers), 'body', url);
      const caller = await judge(services, credentials.get(httpRequest) ?? 'none', httpRequest.raw);
      const recorded = await services.commands.act(name, isForClients(who) ? caller : withoutClient(caller), request);
      const refusal = refusalIn(recorded);
      if (refusal !== null) return reply.code(CODES[refusal.error_code as Code].http).send(asError(refusal, recorded));
      const answerOf = async (following: CallerFollowing) =>
        (await services.commands.show(name, request, following)) ?? outputOf(recorded) ?? {};
      return followed(httpRequest, reply, answerOf, (error) => troubleOf(services, `http POST ${url}`, error));
    });
  }

  const stream = new EventStream(services.subscribe);
  enterRaw('events', async (request, reply) => {
    const { workspace = null, after = null } = parse(RAW_ROUTES.events.form.query, request.query, 'query');
    const browser = browserOf(request.raw);
    reply.hijack();
    stream.join(reply.raw, {
      browser,
      workspace,
      // A browser that reconnects by itself sends the header, and requests the same address as before.
      after: position(request.headers['last-event-id']) ?? after,
      mayStay: () => browser === null || services.logins.mayRead(browser),
    });
  });

  for (const { methods, url, access, form, bodyLimit, reads, handle } of doors.flatMap(({ routes: own }) => own)) {
    if (reads !== undefined)
      app.addContentTypeParser(reads, { parseAs: 'buffer' }, (request, body, done) =>
        request.routeOptions.url === url ? done(null, body) : done(new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE()),
      );
    const handler = (request: FastifyRequest, reply: FastifyReply) => handle(request, reply, seals.get(request.raw.socket) ?? null);
    for (const method of methods) enter(method, url, access, form, handler, bodyLimit);
  }

  let described: object | null = null;
  enterRaw('description', async () => (described ??= openApiDocument(routes, services.version)));

  await app.ready();
  return {
    app,
    ownerServer,
    loopbackServer,
    sealedServer,
    routes,
    close: async () => {
      stream.close();
      for (const server of [ownerServer, loopbackServer]) {
        server.closeAllConnections();
        if (server.listening) await new Promise((resolve) => server.close(resolve));
      }
      await app.close();
    },
  };
}

/** Percent-encoding can hide a secret in an address, so the decoded form is checked. An incomplete escape is not a defect. */
function shownAddress({ kernel: { redactor } }: DoorServices, address: string): string {
  const plain = querystring.unescape(address);
  return redactor.text(plain) === plain ? address : redactor.text(plain);
}

/** Where a human's own files are, and what their key signed, is taken as it is. */
const TAKEN_AS_IT_IS: ReadonlySet<string> = new Set(['cwd', 'file', 'signed', 'public_key']);

/** A human's text is recorded and shown again. */
function withoutSecrets({ kernel: { redactor } }: DoorServices, body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const fields = Object.entries(body);
  const kept = Object.fromEntries(fields.filter(([name]) => TAKEN_AS_IT_IS.has(name)));
  return { ...redactor.value(Object.fromEntries(fields.filter(([name]) => !TAKEN_AS_IT_IS.has(name)))), ...kept };
}

const refusalIn = ({ outcome }: Recorded): Refusal | null => ('refusal' in outcome ? outcome.refusal : null);
const outputOf = ({ outcome }: Recorded): unknown => ('output' in outcome ? outcome.output : null);

/** `output` says what was done instead: a proposal, for one. */
const asError = ({ error_code, message, required_action }: Refusal, recorded: Recorded) => ({
  error: { code: error_code, message, fix: required_action },
  output: outputOf(recorded),
});

async function judge(services: DoorServices, credential: Credential, request: IncomingMessage): Promise<CallerJudgement> {
  if (credential === 'login') return { kind: 'human', human: { proof: 'login', via: 'web' } };
  const proof = request.headers['x-countersign-proof'];
  return services.judgeProcess(positive(request.headers['x-countersign-pid']) ?? 0, typeof proof === 'string' ? proof : '');
}

/** For a command that clients may not give: a client's key has nothing to sign. */
function withoutClient(caller: CallerJudgement): CallerJudgement {
  if (caller.kind === 'human') return caller;
  const { challenge: _unused, ...rest } = caller;
  return rest;
}

/** Zod parses the input. Fastify would otherwise load its own compilers, a seventh of the files read at a start. */
function noCompiler(): never {
  throw new Error('a route with a JSON schema: what comes is read by zod, and by nothing else');
}

/** `url`: fields that it names are reported as parts of the address. */
function parse<S extends z.ZodType>(schema: S, value: unknown, where: string, url = ''): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const part = fieldsInPath(url).includes(String(issue?.path[0])) ? 'address' : where;
  throw new Fault('BAD_REQUEST', `${part}${issue?.path.length ? `, ${issue.path.join('.')}` : ''}: ${issue?.message ?? 'does not fit'}`);
}

/** A command's input: what the address names, and the body. The body must not repeat a field of the address. */
function inputOf(url: string, params: unknown, body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const twice = fieldsInPath(url).find((field) => Object.hasOwn(body, field));
  if (twice !== undefined) throw new Fault('BAD_REQUEST', `body: Unrecognized key: "${twice}"`);
  return { ...body, ...(params as object) };
}

/** Null is a defect: the answer must not reveal internals. */
function answer(services: DoorServices, reply: FastifyReply, fault: Fault | null): FastifyReply {
  const { status, body } = errorOf(services, fault);
  if (status === CODES.UNAUTHENTICATED.http) reply.header('www-authenticate', 'Bearer');
  return reply.code(status).send(body);
}

function errorOf({ kernel }: DoorServices, fault: Fault | null) {
  const code: Code = fault?.code ?? 'INTERNAL';
  const message = kernel.redactor.text(fault?.message ?? CODES.INTERNAL.meaning);
  return { status: CODES[code].http, body: { error: { code, message, fix: fault?.fix ?? null } } };
}

/** Of an answer whose headers have been sent. */
async function troubleOf(services: DoorServices, where: string, error: unknown) {
  const fault = asFault(error);
  if (!fault) await services.kernel.recordDefect(where, error).catch(() => {});
  return errorOf(services, fault);
}

function addressFault(gate: Gatekeeper, request: IncomingMessage): Fault | null {
  try {
    checkAccess(gate, request, 'public');
    return null;
  } catch (error) {
    return asFault(error);
  }
}

function asFault(error: unknown): Fault | null {
  if (error instanceof Fault) return error;
  const { code, statusCode, message } = error as { code?: unknown; statusCode?: number; message?: string };
  // Only the router's own message about a request may be shown; an internal error that happens to carry a status may not.
  if (typeof code !== 'string' || !code.startsWith('FST_')) return null;
  if (statusCode === 413) return new Fault('TOO_LARGE', message ?? 'The body is too large.');
  if (statusCode === 415) return new Fault('UNSUPPORTED_MEDIA_TYPE', 'Only application/json is read.');
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new Fault('BAD_REQUEST', message ?? 'The request cannot be read.');
  return null;
}

/** The id of an event; an invalid one counts as none. */
const position = (value: string | string[] | undefined): number | null =>
  typeof value === 'string' && /^[0-9]{1,15}$/.test(value) ? Number(value) : null;
