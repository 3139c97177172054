// Documents that humans edit: here the intents file, in `settings-authority.ts` the settings. The confirmed event is the authority; an edit
// becomes one by these rules:
//
//   what grants less applies at once; what grants more is accepted when no agent was present, and STRICT did not ask for more;
//   otherwise it waits for a human.

import { type Event, Fault, type Human, type Intent, type StreamEventDraft, streams } from '../protocol/index.ts';
import type { Authority } from './authority.ts';
import type { CallerJudgement } from './caller.ts';
import { checkShown, type Confirmation } from './confirmation.ts';
import { withFreshFacts } from './fresh-facts.ts';
import type { EventLog } from './ports.ts';
import { type Recorded, recordNote } from './settle.ts';
import { intentsLock } from './session-locks.ts';
import type { SharedByKernel } from './spine.ts';
import type { IntentEntry } from './state-entries.ts';
import type { State } from './state.ts';

/** How a document came to its content, as far as that is known. */
export interface Circumstances {
  readonly strict: boolean;
  /** An agent worked here at some time since the file was last read: the edit may be the agent's. */
  readonly agentPresent: boolean;
  /** Git put this content there, by a checkout or a stash: no human withdrew anything. */
  readonly byGit: boolean;
}

const BY_FILE: Human = { proof: 'none', via: 'file' };

export class DocumentAuthority {
  private readonly log: EventLog;
  private readonly state: State;
  private readonly shared: SharedByKernel;
  private readonly refuse: Authority['refuse'];

  constructor(log: EventLog, state: State, shared: SharedByKernel, refuse: Authority['refuse']) {
    this.log = log;
    this.state = state;
    this.shared = shared;
    this.refuse = refuse;
  }

  /** The output is the types of the events that the file's content became. */
  async observeIntents(workspace: string, root: string, written: readonly Intent[], circumstances: Circumstances): Promise<Recorded> {
    const record = () => {
      const drafts = this.intentDrafts(workspace, root, written, circumstances);
      const types = drafts.map(({ event }) => event.type);
      return recordNote(this.log, drafts, types, null, this.state.positions.of(...drafts.map(({ stream }) => stream)));
    };
    return this.locked(workspace, record);
  }

  /** The first look found no file. Nothing is recorded if another kernel has seen one meanwhile. */
  noteNoFile(workspace: string, root: string): Promise<Recorded> {
    const stream = streams.modes(workspace);
    const event: Event = { type: 'intents_file_seen', data: { workspace, root, intents: [] } };
    return this.locked(workspace, () => {
      const basis = this.state.positions.of(stream);
      return this.hasSeen(root) ? recordNote(this.log, [], []) : recordNote(this.log, [{ stream, event }], [event.type], null, basis);
    });
  }

  /** The file has been looked at, or was known to be missing. */
  hasSeen(root: string): boolean {
    return this.state.documents.seenIn(root) !== null;
  }

  /** The file says what it said at the last look. */
  isAsSeen(root: string, written: readonly Intent[]): boolean {
    const seen = this.state.documents.seenIn(root);
    return seen === null ? written.length === 0 : written.length === seen.size && written.every((each) => isSame(seen.get(each.id), each));
  }

  private intentDrafts(workspace: string, root: string, written: readonly Intent[], how: Circumstances): StreamEventDraft[] {
    const seen = this.state.documents.seenIn(root);
    const stays = new Map<string, Intent>();
    const events: Event[] = [];
    for (const intent of written) {
      const known = this.state.intent(workspace, intent.id);
      const before = seen?.get(intent.id);
      if (!known) events.push(newIntent(workspace, intent, how));
      // The first reading of a tree's file shows its content, not what was edited: another branch may be older than the ledger.
      else if (seen === null || (before && isSame(before, intent))) continue;
      else {
        const waiting = this.state.documents.waitingFor(workspace, intent.id);
        // An edit of what waits: what it took away by itself must not look as if a human had.
        const held = waiting?.root === root ? waiting.intent : known.intent;
        const edited = this.edit(workspace, root, known, applied(held, before ?? known.intent, intent), how);
        events.push(...edited.events);
        if (edited.stays) stays.set(intent.id, before ?? known.intent);
      }
    }
    for (const [id, before] of seen ?? []) {
      const known = this.state.intent(workspace, id);
      if (!known || isOver(known.intent) || written.some((intent) => intent.id === id)) continue;
      const edited = this.edit(workspace, root, known, { ...known.intent, status: 'abandoned' }, how);
      events.push(...edited.events);
      if (edited.stays) stays.set(id, before);
    }

    const now = [...written.filter(({ id }) => !stays.has(id)), ...stays.values()];
    if (!this.isAsSeen(root, now)) events.push({ type: 'intents_file_seen', data: { workspace, root, intents: now } });
    return events.map((event) => ({ stream: streamOf(event, workspace), event }));
  }

  /** `stays`: it is examined again next time, as if it had not been seen. */
  private edit(
    workspace: string,
    root: string,
    { intent: known, human }: IntentEntry,
    edited: Intent,
    { strict, agentPresent, byGit }: Circumstances,
  ): { readonly events: readonly Event[]; readonly stays?: true } {
    const confirm = (intent: Intent, by: Human): Event => ({ type: 'intent_confirmed', data: { workspace, intent, human: by } });
    // Back to what is in force: the pending edit is withdrawn.
    if (isSame(known, edited))
      return { events: this.state.documents.waitingFor(workspace, known.id) ? [confirm(known, human ?? BY_FILE)] : [] };
    if (!strict && !agentPresent) return { events: [confirm(edited, BY_FILE)] };
    const narrowed = narrower(known, edited);
    const narrows = !isSame(known, narrowed);
    const widens = !isSame(narrowed, edited);
    const postponed = narrows && byGit && agentPresent;
    const reason = agentPresent ? 'it was edited while an agent was present' : 'STRICT asks a human';
    return {
      events: [
        ...(narrows && !postponed ? [confirm(narrowed, BY_FILE)] : []),
        ...(widens ? [{ type: 'intent_edit_waiting', data: { workspace, root, intent: edited, reason } } as const] : []),
      ],
      ...(postponed ? { stays: true } : {}),
    };
  }

  /** A human decides about a pending edit: it takes effect, or what was in force stays and the file is restored. */
  async settleEdit(caller: CallerJudgement, workspace: string, id: string, take: boolean, confirmation: Confirmation): Promise<Recorded> {
    const entry = this.state.intent(workspace, id);
    const waiting = this.state.documents.waitingFor(workspace, id);
    if (!entry || !waiting)
      throw new Fault('NOT_FOUND', `No edit of ${id} waits in this workspace.`, { fix: 'countersign status shows what waits' });
    const { approvers } = this.state;
    const signed = approvers.judge(caller, confirmation.statement, confirmation.given);
    const judged = take && confirmation.strict ? approvers.demand(signed) : signed;
    if (judged.kind !== 'human') return this.refuse(judged, `intents ${take ? 'confirm' : 'discard'} ${id}`);
    const { human } = judged;
    const record = () => {
      // Locked, and read again: the file may have been edited once more.
      const stream = streams.intent(workspace, id);
      const now = this.state.documents.waitingFor(workspace, id) ?? waiting;
      const intent = take ? now.intent : (this.state.intent(workspace, id) ?? entry).intent;
      if (take) checkShown(confirmation, intent);
      const event: Event = { type: 'intent_confirmed', data: { workspace, intent, human } };
      return recordNote(this.log, [{ stream, event }], intent, null, this.state.positions.of(stream));
    };
    return this.locked(workspace, record);
  }

  private locked(workspace: string, record: () => Promise<Recorded>): Promise<Recorded> {
    return this.shared.locks.hold(intentsLock(workspace), () => withFreshFacts(this.log, this.state, record));
  }
}

const isOver = ({ status }: Intent): boolean => status === 'done' || status === 'abandoned';

function newIntent(workspace: string, intent: Intent, { strict, agentPresent }: Circumstances): Event {
  if (!strict && !agentPresent) return { type: 'intent_confirmed', data: { workspace, intent, human: BY_FILE } };
  const reason = 'it was written into the file';
  return { type: 'intent_proposed', data: { workspace, intent: { ...intent, status: 'proposed' }, session: null, reason } };
}

/** What is in force, with the edits made in the file since it was last read: the rest of the file may be older than the ledger. */
function applied(known: Intent, before: Intent, after: Intent): Intent {
  const lines = (held: readonly string[], was: readonly string[], is: readonly string[]): string[] =>
    sameLines(held, was)
      ? [...is]
      : [
          ...held.filter((line) => is.includes(line) || !was.includes(line)),
          ...is.filter((line) => !was.includes(line) && !held.includes(line)),
        ];
  const scope = lines(known.owned_scope, before.owned_scope, after.owned_scope);
  return {
    id: known.id,
    name: before.name === after.name ? known.name : after.name,
    status: before.status === after.status ? known.status : after.status,
    owned_scope: scope.length > 0 ? scope : after.owned_scope,
    constraints: lines(known.constraints, before.constraints, after.constraints),
    acceptance_criteria: lines(known.acceptance_criteria, before.acceptance_criteria, after.acceptance_criteria),
  };
}

/** The first glob certainly covers all that the second does. */
const covers = (wide: string, glob: string): boolean =>
  wide === glob || wide === '**' || (/^[\w./-]+\/\*\*$/.test(wide) && glob.startsWith(wide.slice(0, -2)));

/** What both allow: the part of the edit that withdraws something. */
function narrower(known: Intent, edited: Intent): Intent {
  const within = (globs: readonly string[], wides: readonly string[]) => globs.filter((glob) => wides.some((wide) => covers(wide, glob)));
  const scope = [...new Set([...within(known.owned_scope, edited.owned_scope), ...within(edited.owned_scope, known.owned_scope)])];
  const isReordered = scope.length === edited.owned_scope.length && edited.owned_scope.every((glob) => scope.includes(glob));
  const keeps = (before: readonly string[], after: readonly string[]) => [...after, ...before.filter((line) => !after.includes(line))];
  const status = edited.status === 'active' ? known.status : edited.status;
  return {
    ...edited,
    name: known.name,
    // An empty scope cannot be expressed; an intent that may change nothing is paused.
    status: scope.length === 0 && status === 'active' ? 'paused' : status,
    owned_scope: scope.length === 0 ? known.owned_scope : isReordered ? edited.owned_scope : scope,
    constraints: sameLines(known.constraints, edited.constraints) ? edited.constraints : keeps(known.constraints, edited.constraints),
    acceptance_criteria: sameLines(known.acceptance_criteria, edited.acceptance_criteria)
      ? edited.acceptance_criteria
      : keeps(known.acceptance_criteria, edited.acceptance_criteria),
  };
}

const sameLines = (one: readonly string[], other: readonly string[]): boolean => JSON.stringify(one) === JSON.stringify(other);

const isSame = (one: Intent | undefined, other: Intent): boolean =>
  one !== undefined &&
  one.name === other.name &&
  one.status === other.status &&
  sameLines(one.owned_scope, other.owned_scope) &&
  sameLines(one.constraints, other.constraints) &&
  sameLines(one.acceptance_criteria, other.acceptance_criteria);

const streamOf = (event: Event, workspace: string): string =>
  'intent' in event.data && typeof event.data.intent === 'object' && event.data.intent !== null
    ? streams.intent(workspace, event.data.intent.id)
    : streams.modes(workspace);
