// What doors may read of the folded state: one named question each, and nothing else.

import type { NativeAsks } from './native-asks.ts';
import type { AgentProcess } from './presence.ts';
import type { SessionEntry } from './state-entries.ts';
import type { State } from './state.ts';

/** An agent's own id of a call. One that is derived from the input may belong to several: `oldest` takes the first that is open. */
export interface NativeCallRef {
  readonly session: string;
  readonly callId: string | undefined;
  readonly which: 'newest' | 'oldest';
}

export interface AdmittedCommand {
  /** Of its intent; null: none was cited. */
  readonly scope: readonly string[] | null;
  /** Why it is more than a look, as the reader of commands calls it. */
  readonly codes: readonly string[];
  /** False: a human has paused the gate, or the workspace only observes. */
  readonly enforced: boolean;
}

export class DoorViews {
  readonly #state: State;
  readonly #nativeAsks: NativeAsks;

  constructor(state: State, nativeAsks: NativeAsks) {
    this.#state = state;
    this.#nativeAsks = nativeAsks;
  }

  /** Null while the session is not on the record. */
  session(id: string): Pick<SessionEntry, 'id' | 'workspace' | 'root' | 'agent' | 'agentId'> | null {
    return this.#state.sessions.get(id) ?? null;
  }

  /** The process of this number that reported the session; null when none did. */
  reporter(session: string, pid: number): AgentProcess | null {
    return this.#state.presence.of(session).find((each) => each.pid === pid) ?? null;
  }

  /** Admitted, and its outcome is not known yet. */
  isUnderWay(action: string): boolean {
    return this.#state.actions.get(action)?.state === 'admitted';
  }

  /** What was decided about a command that an agent may run now; null: it may not. */
  admittedCommand(action: string): AdmittedCommand | null {
    const entry = this.#state.actions.get(action);
    if (entry?.state !== 'admitted' && !this.#nativeAsks.isOpen(action)) return null;
    const { facts } = entry!.decision;
    return {
      scope: facts.intent.selected?.owned_scope ?? null,
      codes: (facts.command?.reasons ?? []).map(({ code }) => code),
      enforced: !entry!.observing && !entry!.paused,
    };
  }

  isQuestionOpen(approval: string): boolean {
    return this.#state.approvals.get(approval)?.state === 'pending';
  }

  /** The action that carries this id and may have run by now. */
  openAction({ session, callId, which }: NativeCallRef): string | null {
    let found: string | null = null;
    for (const { action, state } of this.#state.actions.values()) {
      const mine = action.session === session && callId !== undefined && action.native?.call_id === callId;
      const mayHaveRun = state === 'admitted' || (state === 'unknown' && which === 'newest') || this.#nativeAsks.isOpen(action.id);
      if (!mine || !mayHaveRun) continue;
      if (which === 'oldest') return action.id;
      found = action.id;
    }
    return found;
  }

  /** A report that this call ran is a human's yes: the agent asked its own human, and it is still open. */
  isAskedNatively(call: NativeCallRef): boolean {
    const action = this.openAction(call);
    return action !== null && this.#nativeAsks.isOpen(action);
  }
}
