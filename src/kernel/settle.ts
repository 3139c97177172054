// The only place that can make a `Recorded`, and every function here writes its record first. A door must answer with a
// `Recorded`, so a door that skips the record does not compile.

import {
  type Action,
  type Approval,
  type Decision,
  type Event,
  Fault,
  hasWholeOutput,
  outputIn,
  type Receipt,
  type Refusal,
  type StreamAppend,
  type StreamEventDraft,
  streams,
  traitsOf,
} from '../protocol/index.ts';
import { refusalOf } from '../policy/index.ts';
import { isUnavailable } from './is-written.ts';
import type { EventLog } from './ports.ts';
import type { Basis } from './positions.ts';
import type { ActionEntry } from './state-entries.ts';

export type RecordedOutcome =
  /** Pure observation: allowed; `receipt` when the gate itself looked. */
  | {
      readonly kind: 'observed';
      readonly action: Action;
      readonly receipt: Receipt | null;
      readonly output: unknown;
      readonly refusal: Refusal | null;
    }
  /** Refused, or lapsed while it waited for a human (`approval_id` in the refusal). Nothing ran. */
  | { readonly kind: 'refused'; readonly action: Action; readonly refusal: Refusal }
  /** The agent puts the question to its own human, and runs it if they agree: a report that it ran is their yes. */
  | { readonly kind: 'asked'; readonly action: Action; readonly refusal: Refusal }
  /** May run now; the record of that is durable. */
  | { readonly kind: 'admitted'; readonly action: Action; readonly approval: string | null }
  /** Ran, and the receipt says how it ended. */
  | {
      readonly kind: 'settled';
      readonly action: Action;
      readonly receipt: Receipt;
      readonly output: unknown;
      readonly refusal: Refusal | null;
    }
  /** A record that is not an agent's action: a session's start or end, a human's decision. */
  | { readonly kind: 'noted'; readonly output: unknown; readonly refusal: Refusal | null };

export class Recorded {
  /** A private member makes the type nominal: an object of the same shape is not a `Recorded`. */
  readonly #written = true;
  readonly outcome: RecordedOutcome;
  private constructor(outcome: RecordedOutcome) {
    this.outcome = outcome;
  }
  /** The key to the constructor. Only this file gets it, while it loads. */
  static takeSeal(): (outcome: RecordedOutcome) => Recorded {
    Recorded.takeSeal = () => {
      throw new Error('Recorded: only kernel/settle.ts makes these');
    };
    return (outcome) => new Recorded(outcome);
  }
  get written(): true {
    return this.#written;
  }
}

const seal = Recorded.takeSeal();

/** A tool's outcome. */
export interface ToolOutcome {
  readonly output: unknown;
  readonly refusal: Refusal | null;
  /** The tool's own code: the refusal may have become a question to a human since. */
  readonly code: string | null;
  readonly events: readonly StreamEventDraft[];
}

const codeField = (code: string | null): { code?: string } => (code === null ? {} : { code });
/** How an action passed while the gate stops nothing. A pause marks every action in it, so that none looks enforced. */
export type EnforcementBypass = 'observing' | 'paused' | null;
const bypassFields = ({ outcome }: Decision, bypass: EnforcementBypass): { observing?: true; paused?: true } =>
  bypass === 'paused' ? { paused: true } : outcome === 'allow' ? {} : { observing: true };

/** Another append came first: the basis of this one has changed. Nothing was written. */
export class BasisMoved extends Fault {
  readonly streams: readonly string[];
  constructor(streams: readonly string[], cause: Fault) {
    super('CONFLICT', cause.message, { fix: 'Call again', cause });
    this.streams = streams;
  }
}

/** These start their stream: if two kernels choose the same id, only one gets it. */
const FIRST_IN_STREAM: ReadonlySet<Event['type']> = new Set<Event['type']>(['approval_requested', 'intent_proposed']);
const NO_BASIS: Basis = new Map();

/** Drafts become one atomic append: grouped by stream, order kept. It is written only if no stream of the basis has moved. */
async function write(log: EventLog, drafts: readonly StreamEventDraft[], basis = NO_BASIS, durable = true): Promise<void> {
  const parts = new Map<string, { stream: string; expected_seq: number | null; events: Event[] }>();
  for (const { stream, event } of drafts) {
    const part = parts.get(stream);
    if (part) part.events.push(event);
    else parts.set(stream, { stream, expected_seq: FIRST_IN_STREAM.has(event.type) ? 0 : (basis.get(stream) ?? null), events: [event] });
  }
  for (const [stream, expected_seq] of basis) if (!parts.has(stream)) parts.set(stream, { stream, expected_seq, events: [] });
  const all = [...parts.values()] satisfies StreamAppend[];
  try {
    await log.append(all, { durable });
  } catch (error) {
    const checked = all.filter(({ expected_seq }) => expected_seq !== null).map(({ stream }) => stream);
    if (!(error instanceof Fault && error.code === 'CONFLICT') || checked.length === 0) throw error;
    throw new BasisMoved(checked, error);
  }
}

const inSession = (session: string, event: Event): StreamEventDraft => ({ stream: streams.session(session), event });
const inApproval = (approval: string, event: Event): StreamEventDraft => ({ stream: streams.approval(approval), event });

/** An action that only looked: what was decided, and what came of it. */
export interface Observed {
  readonly action: Action;
  readonly decision: Decision;
  readonly receipt: Receipt | null;
  readonly result: ToolOutcome;
  readonly bypass: EnforcementBypass;
}

export const observedOutcome = ({ action, receipt, result: { output, refusal } }: Observed): RecordedOutcome => ({
  ...{ kind: 'observed', action, receipt, output, refusal },
});

/** Its record, after the events that belong to it. */
export function observationDrafts({ action, decision, receipt, result: { code, events }, bypass }: Observed): StreamEventDraft[] {
  const data = { action, decision, receipt, ...codeField(code), ...bypassFields(decision, bypass) };
  return [...events, inSession(action.session, { type: 'action_observed', data })];
}

/** The one answer that is given even when the ledger cannot be written: looking changes nothing, so reads go on. */
export async function recordObservation(log: EventLog, observed: Observed): Promise<Recorded> {
  try {
    await write(log, observationDrafts(observed), NO_BASIS, false);
  } catch (error) {
    if (!isUnavailable(error)) throw error;
  }
  return seal(observedOutcome(observed));
}

/** `events`: further events about it, such as that the breaker tripped. */
export async function recordRefusal(
  log: EventLog,
  action: Action,
  decision: Decision,
  refusal: Refusal,
  events: readonly Event[],
  basis?: Basis,
): Promise<Recorded> {
  const approval = refusal.approval_id ?? null;
  const drafts = [
    inSession(action.session, { type: 'action_refused', data: { action, decision, approval } }),
    ...events.map((event) => inSession(action.session, event)),
  ];
  await write(log, drafts, basis);
  return seal({ kind: 'refused', action, refusal });
}

/** Writes the question. `approval` is null when the same question is already open under `openId`. Does not answer the caller yet. */
export async function recordWaiting(
  log: EventLog,
  action: Action,
  decision: Decision,
  openId: string,
  approval: Approval | null,
  basis: Basis,
): Promise<void> {
  const drafts = [
    inSession(action.session, { type: 'action_waiting', data: { action, decision, approval: openId } }),
    ...(approval ? [inApproval(openId, { type: 'approval_requested', data: { approval } })] : []),
  ];
  await write(log, drafts, basis);
}

/** The question is already recorded; the agent itself asks it. */
export const answerAsked = (action: Action, refusal: Refusal): Recorded => seal({ kind: 'asked', action, refusal });

/** It ran, so its human agreed, in a dialog of the agent's own. `approval` null: it ran despite another answer to the question. */
export async function recordDialog(
  log: EventLog,
  action: Action,
  decision: Decision,
  approval: string | null,
  isOpen: boolean,
  basis: Basis,
): Promise<void> {
  const human = { proof: 'dialog', via: 'agent' } as const;
  const drafts: StreamEventDraft[] = [
    ...(approval !== null && isOpen
      ? [inApproval(approval, { type: 'approval_answered', data: { approval, answer: 'approved', reason: null, human } })]
      : []),
    inSession(action.session, { type: 'action_admitted', data: { action, decision, approval } }),
    ...(approval === null ? [] : [inApproval(approval, { type: 'approval_spent', data: { approval, action: action.id } })]),
  ];
  await write(log, drafts, basis);
}

/** No report that it ran: the dialog was declined, or never seen. Closes the action and the question. */
export async function recordDialogEnded(
  log: EventLog,
  action: Action,
  approval: string | null,
  reason: string,
  basis: Basis,
): Promise<void> {
  const drafts: StreamEventDraft[] = [
    inSession(action.session, { type: 'action_lapsed', data: { action: action.id, session: action.session, reason } }),
    ...(approval === null ? [] : [inApproval(approval, { type: 'approval_expired', data: { approval } })]),
  ];
  await write(log, drafts, basis);
}

/** The caller went away or ran out of time while a human was asked. Nothing ran; the question stays open. */
export async function recordLapse(log: EventLog, action: Action, reason: string, refusal: Refusal): Promise<Recorded> {
  await recordEnded(log, 'action_lapsed', { actions: [action], reason });
  return seal({ kind: 'refused', action, refusal });
}

/** `action_unknown`: admitted, and its outcome is unknown. `action_lapsed`: it waited, and its caller is gone. */
export async function recordEnded(
  log: EventLog,
  type: 'action_unknown' | 'action_lapsed',
  what: {
    readonly actions: readonly Action[];
    readonly reason: string;
    /** The session's next event goes into the same append. */
    readonly next?: readonly StreamEventDraft[];
    readonly basis?: Basis;
  },
): Promise<Recorded> {
  const { actions, reason, next = [], basis } = what;
  const drafts = actions.map(({ id, session }) => inSession(session, { type, data: { action: id, session, reason } }));
  return recordNote(log, [...drafts, ...next], null, null, basis);
}

/** The same call came before: what was recorded then. Null while it waits for a human. */
export function answerRecorded({ action, decision, state, receipt, note }: ActionEntry): Recorded | null {
  const output = receipt && answeredIn(receipt);
  switch (state) {
    case 'waiting':
      return null;
    case 'observed':
      return seal({ kind: 'observed', action, receipt, output, refusal: null });
    case 'refused': {
      const refusal = refusalOf(decision);
      return seal({
        kind: 'refused',
        action,
        refusal: note === null ? refusal : { ...refusal, message: `${refusal.message} It ended: ${note}.` },
      });
    }
    case 'settled':
      if (receipt) return seal({ kind: 'settled', action, receipt, output, refusal: null });
      break;
    case 'admitted':
    case 'unknown':
      break;
  }
  throw new Fault('CONFLICT', `${action.id} was admitted before, and its outcome is not known.`, {
    fix: 'Look at what it changed; to do it again, use a new id',
  });
}

/**
 * The same call, sent again under the agent's own id for it: its answer may have been lost on the way. Null: it is decided again. What an agent
 * executes may run as long as its admission is open and its outcome was not reported; what the gate executed does not run twice.
 */
export function answerSentAgain(entry: ActionEntry): Recorded | null {
  const { action, state, receipt, approval, note } = entry;
  if (state === 'waiting' || (state === 'refused' && note !== null)) return null;
  if (state === 'refused') return answerRecorded(entry);
  if (traitsOf(action).executes === 'agent') {
    if (state === 'admitted') return seal({ kind: 'admitted', action, approval });
    return state === 'observed' ? answerRecorded(entry) : null;
  }
  if (receipt === null || hasWholeOutput(receipt)) return answerRecorded(entry);
  // A look has no effect: it is made again.
  if (state === 'observed') return null;
  throw new Fault(
    'CONFLICT',
    `This call was made before: its receipt is ${receipt.receipt_id}. Its answer is too long to be given again.`,
    {
      fix: 'Do not repeat it; look at what it did',
    },
  );
}

/** What a tool answered, as far as its receipt has it. */
function answeredIn(receipt: Receipt): unknown {
  const text = outputIn(receipt);
  if (!hasWholeOutput(receipt) || !text.startsWith('{')) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Durable before anything executes, and only if its facts still hold. The approval is spent in the same append, so never twice. */
export async function recordAdmission(
  log: EventLog,
  action: Action,
  decision: Decision,
  approval: string | null,
  bypass: EnforcementBypass,
  furtherEvents: readonly StreamEventDraft[],
  basis: Basis,
): Promise<Recorded> {
  const drafts: StreamEventDraft[] = [
    inSession(action.session, { type: 'action_admitted', data: { action, decision, approval, ...bypassFields(decision, bypass) } }),
    ...(approval ? [inApproval(approval, { type: 'approval_spent', data: { approval, action: action.id } })] : []),
    ...furtherEvents,
  ];
  await write(log, drafts, basis);
  return seal({ kind: 'admitted', action, approval });
}

/** `overtaken`: a later change of the same file, admitted after this one's lease. */
export async function recordSettlement(
  log: EventLog,
  action: Action,
  receipt: Receipt,
  result: ToolOutcome,
  basis: Basis,
  overtaken: string | null,
): Promise<Recorded> {
  const overtakenField = overtaken === null ? {} : { overtaken_by: overtaken };
  const data = { action: action.id, session: action.session, receipt, ...codeField(result.code), ...overtakenField };
  await write(log, [...result.events, inSession(action.session, { type: 'action_settled', data })], basis);
  return seal({ kind: 'settled', action, receipt, output: result.output, refusal: result.refusal });
}

/** Records a session. Like reads, it works while the ledger cannot be written: a session that is not recorded can only read. */
export async function recordPresence(
  log: EventLog,
  drafts: readonly StreamEventDraft[],
  then: () => unknown,
  basis?: Basis,
): Promise<Recorded> {
  try {
    if (drafts.length > 0) await write(log, drafts, basis);
  } catch (error) {
    if (!isUnavailable(error)) throw error;
  }
  return seal({ kind: 'noted', output: then(), refusal: null });
}

export async function recordNote(
  log: EventLog,
  drafts: readonly StreamEventDraft[],
  output: unknown,
  refusal: Refusal | null = null,
  basis?: Basis,
): Promise<Recorded> {
  if (drafts.length > 0) await write(log, drafts, basis);
  return seal({ kind: 'noted', output, refusal });
}
