// Questions are not actions: they change nothing and are never gated. This file declares them, `app` answers them, doors
// ask them. The page, the extension and the CLI read the same rows.

import { z } from 'zod';
import { Effect, Mode } from './action.ts';
import { CommandReading } from './facts.ts';
import { ActionId, ApprovalId, Instant, IntentId, ReceiptId, SessionId, Sha256, WorkspaceId } from './ids.ts';
import { Intent, Proof } from './intent.ts';
import { Receipt } from './receipt.ts';

export const Level = z.enum(['observing', 'advisory', 'hooked', 'sealed']);
export type Level = z.infer<typeof Level>;

export const ActionState = z.enum(['observed', 'refused', 'waiting', 'admitted', 'settled', 'unknown']);
export type ActionState = z.infer<typeof ActionState>;

export const ActionRow = z.strictObject({
  id: ActionId,
  parent: ActionId.nullable(),
  workspace: WorkspaceId,
  session: SessionId,
  agent: z.string(),
  at: Instant,
  tool: z.string(),
  /** The one thing a person wants to see: a path, a command, an intent's id. */
  subject: z.string(),
  effects: z.array(Effect),
  state: ActionState,
  /** Why it was refused or waits, or what is unknown. */
  code: z.string().nullable(),
  message: z.string().nullable(),
  intent: z.string().nullable(),
  approval_id: ApprovalId.nullable(),
  receipt_id: ReceiptId.nullable(),
  /** Of a settled action: whether the agent's call succeeded. */
  status: z.enum(['done', 'failed']).nullable(),
});
export type ActionRow = z.infer<typeof ActionRow>;

export const ApprovalState = z.enum(['pending', 'approved', 'rejected', 'spent', 'expired']);
export type ApprovalState = z.infer<typeof ApprovalState>;

export const ApprovalRow = z.strictObject({
  id: ApprovalId,
  workspace: WorkspaceId,
  session: SessionId,
  agent: z.string(),
  action_id: ActionId,
  tool: z.string(),
  /** The exact input that would run, as it would run. */
  input: z.record(z.string(), z.unknown()),
  input_sha256: Sha256,
  root: z.string(),
  code: z.string(),
  message: z.string(),
  command: CommandReading.nullable(),
  intent: z.string().nullable(),
  state: ApprovalState,
  reason: z.string().nullable(),
  proof: Proof.nullable(),
  requested_at: Instant,
  expires_at: Instant,
});
export type ApprovalRow = z.infer<typeof ApprovalRow>;

export const SessionRow = z.strictObject({
  id: SessionId,
  workspace: WorkspaceId,
  parent: SessionId.nullable(),
  agent: z.string(),
  level: Level,
  mode: Mode.nullable(),
  intent: z.string().nullable(),
  open: z.boolean(),
  opened_at: Instant,
  last_at: Instant,
});
export type SessionRow = z.infer<typeof SessionRow>;

export const IntentRow = Intent.extend({ workspace: WorkspaceId, proof: Proof.nullable(), confirmed_at: Instant.nullable() });
export type IntentRow = z.infer<typeof IntentRow>;

export const WorkspaceRow = z.strictObject({
  id: WorkspaceId,
  root: z.string(),
  level: Level,
  /** What the level does not cover, in one sentence. */
  level_note: z.string(),
  minimum_mode: Mode.nullable(),
});
export type WorkspaceRow = z.infer<typeof WorkspaceRow>;

export const Status = z.strictObject({
  version: z.string(),
  pid: z.int(),
  address: z.string(),
  home: z.string(),
  ledger: z.strictObject({
    size: z.int(),
    /** The chain hash of the newest signed head. */
    chain: z.string().nullable(),
    /** False while the ledger cannot be written: mutation is refused, reads go on. */
    writable: z.boolean(),
  }),
  workspaces: z.array(WorkspaceRow),
  counts: z.strictObject({ waiting: z.int(), unknown: z.int(), open: z.int() }),
});
export type Status = z.infer<typeof Status>;

const page = { workspace: WorkspaceId.optional(), limit: z.coerce.number().int().min(1).max(1000).default(200) };

export const QUERIES = {
  status: { input: z.strictObject({}), output: Status },
  actions: { input: z.strictObject({ ...page, session: SessionId.optional(), state: ActionState.optional() }), output: z.array(ActionRow) },
  approvals: {
    input: z.strictObject({ ...page, id: ApprovalId.optional(), state: ApprovalState.optional() }),
    output: z.array(ApprovalRow),
  },
  sessions: { input: z.strictObject({ ...page }), output: z.array(SessionRow) },
  /** `cwd`: only of the workspace that this folder belongs to; ids are counted per workspace. */
  intents: { input: z.strictObject({ ...page, cwd: z.string().optional(), id: IntentId.optional() }), output: z.array(IntentRow) },
  receipts: { input: z.strictObject({ ...page, session: SessionId.optional(), id: ReceiptId.optional() }), output: z.array(Receipt) },
} as const;

export type QueryName = keyof typeof QUERIES;
export type QueryInput<N extends QueryName> = z.input<(typeof QUERIES)[N]['input']>;
export type QueryOutput<N extends QueryName> = z.output<(typeof QUERIES)[N]['output']>;

/** What `app` fills and doors call. Answers come from the daemon's folded state and the index; they never wait for a human. */
export type Ask = <N extends QueryName>(name: N, input: QueryInput<N>) => Promise<QueryOutput<N>>;

/** What the event stream carries: the row as it is now, so that a reader replaces and never computes. */
export type StreamEvent =
  | { readonly seq: number; readonly topic: 'action'; readonly row: ActionRow }
  | { readonly seq: number; readonly topic: 'approval'; readonly row: ApprovalRow }
  | { readonly seq: number; readonly topic: 'session'; readonly row: SessionRow }
  | { readonly seq: number; readonly topic: 'intent'; readonly row: IntentRow };
