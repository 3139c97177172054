// What agents did, what was or would have been stopped, and what that cost them: one row a workspace and agent, counted from the ledger.

import { z } from 'zod';
import { Instant, WorkspaceId } from './ids.ts';

const CodeCount = z.strictObject({ code: z.string(), count: z.int() });
export type CodeCount = z.infer<typeof CodeCount>;

export const StatsRow = z.strictObject({
  workspace: WorkspaceId,
  /** The newest work tree; null when none is known. */
  root: z.string().nullable(),
  agent: z.string(),
  /** Verdicts are only recorded there now. */
  observing: z.boolean(),
  /** When this workspace first began to observe, and the commit that was checked out then. Null: it never did. */
  adopted: z.strictObject({ at: Instant, revision: z.string().nullable() }).nullable(),
  first_at: Instant,
  last_at: Instant,
  sessions: z.int(),
  prompts: z.int(),
  /** `changes` were allowed, whoever executed them; `failed` and `unknown` are among them. */
  actions: z.strictObject({ reads: z.int(), changes: z.int(), failed: z.int(), unknown: z.int() }),
  /** Stopped, most frequent first. */
  refused: z.array(CodeCount),
  /** While the workspace only observed: what would have been stopped or asked. Never counted as enforced. */
  would_refuse: z.array(CodeCount),
  would_ask: z.int(),
  questions: z.strictObject({ asked: z.int(), approved: z.int(), rejected: z.int(), expired: z.int() }),
  /** Refused, then let pass in the same turn with the same target: correct work that was delayed. */
  false_block_candidates: z.int(),
  /** Calls of the gate's own tools. */
  gate_calls: z.int(),
  /** Those, and calls that had to be repeated after a refusal. Null: no prompt was reported. */
  extra_calls_per_prompt: z.number().nullable(),
  /** Intents under which something was changed. */
  intents: z.int(),
  interruptions_per_intent: z.number().nullable(),
  /** Files that changed without a receipt, most likely by this agent. */
  untracked: z.int(),
});
export type StatsRow = z.infer<typeof StatsRow>;
