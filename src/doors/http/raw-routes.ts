// The routes that are neither a query nor a command, declared: who may come in, what they take and what they answer. `server.ts` has a handler
// for each. They are not commands, because nothing of them is a human's decision: a login, a proof, a stream, agents' hooks and MCP.

import { z } from 'zod';
import { ADDRESSES, WorkspaceId } from '../../protocol/index.ts';
import type { Access } from './access.ts';
import type { RouteForm } from './openapi.ts';

interface RawRoute {
  readonly methods: readonly ('GET' | 'POST' | 'DELETE')[];
  readonly url: string;
  readonly access: Access;
  readonly form: RouteForm;
  /** In bytes; absent: as small as a command's. */
  readonly bodyLimit?: number;
}

/** A hook carries whole files. */
const HOOK_BODY_BYTES = 32 * 1024 * 1024;
const MCP_BODY_BYTES = 4 * 1024 * 1024;
const toPage = { summary: 'Leads to the page.', answers: 'text/html' };
/** In the agent's, or MCP's, own form. */
const Foreign = z.record(z.string(), z.unknown());

export const RAW_ROUTES = {
  health: {
    methods: ['GET'],
    url: ADDRESSES.health,
    access: 'public',
    form: { summary: 'Whether the daemon lives.', output: z.object({ status: z.literal('ok'), version: z.string() }) },
  },
  root: { methods: ['GET'], url: '/', access: 'public', form: toPage },
  page: { methods: ['GET'], url: '/ui', access: 'public', form: toPage },
  pageFile: { methods: ['GET'], url: `${ADDRESSES.page}*`, access: 'public', form: { summary: 'A file of the page.', answers: '*/*' } },
  login: {
    methods: ['POST'],
    url: ADDRESSES.login,
    access: 'public',
    form: {
      summary: 'Exchanges the code of a login link for a cookie and a page token, once.',
      body: z.strictObject({ code: z.string() }),
      output: z.object({ page_token: z.string() }),
    },
  },
  challenge: {
    methods: ['GET'],
    url: ADDRESSES.challenge,
    access: 'owner',
    form: {
      summary: 'What a process shows to prove which one it is: it holds the file `open` open while it sends `proof`.',
      output: z.object({ proof: z.string(), open: z.string() }),
    },
  },
  events: {
    methods: ['GET'],
    url: ADDRESSES.events,
    access: 'reader',
    form: {
      summary: 'Rows as they change.',
      /** `workspace`: only what belongs to it. `after`: the id of the last event received, as in `Last-Event-ID`. */
      query: z.strictObject({ workspace: WorkspaceId.optional(), after: z.coerce.number().int().min(0).optional() }),
      answers: 'text/event-stream',
    },
  },
  hook: {
    methods: ['POST'],
    url: ADDRESSES.hook,
    access: 'hook',
    form: { summary: "An event of an agent's own hooks, in that agent's form; the answer likewise.", body: Foreign, output: Foreign },
    bodyLimit: HOOK_BODY_BYTES,
  },
  wall: {
    methods: ['POST'],
    url: ADDRESSES.wall,
    access: 'hook',
    form: { summary: "Walls for a command that an agent's shell is about to run.", answers: 'text/plain' },
    bodyLimit: HOOK_BODY_BYTES,
  },
  turn: {
    methods: ['POST'],
    url: ADDRESSES.turn,
    access: 'agent',
    form: {
      summary: 'A turn of the controller, as an agent, in the work tree that x-countersign-cwd names.',
      body: Foreign,
      output: Foreign,
    },
    bodyLimit: MCP_BODY_BYTES,
  },
  mcpCall: {
    methods: ['POST'],
    url: ADDRESSES.mcp,
    access: 'mcp',
    form: { summary: 'MCP over HTTP.', body: Foreign },
    bodyLimit: MCP_BODY_BYTES,
  },
  mcp: { methods: ['GET', 'DELETE'], url: ADDRESSES.mcp, access: 'mcp', form: { summary: 'MCP over HTTP.' }, bodyLimit: MCP_BODY_BYTES },
  description: { methods: ['GET'], url: ADDRESSES.description, access: 'reader', form: { summary: 'This description.' } },
} as const satisfies Readonly<Record<string, RawRoute>>;

export type RawRouteName = keyof typeof RAW_ROUTES;
