// What answers consist of: the rows and views that the page, the extension and the CLI read alike.

import { z } from 'zod';
import { Effect, Mode } from './action.ts';
import { CommandReading, ForeignTextFact } from './facts.ts';
import { Claim, ClaimStatus } from './claim.ts';
import { CommandRule, Grant, ToolGrant, UntrackedChange } from './events.ts';
import {
  ActionId,
  ApprovalId,
  ApproverKeyId,
  ClaimId,
  Instant,
  IntentId,
  ReceiptId,
  SessionId,
  Sha256,
  StampId,
  WorkspaceId,
} from './ids.ts';
import { Human, Intent, KeyProof, Proof } from './intent.ts';
import { SignedReceipt } from './receipt.ts';
import { ACTION_WORDS } from './action-words.ts';
import { EditedTask, TaskList } from './tasks.ts';

export const Level = z.enum(['observing', 'advisory', 'hooked', 'walled', 'sealed']);
export type Level = z.infer<typeof Level>;

export const ActionState = z.enum(['observed', 'refused', 'waiting', 'admitted', 'settled', 'unknown']);
export type ActionState = z.infer<typeof ActionState>;

export const ActionRow = z.strictObject({
  id: ActionId,
  parent: ActionId.nullable(),
  workspace: WorkspaceId,
  session: SessionId,
  /** Of an action with a receipt. */
  turn: z.string().optional(),
  agent: z.string(),
  at: Instant,
  /** As the agent calls it, and as the registry does. */
  tool: z.string(),
  tool_id: z.string(),
  /** The one thing a person wants to see: a path, a command, an intent's id. */
  subject: z.string(),
  effects: z.array(Effect),
  state: ActionState,
  /** The one word for what became of it. */
  word: z.enum(ACTION_WORDS),
  /** Why it was refused or waits, or what is unknown. */
  code: z.string().nullable(),
  message: z.string().nullable(),
  intent: z.string().nullable(),
  approval_id: ApprovalId.nullable(),
  receipt_id: ReceiptId.nullable(),
  /** What it read of which files: the lines, and the hash of the whole file. `end_line` null: to the end. Absent: nothing, or it has a receipt. */
  reads: z.array(z.strictObject({ path: z.string(), sha256: Sha256, start_line: z.int(), end_line: z.int().nullable() })).optional(),
  /** Of a settled action: whether the agent's call succeeded. */
  status: z.enum(['done', 'failed']).nullable(),
  /** Another session's later change of the same file: it was admitted after this one's lease was over, before this outcome came. */
  overtaken_by: ActionId.optional(),
  /** The receipt of the undo that took back all its changes. */
  undone_by: ReceiptId.optional(),
  /** `code` would have stopped it, but nothing was enforced. */
  observing: z.literal(true).optional(),
  /** It passed while a human had paused the gate. */
  paused: z.literal(true).optional(),
});
export type ActionRow = z.infer<typeof ActionRow>;

/** A receipt with what became of it since. `tool`: as the agent calls it, where the daemon still has the call. */
export const ReceiptRow = SignedReceipt.extend({ tool: z.string(), word: z.enum(ACTION_WORDS), undone_by: ReceiptId.optional() });
export type ReceiptRow = z.infer<typeof ReceiptRow>;

/** Who decided. `none` proof: no human was proven. */
export const Signatory = z.strictObject({
  proof: Proof,
  via: Human.shape.via,
  /** Whose key signed it, and what that key is called; null: it is not signed. */
  key: ApproverKeyId.nullable(),
  name: z.string().nullable(),
  /** The daemon checked that this key signed exactly what is recorded. */
  verified: z.boolean(),
});
export type Signatory = z.infer<typeof Signatory>;

/** `withdrawn`: the rules changed before it was answered or spent. */
export const ApprovalState = z.enum(['pending', 'approved', 'rejected', 'spent', 'expired', 'withdrawn']);
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
  policy_revision: z.string(),
  root: z.string(),
  /** The folder that a command would run in, where that is not the root. */
  cwd: z.string().optional(),
  code: z.string(),
  message: z.string(),
  command: CommandReading.nullable(),
  /** Code in it that was written after the session had read text from outside; absent: none that is known. */
  foreign_text: ForeignTextFact.optional(),
  intent: z.string().nullable(),
  state: ApprovalState,
  /** Whether a call waits for the answer now. False: an answer counts when the agent calls again. Absent: it counts no more. */
  held: z.boolean().optional(),
  reason: z.string().nullable(),
  proof: Proof.nullable(),
  by: Signatory.nullable(),
  /** How a human has to be proven for a yes. */
  needs: Proof,
  requested_at: Instant,
  expires_at: Instant,
});
export type ApprovalRow = z.infer<typeof ApprovalRow>;

export const SessionRow = z.strictObject({
  id: SessionId,
  workspace: WorkspaceId,
  parent: SessionId.nullable(),
  agent: z.string(),
  /** `contained`: a model that the daemon itself calls. */
  level: z.enum([...Level.options, 'contained']),
  /** The agent's hooks reported it, whatever that means at this level. */
  by_hooks: z.boolean(),
  /** The command that was given walls and ran without them; absent: none, or the agent was started again since. */
  bypassed_by: ActionId.optional(),
  mode: Mode.nullable(),
  intent: z.string().nullable(),
  open: z.boolean(),
  opened_at: Instant,
  last_at: Instant,
});
export type SessionRow = z.infer<typeof SessionRow>;

export const IntentRow = Intent.extend({
  workspace: WorkspaceId,
  proof: Proof.nullable(),
  confirmed_at: Instant.nullable(),
  by: Signatory.nullable(),
  /** The file's different content, which waits for a human. */
  edited: Intent.optional(),
});
export type IntentRow = z.infer<typeof IntentRow>;

/** An edit of a file that humans own which waits for one. */
export const EditRow = z.strictObject({
  /** In words. */
  what: z.string(),
  /** The command that confirms it. */
  confirm: z.string(),
  /** Null: of the settings. */
  intent: IntentId.nullable(),
  /** The digest of the edited content. A confirmation names it and is valid for nothing else. */
  sha256: Sha256,
  changes: z.array(z.strictObject({ field: z.string(), before: z.array(z.string()), after: z.array(z.string()) })),
});
export type EditRow = z.infer<typeof EditRow>;

export const WorkspaceRow = z.strictObject({
  id: WorkspaceId,
  root: z.string(),
  level: Level,
  /** What the level does not cover, in one sentence. */
  level_note: z.string(),
  minimum_mode: Mode.nullable(),
  /** Changes that no receipt explains, by whose they may be; `by_git` are git's own movements since the daemon started. */
  untracked: z.strictObject({ in_agents_windows: z.int(), human_unproven: z.int(), unknown: z.int(), by_git: z.int() }),
  /** While it lasts, no new call is stopped. `proof` null: an unsigned note. `waiting`: open questions, which a pause does not answer. */
  paused: z
    .strictObject({
      from: Instant,
      until: Instant.nullable(),
      reason: z.string(),
      proof: Proof.nullable(),
      by: Signatory.nullable(),
      waiting: z.array(ApprovalId),
    })
    .nullable(),
  edits: z.array(EditRow),
  /** Files of the human's that cannot be read, and why. While there is one, changes are refused. */
  troubles: z.array(z.string()),
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
    /** What a start found missing, in words; newest first. */
    suspicions: z.array(z.string()),
  }),
  workspaces: z.array(WorkspaceRow),
  /** `waiting`: how many items the inbox has. */
  counts: z.strictObject({ waiting: z.int(), unknown: z.int(), open: z.int() }),
  /** Where only one workspace was asked about: what waits in the others. */
  waiting_elsewhere: z.int().optional(),
});
export type Status = z.infer<typeof Status>;

export const ModeDial = z.strictObject({ pin: z.literal('PASSIVE').nullable(), minimum: Mode.nullable() });
export type ModeDial = z.infer<typeof ModeDial>;

/** What agents are held to in a work tree, and where that comes from. */
export const ModesView = ModeDial.extend({
  /** Verdicts are recorded and stop nothing. */
  observing: z.boolean(),
  settings: ModeDial,
  workspace: ModeDial,
  intents: z.array(ModeDial.extend({ intent: z.string() })),
});
export type ModesView = z.infer<typeof ModesView>;

/** The settings of a work tree: what holds, and what the files say beyond that, which waits for a human. */
export const SettingsView = z.strictObject({
  /** Why the files cannot be read, with the line; `settings` is then what was accepted last. */
  trouble: z.string().nullable(),
  settings: z.array(
    z.strictObject({
      key: z.string(),
      value: z.unknown(),
      waiting: z.unknown().optional(),
      /** The lines that say so; empty: the default. */
      origins: z.array(z.strictObject({ key: z.string(), file: z.string(), line: z.int() })).default([]),
    }),
  ),
  edits: z.array(EditRow),
});
export type SettingsView = z.infer<typeof SettingsView>;

/** `tinyTasks.md` of a work tree. */
export const TasksView = z.strictObject({
  file: z.string(),
  exists: z.boolean(),
  lists: z.array(TaskList.extend({ confirmed: z.boolean() })),
  /** Checked or removed past the task tools while an agent was present: it counts once a human confirms the tasks. */
  edited: z.array(EditedTask),
  /** Why it cannot be read, with the line; `lists` is then what it last held. */
  trouble: z.string().nullable(),
});
export type TasksView = z.infer<typeof TasksView>;

/** A claim with its status as of now, and, when it was searched for, why it was found. */
export const MemoryRow = Claim.extend({
  status: ClaimStatus,
  /** What the status comes from, in words. */
  because: z.string(),
  /** Where its citations are now, when they moved. */
  moved: z.array(z.strictObject({ path: z.string(), start_line: z.int(), end_line: z.int(), was: z.string() })),
  /** Others that contradict it. */
  contradicts: z.array(ClaimId),
  /** How often it was stated. */
  times: z.int(),
  score: z.number().nullable(),
  why: z.array(z.string()),
});
export type MemoryRow = z.infer<typeof MemoryRow>;

export const ViolationRow = z.strictObject({
  action: ActionId,
  at: Instant,
  rule: z.string(),
  code: z.string(),
  message: z.string(),
  agent: z.string(),
  session: SessionId,
  workspace: WorkspaceId,
  tool: z.string(),
  subject: z.string(),
  intent: z.string().nullable(),
  also: z.array(z.string()),
  /** Of a change past the gate: a human signed for it, or the gate was paused. */
  label: z.enum(['acknowledged', 'paused']).optional(),
});
export type ViolationRow = z.infer<typeof ViolationRow>;

export const ViolationCount = z.strictObject({ rule: z.string(), agent: z.string(), session: SessionId, count: z.int() });
export type ViolationCount = z.infer<typeof ViolationCount>;

export const StampVerdict = z.strictObject({
  stamp: StampId.nullable(),
  /** `copied`: issued to another session, turn or workspace than the one asked about. */
  verdict: z.enum(['real', 'altered', 'copied', 'reused', 'unknown']),
  detail: z.string(),
  session: SessionId.nullable(),
  turn: z.string().nullable(),
  issued_at: Instant.nullable(),
});
export type StampVerdict = z.infer<typeof StampVerdict>;

/** Lines of a file that come from the same place. What is not known is null. */
export const BlameRow = z.strictObject({
  start_line: z.int().min(1),
  end_line: z.int().min(1),
  /**
   * `receipt`: an action wrote them. `human`: a human undid an action. `human-unproven`: changed while no agent was at work.
   * `ambiguous`: any of the candidates. `untracked`: unknown.
   */
  origin: z.enum(['receipt', 'human', 'human-unproven', 'ambiguous', 'untracked']),
  intent: z.string().nullable(),
  intent_name: z.string().nullable(),
  receipt_id: ReceiptId.nullable(),
  action: ActionId.nullable(),
  agent: z.string().nullable(),
  model: z.string().nullable(),
  session: SessionId.nullable(),
  /** The agent's own name for the conversation. */
  conversation: z.string().nullable(),
  at: Instant.nullable(),
  tool: z.string().nullable(),
  /** Of what is ambiguous: the actions that it may come from. */
  candidates: z.array(ActionId),
  note: z.string().nullable(),
  /** What the file was called when they were written. */
  path: z.string(),
});
export type BlameRow = z.infer<typeof BlameRow>;

export const BlameView = z.strictObject({
  root: z.string(),
  path: z.string(),
  /** The content that the rows are about. */
  sha256: Sha256,
  lines: z.int(),
  rows: z.array(BlameRow),
});
export type BlameView = z.infer<typeof BlameView>;

/** Of a tool that was remembered: for every intent, without an end, and the pattern is its name. */
export const GrantRow = Grant.extend({
  intent: IntentId.nullable(),
  expires_at: Instant.nullable(),
  tool: ToolGrant.pick({ agent: true, shape_sha256: true }).nullable(),
  state: z.enum(['open', 'ended', 'expired']),
  proof: Proof,
  by: Signatory,
  /** How many calls it let pass, and when the last. */
  uses: z.int(),
  last_used_at: Instant.nullable(),
});
export type GrantRow = z.infer<typeof GrantRow>;

export const ApproverRow = z.strictObject({
  key: ApproverKeyId,
  public_key: z.string(),
  name: z.string(),
  proof: KeyProof,
  enrolled_at: Instant,
  removed_at: Instant.nullable(),
});
export type ApproverRow = z.infer<typeof ApproverRow>;
export const CommandRuleRow = CommandRule.extend({ state: z.enum(['proposed', 'active', 'ended']) });
export type CommandRuleRow = z.infer<typeof CommandRuleRow>;

export const UntrackedRow = UntrackedChange.extend({
  /** A human signed for it; how they were proven. */
  acknowledged: Proof.optional(),
});
export type UntrackedRow = z.infer<typeof UntrackedRow>;

/** The same, of whichever work tree. */
export const UnexplainedRow = UntrackedRow.extend({ workspace: WorkspaceId, root: z.string() });
export type UnexplainedRow = z.infer<typeof UnexplainedRow>;

export const ReconciliationView = z.strictObject({
  root: z.string(),
  at: Instant,
  files: z.int(),
  /** Found by this scan. */
  found: z.array(UntrackedRow),
  /** What the tree still holds of it, from this and earlier scans, newest first. */
  unexplained: z.array(UntrackedRow),
  /** Changes that git made itself. */
  by_git: z.int(),
  /** Changes of files that an action or git is at work on: the next look judges them. */
  postponed: z.int(),
  troubles: z.array(z.strictObject({ path: z.string(), why: z.string() })),
});
export type ReconciliationView = z.infer<typeof ReconciliationView>;

export const VerificationView = z.strictObject({
  ok: z.boolean(),
  size: z.int(),
  heads: z.int(),
  chain: z.string().nullable(),
  torn_tail_bytes: z.int(),
  hmac: z.enum(['checked', 'not checked']),
  /** The first line that is not as it was written. */
  problem: z
    .strictObject({
      segment: z.string(),
      line: z.int(),
      byte: z.int(),
      seq: z.int().nullable(),
      how: z.enum(['edited', 'dropped', 'swapped', 'inserted', 'spliced', 'forged', 'torn', 'missing segment', 'rolled back']),
      message: z.string(),
    })
    .nullable(),
});
