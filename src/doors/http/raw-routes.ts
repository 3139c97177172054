// The server's own routes, declared: who may come in, what they take and what they answer. `server.ts` has a handler for each. They are not
// commands, because nothing of them is a human's decision: a login, a proof, a stream. Those of agents belong to the doors.

import { z } from 'zod';
import { ADDRESSES, WorkspaceId } from '../../protocol/index.ts';
import type { RouteDeclaration } from '../door.ts';

const toPage = { summary: 'Leads to the page.', answers: 'text/html' };

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
  description: { methods: ['GET'], url: ADDRESSES.description, access: 'reader', form: { summary: 'This description.' } },
} as const satisfies Readonly<Record<string, RouteDeclaration>>;

export type RawRouteName = keyof typeof RAW_ROUTES;
