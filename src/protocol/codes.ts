// The one table of codes. A refusal is a value that an agent can act on; a finding is what happened past the gate; a fault is an
// expected error; a defect is our bug.
// Doors translate by this table and by nothing else: HTTP status, JSON-RPC number, exit code, whether a retry helps.

export type CodeKind = 'refusal' | 'finding' | 'fault' | 'defect';
/** `remedy`: after following the remedy; `later`: the same call may pass later; `never`: not in this form. */
export type Retry = 'remedy' | 'later' | 'never';

export interface CodeEntry {
  readonly kind: CodeKind;
  readonly http: number;
  readonly rpc: number;
  readonly exit: 0 | 1 | 2 | 3 | 4 | 5;
  readonly retry: Retry;
  readonly meaning: string;
  /** The rule that was broken: R1–R6 of the agent contract, or a part of the gate. Violations are counted by it. */
  readonly rule?: Rule;
}

export type Rule =
  | 'R1'
  | 'R2'
  | 'R3'
  | 'R4'
  | 'R5'
  | 'R6'
  | 'intent'
  | 'scope'
  | 'governance'
  | 'risk'
  | 'plan'
  | 'authority'
  | 'stamp'
  | 'reconciliation';

const refusal = (rule: Rule, exit: 1 | 4, retry: Retry, meaning: string) =>
  ({ kind: 'refusal', http: 403, rpc: -32001, exit, retry, meaning, rule }) as const;
const fault = (http: number, rpc: number, exit: 1 | 2 | 3 | 5, retry: Retry, meaning: string) =>
  ({ kind: 'fault', http, rpc, exit, retry, meaning }) as const;

export const CODES = {
  RECALL_REQUIRED: refusal(
    'R1',
    1,
    'remedy',
    'What is known about the work was not recalled in this turn, or something newer was approved since.',
  ),
  MODE_REQUIRED: refusal('R4', 1, 'remedy', 'No mode is declared, so the session behaves as PASSIVE.'),
  MODE_FORBIDS: refusal('R4', 1, 'remedy', 'The mode in force is PASSIVE: observation only.'),
  MODE_LOWERED: refusal('R4', 1, 'remedy', 'An agent may go up, and down to PASSIVE; not from STRICT to GUARDED.'),
  MODE_BELOW_MINIMUM: refusal('R4', 1, 'remedy', 'A human set a minimum mode that is above the requested one.'),
  MODE_PINNED: refusal('R4', 4, 'never', 'A human pinned PASSIVE; an agent cannot leave it.'),
  TASKS_REQUIRED: refusal('R2', 1, 'remedy', 'There is more than one step, and tinyTasks.md does not list them yet.'),
  TASKS_EXHAUSTED: refusal('R3', 1, 'remedy', 'Every task of the list is checked; nothing is left that may be worked on.'),
  TASKS_UNCONFIRMED: refusal('R3', 4, 'later', 'STRICT: a human has not confirmed the current task.'),
  TASKS_EDITED: refusal('R3', 1, 'remedy', 'A task was checked or removed past the task tools, and no human has confirmed it.'),
  TASKS_BY_TOOL_ONLY: refusal('R3', 1, 'remedy', 'Only the task tools change tinyTasks.md, so that progress cannot be made up.'),
  TASK_UNKNOWN: refusal('R3', 1, 'remedy', 'The list has no such task.'),
  TASK_OUT_OF_ORDER: refusal('R3', 1, 'remedy', 'Tasks are done in order: only the first unchecked one may be completed.'),
  TASK_REDEFINED: refusal('R3', 4, 'never', 'Only a human may say what a task means; an agent may add detail or open it again.'),
  TASK_WITHOUT_WORK: refusal(
    'R3',
    1,
    'remedy',
    'Nothing was done in this session since the task became current, so it cannot be completed.',
  ),
  EVIDENCE_REQUIRED: refusal('R5', 1, 'remedy', 'A fact needs evidence or a citation.'),
  EVIDENCE_FAILED: refusal('R5', 1, 'remedy', 'The gate checked the evidence, and it does not support the statement.'),
  RATIONALE_REQUIRED: refusal('R5', 1, 'remedy', 'A decision or a constraint needs a rationale.'),
  INTENT_REQUIRED: refusal('intent', 1, 'remedy', 'The session has not cited an active intent.'),
  INTENT_NOT_ACTIVE: refusal('intent', 1, 'remedy', 'The cited intent is unknown or no longer active.'),
  INTENT_AMBIGUOUS: refusal('intent', 1, 'remedy', 'Several intents are active; the call must name one.'),
  SCOPE_VIOLATION: refusal('scope', 1, 'remedy', 'The path is outside the scope of the active intent.'),
  STALE_FILE: refusal('scope', 1, 'remedy', 'The file changed since this session last saw it.'),
  UNREAD_FILE: refusal('scope', 1, 'remedy', 'The file exists and this session has never read it, so it may not replace it.'),
  FILE_LEASED: refusal('scope', 1, 'later', 'Another session is changing this file right now.'),
  WALLS_REQUIRED: refusal('scope', 1, 'never', 'Commands have to run behind walls here, and this one would not.'),
  GOVERNANCE_FILE: refusal(
    'governance',
    1,
    'never',
    'The path belongs to the gate itself; no agent may change it, even if the scope covers it.',
  ),
  HIDDEN_CHARACTERS: refusal(
    'risk',
    1,
    'remedy',
    'The command contains characters that hide or reverse text, so a human would not see what runs.',
  ),
  APPROVAL_REQUIRED: refusal('risk', 4, 'later', 'The action waits for a human.'),
  APPROVAL_REJECTED: refusal('risk', 1, 'never', 'A human rejected this action.'),
  APPROVAL_NOT_OPEN: refusal('authority', 1, 'never', 'The approval was answered, spent, withdrawn or expired before.'),
  HUMAN_CHANNEL_REQUIRED: refusal('authority', 4, 'never', 'Only a human may do this, and the caller may be an agent.'),
  POLICY_ERROR: refusal('R6', 4, 'later', 'A policy failed while judging; uncertain means no.'),
  NEEDS_HUMAN: refusal('authority', 4, 'never', 'No call of the agent can help; a human has to act.'),

  PLAN_MISSING_REQUIRED_FIELDS: refusal('plan', 1, 'remedy', 'A field that the plan needs is missing, unknown or not of its form.'),
  PLAN_SCOPE_VIOLATION: refusal(
    'plan',
    1,
    'remedy',
    'The plan, or a call under it, reaches past what is allowed: a path, a symbol, a node or a verb.',
  ),
  PLAN_EVIDENCE_INSUFFICIENT: refusal(
    'plan',
    1,
    'remedy',
    'A change has too few distinct sources, or one that is no longer as it was cited.',
  ),
  PLAN_NOT_ATOMIC: refusal('plan', 1, 'remedy', 'One node names several files, or a side effect is inside the boundary of a change.'),
  PLAN_VERIFICATION_WEAK: refusal('plan', 1, 'remedy', 'No check of the plan covers a change, or the check cannot fail.'),
  PLAN_STRATEGY_MISMATCH: refusal('plan', 1, 'remedy', 'The plan names another strategy than the current one.'),
  PLAN_WEAK_MODEL_AMBIGUOUS: refusal('plan', 1, 'remedy', 'An instruction names no concrete target, or can be read in several ways.'),
  PLAN_FEDERATION_PROOF_MISSING: refusal(
    'plan',
    1,
    'remedy',
    'The change crosses a federation boundary, and the chain to its destination has a gap.',
  ),
  PLAN_ORIGIN_UNKNOWN: refusal(
    'plan',
    1,
    'remedy',
    'The change is about an ag-Grid, and the chain to where its data comes from has a gap.',
  ),
  PLAN_POLICY_VIOLATION: refusal(
    'plan',
    1,
    'remedy',
    'The plan breaks a policy row, a constraint of the intent or a lesson that applies there.',
  ),
  PLAN_MISSING_CONTRACT_ANCHOR: refusal(
    'plan',
    1,
    'remedy',
    'The work is about an API, and the plan names no operation that its description has.',
  ),
  PLAN_VALIDATION_CONFIDENCE_TOO_LOW: refusal('plan', 1, 'remedy', 'The workspace has fewer checks than the strategy needs.'),
  EXEC_SIDE_EFFECT_COLLISION: refusal('plan', 1, 'later', 'Another run has reserved what this node would change.'),
  EXEC_UNGATED_SIDE_EFFECT: refusal('plan', 4, 'later', 'No human has opened the commit gate of this side effect.'),
  MEMORY_PROVISIONAL_EXPIRED: refusal('plan', 1, 'remedy', 'The plan cites a lesson that expired before a human approved it.'),
  PACK_INSUFFICIENT: refusal('plan', 1, 'later', 'A section of the context pack cannot be assembled.'),
  PACK_REQUIRED_ANCHOR_UNRESOLVED: refusal('plan', 1, 'remedy', 'Something that the plan names does not exist in the tree.'),

  CONNECTOR_NOT_SET_UP: refusal('plan', 4, 'never', 'A human has not set up this connector, or has not allowed that host.'),
  CONNECTOR_FAILED: refusal('plan', 1, 'later', 'The server of a connector gave no usable answer.'),
  CODE_REFUSED: refusal('plan', 1, 'remedy', 'Code that was run in the sandbox failed, or did not return what it was to return.'),
  CODEMOD_DECLINED: refusal('plan', 1, 'remedy', 'A codemod cannot make this change safely; nothing was changed.'),
  NOT_AVAILABLE: refusal('plan', 1, 'never', 'This version cannot do it yet; nothing was done.'),

  UNTRACKED_MUTATION: {
    kind: 'finding',
    http: 409,
    rpc: -32002,
    exit: 1,
    retry: 'never',
    meaning: 'A file changed, and no receipt explains it.',
    rule: 'reconciliation',
  },
  STAMP_MISSING: {
    kind: 'finding',
    http: 409,
    rpc: -32002,
    exit: 1,
    retry: 'never',
    meaning: 'A turn that changed something ended without its stamp, although it was asked for.',
    rule: 'stamp',
  },

  AUDIT_UNAVAILABLE: fault(503, -32010, 3, 'later', 'The ledger cannot be written, so nothing may change; reads are still answered.'),
  DAEMON_UNAVAILABLE: fault(503, -32011, 3, 'later', 'No daemon answered in time.'),
  CONFLICT: fault(409, -32012, 3, 'later', 'Another caller changed this first.'),
  BAD_REQUEST: fault(400, -32602, 2, 'never', 'The input does not have the required form.'),
  UNAUTHENTICATED: fault(401, -32013, 1, 'remedy', 'No login, or one that has ended.'),
  FORBIDDEN: fault(403, -32014, 1, 'never', 'The caller may not do this: wrong host, origin or credential.'),
  NOT_FOUND: fault(404, -32015, 1, 'never', 'There is nothing with that name.'),
  TOO_LARGE: fault(413, -32016, 2, 'never', 'The body is larger than the limit.'),
  UNSUPPORTED_MEDIA_TYPE: fault(415, -32017, 2, 'never', 'Only application/json is read.'),
  DOCUMENT_INVALID: fault(422, -32018, 1, 'remedy', 'A file that a human owns cannot be read; it has to be fixed first.'),
  NO_ENDPOINT: fault(409, -32020, 1, 'remedy', 'No model is set up, so no question can be answered by one.'),
  MODEL_UNAVAILABLE: fault(502, -32021, 3, 'later', "The model's endpoint gave no usable answer."),
  INTEGRITY_BROKEN: fault(500, -32019, 5, 'never', 'The ledger does not verify.'),

  INTERNAL: { kind: 'defect', http: 500, rpc: -32603, exit: 3, retry: 'later', meaning: 'A defect of Countersign; it was recorded.' },
} as const satisfies Record<string, CodeEntry>;

export type Code = keyof typeof CODES;
export type FaultCode = { [C in Code]: (typeof CODES)[C]['kind'] extends 'fault' ? C : never }[Code];
export type RefusalCode = { [C in Code]: (typeof CODES)[C]['kind'] extends 'refusal' ? C : never }[Code];

export const codeNames = Object.keys(CODES) as Code[];

/** An expected error, thrown where it is met and translated once per door. `fix` says what a person can do about it. */
interface FaultRemedy {
  readonly tool: string;
  readonly args: Record<string, unknown>;
}

export class Fault extends Error {
  readonly code: FaultCode;
  readonly fix: string | null;
  /** The call that leads on, where an agent can make it. */
  readonly remedy: FaultRemedy | null;
  constructor(code: FaultCode, message: string, options: { fix?: string; remedy?: FaultRemedy; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'Fault';
    this.code = code;
    this.fix = options.fix ?? null;
    this.remedy = options.remedy ?? null;
  }
}
