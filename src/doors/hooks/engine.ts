// The one engine behind all hook adapters: before = admit, after = observe and settle, prompt and stop = turns.

import type { Kernel } from '../../kernel/index.ts';
import { Fault } from '../../protocol/index.ts';
import type { DoorServices } from '../services.ts';
import { refusalOfTrouble } from '../trouble.ts';
import type { HookAdapter, HookAnswer, HookEvent } from './adapter.ts';

export interface HookCall {
  readonly adapter: HookAdapter;
  readonly event: string;
  readonly payload: unknown;
  /** The process that started the hook: the agent's. */
  readonly parentPid: number | null;
  /** How long a human may take; below the agent's own time-out, which would let the action run. */
  readonly patienceMs: number;
  readonly signal: AbortSignal;
}

/** Never throws: trouble becomes an answer that denies what was about to happen. */
export async function answerHook(services: DoorServices, call: HookCall): Promise<string> {
  let event: HookEvent | undefined;
  try {
    event = call.adapter.read(call.event, call.payload);
    return call.adapter.write(event, await answer(services, call, event));
  } catch (error) {
    if (!(error instanceof Fault)) await services.kernel.recordDefect(`hook ${call.adapter.name} ${call.event}`, error).catch(() => {});
    const trouble = event ?? unreadable(call.adapter.decides(call.event));
    return call.adapter.write(trouble, { kind: 'trouble', refusal: refusalOfTrouble(error) });
  }
}

async function answer(services: DoorServices, { adapter, parentPid, patienceMs, signal }: HookCall, event: HookEvent): Promise<HookAnswer> {
  const { kernel } = services;
  const { id: workspace, root } = await services.locate(event.cwd);
  if (event.kind === 'session_start') await services.adoptIntents(root);
  const started = parentPid === null ? null : services.processStarted(parentPid);
  // What the door knows counts as declared by it: an agent in plan mode is PASSIVE, otherwise the human's minimum.
  const { session, recorded } = await kernel.openSession(
    {
      workspace,
      root,
      agent: adapter.agent,
      nativeSession: event.nativeSession,
      level: 'hooked',
      ...(event.agentId === undefined ? {} : { agentId: event.agentId }),
    },
    event.planning ? 'PASSIVE' : await services.minimumMode(root),
    parentPid !== null && started !== null ? { pid: parentPid, started, via: 'hook' } : null,
  );

  switch (event.kind) {
    case 'session_start':
      // What changes from here on is told from what was there before.
      await services.reconcile({ root, session, how: 'whole' });
      return { kind: 'context', recorded, text: grounding(kernel, session) };
    case 'prompt': {
      // Some agents fire this on every continuation; what the gate itself said is no new prompt either.
      const strayed = await services.reconcile({ root, session, how: 'quick' });
      const isPrompt = event.text === null || (event.text.trim() !== '' && !OWN_TEXT.test(event.text));
      const begun = isPrompt ? await kernel.beginTurn(session, event.turn ?? nextTurn(kernel, session)) : recorded;
      return {
        kind: 'context',
        recorded: begun,
        text: [strayed, standing(kernel, session)].filter((each) => each !== null).join('\n') || null,
      };
    }
    case 'settings_change': {
      // Settings are taken over while the agent runs: without this, whoever rewrites the file unhooks the session.
      const files = [`${root}/${adapter.wiring.file}`, ...(event.file === undefined ? [] : [event.file])];
      const [ours, changed = ours] = await Promise.all(files.map(services.readJsonFile));
      if (adapter.wiring.isIn(ours) && !adapter.wiring.isSwitchedOffBy(changed)) return { kind: 'context', recorded, text: null };
      const why = 'the changed settings would switch the hooks off; this session keeps the ones that it began with';
      return { kind: 'recorded', recorded: await kernel.authority.refuse({ kind: 'agent', session, why }, 'change hook settings') };
    }
    case 'stop': {
      const over = await kernel.endTurn(session);
      return { kind: 'context', recorded: over, text: await services.reconcile({ root, session, how: 'whole' }) };
    }
    case 'session_end': {
      await services.reconcile({ root, session, how: 'whole' });
      return { kind: 'recorded', recorded: await kernel.closeSession(session, event.reason) };
    }
    case 'before': {
      const { call, native } = event;
      if (call.kind === 'own' && isOurs(services, call.tool)) {
        if (native.callId !== undefined) kernel.principals.announce(native.callId, session);
        return { kind: 'context', recorded, text: null };
      }
      const model = event.transcript === undefined ? null : await services.modelInTranscript(event.transcript);
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
        tool: call.kind === 'own' ? native.tool : call.tool,
        input: call.input,
        native: { tool: native.tool, ...(native.callId === undefined ? {} : { call_id: native.callId }) },
        patienceMs,
        signal,
      });
      return { kind: 'recorded', recorded: decided };
    }
    case 'after': {
      const action = openAction(kernel, session, event.native.callId);
      const settled = action === null ? null : await kernel.spine.after(action, { output: event.output, failed: event.failed });
      return { kind: 'recorded', recorded: settled ?? recorded };
    }
  }
}

const isOurs = (services: DoorServices, tool: string): boolean =>
  (['hooked', 'contract'] as const).some((surface) => services.toolsOn(surface).some(({ name }) => name === tool));

/** For agents that do not name their turns. */
const nextTurn = (kernel: Kernel, session: string): string => String((Number(kernel.state.sessions.get(session)?.turn) || 0) + 1);

/** The newest action of this session that carries the agent's id for the call. */
function openAction(kernel: Kernel, session: string, callId: string | undefined): string | null {
  let found: string | null = null;
  for (const { action, state } of kernel.state.actions.values()) {
    const mine = action.session === session && callId !== undefined && action.native?.call_id === callId;
    if (mine && (state === 'admitted' || state === 'unknown')) found = action.id;
  }
  return found;
}

/** Said once, at the start of a session: the least an agent has to know to do right at the first try. */
function grounding(kernel: Kernel, session: string): string {
  return [
    'Countersign gates changes in this workspace: reading is free; before your first change for a prompt call its tool begin_work once.',
    'Every change is recorded with a receipt. A refusal names the call that leads on. Plans, approvals and intents are for humans to confirm, not for you.',
    standing(kernel, session) ?? '',
  ]
    .join('\n')
    .trim();
}

/** How every text begins that the gate puts before an agent. */
const OWN_TEXT = /^Countersign(?:: | gates changes in this workspace)/;

/** Where the session stands, or null when it can work already. */
function standing(kernel: Kernel, session: string): string | null {
  const entry = kernel.state.sessions.get(session);
  if (!entry) return null;
  if (entry.intent !== null && kernel.state.intent(entry.workspace, entry.intent)?.intent.status === 'active') {
    return entry.recall?.turn === entry.turn
      ? null
      : `Countersign: ${entry.intent} is cited. Call begin_work once before your first change for this prompt.`;
  }
  const active = kernel.state
    .activeIntents(entry.workspace)
    .map(({ intent }) => `${intent.id} (${intent.name}: ${intent.owned_scope.join(', ')})`);
  return active.length > 0
    ? `Countersign: no intent cited yet. Active: ${active.join('; ')}. Call begin_work before your first change.`
    : 'Countersign: no intent is active. Reading is free; to change something, a human first runs: countersign intent "what should change" PATH';
}

/** A payload that cannot be read is answered as if a change were about to happen, unless nothing is decided at its event. */
const unreadable = (decides: boolean): HookEvent => {
  const nobody = { nativeSession: '', cwd: '', planning: false };
  return decides
    ? { kind: 'before', native: { tool: '' }, call: { kind: 'own', tool: '', input: {} }, ...nobody }
    : { kind: 'stop', ...nobody };
};
