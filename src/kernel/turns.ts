// The life cycle of a session and its turns: start, prompt, calls, stop, end. Doors report events and write the answers. What counts as
// a prompt, whether a turn is new, what the gate does by itself and whether a stamp is owed is decided here, from the ledger.

import { type Action, type Door, type Event, type Intent, type Mode, sessionTraits, streams, type ToolCall } from '../protocol/index.ts';
import type { Authority } from './authority.ts';
import type { Views, NativeCallRef } from './views.ts';
import { type AgentShell, CommandWalls } from './command-walls.ts';
import { type EventSender, senderOfEvent, type SentEvent } from './event-sender.ts';
import { withFreshFacts } from './fresh-facts.ts';
import { readSettings, type SettingsRead } from './gather.ts';
import { isWritten } from './is-written.ts';
import type { NativeAsks } from './native-asks.ts';
import { coveringIntentFor } from './covering-intent.ts';
import { onlyIntentFor } from './only-intent.ts';
import type { KernelPorts, TurnPorts } from './ports.ts';
import type { Reporter } from './presence.ts';
import type { Principals, SessionIdentity } from './principals.ts';
import { recallForPrompt } from './recall-for-prompt.ts';
import type { SessionLocks } from './session-locks.ts';
import { type Recorded, recordEnded, recordNote, recordPresence } from './settle.ts';
import type { ActionRequest, Observation } from './action-request.ts';
import type { Spine } from './spine.ts';
import type { ActionEntry, SessionEntry } from './state-entries.ts';
import type { State } from './state.ts';
import { lookAtTasks } from './look-at-tasks.ts';
import { tasksForSteps } from './tasks-for-steps.ts';
import { isTurnOver, nextTurn } from './turn.ts';
import { demandStamp, stampsMissing } from './stamp-demands.ts';
import { citedForYou, startText, overview, OWN_TEXT, type TextContext } from './turn-texts.ts';

/** An event of a session, as a door received it. */
export interface SessionEvent {
  readonly identity: SessionIdentity;
  readonly cwd: string;
  readonly door: Door;
  /** As the record calls it when it is refused. */
  readonly name: string;
  /** The agent's own plan mode: it will only read. */
  readonly planning: boolean;
  readonly reporter: Reporter | null;
  /** The session's own agent sent it. An event of another sender is refused. */
  readonly isOwn: boolean;
  /** Absent: it runs no commands by itself, or the walls are around the agent. */
  readonly shell?: AgentShell;
  readonly signal: AbortSignal;
}

export type TurnAnswer =
  /** The record has the decision. */
  | { readonly kind: 'recorded'; readonly recorded: Recorded }
  /** Nothing to decide: context for the agent, or null. */
  | { readonly kind: 'context'; readonly recorded: Recorded; readonly text: string | null }
  /** The turn is not over yet: the agent has to do this first. */
  | { readonly kind: 'send_back'; readonly recorded: Recorded; readonly reason: string };

/** Calls that the gate makes by itself, in a session's name. */
export interface OwnCalls {
  readonly state: State;
  /** The output; null where it was refused. */
  readonly pass: (tool: string, input: Record<string, unknown>) => Promise<unknown>;
  readonly recordDefect: (where: string, error: unknown) => Promise<void>;
}

export interface TurnParts {
  readonly ports: KernelPorts;
  readonly state: State;
  readonly locks: SessionLocks;
  readonly principals: Principals;
  readonly nativeAsks: NativeAsks;
  readonly views: Views;
  readonly spine: Spine;
  readonly refuse: Authority['refuse'];
  readonly recordDefect: OwnCalls['recordDefect'];
}

interface OpenedSession {
  readonly session: string;
  readonly recorded: Recorded;
  /** Where this event had to read them: the decision about the same call does not read them again. */
  readonly settings?: SettingsRead;
}

/** Clients of MCP give up on a call after a minute. */
const CHECKS_WITHIN_MS = 40_000;
const COMMITS = /\bgit\b[^]*\bcommit\b/;

export class Turns {
  /** What other rooms do as turns begin and end. */
  readonly ports: TurnPorts;
  readonly #parts: TurnParts;
  readonly #walls: CommandWalls;

  constructor(parts: TurnParts) {
    this.#parts = parts;
    this.ports = parts.ports.turns;
    this.#walls = new CommandWalls(this.ports.walls, parts.views);
  }

  senderOf(event: SentEvent): Promise<EventSender> {
    return senderOfEvent(this.ports.senders, this.#parts.views, event);
  }

  /** Makes sure that the session is known; cheap when it is. */
  async openSession(identity: SessionIdentity, declared: Mode | null, reporter: Reporter | null): Promise<OpenedSession> {
    const { ports, state, locks, principals } = this.#parts;
    const { session, drafts } = principals.open(identity, declared, reporter);
    // Before the session is known: what stands in the files now was not written by it.
    if (!this.#entry(session)) await this.ports.noticeEdits(identity.root);
    await this.#beginTurnIfOver(session);
    state.presence.hear(session, ports.now());
    if (drafts.length === 0) return { session, recorded: await recordPresence(ports.log, [], () => ({ session })) };
    // Checked again under the lock: several calls may open it at once, and the agent may be declaring its mode right now, also at another kernel.
    const record = () => {
      const basis = state.positions.of(streams.session(session));
      return recordPresence(ports.log, principals.open(identity, declared, reporter).drafts, () => ({ session }), basis);
    };
    return { session, recorded: await locks.hold(session, () => withFreshFacts(ports.log, state, record)) };
  }

  /** Opens the session of any event. The agent's plan mode or the human's minimum counts as declared by the door. */
  async openFor({ identity, planning, reporter, isOwn }: SessionEvent): Promise<OpenedSession> {
    if (!isOwn) return this.openSession(identity, null, null);
    if (planning) return this.openSession(identity, 'PASSIVE', reporter);
    // What cannot be read stops no event of a session; the decision about a call meets the same error.
    await this.ports.noticeEdits(identity.root);
    const settings = await readSettings(this.#parts.ports, identity.root).catch(() => null);
    const opened = await this.openSession(identity, settings && this.#minimumMode(identity, settings), reporter);
    return { ...opened, ...(settings && { settings }) };
  }

  /** `agentPresent`: it may have edited the documents. */
  async sessionStarted(event: SessionEvent, agentPresent: boolean): Promise<TurnAnswer> {
    const { root } = event.identity;
    await this.ports.syncDocuments(root, agentPresent);
    return this.#ifOwn(event, async ({ session, recorded }) => {
      // It has read its settings since.
      if (event.shell) await this.#noteWalls(session, null, true);
      await lookAtTasks(this.#parts.ports, this.#parts.state, session, agentPresent);
      // Later changes are distinguished from what was there before.
      await this.ports.reconcile({ root, session, how: 'whole' });
      return { kind: 'context', recorded, text: startText(this.#textContext(), session) };
    });
  }

  /** `turn`: null for agents that do not name their turns. `text`: null when the agent does not report it. */
  async prompted(event: SessionEvent, { turn, text }: { readonly turn: string | null; readonly text: string | null }): Promise<TurnAnswer> {
    const { root, agentId } = event.identity;
    await this.ports.syncDocuments(root, true);
    return this.#ifOwn(event, async ({ session, recorded }) => {
      const outsideGate = await this.ports.reconcile({ root, session, how: 'quick' });
      // Some agents fire this on every continuation; a text from the gate itself is not a new prompt, nor is a message from another agent.
      const isPrompt = agentId === undefined && (text === null || (text.trim() !== '' && !OWN_TEXT.test(text)));
      const last = this.#entry(session)?.turn;
      const begun = isPrompt ? await this.begin(session, turn ?? nextTurn({ turn: last ?? '0' })) : recorded;
      const isNew = this.#entry(session)?.turn !== last;
      const cited = isNew ? await this.citeOnlyIntent(session) : null;
      const recalled = isNew ? await recallForPrompt(this.#ownCalls(session, event), session, text) : null;
      const next = !isNew ? null : cited === null ? overview(this.#textContext(), session) : citedForYou(cited);
      return { kind: 'context', recorded: begun, text: joinTexts([outsideGate, this.ports.takeCheckNotes(session), recalled, next]) };
    });
  }

  /** An action that the agent will execute. */
  async before(
    { session, settings }: OpenedSession,
    asked: Omit<ActionRequest, 'session' | 'settings' | 'wallsMissing'>,
    shell?: AgentShell,
  ): Promise<Recorded> {
    const { ports, spine } = this.#parts;
    const walls = shell ? await this.#walls.stateFor(session, shell, asked) : null;
    const wallsMissing = walls?.level === 'required' ? walls.missing : null;
    const request = { ...asked, session, ...(settings && { settings }), ...(wallsMissing !== null && { wallsMissing }) };
    const { root, cwd, tool, input, signal, door } = request;
    // Changes are compared with the receipts before they are committed. A command that only mentions a commit costs one extra scan.
    if ('command' in input && COMMITS.test(String(input['command']))) await this.ports.reconcile({ root, session, how: 'quick' });
    const call = request.call ?? ports.tools.describeCall({ tool, input, place: { root, cwd } });
    await this.#citeByChange(request, call);
    const decided = await spine.before({ ...request, call });
    if (shell) this.#walls.giveTicket(shell, asked, walls, decided.outcome);
    if (call.steps) await tasksForSteps(this.#ownCalls(session, { cwd, door, signal }), session, call.steps);
    return decided;
  }

  /** The agent reports a call's outcome. */
  after(event: SessionEvent, call: Omit<NativeCallRef, 'session'>, seen: Observation): Promise<TurnAnswer> {
    return this.#ifOwn(event, async ({ session, recorded }) => {
      const action = this.#parts.views.openAction({ ...call, session });
      const ran = action ?? (event.shell ? this.#walls.observed(event.shell, call.callId) : null);
      const end = ran === null || !event.shell ? null : this.#walls.settled(ran, seen.output);
      const settled = action === null ? null : await this.#parts.spine.after(action, { ...seen, ...(end && { walls: end.walls }) });
      if (end !== null && end.used !== null) await this.#noteWalls(session, ran, end.used);
      const answer = { kind: 'recorded', recorded: settled ?? recorded } as const;
      return end === null || end.text === null ? answer : { ...answer, kind: 'context', text: end.text };
    });
  }

  async #noteWalls(session: string, action: string | null, used: boolean): Promise<void> {
    const event = this.#walls.changed(session, action, used);
    if (event) await recordNote(this.#parts.ports.log, [{ stream: streams.session(event.data.session), event }], null);
  }

  /** Where a door reports neither prompts nor stops, the tree is compared with the receipts at the agent's own calls. */
  async reconcileAtCall(session: string, call: ToolCall): Promise<void> {
    const entry = this.#entry(session);
    if (call.marksTurn && entry && !sessionTraits(entry).reportsPrompts)
      await this.ports.reconcile({ root: entry.root, session, how: 'quick' });
  }

  /** Where a door reports no stops, the checks run at the call that ends a turn. What they found is part of its answer. */
  async checkAtCall(session: string, call: ToolCall): Promise<string | null> {
    const entry = this.#entry(session);
    if (!call.endsTurn || !entry || sessionTraits(entry).reportsPrompts) return null;
    const found = await this.ports.checkAtStop({ root: entry.root, session, withinMs: CHECKS_WITHIN_MS, maySendBack: true });
    return joinTexts([found?.sendBack ?? null, found?.note ?? null]);
  }

  /** Agents reload their settings while they run: without this, a rewrite of the file would unhook the session. */
  settingsChanged(event: SessionEvent, keepsHooks: () => Promise<boolean>): Promise<TurnAnswer> {
    return this.#ifOwn(event, async ({ session, recorded }) => {
      if ((await keepsHooks()) || this.#parts.state.observing.has(event.identity.workspace))
        return { kind: 'context', recorded, text: null };
      const why = 'the changed settings would switch the hooks off; this session keeps the ones that it began with';
      return { kind: 'recorded', recorded: await this.#parts.refuse({ kind: 'agent', session, why }, 'change hook settings') };
    });
  }

  /** `continued`: it was sent back before in this turn. `sendBacks`: how often the agent allows it. `answerBy`: by `performance.now()`. */
  async stopping(
    event: SessionEvent,
    { continued, sendBacks, answerBy }: { readonly continued: boolean; readonly sendBacks: number; readonly answerBy: number },
  ): Promise<TurnAnswer> {
    const { root } = event.identity;
    await this.ports.syncDocuments(root, true);
    return this.#ifOwn(event, async ({ session }) => {
      const over = await this.end(session);
      await lookAtTasks(this.#parts.ports, this.#parts.state, session, true);
      const outsideGate = await this.ports.reconcile({ root, session, how: 'whole' });
      const maySendBack = sendBacks > 0 && !continued;
      const checked = await this.ports.checkAtStop({ root, session, withinMs: answerBy - performance.now(), maySendBack });
      const owed = await demandStamp(this.#parts, session, sendBacks);
      const text = joinTexts([outsideGate, checked?.note ?? null, checked?.sendBack ?? null, owed]);
      return checked?.sendBack || owed !== null
        ? { kind: 'send_back', recorded: over, reason: text ?? '' }
        : { kind: 'context', recorded: over, text };
    });
  }

  ended(event: SessionEvent, reason: string): Promise<TurnAnswer> {
    const { root, agentId } = event.identity;
    return this.#ifOwn(event, async ({ session }) => {
      // A sub-agent's commands run in its parent's walls.
      if (event.shell && agentId === undefined) await this.#walls.end(event.shell);
      await lookAtTasks(this.#parts.ports, this.#parts.state, session, true);
      await this.ports.reconcile({ root, session, how: 'whole' });
      const closed = await this.close(session, reason);
      // Every edit until now was made while an agent was present.
      await this.ports.syncDocuments(root, true);
      return { kind: 'recorded', recorded: closed };
    });
  }

  /** A new turn: whatever the agent left open in the last one will not be reported any more. */
  async begin(session: string, turn: string): Promise<Recorded> {
    const isNew = () => this.#entry(session)?.turn !== turn;
    if (!isNew()) return recordNote(this.#parts.ports.log, [], null);
    // Checked again under the lock: several calls may begin the same one.
    const begin = (): Event[] =>
      isNew() ? [...stampsMissing(this.#parts.state, session), { type: 'turn_begun', data: { session, turn } }] : [];
    return this.#endOpen(session, 'a new turn began before the outcome was reported', begin);
  }

  /** Cites the only active intent for a session without a choice, and records that the agent did not cite it. Null: nothing was cited. */
  citeOnlyIntent(session: string): Promise<Intent | null> {
    const { ports, state } = this.#parts;
    return this.#cite(session, () => onlyIntentFor(ports, state, session));
  }

  /** With several active intents, the only one that covers what is about to be written. The recall of the turn is made for it, too. */
  async #citeByChange({ session, root, cwd, door, signal, settings: given }: ActionRequest, call: ToolCall): Promise<void> {
    const { ports, state } = this.#parts;
    if (state.activeIntents(this.#entry(session)?.workspace ?? '').length < 2) return;
    const settings = given ?? (await readSettings(ports, root));
    const cited = await this.#cite(session, () => coveringIntentFor(ports, state, { session, root, cwd, call, settings }));
    const entry = this.#entry(session);
    if (cited && entry && entry.recall?.intent !== cited.id)
      await recallForPrompt(this.#ownCalls(session, { cwd, door, signal }), session, null);
  }

  #cite(session: string, choose: () => Promise<Intent | null>): Promise<Intent | null> {
    const { ports, state, locks } = this.#parts;
    const stream = streams.session(session);
    const cite = async () => {
      // Taken first: what the agent cites meanwhile, at another kernel, stays.
      const { workspace = '' } = this.#entry(session) ?? {};
      const active = state.activeIntents(workspace).map(({ intent }) => streams.intent(workspace, intent.id));
      const basis = state.positions.of(stream, ...active);
      const intent = await choose();
      if (intent === null) return null;
      const data = { session, intent: intent.id, by: 'door' } as const;
      await recordNote(ports.log, [{ stream, event: { type: 'intent_selected', data } }], null, null, basis);
      return intent;
    };
    return locks.hold(session, () => withFreshFacts(ports.log, state, cite));
  }

  /** The agent ended its turn. */
  async end(session: string): Promise<Recorded> {
    return this.#endOpen(session, 'the turn ended before the outcome was reported', () => []);
  }

  async close(session: string, reason: string): Promise<Recorded> {
    const close = (): Event[] => [...stampsMissing(this.#parts.state, session), { type: 'session_closed', data: { session, reason } }];
    return this.#endOpen(session, 'the session ended before the outcome was reported', close);
  }

  /** Actions whose outcome will not be reported any more. */
  async endActions(
    type: 'action_unknown' | 'action_lapsed',
    which: (entry: Pick<ActionEntry, 'action' | 'state'>) => boolean,
    reason: string,
  ): Promise<void> {
    const actions: Action[] = [...this.#parts.state.actions.values()].filter(which).map(({ action }) => action);
    await recordEnded(this.#parts.ports.log, type, { actions, reason });
  }

  /** Refuses and records an event that another process sent in the session's name. */
  async #ifOwn(event: SessionEvent, work: (opened: OpenedSession) => Promise<TurnAnswer>): Promise<TurnAnswer> {
    const opened = await this.openFor(event);
    if (event.isOwn) return work(opened);
    const why = 'the event was reported by another process than the session’s own, which is running';
    const refused = await this.#parts.refuse({ kind: 'agent', session: opened.session, why }, event.name);
    return { kind: 'context', recorded: refused, text: null };
  }

  /** For sessions without reported prompts: begins a new turn when the last one is over. Reads go on while the ledger cannot be written. */
  async #beginTurnIfOver(session: string): Promise<void> {
    const entry = this.#entry(session);
    if (entry && isTurnOver(entry, this.#parts.ports.now())) await isWritten(this.begin(session, nextTurn(entry)));
  }

  /** `then`: what the session does next, in one append with the end of what it left open. */
  async #endOpen(session: string, reason: string, then: () => Event[]): Promise<Recorded> {
    const { state, nativeAsks } = this.#parts;
    await nativeAsks.end(session, reason);
    const open = [...state.actions.values()].filter((entry) => entry.state === 'admitted').map(({ action }) => action.session);
    const below = open.filter((id) => id !== session && this.#entry(id)?.parent === session);
    for (const id of new Set(below)) await this.#endOpenIn(id, reason, () => []);
    return this.#endOpenIn(session, reason, then);
  }

  #endOpenIn(session: string, reason: string, then: () => Event[]): Promise<Recorded> {
    const { state, locks, ports } = this.#parts;
    const stream = streams.session(session);
    const record = () => {
      const basis = state.positions.of(stream);
      const open = [...state.actions.values()].filter((entry) => entry.state === 'admitted' && entry.action.session === session);
      const next = then().map((event) => ({ stream, event }));
      return recordEnded(ports.log, 'action_unknown', { actions: open.map(({ action }) => action), reason, next, basis });
    };
    // Locked: an outcome that is on its way counts.
    return locks.hold(session, () => withFreshFacts(ports.log, state, record));
  }

  /** Null when none is set or the settings cannot be read. */
  #minimumMode({ workspace, root }: SessionIdentity, { settings, fault }: SettingsRead): Mode | null {
    const { state } = this.#parts;
    return fault ? null : state.modeLimits.applyTo(settings, workspace, null, state.documents.dialOf(root)).minimumMode;
  }

  #ownCalls(session: string, { cwd, door, signal }: Pick<SessionEvent, 'cwd' | 'door' | 'signal'>): OwnCalls {
    const { state, spine, recordDefect } = this.#parts;
    return {
      state,
      recordDefect,
      pass: async (tool, input) => {
        const entry = this.#entry(session);
        if (!entry) return null;
        const { workspace, root } = entry;
        const actor = { agent: 'countersign' };
        const { outcome } = await spine.pass({ session, workspace, root, cwd, actor, door, tool, input, signal, waitTimeoutMs: 0 });
        return outcome.kind === 'observed' ? outcome.output : null;
      },
    };
  }

  #entry(session: string): SessionEntry | undefined {
    return this.#parts.state.sessions.get(session);
  }

  #textContext(): TextContext {
    return { state: this.#parts.state, now: this.#parts.ports.now };
  }
}

const joinTexts = (parts: readonly (string | null)[]): string | null => parts.filter((part) => part !== null).join('\n') || null;
