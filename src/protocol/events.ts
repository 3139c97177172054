// The events of the ledger. State is these events folded in order; nothing else is kept.
// An event type is never changed in place: a new meaning gets a new type.

import { z } from 'zod';
import { Action, Mode } from './action.ts';
import { Claim, EvidenceCheck } from './claim.ts';
import { CONVERSATION_EVENTS, type ConversationEvent } from './conversation/events.ts';
import { SessionLevel } from './doors.ts';
import { event } from './event-form.ts';
import {
  ActionId,
  ApprovalId,
  ApproverKeyId,
  ClaimId,
  CommandRuleId,
  GrantId,
  Instant,
  IntentId,
  ReceiptId,
  RunId,
  SessionId,
  Sha256,
  StampId,
  TaskId,
  WorkspaceId,
} from './ids.ts';
import { DoorName } from './doors.ts';
import { Human, Intent } from './intent.ts';
import { FileRef, Receipt, ReceiptStatus } from './receipt.ts';
import { EditedTask } from './tasks.ts';
import { Decision } from './verdict.ts';
import { workEvents } from './work-events.ts';

/** Whose change it was, as far as is known. A file that changed in two open windows is ambiguous. */
export const Attribution = z.enum(['exact', 'window', 'ambiguous', 'human-unproven', 'unknown']);
export type Attribution = z.infer<typeof Attribution>;

/** A change that no receipt explains. */
export const UntrackedChange = z.strictObject({
  path: z.string(),
  before_sha256: Sha256.nullable(),
  after_sha256: Sha256.nullable(),
  /** Between which two looks it happened. */
  window: z.strictObject({ from: Instant, to: Instant }),
  attribution: Attribution,
  /** Actions that were open in the window and could have done it. */
  actions: z.array(ActionId),
  /** The gate was paused, or its hooks were out, at some time in the window. */
  paused: z.literal(true).optional(),
});

/** Settings by key. Which keys and values are valid changes with the schema; a reader takes what it knows. */
const SettingValues = z.record(z.string(), z.unknown());

/** A question to a human, bound to the exact input and to the policies that asked it. */
export const Approval = z.strictObject({
  id: ApprovalId,
  workspace: WorkspaceId,
  session: SessionId,
  action: ActionId,
  tool: z.string(),
  input_sha256: Sha256,
  policy_revision: z.string(),
  requested_at: Instant,
  expires_at: Instant,
});
export type Approval = z.infer<typeof Approval>;

/** Permission in advance: commands that match the pattern, for one intent, until then. Never for what cannot be undone. */
export const Grant = z.strictObject({
  id: GrantId,
  workspace: WorkspaceId,
  intent: IntentId,
  /** `*` matches any text; every part of a command that does more than read has to match. */
  pattern: z.string().min(1).max(500),
  made_at: Instant,
  expires_at: Instant,
});
export type Grant = z.infer<typeof Grant>;

/** A pattern of commands to allow in a whole workspace, as `commands.allow` in the settings would. */
export const CommandRule = z.strictObject({
  id: CommandRuleId,
  workspace: WorkspaceId,
  pattern: Grant.shape.pattern,
  /** Where it was taken from, such as `.claude/settings.json:4`. */
  source: z.string().min(1).max(1024),
});
export type CommandRule = z.infer<typeof CommandRule>;

/** A human allowed an unknown tool: it passes for this agent while its input has this form. */
export const ToolGrant = z.strictObject({
  id: GrantId,
  workspace: WorkspaceId,
  agent: z.string(),
  tool: z.string(),
  shape_sha256: Sha256,
  made_at: Instant,
});
export type ToolGrant = z.infer<typeof ToolGrant>;

export const Event = z.discriminatedUnion('type', [
  // The daemon's own life cycle.
  event('daemon_started', { pid: z.int(), version: z.string(), policy_revision: z.string() }),
  event('ledger_repaired', { segment: z.string(), dropped_bytes: z.int(), dropped_sha256: Sha256 }),
  /** Found at a start: records, or the saved checkpoint, may have been removed. */
  event('ledger_suspected', { why: z.enum(['index_longer', 'checkpoint_missing']), detail: z.string() }),
  /** Contents that were not stored again since then, and that no work tree's settings keep longer. */
  event('contents_expired', { count: z.int(), bytes: z.int(), older_than: Instant }),
  event('defect_caught', { door: z.string(), message: z.string() }),

  // A session: one agent's conversation in one work tree. A sub-agent has its own session with a parent.
  event('session_opened', {
    session: SessionId,
    workspace: WorkspaceId,
    root: z.string(),
    agent: z.string(),
    native_session: z.string(),
    /** The agent's own id of a sub-agent. */
    agent_id: z.string().nullable(),
    level: SessionLevel,
    parent: SessionId.nullable(),
    /** What a sub-agent takes over from its parent, as it was then. */
    inherited: z.strictObject({ mode: Mode.nullable(), intent: z.string().nullable() }).nullable(),
  }),
  /** An unproven claim that this is the agent's process; it adds suspicion and removes none. */
  event('agent_process_reported', { session: SessionId, pid: z.int(), started: z.string(), via: DoorName }),
  /** The operating system confirms it: the reporter is a child of this process. */
  event('agent_process_proven', { session: SessionId, pid: z.int(), started: z.string(), via: DoorName }),
  /** They had ended by `gone_by`. `brief`: it ended right after its report, so it was not the agent itself. */
  event('agent_processes_ended', {
    processes: z.array(z.strictObject({ pid: z.int(), started: z.string(), brief: z.literal(true).optional() })),
    gone_by: Instant,
  }),
  event('turn_begun', { session: SessionId, turn: z.string() }),
  event('mode_declared', { session: SessionId, mode: Mode, by: z.enum(['agent', 'door']) }),
  /** `by`: cited for the agent, as the only active one or the only one that covers a change. Absent: the agent cited it. */
  event('intent_selected', { session: SessionId, intent: z.string(), by: z.literal('door').optional() }),
  /** A recall that did not err, even an empty one. It makes the session fresh for this intent and turn, and can be used for one stamp. */
  event('recall_done', {
    session: SessionId,
    turn: z.string(),
    intent: z.string().nullable(),
    /** `injected`: the gate put it before the agent; that counts in GUARDED only. */
    how: z.enum(['asked', 'injected']),
    query: z.string().nullable(),
    found: z.int(),
    claims: z.array(ClaimId),
  }),
  event('stamp_issued', {
    stamp: StampId,
    session: SessionId,
    turn: z.string(),
    /** The action whose receipt carries it. */
    action: ActionId,
    found: z.int(),
    /** Over all of the above, by a key that the daemon holds. */
    seal: z.string(),
  }),
  /** How often the end of this turn was sent back for its stamp. */
  event('stamp_demanded', { session: SessionId, turn: z.string(), times: z.int() }),
  /** The turn ended without it. `action`: its last change. `times`: how often it was asked for. */
  event('stamp_missing', { session: SessionId, turn: z.string(), action: ActionId, times: z.int() }),
  /** Steps that the agent was seen to have, by what it called; never read out of prose. */
  event('steps_observed', { session: SessionId, steps: z.array(z.string()), by: z.string() }),
  event('work_abandoned', { session: SessionId, reason: z.string() }),
  /**
   * Whether commands of the session come for their walls, where that has changed. `action`: the command that showed it; absent: the agent
   * was started again. Of a sub-agent's command, the session is its topmost parent's: they have one shell.
   */
  event('walls_used', { session: SessionId, action: ActionId.optional(), used: z.boolean() }),
  event('session_closed', { session: SessionId, reason: z.string() }),

  // An action's life cycle. First exactly one of observed, refused, waiting, admitted; after waiting: refused, admitted or lapsed
  // (the caller went away, nothing ran); after admitted: settled or unknown; after unknown: settled, when the outcome is reported later.
  // An observation that the agent makes by itself has no receipt: the gate saw only that it was allowed.
  // `observing`: the workspace only observed then. Whatever the decision says, nothing was stopped. `paused`: a human had paused the gate.
  event('action_observed', {
    action: Action,
    decision: Decision,
    receipt: Receipt.nullable(),
    code: z.string().optional(),
    observing: z.literal(true).optional(),
    paused: z.literal(true).optional(),
  }),
  event('action_refused', { action: Action, decision: Decision, approval: ApprovalId.nullable() }),
  event('action_waiting', { action: Action, decision: Decision, approval: ApprovalId }),
  event('action_admitted', {
    action: Action,
    decision: Decision,
    approval: ApprovalId.nullable(),
    observing: z.literal(true).optional(),
    paused: z.literal(true).optional(),
  }),
  /** The same refusal or failure again, although the agent had the answer: it has to stop and ask a human. */
  event('breaker_tripped', { session: SessionId, action: ActionId, tool: z.string(), code: z.string(), times: z.int() }),
  event('action_lapsed', { action: ActionId, session: SessionId, reason: z.string() }),
  /** `code`: why the tool itself could not do it. `overtaken_by`: a later change of the same file, admitted after this one's lease. */
  event('action_settled', {
    action: ActionId,
    session: SessionId,
    receipt: Receipt,
    code: z.string().optional(),
    overtaken_by: ActionId.optional(),
  }),
  event('action_unknown', { action: ActionId, session: SessionId, reason: z.string() }),

  /** Written with the admission where several kernels share a store: of two that find the same file free, one moves the stream first. */
  event('lease_taken', { workspace: WorkspaceId, session: SessionId, action: ActionId }),

  // Approvals. `spent` is written in the same append as the admission that it allows.
  event('approval_requested', { approval: Approval }),
  event('approval_answered', {
    approval: ApprovalId,
    answer: z.enum(['approved', 'rejected']),
    reason: z.string().nullable(),
    human: Human,
  }),
  event('approval_spent', { approval: ApprovalId, action: ActionId }),
  event('approval_expired', { approval: ApprovalId }),
  /** The daemon started under other rules while it was open, or approved and not spent: no answer to it is valid any more. */
  event('approval_withdrawn', { approval: ApprovalId, policy_revision: z.string() }),
  event('grant_made', { grant: Grant, human: Human }),
  event('tool_remembered', { grant: ToolGrant, approval: ApprovalId, human: Human }),
  event('grant_ended', { grant: GrantId, human: Human }),
  /** Imported by a human, and in force only once a human confirms each. */
  event('command_rules_proposed', { rules: z.array(CommandRule), human: Human }),
  event('command_rule_decided', { rule: CommandRuleId, state: z.enum(['active', 'ended']), human: Human }),

  // Authority. `session` says which agent proposed, where that is known.
  event('intent_proposed', { workspace: WorkspaceId, intent: Intent, session: SessionId.nullable(), reason: z.string() }),
  event('intent_confirmed', { workspace: WorkspaceId, intent: Intent, human: Human }),
  /** A human's dial for a workspace, or for one intent of it. Null lifts it. */
  event('mode_limited', {
    workspace: WorkspaceId,
    intent: z.string().nullable(),
    pin: z.literal('PASSIVE').nullable(),
    minimum: Mode.nullable(),
    human: Human,
  }),
  /** From here on verdicts are only recorded, or are enforced again. `revision`: the commit that was checked out then. */
  event('observing_set', { workspace: WorkspaceId, observing: z.boolean(), revision: z.string().nullable(), human: Human }),
  /**
   * A human's own key, which signs what they decide. `public_key`: SPKI DER in base64. `proof`: it is a client's key, such as an editor
   * extension's; absent: it is a human's, with a passphrase.
   */
  event('approver_enrolled', {
    key: ApproverKeyId,
    public_key: z.string(),
    name: z.string(),
    proof: z.literal('dialog').optional(),
    human: Human,
  }),
  event('approver_removed', { key: ApproverKeyId, human: Human }),
  /** What a work tree's intents file said at a look that found it changed: what differs at the next one was edited since. */
  event('intents_file_seen', { workspace: WorkspaceId, root: z.string(), intents: z.array(Intent) }),
  /** An edit of a known intent that grants more, or that may be an agent's: it waits for a human. */
  event('intent_edit_waiting', { workspace: WorkspaceId, root: z.string(), intent: Intent, reason: z.string() }),
  /** Before there was `settings_taken`: the pin and minimum only. */
  event('settings_dial_taken', {
    workspace: WorkspaceId,
    root: z.string(),
    pin: z.literal('PASSIVE').nullable(),
    minimum: Mode.nullable(),
    human: Human,
  }),
  /** The settings of a work tree that hold, by key such as `commands.network`: what grants more than this needs a human. */
  event('settings_taken', { workspace: WorkspaceId, root: z.string(), settings: SettingValues, human: Human }),
  /** What the settings' files say beyond that, which waits for a human. Empty: nothing waits any more. */
  event('settings_edit_waiting', { workspace: WorkspaceId, root: z.string(), settings: SettingValues, reason: z.string() }),
  // Gaps: times in which the gate stopped nothing because a human, or an unsigned note, said so.
  event('gate_paused', { workspace: WorkspaceId, until: Instant, reason: z.string(), human: Human }),
  event('pause_ended', { workspace: WorkspaceId, because: z.enum(['human', 'expired']), human: Human.nullable() }),
  /** From an unsigned note that was left while no daemon could be started: the hooks were removed. `until` null: for good. */
  event('gate_unwired', {
    workspace: WorkspaceId,
    root: z.string(),
    from: Instant,
    until: Instant.nullable(),
    command: z.enum(['pause', 'init --undo']),
    reason: z.string(),
  }),
  /** They are back, `restored`, or were changed meanwhile and left as they are. */
  event('gate_rewired', {
    workspace: WorkspaceId,
    root: z.string(),
    because: z.enum(['human', 'expired']),
    restored: z.array(z.string()),
    left: z.array(z.string()),
  }),
  event('authority_allowed', { command: z.string(), human: Human }),
  event('authority_refused', { session: SessionId.nullable(), command: z.string(), reason: z.string() }),

  // Tasks. The file is the authority; this is its changes through the gate, and what a human confirmed.
  event('tasks_changed', {
    workspace: WorkspaceId,
    root: z.string(),
    intent: z.string().nullable(),
    session: SessionId,
    change: z.enum(['added', 'completed', 'reopened', 'detailed', 'archived']),
    tasks: z.array(z.strictObject({ id: TaskId, title: z.string() })),
    /** Of a completion: the receipts that prove it. */
    receipts: z.array(ReceiptId),
    /** Of a completion: it was the list's last open task. */
    finished: z.literal(true).optional(),
  }),
  /** `edited`: changes past the task tools that the human has seen and takes as their own. */
  event('tasks_confirmed', {
    workspace: WorkspaceId,
    root: z.string(),
    tasks: z.array(TaskId),
    edited: z.array(EditedTask).optional(),
    human: Human,
  }),
  /** Changes past the task tools. `taken`: no agent was present, so a human made them; otherwise they wait for a human. */
  event('tasks_edited', {
    workspace: WorkspaceId,
    root: z.string(),
    session: SessionId,
    tasks: z.array(EditedTask),
    taken: z.boolean(),
  }),

  // The tree. What changed without a receipt, and what a human undid.
  event('untracked_mutation', {
    workspace: WorkspaceId,
    root: z.string(),
    ...UntrackedChange.shape,
  }),
  /** A human has seen these changes and signs for them. It does not prove that they wrote them. */
  event('changes_acknowledged', {
    workspace: WorkspaceId,
    root: z.string(),
    files: z.array(z.strictObject({ path: z.string(), after_sha256: Sha256.nullable() })),
    /** In the human's own words. */
    reason: z.string().optional(),
    human: Human,
  }),
  event('changes_undone', {
    workspace: WorkspaceId,
    root: z.string(),
    /** What was undone: an action, a turn, a session or an intent. */
    target: z.string(),
    files: z.array(FileRef),
    /** The actions of which nothing is left. Absent in old records, and in further parts of one undo. */
    actions: z.array(ActionId).optional(),
    /** Left as they are, because somebody changed them since or their old content is gone. */
    kept: z.array(z.strictObject({ path: z.string(), why: z.string() })),
    /** What its receipt says beyond this record. Absent in old records, which have no receipt. */
    receipt: z.strictObject({ receipt_id: ReceiptId, status: ReceiptStatus, revision: z.string().nullable() }).optional(),
    human: Human,
  }),

  /** A human merged what a sealed run changed. Each file names the action whose receipt explains it. */
  event('changes_merged', {
    workspace: WorkspaceId,
    root: z.string(),
    run: RunId,
    /** The run's own tree. */
    tree: z.string(),
    files: z.array(FileRef.extend({ action: ActionId })),
    left_out: z.array(z.strictObject({ path: z.string(), why: z.string() })),
    human: Human,
  }),

  // Memory. A status is never stored: it is computed at each read.
  event('claim_kept', { workspace: WorkspaceId, claim: Claim }),
  /** Stated again: the addition is merged into the first claim. */
  event('claim_merged', { workspace: WorkspaceId, into: ClaimId, addition: Claim }),
  event('claim_checked', { workspace: WorkspaceId, claim: ClaimId, checks: z.array(EvidenceCheck) }),
  event('claim_approved', { workspace: WorkspaceId, claim: ClaimId, human: Human }),
  event('claim_retired', { workspace: WorkspaceId, claim: ClaimId, reason: z.string(), human: Human }),

  ...CONVERSATION_EVENTS,
  ...workEvents,
]);
export type Event = z.infer<typeof Event>;
export type EventType = Event['type'];
/** What the kernel's state is folded from. */
export type StateEvent = Exclude<Event, ConversationEvent>;
export type EventOf<T extends EventType> = Extract<Event, { type: T }>;

/** An event with its position in the ledger. */
export interface LedgerRecord {
  /** Position over the whole ledger, from 1. */
  readonly seq: number;
  readonly stream: string;
  /** Position within its stream, from 1. */
  readonly stream_seq: number;
  readonly at: string;
  readonly event: Event;
}

/**
 * One stream's part of an append. `expected_seq` is the stream's last position as the caller knows it; 0 for a new one; null: any.
 * Without events it only says what the append rests on.
 */
export interface StreamAppend {
  readonly stream: string;
  readonly expected_seq: number | null;
  readonly events: readonly Event[];
}

export const streams = {
  daemon: 'daemon',
  /** Attempts at a human's commands that were not confirmed. */
  authority: 'authority',
  session: (id: string) => `session:${id}`,
  approval: (id: string) => `approval:${id}`,
  intent: (workspace: string, id: string) => `intent:${workspace}:${id}`,
  grants: (workspace: string) => `grants:${workspace}`,
  commandRules: (workspace: string) => `command_rules:${workspace}`,
  tasks: (workspace: string) => `tasks:${workspace}`,
  memory: (workspace: string) => `memory:${workspace}`,
  tree: (workspace: string) => `tree:${workspace}`,
  modes: (workspace: string) => `modes:${workspace}`,
  /** `tree`: which work tree of the workspace, as a short hash. */
  lease: (workspace: string, tree: string) => `lease:${workspace}:${tree}`,
  gaps: (workspace: string) => `gaps:${workspace}`,
  /** Of all workspaces: a model's endpoint belongs to the user. */
  endpoints: 'endpoints',
  /** Agents, issues and notifications. */
  conversation: (workspace: string) => `conversation:${workspace}`,
  /** Plans and budgets of a workspace's work. */
  work: (workspace: string) => `work:${workspace}`,
} as const;
