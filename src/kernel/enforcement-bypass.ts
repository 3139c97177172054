// Where verdicts are only recorded: a human has paused the gate, or the workspace observes. Neither answers a question. A waiting call, and
// one that a human was asked about and has not agreed to, is judged as if the gate were enforcing.

import { type Action, type Decision, type Refusal, traitsOf } from '../protocol/index.ts';
import type { EnforcementBypass } from './settle.ts';
import type { ApprovalEntry } from './state-entries.ts';
import type { State } from './state.ts';

export interface Bypass {
  /** The gate's state now, for any call. */
  readonly gate: EnforcementBypass;
  /** The question that keeps this call from using the bypass; null: there is none. */
  readonly heldBy: string | null;
}

export function bypassOf(state: State, action: Action, now: Date): Bypass {
  const pause = state.gaps.pauseAt(action.workspace, now);
  const observedSince = state.observing.get(action.workspace);
  const [since] = [pause?.from, observedSince].filter((from) => from !== undefined).toSorted();
  if (since === undefined) return { gate: null, heldBy: null };
  return { gate: pause ? 'paused' : 'observing', heldBy: heldBy(state, action, since) };
}

/**
 * Where a workspace only observes, or a human has paused the gate, a verdict is recorded and stops nothing. Three things stay: what a human
 * was asked about waits for them, a question is still a question, and the gate's own tools never touch its own files.
 */
export function proceeds(action: Action, { outcome, facts }: Decision, { gate, heldBy }: Bypass): boolean {
  if (outcome === 'allow') return true;
  if (gate === null || heldBy !== null) return false;
  const reachesGate = traitsOf(action).executes === 'gate' && facts.files.some(({ governance }) => governance !== null);
  return !asksHuman(action) && !reachesGate;
}

export const asksHuman = (action: Action): boolean => action.resources.some(({ kind }) => kind === 'human');

function heldBy(state: State, action: Action, since: string): string | null {
  const known = state.actions.get(action.id);
  // A yes that an identical call has used does not count for this one.
  if (known?.state === 'waiting') return state.approvals.get(known.approval ?? '')?.state === 'approved' ? null : known.approval;
  const agent = topOf(state, action.session);
  let newest: ApprovalEntry | undefined;
  for (const entry of state.approvals.values()) {
    const { input_sha256, session } = entry.approval;
    if (input_sha256 === action.input_sha256 && topOf(state, session) === agent) newest = entry;
  }
  // Also one that has expired or was withdrawn since: neither is an answer. Changed rules or contents do not make it a different call.
  return newest && !isAgreed(newest) && newest.approval.expires_at > since ? newest.approval.id : null;
}

/** The session that a sub-agent works for, all the way up: one of them must not get by repetition what another asked for. */
function topOf(state: State, session: string): string {
  let top = session;
  for (let parent = state.sessions.get(top)?.parent; parent; parent = state.sessions.get(top)?.parent) top = parent;
  return top;
}

const isAgreed = ({ state, human }: ApprovalEntry): boolean =>
  state === 'approved' || state === 'spent' || ((state === 'expired' || state === 'withdrawn') && human !== null);

/** What waits for a human in a workspace, oldest first. */
export const openQuestions = (state: State, workspace: string, now: Date): string[] =>
  [...state.approvals.values()]
    .filter((entry) => entry.approval.workspace === workspace && entry.state === 'pending')
    .filter(({ approval }) => Date.parse(approval.expires_at) > now.getTime())
    .map(({ approval }) => approval.id);

const GATE_IS = { paused: 'The gate is paused', observing: 'This workspace only observes' } as const;

/** Adds why a call is stopped although nothing else is. */
export function explainHeld(refusal: Refusal, { gate, heldBy }: Bypass): Refusal {
  if (gate === null || heldBy === null) return refusal;
  const why = `${GATE_IS[gate]}, but not for this call: a human was asked about it and has not agreed (${heldBy}).`;
  return { ...refusal, message: `${refusal.message} ${why} They answer it with: countersign approvals` };
}
