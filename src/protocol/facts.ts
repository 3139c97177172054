// The facts that policies judge by. They are gathered once, stored with the decision, and are all that a policy sees,
// so that a decision can be replayed from the ledger alone.

import { z } from 'zod';
import { Mode } from './action.ts';
import { ApprovalId, GrantId, Instant, SessionId, Sha256, TaskId } from './ids.ts';
import { Intent, Proof } from './intent.ts';
import { EditedTask } from './tasks.ts';
import { Collision, PlanApproval, StaleEvidence } from './work.ts';

export const FileFact = z.strictObject({
  /** As the agent gave it. */
  path: z.string(),
  access: z.enum(['read', 'write', 'delete']),
  /** The real place, relative to the root, links resolved; null when it is outside the root or unknown. */
  real: z.string().nullable(),
  /** Why the path cannot be resolved, in words; null when it can. */
  unresolved: z.string().nullable(),
  /** The rule that makes it the gate's own file, or null. */
  governance: z.string().nullable(),
  /** The glob of the selected intent that covers it, or null. */
  scope_glob: z.string().nullable(),
  /** The content as it was before the action; null when there is no such file. */
  sha256: Sha256.nullable(),
  /** It could be run as a program. */
  executable: z.literal(true).optional(),
  /** What secrets are kept there, completing "it reads …"; absent: none that are known. */
  secret: z.string().optional(),
  /** What the session last saw of it: by reading it, by writing it, or from a report of what changed. Null: it never did. */
  seen: Sha256.nullable(),
  /** What changed since then, in words. Null: nothing did, or it is unknown. */
  since: z.string().nullable(),
  /** Another session that is changing it right now; null: none. */
  lease: SessionId.nullable(),
});
export type FileFact = z.infer<typeof FileFact>;
/** What is known from the tree alone. */
export type FileObservation = Omit<FileFact, 'seen' | 'since' | 'lease'>;

export const CommandClass = z.enum(['SAFE', 'MUTATING', 'DESTRUCTIVE', 'WRITES_OUTSIDE']);
export type CommandClass = z.infer<typeof CommandClass>;

export const CommandReading = z.strictObject({
  class: CommandClass,
  /** One entry for each part of the command that made it worse than SAFE. */
  reasons: z.array(z.strictObject({ code: z.string(), part: z.string(), message: z.string() })),
  /** The words of a human's own command that it would run, such as `countersign approve`. */
  authority: z.string().optional(),
  /** What its text writes, where the place was known: relative to the root, absolute if outside, null where the text does not show it. */
  writes: z
    .array(z.strictObject({ path: z.string(), resolved: z.string().nullable(), known: z.boolean(), exact: z.literal(true).optional() }))
    .optional(),
  /** All its writes are listed, and each is known. */
  writes_complete: z.boolean().optional(),
});
export type CommandReading = z.infer<typeof CommandReading>;

export const ApprovalFact = z.strictObject({
  id: ApprovalId,
  state: z.enum(['pending', 'approved', 'rejected']),
  reason: z.string().nullable(),
  proof: Proof.nullable(),
});
export type ApprovalFact = z.infer<typeof ApprovalFact>;

/** A pattern that matches every part of the command that does more than read; or, `remembered`, an unknown tool that a human allowed; or, `plan`, a check of a plan that a human approved. */
export const Allowance = z.strictObject({
  by: z.enum(['settings', 'grant', 'remembered', 'plan']),
  patterns: z.array(z.string()),
  grants: z.array(GrantId),
});
export type Allowance = z.infer<typeof Allowance>;

export const RecallFact = z.strictObject({
  /** The last recall of this session that did not err; null when there was none. */
  last: z.strictObject({ at: Instant, found: z.int(), how: z.enum(['asked', 'injected']) }).nullable(),
  /** Why it does not count for the next change, in words; null: it does. */
  missing: z.string().nullable(),
});
export type RecallFact = z.infer<typeof RecallFact>;

export const TasksFact = z.strictObject({
  /** Steps that the agent was seen to have: more than one means that they belong in the file. */
  steps: z.array(z.string()),
  /** The list of the cited intent; null when there is none. */
  list: z
    .strictObject({
      goal: z.string(),
      current: z.strictObject({ id: TaskId, title: z.string() }).nullable(),
      total: z.int(),
      /** A human confirmed what the current task says. */
      confirmed: z.boolean(),
      /** Its last task was completed in this very turn. */
      finished_now: z.literal(true).optional(),
    })
    .nullable(),
  /** Checked or removed past the task tools, and not by a human as far as is known; absent: none. */
  edited: z.array(EditedTask).optional(),
});
export type TasksFact = z.infer<typeof TasksFact>;

/** How an action fits the plan that its session works by. */
export const PlanFact = z.strictObject({
  work: z.string(),
  version: z.int(),
  approval: PlanApproval,
  /** The node that it belongs to; null: none is ready that covers it. */
  node: z.string().nullable(),
  /** Each file that it changes, with the nodes that name it. `outside`: what it touches there that the node does not name. */
  files: z.array(
    z.strictObject({
      path: z.string(),
      nodes: z.array(z.strictObject({ node: z.string(), waits_for: z.array(z.string()), outside: z.array(z.string()) })),
    }),
  ),
  /** Its command is a check of the plan. */
  hook: z.literal(true).optional(),
  /** Of a command: the files of nodes that may go; what else it changes is not its to change. */
  may_change: z.array(z.string()).optional(),
  /** What the plan may change, for the message. */
  targets: z.array(z.string()),
  collision: Collision.optional(),
  /** What the node cites and no longer says what it said when the plan was accepted; absent: nothing. */
  stale: z.array(StaleEvidence).optional(),
});
export type PlanFact = z.infer<typeof PlanFact>;
export const ForeignTextFact = z.strictObject({ source: z.string(), files: z.array(z.string()) });
export type ForeignTextFact = z.infer<typeof ForeignTextFact>;

export const Facts = z.strictObject({
  mode: z.strictObject({
    declared: Mode.nullable(),
    minimum: Mode.nullable(),
    pinned: z.literal('PASSIVE').nullable(),
    /** The result of the three above. */
    effective: Mode,
  }),
  intent: z.strictObject({
    /** The intent that the session cited, with the status it has now; null when it cited none. */
    selected: Intent.nullable(),
    /** What it could cite, and whether that would cover every file that this action writes. */
    active: z.array(z.strictObject({ id: z.string(), name: z.string(), covers: z.boolean() })),
    /** Ids of proposals that cover the files and wait for a human; absent where there are none. Not their names: an agent wrote those. */
    proposed: z.array(z.string()).optional(),
  }),
  recall: RecallFact,
  tasks: TasksFact,
  files: z.array(FileFact),
  command: CommandReading.nullable(),
  /** How often the same command, or a change of the same files, failed in a row, with nothing changed in between; absent: never. */
  failures: z.int().optional(),
  /** What the session read from outside before it wrote these files, which the action writes or its command names; absent: nothing. */
  foreign_text: ForeignTextFact.optional(),
  /** An earlier question about the very same input that still matters. */
  approval: ApprovalFact.nullable(),
  /** The proof needed to approve what cannot be undone; absent: login. */
  proof_needed: Proof.optional(),
  /** What a human allowed in advance that covers this command; absent: nothing. */
  allowance: Allowance.optional(),
  /** Why an agent's command would run without walls although a human requires them, in words; absent: it would not, or they are not required. */
  walls_missing: z.string().optional(),
  /** The accepted plan of the session's work; absent: it has none. */
  plan: PlanFact.optional(),
});
export type Facts = z.infer<typeof Facts>;
