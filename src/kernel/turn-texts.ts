// Texts about a session's state for its agent: short, and only what it needs next.

import { type Intent, sessionTraits } from '../protocol/index.ts';
import { openQuestions } from './enforcement-bypass.ts';
import type { State } from './state.ts';

export interface TextContext {
  readonly state: State;
  readonly now: () => Date;
}

/** The beginning of every text that the gate shows an agent. */
export const OWN_TEXT = /^Countersign(?:: | gates changes in this workspace)/;

/** Sent once, at the start of a session: the minimum for an agent to succeed at the first try. */
export function startText(context: TextContext, session: string): string {
  const paused = pauseOf(context, session);
  if (paused !== null) return paused;
  if (isObserved(context, session)) return 'Countersign: what is done in this workspace is recorded; nothing is stopped.';
  return [
    'Countersign gates changes in this workspace: reading is free; a change serves an active intent. Where only one is active it is cited for you, else call the tool begin_work once.',
    'Every change is recorded with a receipt; a turn that changed something ends with one call of elefanteAssertCompliance. A refusal names the call that leads on. Plans, approvals and intents are for humans to confirm, not for you.',
    (isCitedWithPrompt(context, session) ? null : overview(context, session)) ?? '',
  ]
    .join('\n')
    .trim();
}

/** An agent that is only observed works as usual: nothing is asked of it. */
const isObserved = ({ state }: TextContext, session: string): boolean => state.observing.has(state.sessions.get(session)?.workspace ?? '');

/** Repeated with every prompt while it lasts, so that it is not mistaken for the normal state. */
function pauseOf({ state, now }: TextContext, session: string): string | null {
  const workspace = state.sessions.get(session)?.workspace ?? '';
  const pause = state.gaps.pauseAt(workspace, now());
  if (!pause) return null;
  const own = openQuestions(state, workspace, now()).filter((id) => state.approvals.get(id)?.approval.session === session);
  const held = own.length === 0 ? '' : ` What you asked before still waits for a human: ${own.join(', ')}.`;
  return `Countersign: a human has paused the gate until ${pause.until}: ${pause.reason}. No new call is stopped; everything is recorded as paused.${held}`;
}

/** There is no choice, so the agent need do nothing: the next prompt cites it, or says what is missing. */
function isCitedWithPrompt({ state }: TextContext, session: string): boolean {
  const entry = state.sessions.get(session);
  return entry?.mode === 'GUARDED' && entry.intent === null && state.activeIntents(entry.workspace).length === 1;
}

/** What a session may do for the intent that was cited for it, in as many characters as a prompt can spare. */
const CITED_CHARACTERS = 1_500;

export function citedForYou({ id, name, owned_scope, constraints, acceptance_criteria }: Intent): string {
  const head = `Countersign: ${id} (${oneLine(name)}) is the only active intent and is cited for you; nothing is to be called first.`;
  const more = [
    ['May change', owned_scope],
    ['Constraints', constraints],
    ['Acceptance criteria', acceptance_criteria],
  ] as const;
  const text = [head, ...more.flatMap(([title, items]) => (items.length === 0 ? [] : [`${title}: ${items.map(oneLine).join('; ')}`]))];
  const whole = text.join('\n');
  return whole.length <= CITED_CHARACTERS
    ? whole
    : `${whole.slice(0, CITED_CHARACTERS).toWellFormed()}…\nThe whole of it: call begin_work, or read countersign://intents.`;
}

/** So that a name or a constraint cannot look like a line of the gate. */
const oneLine = (text: string): string => text.replace(/[\s\p{C}]+/gu, ' ').trim();

/** The session's state and next step; null when it can work already. */
export function overview(context: TextContext, session: string): string | null {
  const entry = context.state.sessions.get(session);
  const paused = pauseOf(context, session);
  if (paused !== null) return paused;
  if (!entry || isObserved(context, session)) return null;
  if (entry.intent !== null && context.state.intent(entry.workspace, entry.intent)?.intent.status === 'active') {
    const isFresh = entry.recall?.turn === entry.turn && !(entry.recall.how === 'injected' && entry.mode === 'STRICT');
    return isFresh ? null : `Countersign: ${entry.intent} is cited. Call begin_work once before your first change for this prompt.`;
  }
  const active = context.state
    .activeIntents(entry.workspace)
    .map(({ intent }) => `${intent.id} (${intent.name}: ${intent.owned_scope.join(', ')})`);
  const isChosen = active.length > 1 && entry.mode === 'GUARDED' && sessionTraits(entry).reportsPrompts;
  const next = isChosen
    ? 'The only one that covers a change is cited for you; call begin_work where several or none do, and for their constraints.'
    : 'Call begin_work before your first change.';
  return active.length > 0
    ? `Countersign: no intent cited yet. Active: ${active.join('; ')}. ${next}`
    : 'Countersign: no intent is active. Reading is free; to change something, a human first runs: countersign intent "what should change" PATH';
}

/** What a session that changed something owes at the end of its turn; null: nothing. */
export function missingStamp(context: TextContext, session: string): string | null {
  const { state } = context;
  const entry = state.sessions.get(session);
  if (pauseOf(context, session) !== null) return null;
  if (!entry || entry.turnLog.mutations === 0 || entry.turnLog.stamp !== null) return null;
  if (entry.mode === null || entry.mode === 'PASSIVE' || state.observing.has(entry.workspace)) return null;
  const call = entry.recall?.stampable
    ? 'Call elefanteAssertCompliance once'
    : 'Call memory_query, then elefanteAssertCompliance once (a stamp needs a recall of its own),';
  return `Countersign: this turn changed something and carries no compliance stamp ${entry.recall?.stampable ? 'yet' : 'for it'}. ${call} and end your answer with what it returns.`;
}
