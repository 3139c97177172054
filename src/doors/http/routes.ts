// The table of routes. A route that changes anything answers with a `Recorded`; one that only tells answers a query. Raw
// routes speak for themselves and are few: login, hooks, the event stream, the page.

import { z } from 'zod';
import { type CallerJudgement, PAUSE_SECONDS, type Recorded } from '../../kernel/index.ts';
import {
  ActionId,
  ApprovalId,
  ApproverKeyId,
  CheckName,
  Citation,
  CLAIM_LIMITS,
  ClaimId,
  ClaimKind,
  Countersignature,
  CommandRuleId,
  Grant,
  GrantId,
  IntentId,
  IntentStatus,
  Mode,
  QUERIES,
  type QueryName,
  SCOPE_LIMITS,
  SessionId,
  Sha256,
  statements,
} from '../../protocol/index.ts';
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

/** A working week: longer, and it is a setting. */
const MOST_GRANT_SECONDS = 7 * 24 * 3600;
const None = z.strictObject({});
const Lines = z.array(z.string().min(1).max(500)).max(50).default([]);
const Here = z.strictObject({ cwd: z.string() });
/** By an enrolled key, over the statement that the daemon makes of the same request. */
const Signed = Countersignature.omit({ statement: true }).nullable().default(null);
/** Of the text that the human was shown: another one is not what they mean. Null: they were shown none. */
const Shown = Sha256.nullable().default(null);
const OneMemory = z.strictObject({ id: ClaimId });
const NewMemory = z.strictObject({
  cwd: z.string(),
  kind: ClaimKind,
  statement: z.string().trim().min(1).max(CLAIM_LIMITS.statement),
  rationale: z.string().trim().min(1).max(CLAIM_LIMITS.rationale).nullable().default(null),
  citations: z
    .array(Citation.omit({ sha256: true }))
    .max(CLAIM_LIMITS.citations)
    .default([]),
  scope: z.array(z.string().min(1).max(SCOPE_LIMITS.characters)).max(CLAIM_LIMITS.scope).default([]),
});

export const actRoutes: readonly ActRoute[] = [
  act(
    '/api/approvals/:id/answer',
    'human',
    z.strictObject({ id: ApprovalId }),
    z.strictObject({ answer: z.enum(['approved', 'rejected']), reason: z.string().max(500).optional(), signed: Signed }),
    async ({ kernel }, caller, { params, body }) =>
      kernel.authority.answerApproval(await caller(), params.id, body.answer, body.reason?.trim() || null, body.signed),
    async ({ ask }, { params }) => (await ask('approvals', { id: params.id }))[0],
  ),
  act(
    '/api/approvals/:id/grant',
    'human',
    z.strictObject({ id: ApprovalId }),
    z.strictObject({ pattern: Grant.shape.pattern, seconds: z.int().min(60).max(MOST_GRANT_SECONDS), signed: Signed }),
    async ({ kernel }, caller, { params, body: { signed, ...wish } }) => kernel.authority.grant(await caller(), params.id, wish, signed),
  ),
  act('/api/grants/:id/end', 'human', z.strictObject({ id: GrantId }), None, async ({ kernel }, caller, { params }) =>
    kernel.authority.endGrant(await caller(), params.id),
  ),
  act(
    '/api/command_rules/:id/decide',
    'human',
    z.strictObject({ id: CommandRuleId }),
    z.strictObject({ state: z.enum(['active', 'ended']) }),
    async ({ kernel }, caller, { params, body }) => kernel.authority.decideCommandRule(await caller(), params.id, body.state),
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
      signed: Signed,
    }),
    async (services, caller, { body }) => {
      const { id: workspace, root } = await services.locate(body.cwd);
      const ownedScope = await services.scopeOf(root, body.cwd, body.paths);
      const wish = { workspace, name: body.name, ownedScope, constraints: body.constraints, acceptanceCriteria: body.acceptance_criteria };
      const strict = (await services.minimumMode(root)) === 'STRICT';
      const confirmation = { statement: statements.intent(body), given: body.signed, strict, shown: null };
      return services.kernel.authority.declareIntent(await caller(), wish, confirmation);
    },
  ),
  act(
    '/api/intents/:id/status',
    'human',
    z.strictObject({ id: IntentId }),
    z.strictObject({ cwd: z.string(), status: IntentStatus.exclude(['proposed']), sha256: Shown, signed: Signed }),
    async (services, caller, { params, body }) => {
      const { id: workspace, root } = await services.locate(body.cwd);
      const strict = (await services.minimumMode(root)) === 'STRICT';
      const { cwd, status, sha256, signed } = body;
      const confirmation = {
        statement: statements.intentStatus(cwd, params.id, status, sha256 ?? ''),
        given: signed,
        strict,
        shown: sha256,
      };
      return services.kernel.authority.setIntentStatus(await caller(), workspace, params.id, status, confirmation);
    },
  ),
  // What a human's file says and nobody confirmed yet.
  act(
    '/api/intents/:id/edit',
    'human',
    z.strictObject({ id: IntentId }),
    z.discriminatedUnion('take', [
      Here.extend({ take: z.literal(true), sha256: Sha256, signed: Signed }),
      Here.extend({ take: z.literal(false) }),
    ]),
    async ({ humanWork }, caller, { params: { id }, body }) =>
      humanWork.settleEdit(await caller(), body.take ? { ...body, id } : { ...body, id, sha256: null, signed: null }),
  ),
  act('/api/modes/confirm', 'human', None, Here.extend({ sha256: Shown }), async ({ humanWork }, caller, { body }) =>
    humanWork.confirmDial(await caller(), body),
  ),
  act(
    '/api/pause',
    'human',
    None,
    Here.extend({
      seconds: z.int().min(PAUSE_SECONDS.least).max(PAUSE_SECONDS.most),
      reason: z.string().trim().min(1).max(500),
      signed: Signed,
    }),
    async ({ humanWork }, caller, { body }) => humanWork.pause(await caller(), body),
  ),
  act('/api/pause/end', 'human', None, Here, async ({ humanWork }, caller, { body }) => humanWork.endPause(await caller(), body)),
  act(
    '/api/acknowledgements',
    'human',
    None,
    Here.extend({
      files: z
        .array(z.strictObject({ path: z.string(), after_sha256: Sha256.nullable() }))
        .min(1)
        .max(500),
      signed: Signed,
    }),
    async ({ humanWork }, caller, { body }) => humanWork.acknowledge(await caller(), body),
  ),
  act(
    '/api/approvers',
    'owner',
    None,
    z.strictObject({ public_key: z.string().max(200), name: z.string().trim().min(1).max(100), signed: Signed }),
    async ({ kernel }, caller, { body: { signed, ...wish } }) => kernel.approvers.enroll(await caller(), wish, signed),
  ),
  act(
    '/api/approvers/:id/remove',
    'owner',
    z.strictObject({ id: ApproverKeyId }),
    z.strictObject({ signed: Signed }),
    async ({ kernel }, caller, { params, body }) => kernel.approvers.remove(await caller(), params.id, body.signed),
  ),
  act(
    '/api/modes',
    'human',
    None,
    z.strictObject({
      cwd: z.string(),
      intent: IntentId.nullable().default(null),
      pin: z.literal('PASSIVE').nullable().optional(),
      minimum: Mode.exclude(['PASSIVE']).nullable().optional(),
    }),
    async ({ humanWork }, caller, { body }) =>
      humanWork.limitMode(await caller(), {
        cwd: body.cwd,
        intent: body.intent,
        ...(body.pin === undefined ? {} : { pin: body.pin }),
        ...(body.minimum === undefined ? {} : { minimum: body.minimum }),
      }),
    async ({ ask }, { body }) => ask('modes', { cwd: body.cwd }),
  ),
  act(
    '/api/observing',
    'human',
    None,
    Here.extend({ observing: z.boolean() }),
    async ({ humanWork }, caller, { body }) => humanWork.setObserving(await caller(), body),
    async ({ ask }, { body }) => ask('modes', { cwd: body.cwd }),
  ),
  act(
    '/api/tasks/confirm',
    'human',
    None,
    Here.extend({ intent: IntentId.nullable().default(null) }),
    async ({ humanWork }, caller, { body }) => humanWork.confirmTasks(await caller(), body),
    async ({ ask }, { body }) => ask('tasks', { cwd: body.cwd }),
  ),
  act(
    '/api/memory',
    'human',
    None,
    NewMemory,
    async ({ humanWork }, caller, { body }) => humanWork.addMemory(await caller(), body),
    async ({ humanWork }, { body }) => humanWork.findMemory(body),
  ),
  act(
    '/api/memory/:id/approve',
    'human',
    OneMemory,
    Here,
    async ({ humanWork }, caller, { params, body }) => humanWork.approveMemory(await caller(), { ...body, id: params.id }),
    async ({ ask }, { params, body }) => (await ask('memory', { cwd: body.cwd, id: params.id }))[0],
  ),
  act(
    '/api/memory/:id/retire',
    'human',
    OneMemory,
    Here.extend({ reason: z.string().trim().min(1).max(500) }),
    async ({ humanWork }, caller, { params, body }) => humanWork.retireMemory(await caller(), { ...body, id: params.id }),
  ),
  act(
    '/api/undo',
    'human',
    None,
    Here.extend({
      target: z.union([
        z.strictObject({ action: ActionId }),
        z.strictObject({ turn: SessionId.nullable() }),
        z.strictObject({ session: SessionId.nullable() }),
        z.strictObject({ intent: IntentId }),
      ]),
      dry_run: z.boolean(),
      plan: z.string().nullable().default(null),
    }),
    async ({ humanWork }, caller, { body }) => humanWork.undo(await caller(), body),
  ),
  // Allowed first, then run: what the checks say is shown and not decided on.
  act(
    '/api/validate',
    'human',
    None,
    Here.extend({ checks: z.array(CheckName).min(1).nullable().default(null) }),
    async ({ kernel }, caller) => kernel.authority.allowHuman(await caller(), 'validate', () => ({})),
    async ({ validateAll }, { body }) => validateAll(body.cwd, body.checks),
  ),
  // The graph is a projection: nothing that is on record changes but that it was asked for.
  act(
    '/api/graph/sync',
    'human',
    None,
    Here,
    async ({ kernel }, caller) => kernel.authority.allowHuman(await caller(), 'graph sync', () => ({})),
    async ({ graphWork }, { body }) => graphWork.sync(body.cwd),
  ),
  act(
    '/api/graph/export',
    'human',
    None,
    Here,
    async ({ kernel }, caller) => kernel.authority.allowHuman(await caller(), 'graph export', () => ({})),
    async ({ graphWork }, { body }) => graphWork.export(body.cwd),
  ),
  // These are about files of the human's own, which their terminal names.
  act('/api/memory/import', 'owner', None, Here.extend({ file: z.string().min(1) }), async ({ humanWork }, caller, { body }) =>
    humanWork.importMemory(await caller(), body),
  ),
  act(
    '/api/import',
    'owner',
    None,
    Here.extend({
      file: z.string().min(1),
      as: z.enum(['github', 'jira', 'linear', 'spec-kit', 'rules']).nullable().default(null),
      paths: z.array(z.string().min(1)).max(SCOPE_LIMITS.globs).default([]),
      all: z.boolean().default(false),
      dry_run: z.boolean(),
      plan: z.string().nullable().default(null),
    }),
    async ({ humanWork }, caller, { body }) => humanWork.importDrafts(await caller(), body),
  ),
  act('/api/memory/export', 'owner', None, Here, async ({ humanWork }, caller, { body }) => humanWork.exportMemory(await caller(), body)),
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
  act(
    '/api/reindex',
    'owner',
    None,
    None,
    async ({ kernel }, caller) => kernel.authority.allowHuman(await caller(), 'reindex', () => ({})),
    async ({ reindex }) => ({ records: await reindex() }),
  ),
  act('/api/stop', 'owner', None, None, async ({ kernel, stop }, caller) => {
    const recorded = await kernel.authority.allowHuman(await caller(), 'stop', () => ({ stopping: true }));
    // Only then: a daemon that stops while it writes this down would hang up on the one who asked.
    if (recorded.outcome.kind === 'noted' && recorded.outcome.refusal === null) stop();
    return recorded;
  }),
];
