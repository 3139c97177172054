// The table of routes. A route that changes anything answers with a `Recorded`; one that only tells answers a query. Raw
// routes speak for themselves and are few: login, hooks, the event stream, the page.

import { z } from 'zod';
import type { CallerJudgement, Recorded } from '../../kernel/index.ts';
import { ApprovalId, IntentId, IntentStatus, QUERIES, type QueryName } from '../../protocol/index.ts';
import type { DoorServices } from '../services.ts';
import type { Access } from './access.ts';

export interface ActRoute {
  readonly method: 'POST';
  readonly url: string;
  readonly access: Access;
  readonly params: z.ZodType;
  readonly body: z.ZodType;
  readonly act: (services: DoorServices, caller: () => Promise<CallerJudgement>, input: never) => Promise<Recorded>;
  /** What is shown of it when it was done: the row as it is now. Without it, what was recorded. */
  readonly show?: (services: DoorServices, input: never) => Promise<unknown>;
}

export interface AskRoute {
  readonly method: 'GET';
  readonly url: string;
  readonly access: Access;
  readonly query: QueryName;
}

export const askRoutes: readonly AskRoute[] = (Object.keys(QUERIES) as QueryName[]).map((query) => ({
  method: 'GET',
  url: `/api/${query}`,
  access: 'reader',
  query,
}));

function act<P extends z.ZodType, B extends z.ZodType>(
  url: string,
  access: Access,
  params: P,
  body: B,
  act: (
    services: DoorServices,
    caller: () => Promise<CallerJudgement>,
    input: { params: z.output<P>; body: z.output<B> },
  ) => Promise<Recorded>,
  show?: (services: DoorServices, input: { params: z.output<P>; body: z.output<B> }) => Promise<unknown>,
): ActRoute {
  return { method: 'POST', url, access, params, body, act, ...(show === undefined ? {} : { show }) };
}

const None = z.strictObject({});
const Lines = z.array(z.string().min(1).max(500)).max(50).default([]);

export const actRoutes: readonly ActRoute[] = [
  act(
    '/api/approvals/:id/answer',
    'human',
    z.strictObject({ id: ApprovalId }),
    z.strictObject({ answer: z.enum(['approved', 'rejected']), reason: z.string().max(500).optional() }),
    async ({ kernel }, caller, { params, body }) =>
      kernel.authority.answerApproval(await caller(), params.id, body.answer, body.reason?.trim() || null),
    async ({ ask }, { params }) => (await ask('approvals', { id: params.id }))[0],
  ),
  act(
    '/api/intents',
    'human',
    None,
    z.strictObject({
      cwd: z.string(),
      name: z.string().trim().min(1).max(200),
      paths: z.array(z.string().min(1)).min(1).max(50),
      constraints: Lines,
      acceptance_criteria: Lines,
    }),
    async (services, caller, { body }) => {
      const { id: workspace, root } = await services.locate(body.cwd);
      const ownedScope = await services.scopeOf(root, body.cwd, body.paths);
      const wish = { workspace, name: body.name, ownedScope, constraints: body.constraints, acceptanceCriteria: body.acceptance_criteria };
      return services.kernel.authority.declareIntent(await caller(), wish);
    },
  ),
  act(
    '/api/intents/:id/status',
    'human',
    z.strictObject({ id: IntentId }),
    z.strictObject({ cwd: z.string(), status: IntentStatus.exclude(['proposed']) }),
    async (services, caller, { params, body }) => {
      const { id: workspace } = await services.locate(body.cwd);
      return services.kernel.authority.setIntentStatus(await caller(), workspace, params.id, body.status);
    },
  ),
  // A login link is as good as a human; so is rewiring an agent's hooks. Both are a human's to ask for.
  act('/api/login-codes', 'owner', None, None, async ({ kernel, logins }, caller) =>
    kernel.authority.allowAtTerminal(await caller(), 'open', () => ({ code: logins.issueCode() })),
  ),
  act(
    '/api/permissions',
    'owner',
    None,
    z.strictObject({ command: z.enum(['init', 'init --undo']) }),
    async ({ kernel }, caller, { body }) => kernel.authority.allowHuman(await caller(), body.command, () => ({ command: body.command })),
  ),
  act('/api/stop', 'owner', None, None, async ({ kernel, stop }, caller) =>
    kernel.authority.allowHuman(await caller(), 'stop', () => {
      stop();
      return { stopping: true };
    }),
  ),
];
