// Questions are not actions: they change nothing and are never gated. This file declares them, `projections` answers them, doors
// ask them. What an answer consists of is in `rows.ts`.

import { z } from 'zod';
import { CODE_QUERIES } from './code.ts';
import { ContextPack } from './context-pack.ts';
import { CONVERSATION_QUERIES } from './conversation/queries.ts';
import { STORY_QUERIES } from './grounding/story.ts';
import { GraphSummaryView, GraphSyncView, GraphView, ProofChainKind, ProofChainsView, RetrievalView } from './graph.ts';
import { ApprovalId, ClaimId, IntentId, ReceiptId, SessionId, WorkspaceId } from './ids.ts';
import { InboxItem } from './inbox.ts';
import { WorkRow } from './work.ts';
import { RunRow } from './sealed.ts';
import { StatsRow } from './stats.ts';
import {
  ActionState,
  ActionRow,
  ApprovalState,
  ApprovalRow,
  SessionRow,
  IntentRow,
  Status,
  ModesView,
  SettingsView,
  TasksView,
  MemoryRow,
  ViolationRow,
  ViolationCount,
  StampVerdict,
  BlameView,
  GrantRow,
  ApproverRow,
  CommandRuleRow,
  UnexplainedRow,
  ReceiptRow,
  ReconciliationView,
  VerificationView,
} from './rows.ts';

const page = { workspace: WorkspaceId.optional(), limit: z.coerce.number().int().min(1).max(1000).default(200) };

export const QUERIES = {
  ...CODE_QUERIES,
  ...CONVERSATION_QUERIES,
  ...STORY_QUERIES,
  /** `cwd`: only of the workspace that this folder belongs to. */
  status: { input: z.strictObject({ cwd: z.string().optional() }), output: Status },
  /** The whole ledger, read by the daemon: it alone can check the HMACs. */
  verification: { input: z.strictObject({}), output: VerificationView },
  actions: {
    input: z.strictObject({ ...page, cwd: z.string().optional(), session: SessionId.optional(), state: ActionState.optional() }),
    output: z.array(ActionRow),
  },
  approvals: {
    input: z.strictObject({ ...page, id: ApprovalId.optional(), state: ApprovalState.optional() }),
    output: z.array(ApprovalRow),
  },
  /** All that waits for a human. `cwd`: only of the workspace that this folder belongs to. */
  inbox: { input: z.strictObject({ workspace: WorkspaceId.optional(), cwd: z.string().optional() }), output: z.array(InboxItem) },
  /** Newest first; open ones only unless `all`. */
  grants: { input: z.strictObject({ ...page, all: z.stringbool().or(z.boolean()).default(false) }), output: z.array(GrantRow) },
  /** Keys of humans, newest first; removed ones too. */
  approvers: { input: z.strictObject({}), output: z.array(ApproverRow) },
  /** Newest first; ended ones only with `all`. */
  command_rules: {
    input: z.strictObject({ ...page, cwd: z.string().optional(), all: z.stringbool().or(z.boolean()).default(false) }),
    output: z.array(CommandRuleRow),
  },
  /** Sealed runs that still have a tree, newest first. */
  runs: { input: z.strictObject({}), output: z.array(RunRow) },
  /** Agents' work by plans, the newest first. */
  /** The pack that a submitted plan was judged with. */
  context_pack: { input: z.strictObject({ ref: z.string().min(1).max(256) }), output: ContextPack },
  works: { input: z.strictObject({ ...page, cwd: z.string().optional() }), output: z.array(WorkRow) },
  sessions: { input: z.strictObject({ ...page, cwd: z.string().optional() }), output: z.array(SessionRow) },
  /** `cwd`: only of the workspace that this folder belongs to; ids are counted per workspace. */
  intents: { input: z.strictObject({ ...page, cwd: z.string().optional(), id: IntentId.optional() }), output: z.array(IntentRow) },
  modes: { input: z.strictObject({ cwd: z.string() }), output: ModesView },
  settings: { input: z.strictObject({ cwd: z.string() }), output: SettingsView },
  tasks: { input: z.strictObject({ cwd: z.string() }), output: TasksView },
  memory: {
    input: z.strictObject({
      ...page,
      cwd: z.string().optional(),
      /** What to recall by; without it, the newest. */
      query: z.string().max(2000).optional(),
      id: ClaimId.optional(),
    }),
    output: z.array(MemoryRow),
  },
  violations: {
    input: z.strictObject({ ...page, cwd: z.string().optional(), session: SessionId.optional(), rule: z.string().optional() }),
    output: z.array(ViolationRow),
  },
  violation_counts: {
    input: z.strictObject({ cwd: z.string().optional(), workspace: WorkspaceId.optional() }),
    output: z.array(ViolationCount),
  },
  /** Counted from the whole ledger. `cwd`: only of the workspace that this folder belongs to. */
  stats: { input: z.strictObject({ cwd: z.string().optional(), workspace: WorkspaceId.optional() }), output: z.array(StatsRow) },
  /** Every stamp in the text. `session`, `turn`, `cwd`: where the text claims to come from. */
  stamps: {
    input: z.strictObject({
      text: z.string().max(6_000),
      session: SessionId.optional(),
      turn: z.string().optional(),
      cwd: z.string().optional(),
    }),
    output: z.array(StampVerdict),
  },
  blame: {
    input: z.strictObject({ cwd: z.string(), path: z.string().min(1), line: z.coerce.number().int().min(1).optional() }),
    output: BlameView,
  },
  /** Compares the work tree now; what it finds is recorded, as in every comparison. */
  reconciliation: {
    input: z.strictObject({ cwd: z.string(), before_commit: z.stringbool().or(z.boolean()).default(false) }),
    output: ReconciliationView,
  },
  /** Changes without a receipt that the trees still hold, as of the last scan, newest first; acknowledged ones only with `all`. */
  untracked: { input: z.strictObject({ ...page, all: z.stringbool().or(z.boolean()).default(false) }), output: z.array(UnexplainedRow) },
  /** What is around a symbol, a file or whatever words describe. */
  graph: {
    input: z.strictObject({
      cwd: z.string(),
      symbol: z.string().min(1).max(1024).optional(),
      file: z.string().min(1).max(1024).optional(),
      query: z.string().min(1).max(2000).optional(),
      direction: z.enum(['out', 'in', 'both']).default('both'),
      /** Types of edges with commas between them; without it, all. */
      types: z.string().min(1).max(1024).optional(),
      depth: z.coerce.number().int().min(0).max(6).default(1),
      limit: page.limit,
    }),
    output: GraphView,
  },
  graph_summary: { input: z.strictObject({ cwd: z.string() }), output: GraphSummaryView },
  /** How the last sync went; waits a while for one that runs, and starts none. */
  graph_sync: { input: z.strictObject({ cwd: z.string() }), output: GraphSyncView },
  proof_chains: {
    input: z.strictObject({
      cwd: z.string(),
      kind: ProofChainKind,
      file: z.string().min(1).max(1024).optional(),
      /** Where chains begin in columns: only this one. */
      field: z.string().min(1).max(200).optional(),
      limit: page.limit,
    }),
    output: ProofChainsView,
  },
  retrieve: { input: z.strictObject({ cwd: z.string(), question: z.string().min(1).max(2000), limit: page.limit }), output: RetrievalView },
  receipts: {
    input: z.strictObject({ ...page, cwd: z.string().optional(), session: SessionId.optional(), id: ReceiptId.optional() }),
    output: z.array(ReceiptRow),
  },
  /** What a receipt's action changed in each file, from the contents that were kept. */
  receipt_diff: {
    input: z.strictObject({ id: ReceiptId }),
    output: z.strictObject({
      id: ReceiptId,
      files: z.array(
        z.strictObject({
          path: z.string(),
          diff: z.string().nullable(),
          /** Why there is no difference to show. */
          why: z.string().nullable(),
        }),
      ),
    }),
  },
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
  | { readonly seq: number; readonly topic: 'intent'; readonly row: IntentRow }
  /** Something about it that the reader has to fetch: its status, its grants, its open questions. */
  | { readonly seq: number; readonly topic: 'workspace'; readonly row: { readonly workspace: string } };
