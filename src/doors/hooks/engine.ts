// The one engine behind all hook adapters: before = admit, after = observe and settle, prompt and stop = turns.

import { type Kernel, type Recorded, type Reporter, sessionId, type SessionIdentity } from '../../kernel/index.ts';
import { Fault, type Loopback, SURFACES } from '../../protocol/index.ts';
import type { DoorServices } from '../services.ts';
import { refusalOfTrouble } from '../trouble.ts';
import { type HookAdapter, type HookAnswer, type HookEvent, senderOf } from '../../agents/index.ts';
import { Copies } from './copies.ts';
import { recallForPrompt } from './recall-for-prompt.ts';
import { tasksForSteps } from './tasks-for-steps.ts';
import { citedForYou, grounding, missingStamp, OWN_TEXT, overview } from './overview.ts';

export interface HookCall {
  readonly adapter: HookAdapter;
  readonly event: string;
  readonly payload: unknown;
  /** The process that started the hook, as the hook names it: the agent's. */
  readonly parentPid: number | null;
  /** Over which the call came, where that tells who sent it. */
  readonly connection: Loopback | null;
  /** How long a human may take; below the agent's own time-out, which would let the action run. */
  readonly waitTimeoutMs: number;
  readonly signal: AbortSignal;
}

/** For a client that does not say how long it waits at the end of a turn, and what is left of it to answer in. */
const STOP_WAIT_MS = 60_000;
const ANSWER_MS = 1_000;

/** What the engine keeps in mind about a kernel's sessions; a new daemon begins anew. */
interface Mind {
  readonly copies: Copies;
  /** How often the end of a turn was sent back for its stamp. */
  readonly sentBack: Map<string, { turn: string; times: number }>;
}
const minds = new WeakMap<Kernel, Mind>();
const mindOf = (kernel: Kernel): Mind => {
  const known = minds.get(kernel) ?? { copies: new Copies(), sentBack: new Map<string, { turn: string; times: number }>() };
  minds.set(kernel, known);
  return known;
};

/** Never throws: trouble becomes an answer that denies what was about to happen. */
export async function answerHook(services: DoorServices, asked: HookCall): Promise<string> {
  let event: HookEvent | undefined;
  const call = senderOf(asked);
  // A mark needs no escape: what was JSON before still is.
  const shown = (text: string) => services.kernel.redactor.text(text);
  try {
    event = call.adapter.read(call.event, call.payload);
    return shown(call.adapter.write(event, await answerOnce(services, call, event)));
  } catch (error) {
    if (!(error instanceof Fault)) await services.kernel.recordDefect(`hook ${call.adapter.name} ${call.event}`, error).catch(() => {});
    const trouble = event ?? unreadable(call.adapter.decides(call.event));
    return shown(call.adapter.write(trouble, { kind: 'trouble', refusal: refusalOfTrouble(error) }));
  }
}

/** Every copy of one event hears the same. */
function answerOnce(services: DoorServices, call: HookCall, event: HookEvent): Promise<HookAnswer<Recorded>> {
  const { kernel } = services;
  const decide = () => answer(services, call, event);
  const who = [event.kind, call.adapter.agent, event.nativeSession, event.agentId ?? null, event.cwd];
  const { copies } = mindOf(kernel);
  // What somebody else said in the session's name is not what the agent says now.
  const isOwn = (given: HookAnswer<Recorded>) =>
    given.kind !== 'context' || given.recorded.outcome.kind !== 'noted' || given.recorded.outcome.refusal === null;
  if (event.copy !== undefined) return copies.once(JSON.stringify([...who, call.parentPid, event.copy]), call.signal, isOwn, decide);
  if (event.kind !== 'before' || event.native.callId === undefined || !call.adapter.capabilities.toolCallId) return decide();
  // The agent's own id of a call: what was admitted under it and still runs is the same call.
  const stillRuns = (given: HookAnswer<Recorded>) =>
    given.kind === 'recorded' &&
    given.recorded.outcome.kind === 'admitted' &&
    kernel.state.actions.get(given.recorded.outcome.action.id)?.state === 'admitted';
  return copies.once(JSON.stringify([...who, event.native, event.call]), call.signal, stillRuns, decide);
}

async function answer(services: DoorServices, call: HookCall, event: HookEvent): Promise<HookAnswer<Recorded>> {
  const { adapter, waitTimeoutMs, signal } = call;
  const { kernel } = services;
  const begunAt = performance.now();
  const { id: workspace, root } = await services.locate(event.cwd);
  const identity = {
    ...{ workspace, root, agent: adapter.agent, nativeSession: event.nativeSession, level: 'hooked' as const },
    ...(event.agentId === undefined ? {} : { agentId: event.agentId }),
  };
  const { reporter, speaks } = await speakerOf(services, call, event, identity);
  if (event.kind === 'session_start') await services.lookAtDocuments(root, services.isAgents(reporter));
  if (event.kind === 'prompt' || event.kind === 'stop') await services.lookAtDocuments(root, true);
  // What the door knows counts as declared by it: an agent in plan mode is PASSIVE, otherwise the human's minimum.
  const declared = speaks ? (event.planning ? 'PASSIVE' : await services.minimumMode(root)) : null;
  const { session, recorded } = await kernel.openSession(identity, declared, speaks ? reporter : null);
  if (!speaks && event.kind !== 'before') {
    const why = 'the event was reported by another process than the session’s own, which is running';
    const refused = await kernel.authority.refuse({ kind: 'agent', session, why }, `hook ${event.kind}`);
    return { kind: 'context', recorded: refused, text: null };
  }

  switch (event.kind) {
    case 'session_start':
      // What changes from here on is told from what was there before.
      await services.reconcile({ root, session, how: 'whole' });
      return { kind: 'context', recorded, text: grounding(kernel, session) };
    case 'prompt': {
      // Some agents fire this on every continuation; what the gate itself said is no new prompt, nor is what one agent tells another.
      const strayed = await services.reconcile({ root, session, how: 'quick' });
      const isText = event.text === null || (event.text.trim() !== '' && !OWN_TEXT.test(event.text));
      const isPrompt = isText && event.agentId === undefined;
      const last = kernel.state.sessions.get(session)?.turn;
      const begun = isPrompt ? await kernel.beginTurn(session, event.turn ?? nextTurn(kernel, session)) : recorded;
      const isNew = kernel.state.sessions.get(session)?.turn !== last;
      const cited = isNew ? await kernel.citeOnlyIntent(session) : null;
      const recalled = isNew ? await recallForPrompt(kernel, { session, workspace, root, cwd: event.cwd, signal }, event.text) : null;
      const stands = !isNew ? null : cited === null ? overview(kernel, session) : citedForYou(cited);
      return { kind: 'context', recorded: begun, text: joined([strayed, services.leftByChecks(session), recalled, stands]) };
    }
    case 'settings_change': {
      // Settings are taken over while the agent runs: without this, whoever rewrites the file unhooks the session.
      const files = adapter.wiring.filter(({ form, place, holds }) => form === 'json' && place === 'workspace' && holds.includes('hooks'));
      const values = await Promise.all(files.map(({ file }) => services.readJsonFile(`${root}/${file}`)));
      const changed = event.file === undefined ? null : await services.readJsonFile(event.file);
      const isIn = files.some((each, index) => each.form === 'json' && each.isWired(values[index]));
      const isOff = files.some((each) => each.form === 'json' && [...values, changed].some((value) => each.isSwitchedOffBy(value)));
      if ((isIn && !isOff) || kernel.state.observing.has(workspace)) return { kind: 'context', recorded, text: null };
      const why = 'the changed settings would switch the hooks off; this session keeps the ones that it began with';
      return { kind: 'recorded', recorded: await kernel.authority.refuse({ kind: 'agent', session, why }, 'change hook settings') };
    }
    case 'stop': {
      const over = await kernel.endTurn(session);
      const strayed = await services.reconcile({ root, session, how: 'whole' });
      const left = (waitTimeoutMs > 0 ? waitTimeoutMs : STOP_WAIT_MS) - (performance.now() - begunAt);
      const { stopBlocks } = adapter.capabilities;
      const maySendBack = stopBlocks > 0 && !event.continued;
      const checked = await services.checkAtStop({ root, session, withinMs: left - ANSWER_MS, maySendBack });
      const owed = stampOwed(kernel, session, event.continued, stopBlocks);
      const text = joined([strayed, checked?.note ?? null, checked?.sendBack ?? null, owed]);
      return checked?.sendBack || owed !== null
        ? { kind: 'send_back', recorded: over, reason: text ?? '' }
        : { kind: 'context', recorded: over, text };
    }
    case 'session_end': {
      await services.reconcile({ root, session, how: 'whole' });
      const closed = await kernel.closeSession(session, event.reason);
      // Whatever was edited until now was edited while an agent was about.
      await services.lookAtDocuments(root, true);
      return { kind: 'recorded', recorded: closed };
    }
    case 'before': {
      const { call, native } = event;
      if (call.kind === 'own' && isOurs(services, call.tool)) {
        // Announced by somebody else, the call stays the connection's own.
        if (speaks && adapter.capabilities.mcpCallId && native.callId !== undefined) kernel.principals.announce(native.callId, session);
        else if (speaks) kernel.principals.announceInput({ root, tool: call.tool, input: call.input, pid: reporter?.pid ?? null }, session);
        return { kind: 'context', recorded, text: null };
      }
      // What is committed was compared with the receipts before. Only a look: a command that merely speaks of it costs no more than that.
      if ('command' in call.input && /\bgit\b[^]*\bcommit\b/.test(String(call.input['command'])))
        await services.reconcile({ root, session, how: 'quick' });
      const model = event.model ?? (event.transcript === undefined ? null : await services.modelInTranscript(event.transcript));
      const decided = await kernel.spine.before({
        session,
        workspace,
        root,
        cwd: event.cwd,
        actor: {
          agent: adapter.agent,
          ...(event.agentId === undefined ? {} : { agent_id: event.agentId }),
          ...(model === null ? {} : { model }),
        },
        door: 'hook',
        // A tool of our server that there is not. Its name must not be looked up: another one may be registered under it.
        ...(call.kind === 'own'
          ? { tool: 'call_unknown', input: { name: native.tool, arguments: call.input } }
          : { tool: call.tool, input: call.input }),
        native: { tool: native.tool, ...(native.callId === undefined ? {} : { call_id: native.callId }) },
        asksNatively: adapter.capabilities.ask,
        waitTimeoutMs,
        signal,
      });
      if (call.tool === 'list_steps') await tasksForSteps(kernel, { session, workspace, root, cwd: event.cwd, signal }, call.input);
      return { kind: 'recorded', recorded: decided };
    }
    case 'after': {
      const action = openAction(kernel, session, event.native.callId, adapter.capabilities.toolCallId ? 'newest' : 'oldest');
      const settled = action === null ? null : await kernel.spine.after(action, { output: event.output, failed: event.failed });
      return { kind: 'recorded', recorded: settled ?? recorded };
    }
  }
}

interface Speaker {
  readonly reporter: Reporter | null;
  /** The event counts as the session's own. */
  readonly speaks: boolean;
}

/**
 * Who sent the event. To prove it takes longer than to decide about a tool, so a call that only asks whether a tool may run is taken as
 * what it says that it is: to forge it gains nothing.
 */
async function speakerOf(
  services: DoorServices,
  { adapter, parentPid, connection }: HookCall,
  event: HookEvent,
  identity: SessionIdentity,
): Promise<Speaker> {
  const { kernel } = services;
  const session = sessionId(identity);
  const known = parentPid === null ? undefined : kernel.state.presence.of(session).find(({ pid }) => pid === parentPid);
  if (!isWorthForging(services, event, session, adapter)) {
    if (known) return { reporter: known, speaks: true };
    // A process that takes the session up reports a beginning or a prompt first.
    if (!services.maySpeakFor(session, null)) return { reporter: null, speaks: false };
  }
  const reporter = parentPid === null ? null : await services.reporterOf(parentPid, connection);
  const { agentId, ...parent } = identity;
  const speaks = services.maySpeakFor(session, reporter) && (agentId === undefined || services.maySpeakFor(sessionId(parent), reporter));
  return { reporter, speaks };
}

function isWorthForging(services: DoorServices, event: HookEvent, session: string, { capabilities }: HookAdapter): boolean {
  if (event.kind === 'before') return event.call.kind === 'own' && isOurs(services, event.call.tool);
  if (event.kind !== 'after') return true;
  // What ran was agreed to, in a dialog of the agent: then the report stands for a human's yes.
  const action = openAction(services.kernel, session, event.native.callId, capabilities.toolCallId ? 'newest' : 'oldest');
  return action !== null && services.kernel.nativeAsks.isOpen(action);
}

const isOurs = (services: DoorServices, tool: string): boolean =>
  SURFACES.some((surface) => services.tools.toolsOn(surface).some(({ name }) => name === tool));

/** For agents that do not name their turns. */
const nextTurn = (kernel: Kernel, session: string): string => String((Number(kernel.state.sessions.get(session)?.turn) || 0) + 1);

/** The action of this session that carries the agent's id for the call. An id made from the input may be that of several. */
function openAction(kernel: Kernel, session: string, callId: string | undefined, which: 'newest' | 'oldest'): string | null {
  let found: string | null = null;
  for (const { action, state } of kernel.state.actions.values()) {
    const mine = action.session === session && callId !== undefined && action.native?.call_id === callId;
    const mayHaveRun = state === 'admitted' || (state === 'unknown' && which === 'newest') || kernel.nativeAsks.isOpen(action.id);
    if (!mine || !mayHaveRun) continue;
    if (which === 'oldest') return action.id;
    found = action.id;
  }
  return found;
}

const joined = (parts: readonly (string | null)[]): string | null => parts.filter((part) => part !== null).join('\n') || null;

/** How often an agent in STRICT hears of it in one turn; in GUARDED once. Below what agents bear before they end all the same. */
const STRICT_DEMANDS = 3;

/** What is missing, if the agent is still to be told: never in a loop. */
function stampOwed(kernel: Kernel, session: string, continued: boolean, stopBlocks: number): string | null {
  const missing = missingStamp(kernel, session);
  const entry = kernel.state.sessions.get(session);
  if (missing === null || !entry) return null;
  const { sentBack } = mindOf(kernel);
  const before = sentBack.get(session);
  // Sent back already, by whomever: once is enough, except where it is required.
  const times = before?.turn === entry.turn ? before.times : continued ? 1 : 0;
  if (times >= Math.min(entry.mode === 'STRICT' ? STRICT_DEMANDS : 1, stopBlocks)) return null;
  sentBack.set(session, { turn: entry.turn, times: times + 1 });
  return missing;
}

/** A payload that cannot be read is answered as if a change were about to happen, unless nothing is decided at its event. */
const unreadable = (decides: boolean): HookEvent => {
  const nobody = { nativeSession: '', cwd: '', planning: false };
  return decides
    ? { kind: 'before', native: { tool: '' }, call: { kind: 'own', tool: '', input: {} }, ...nobody }
    : { kind: 'stop', continued: true, ...nobody };
};
