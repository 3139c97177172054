// The one engine behind all hook adapters. It translates: what an agent's hook reports becomes a call of the kernel, and the answer goes
// back in the agent's form.

import type { AgentShell, EventClaim, Recorded, Reporter, SessionEvent } from '../../kernel/index.ts';
import { Fault, FIRST_DOORS, type Loopback, type Seal, SURFACES } from '../../protocol/index.ts';
import type { DoorServices } from '../services.ts';
import { refusalOfTrouble } from '../trouble.ts';
import { type HookAdapter, type HookAnswer, type HookEvent, type NativeCall, senderOf, waitingCall } from '../../agents/index.ts';
import { DedupeEvents } from './dedupe-events.ts';
import { callIdIn, folderIn, placeIn, sealedSender } from '../sealed.ts';

export interface HookCall {
  readonly adapter: HookAdapter;
  readonly event: string;
  readonly payload: unknown;
  /** The process that started the hook, as the hook names it: the agent's. */
  readonly parentPid: number | null;
  /** The program of ours that started the hook as the agent's shell; null: none did. */
  readonly shell: string | null;
  /** The connection that the call came over, where it can prove the sender. */
  readonly connection: Loopback | null;
  /** The sealed run that the hook is in; null: in none. */
  readonly seal: Seal | null;
  /** How long a human may take; below the agent's own time-out, which would let the action run. */
  readonly waitTimeoutMs: number;
  readonly signal: AbortSignal;
}

/** How long the end of a turn may take, for a client that does not say how long it waits. */
const DEFAULT_STOP_WAIT_MS = 60_000;
/** Kept back from that time for sending the answer. */
const ANSWER_MS = 1_000;

interface HookDoor {
  readonly services: DoorServices;
  readonly events: DedupeEvents;
}

/** Never throws: an error becomes an answer that denies the action. */
export function openHookEngine(services: DoorServices): (call: HookCall) => Promise<string> {
  const door = { services, events: new DedupeEvents() };
  return (call) => answerHook(door, call);
}

async function answerHook(door: HookDoor, received: HookCall): Promise<string> {
  const { kernel } = door.services;
  let event: HookEvent | undefined;
  const call = senderOf(received);
  // A redaction mark needs no escaping: the text is still valid JSON.
  const redacted = (text: string) => kernel.redactor.text(text);
  try {
    event = call.adapter.read(call.event, call.payload);
    return redacted(call.adapter.write(event, await answerOnce(door, call, event)));
  } catch (error) {
    if (!(error instanceof Fault)) await kernel.recordDefect(`hook ${call.adapter.name} ${call.event}`, error).catch(() => {});
    const trouble = event ?? unreadable(call.adapter.decides(call.event));
    return redacted(call.adapter.write(trouble, { kind: 'trouble', refusal: refusalOfTrouble(error) }));
  }
}

/** Every copy of one event gets the same answer. */
function answerOnce({ services, events }: HookDoor, call: HookCall, event: HookEvent): Promise<HookAnswer<Recorded>> {
  const decide = () => answer(services, call, event);
  const who = [event.kind, call.adapter.agent, event.nativeSession, event.agentId ?? null, event.cwd];
  // An answer to another sender who used the session's name is not an answer to this agent.
  const isToOwn = (given: HookAnswer<Recorded>) =>
    given.kind !== 'context' || given.recorded.outcome.kind !== 'noted' || given.recorded.outcome.refusal === null;
  if (event.copy !== undefined) return events.dedupe(JSON.stringify([...who, call.parentPid, event.copy]), call.signal, isToOwn, decide);
  if (event.kind !== 'before' || event.native.callId === undefined || !call.adapter.capabilities.toolCallId) return decide();
  // The agent's own id of a call: what was admitted under it and still runs is the same call.
  const stillRuns = (given: HookAnswer<Recorded>) =>
    given.kind === 'recorded' &&
    given.recorded.outcome.kind === 'admitted' &&
    services.kernel.views.isUnderWay(given.recorded.outcome.action.id);
  return events.dedupe(JSON.stringify([...who, event.native, event.call]), call.signal, stillRuns, decide);
}

async function answer(services: DoorServices, call: HookCall, event: HookEvent): Promise<HookAnswer<Recorded>> {
  const { adapter, waitTimeoutMs, signal } = call;
  const { turns } = services.kernel;
  const answerBy = performance.now() + (waitTimeoutMs > 0 ? waitTimeoutMs : DEFAULT_STOP_WAIT_MS) - ANSWER_MS;
  const { id: workspace, root } = call.seal ? placeIn(call.seal) : await services.locate(event.cwd);
  const identity = {
    workspace,
    root,
    agent: adapter.agent,
    nativeSession: event.nativeSession,
    level: call.seal ? ('sealed' as const) : ('hooked' as const),
    ...(event.agentId === undefined ? {} : { agentId: event.agentId }),
  };
  const { reporter, isOwn } = call.seal
    ? sealedSender(call.seal)
    : await turns.senderOf({ identity, claim: claimOf(services, adapter, event), pid: call.parentPid, connection: call.connection });
  const { planning } = event;
  const cwd = call.seal ? folderIn(call.seal, event.cwd) : event.cwd;
  const sessionEvent: SessionEvent = {
    ...{ identity, cwd, door: FIRST_DOORS.hook, name: `hook ${event.kind}`, planning, reporter, isOwn, signal },
    // In a seal there is no box for a command: the walls are around the agent.
    ...(call.seal ? {} : { shell: shellOf(call, event, reporter) }),
  };
  switch (event.kind) {
    case 'session_start':
      return turns.sessionStarted(sessionEvent, services.isAgents(reporter));
    case 'prompt':
      return turns.prompted(sessionEvent, event);
    case 'settings_change':
      return turns.settingsChanged(sessionEvent, () => keepsHooks(services, adapter, root, event.file));
    case 'stop':
      return turns.stopping(sessionEvent, { continued: event.continued, sendBacks: adapter.capabilities.stopBlocks, answerBy });
    case 'session_end':
      return turns.ended(sessionEvent, event.reason);
    case 'before':
      return before(services, call, event, sessionEvent);
    case 'after':
      return after(services, call, event, sessionEvent);
  }
}

async function before(
  services: DoorServices,
  { adapter, waitTimeoutMs, signal, seal }: HookCall,
  event: Extract<HookEvent, { kind: 'before' }>,
  sessionEvent: SessionEvent,
): Promise<HookAnswer<Recorded>> {
  const { turns, principals } = services.kernel;
  const { call, native } = event;
  const { workspace, root } = sessionEvent.identity;
  const opened = await turns.openFor(sessionEvent);
  const { session, recorded } = opened;
  if (call.kind === 'own' && isOurTool(services, call.tool)) {
    // If another sender announced it, the call still belongs to the connection.
    if (sessionEvent.isOwn && adapter.capabilities.mcpCallId && native.callId !== undefined)
      principals.announce(callIdIn(seal, native.callId), session);
    else if (sessionEvent.isOwn)
      principals.announceInput({ root, tool: call.tool, input: call.input, pid: sessionEvent.reporter?.pid ?? null }, session);
    return { kind: 'context', recorded, text: null };
  }
  // Nothing outside is read for what is sealed, whatever path it names.
  const transcript = seal ? undefined : event.transcript;
  const model = event.model ?? (transcript === undefined ? null : await services.modelInTranscript(transcript));
  const request = {
    workspace,
    root,
    cwd: sessionEvent.cwd,
    actor: {
      agent: adapter.agent,
      ...(event.agentId === undefined ? {} : { agent_id: event.agentId }),
      ...(model === null ? {} : { model }),
    },
    door: FIRST_DOORS.hook,
    // Our server has no such tool. Its name must not be looked up: a different tool may be registered under it.
    ...(call.kind === 'own'
      ? { tool: 'call_unknown', input: { name: native.tool, arguments: call.input } }
      : { tool: call.tool, input: call.input }),
    native: {
      tool: native.tool,
      ...(native.callId === undefined ? {} : { call_id: native.callId }),
      ...(adapter.capabilities.toolCallId && { once: true as const }),
    },
    asksNatively: adapter.capabilities.ask,
    waitTimeoutMs,
    signal,
  };
  const decided = await turns.before(opened, request, sessionEvent.shell);
  const { outcome } = decided;
  const action = outcome.kind === 'admitted' || outcome.kind === 'observed' ? outcome.action.id : null;
  const walled = action === null || !sessionEvent.shell || !adapter.wall?.rewrites ? null : services.walls.rewritten(action);
  const refusal = outcome.kind === 'refused' || outcome.kind === 'asked' ? outcome.refusal : null;
  const waiting = refusal ? waitingCall(refusal, native.tool, call.input, services.pageAddress()) : undefined;
  return { kind: 'recorded', recorded: decided, ...(waiting && { waiting }), ...(walled && { walled }) };
}

async function after(
  { kernel }: DoorServices,
  { adapter, seal }: HookCall,
  { native, output, failed }: Extract<HookEvent, { kind: 'after' }>,
  sessionEvent: SessionEvent,
): Promise<HookAnswer<Recorded>> {
  const seen = { output, failed, ...(seal ? { walls: { level: 'sealed' as const } } : {}) };
  const answer = await kernel.turns.after(sessionEvent, callRef(adapter, native), seen);
  const shows = adapter.capabilities.context.includes('after');
  return answer.kind === 'context' && answer.text !== null && !shows ? { kind: 'recorded', recorded: answer.recorded } : answer;
}

/** In which shell the agent runs its commands. */
const shellOf = ({ adapter, shell }: HookCall, event: HookEvent, reporter: Reporter | null): AgentShell => ({
  agent: adapter.name,
  nativeSession: event.nativeSession,
  process: reporter && { pid: reporter.pid, started: reporter.started },
  program: (event.kind === 'before' ? event.shell : undefined) ?? shell,
  ...(event.transcript === undefined ? {} : { transcript: event.transcript }),
  ...(event.kind === 'before' && event.commands ? { parts: event.commands } : {}),
});

/** Whether the hooks are still in the agent's settings of this work tree, and no settings switch them off. */
async function keepsHooks(
  services: DoorServices,
  { wiring }: HookAdapter,
  root: string,
  changedFile: string | undefined,
): Promise<boolean> {
  const files = wiring.filter(({ form, place, holds }) => form === 'json' && place === 'workspace' && holds.includes('hooks'));
  const values = await Promise.all(files.map(({ file }) => services.readJsonFile(`${root}/${file}`)));
  const changed = changedFile === undefined ? null : await services.readJsonFile(changedFile);
  const isIn = files.some((each, index) => each.form === 'json' && each.isWired(values[index]));
  const isOff = files.some((each) => each.form === 'json' && [...values, changed].some((value) => each.isSwitchedOffBy(value)));
  return isIn && !isOff;
}

/** What believing the event would let its sender do. */
function claimOf(services: DoorServices, adapter: HookAdapter, event: HookEvent): EventClaim {
  if (event.kind === 'after') return { kind: 'outcome', call: callRef(adapter, event.native) };
  if (event.kind !== 'before' || (event.call.kind === 'own' && isOurTool(services, event.call.tool))) return { kind: 'authority' };
  return { kind: 'question' };
}

const callRef = ({ capabilities }: HookAdapter, { callId }: NativeCall) =>
  ({ callId, which: capabilities.toolCallId ? 'newest' : 'oldest' }) as const;

const isOurTool = (services: DoorServices, tool: string): boolean =>
  SURFACES.some((surface) => services.tools.toolsOn(surface).some(({ name }) => name === tool));

/** A payload that cannot be read is answered as a change that must not happen; at an event that decides nothing, as a turn that may end. */
const unreadable = (decides: boolean): HookEvent => {
  const unknownSender = { nativeSession: '', cwd: '', planning: false };
  return decides
    ? { kind: 'before', native: { tool: '' }, call: { kind: 'own', tool: '', input: {} }, ...unknownSender }
    : { kind: 'stop', continued: true, ...unknownSender };
};
