// What doors and handlers of commands may read of the folded state: one named question each, and nothing else.

import type { Action, EditedTask, Intent, Mode, ModeDial, ProcessLink, Task } from '../protocol/index.ts';
import type { WaitingEdit } from './document-edits.ts';
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

export interface EndingTurnView {
  readonly workspace: string;
  readonly turn: string;
  readonly seen: SessionEntry['seen'];
  readonly changed: boolean;
  /** Its intent allows changes. */
  readonly mayChange: boolean;
  readonly enforced: boolean;
}

export interface CommandRunView {
  readonly action: Action;
  /** Null: its end was not seen. */
  readonly endedAt: string | null;
}

/** A session in a list of them. */
export type SessionView = Pick<SessionEntry, 'id' | 'turn' | 'parent' | 'lastAt'>;

export class Views {
  readonly #state: State;
  readonly #nativeAsks: NativeAsks;
  readonly #now: () => Date;

  constructor(state: State, nativeAsks: NativeAsks, now: () => Date) {
    this.#state = state;
    this.#nativeAsks = nativeAsks;
    this.#now = now;
  }

  /** Null while the session is not on the record. */
  session(id: string): Pick<SessionEntry, 'id' | 'workspace' | 'root' | 'agent' | 'agentId'> | null {
    return this.#state.sessions.get(id) ?? null;
  }

  /** The process of this number that reported the session; null when none did. */
  reporter(session: string, pid: number): AgentProcess | null {
    return this.#state.presence.of(session).find((each) => each.pid === pid) ?? null;
  }

  /** The newest session of the agent whose process this is; null: it is not known as an agent's. */
  sessionOfProcess(link: ProcessLink): string | null {
    return [...(this.#state.presence.at(link)?.sessions ?? [])].at(-1) ?? null;
  }

  isProcessOf(link: ProcessLink, session: string): boolean {
    return this.#state.presence.at(link)?.sessions.has(session) ?? false;
  }

  /** A command that was let run, by its action; null: it is no such action. */
  commandRun(action: string): CommandRunView | null {
    const entry = this.#state.actions.get(action);
    if (!entry?.action.effects.includes('execute') || entry.fence === null) return null;
    return { action: entry.action, endedAt: entry.receipt?.timestamp ?? null };
  }

  commandRuns(): readonly CommandRunView[] {
    return [...this.#state.actions.keys()].flatMap((action) => this.commandRun(action) ?? []);
  }

  /** Files that a call whose outcome is not known may have been writing, by work tree. */
  unknownWrites(): readonly { readonly root: string; readonly path: string }[] {
    return [...this.#state.actions.values()].flatMap(({ action: { root }, decision, state }) =>
      state === 'unknown'
        ? decision.facts.files.flatMap(({ real, access }) => (real === null || access === 'read' ? [] : [{ root, path: real }]))
        : [],
    );
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

  /** A sub-agent's work counts as its parent's. */
  withSubAgents(id: string): ReadonlySet<string> {
    const all = new Set([id]);
    // Parents come before their children.
    for (const session of this.#state.sessions.values()) if (session.parent !== null && all.has(session.parent)) all.add(session.id);
    return all;
  }

  /** The session whose shell this one's commands run in: a sub-agent has its parent's. */
  shellOf(id: string): string {
    const parent = this.#state.sessions.get(id)?.parent ?? null;
    return parent === null ? id : this.shellOf(parent);
  }

  /** Whether a command of this session was given walls and did not ask for them, since its agent was started. */
  bypassesWalls(session: string): boolean {
    return typeof this.#state.sessions.get(this.shellOf(session))?.bypassedBy === 'string';
  }

  sessionsIn(root: string): readonly SessionView[] {
    return [...this.#state.sessions.values()].filter((session) => session.root === root);
  }

  agentsIn(root: string): ReadonlySet<string> {
    return new Set([...this.#state.sessions.values()].flatMap((session) => (session.root === root ? [session.agent] : [])));
  }

  /** An open session of this tree whose command was given walls and ran without them; null: there is none. */
  bypassingWalls(root: string): { readonly session: string; readonly action: string } | null {
    for (const { id, root: place, open, bypassedBy } of this.#state.sessions.values())
      if (place === root && open && typeof bypassedBy === 'string') return { session: id, action: bypassedBy };
    return null;
  }

  /** Where agents were, oldest first. */
  places(): readonly Pick<SessionEntry, 'workspace' | 'root' | 'level'>[] {
    return [...this.#state.sessions.values()];
  }

  /** The action that may be changing this file of a work tree right now; null: none. */
  actionChanging(root: string, path: string): string | null {
    for (const { action, decision, state } of this.#state.actions.values()) {
      const changes = () => decision.facts.files.some(({ real, access }) => real === path && access !== 'read');
      if (state === 'admitted' && action.root === root && changes()) return action.id;
    }
    return null;
  }

  /** What the checks at the end of a turn need to know about it; null: there is no such session. */
  endingTurn(session: string): EndingTurnView | null {
    const entry = this.#state.sessions.get(session);
    if (!entry) return null;
    const { workspace, turn, turnLog, mode, seen } = entry;
    const intent = entry.intent ? this.#state.intent(workspace, entry.intent)?.intent : null;
    return {
      workspace,
      turn,
      seen,
      changed: turnLog.mutations > 0,
      mayChange: mode === 'GUARDED' && intent?.status === 'active',
      enforced: this.isEnforced(workspace),
    };
  }

  isObserving(workspace: string): boolean {
    return this.#state.observing.has(workspace);
  }

  /** False: a human has paused the gate, or the workspace only observes. */
  isEnforced(workspace: string): boolean {
    return !this.isObserving(workspace) && this.#state.gaps.pauseAt(workspace, this.#now()) === null;
  }

  /** Nothing is stopped where the session works, and its agent hears nothing of the gate. */
  isObserved(session: string): boolean {
    return this.#state.isObserved(session);
  }

  /** For a whole workspace. `dial`: what the settings say. */
  minimumMode(workspace: string, root: string, dial: ModeDial): Mode | null {
    const { documents, modeLimits } = this.#state;
    const read = { pinnedMode: dial.pin, minimumMode: dial.minimum };
    return modeLimits.applyTo(read, workspace, null, documents.dialOf(root)).minimumMode;
  }

  /** The globs of all active intents. */
  grantedScope(workspace: string): readonly string[] {
    return this.#state.activeIntents(workspace).flatMap(({ intent }) => intent.owned_scope);
  }

  isCommandRule(workspace: string, pattern: string): boolean {
    return this.#state.commandRules.isKnown(workspace, pattern);
  }

  intent(workspace: string, id: string): Intent | null {
    return this.#state.intent(workspace, id)?.intent ?? null;
  }

  /** What the intents file says about an intent since, which waits for a human; undefined: nothing does. */
  waitingEdit(workspace: string, intent: string): WaitingEdit['intent'] | undefined {
    return this.#state.documents.waitingFor(workspace, intent)?.intent;
  }

  /** Tasks that are open on the record, and that the file says are done or does not have. `intent` undefined: of all. */
  taskEdits(root: string, intent: string | undefined, written: readonly Task[]): EditedTask[] {
    return this.#state.taskBooks.edits(root, intent, written);
  }

  intentNames(workspace: string): readonly string[] {
    return [...(this.#state.intents.get(workspace)?.values() ?? [])].map(({ intent }) => intent.name);
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
