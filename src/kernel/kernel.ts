// The kernel put together: state folded from the ledger, the spine, principals, authority. One per daemon.

import { checkExamples, policies as ourPolicies, type Policy } from '../policy/index.ts';
import { type EventOf, Fault, type Intent, type LedgerRecord, type Mode, streams } from '../protocol/index.ts';
import { Answers } from './answers.ts';
import { ApproverAuthority } from './approver-authority.ts';
import { Authority } from './authority.ts';
import { DocumentAuthority } from './document-authority.ts';
import { GapAuthority } from './gap-authority.ts';
import { IntentNumbers } from './intent-numbers.ts';
import { NativeAsks } from './native-asks.ts';
import { onlyIntentFor } from './only-intent.ts';
import type { KernelPorts } from './ports.ts';
import { HiddenNames } from './redaction/hidden-names.ts';
import { redactingLog } from './redaction/redacting-log.ts';
import type { Redactor } from './redaction/redactor.ts';
import type { Reporter } from './presence.ts';
import { Principals, type SessionIdentity } from './principals.ts';
import { type Recorded, recordEnded, recordNote, recordPresence } from './settle.ts';
import { SessionLocks } from './session-locks.ts';
import { Spine } from './spine.ts';
import type { ActionEntry } from './state-entries.ts';
import { State } from './state.ts';
import { isTurnOver, nextTurn } from './turn.ts';

export interface KernelOptions {
  readonly policyRevision: string;
  readonly version: string;
  readonly pid: number;
  /** Others than the house's own. */
  readonly policies?: readonly Policy[];
}

const UNTRACKED_PER_APPEND = 500;
/** Policies about how an agent works, not about what is changed. */
const OWED_BY_AGENTS: ReadonlySet<string> = new Set(['recall', 'tasks']);

export class Kernel {
  readonly state: State;
  readonly spine: Spine;
  /** The way of what the gate does by itself after an agent's change: held to mode, intent, scope and lock as that change was. */
  readonly ownWork: Spine;
  readonly authority: Authority;
  readonly approvers: ApproverAuthority;
  readonly gaps: GapAuthority;
  readonly documents: DocumentAuthority;
  readonly principals: Principals;
  readonly nativeAsks: NativeAsks;
  readonly now: () => Date;
  readonly redactor: Redactor;
  private readonly ports: KernelPorts;
  private readonly locks: SessionLocks;

  private constructor(ports: KernelPorts, state: State, options: KernelOptions, policies: readonly Policy[]) {
    const locks = new SessionLocks();
    const nativeAsks = new NativeAsks(ports.log, state, locks);
    const shared = {
      ...{ answers: new Answers(), locks, nativeAsks },
      ...{ intentNumbers: new IntentNumbers(state), hiddenNames: new HiddenNames(ports.redactor) },
    };
    this.nativeAsks = nativeAsks;
    this.ports = ports;
    this.now = ports.now;
    this.redactor = ports.redactor;
    this.state = state;
    this.locks = shared.locks;
    this.spine = new Spine(ports, state, policies, options.policyRevision, shared);
    const forOwnWork = policies.filter(({ name }) => !OWED_BY_AGENTS.has(name));
    this.ownWork = new Spine(ports, state, forOwnWork, options.policyRevision, shared);
    this.authority = new Authority(ports.log, state, shared, ports.now);
    const refuse: Authority['refuse'] = (...attempt) => this.authority.refuse(...attempt);
    this.approvers = new ApproverAuthority(ports.log, state, refuse);
    this.gaps = new GapAuthority(ports.log, state, ports.now, refuse);
    this.documents = new DocumentAuthority(ports.log, state, shared, refuse);
    this.principals = new Principals(state);
  }

  /** Says on the record what the last daemon could not. A state that is given has folded the past, and follows the log already. */
  static async start(given: KernelPorts, past: AsyncIterable<LedgerRecord> | State, options: KernelOptions): Promise<Kernel> {
    const ports = { ...given, log: redactingLog(given.log, given.redactor) };
    const state = past instanceof State ? past : await foldedState(past, ports.log);
    const { policies, broken } = checkExamples(options.policies ?? ourPolicies);
    const kernel = new Kernel(ports, state, options, policies);
    const { policyRevision, version, pid } = options;
    await recordNote(
      ports.log,
      [{ stream: streams.daemon, event: { type: 'daemon_started', data: { pid, version, policy_revision: policyRevision } } }],
      null,
    );
    await kernel.authority.withdrawOutdated(policyRevision);
    for (const message of broken) await kernel.recordDefect('policy', message);
    await kernel.end('action_unknown', ({ state }) => state === 'admitted', 'the daemon ended before it saw the outcome');
    await kernel.end('action_lapsed', ({ state }) => state === 'waiting', 'the daemon ended while a human was asked');
    return kernel;
  }

  /** Makes sure that the session is known; cheap when it is. */
  async openSession(
    identity: SessionIdentity,
    declared: Mode | null,
    reporter: Reporter | null,
  ): Promise<{ session: string; recorded: Recorded }> {
    const { session, drafts } = this.principals.open(identity, declared, reporter);
    await this.keepTurn(session);
    this.state.presence.hear(session, this.ports.now());
    if (drafts.length === 0) return { session, recorded: await recordPresence(this.ports.log, [], () => ({ session })) };
    // Looked at again under the lock: several calls may open it at once, and the agent may be speaking for itself right now.
    const recorded = await this.locks.hold(session, () =>
      recordPresence(this.ports.log, this.principals.open(identity, declared, reporter).drafts, () => ({ session })),
    );
    return { session, recorded };
  }

  /** For sessions whose prompts nobody reports: begins a new turn when the last one is over. */
  private async keepTurn(session: string): Promise<void> {
    const entry = this.state.sessions.get(session);
    if (!entry || !isTurnOver(entry, this.ports.now())) return;
    try {
      await this.beginTurn(session, nextTurn(entry));
    } catch (error) {
      // Looking goes on while the ledger cannot be written.
      if (!(error instanceof Fault && error.code === 'AUDIT_UNAVAILABLE')) throw error;
    }
  }

  /** A new prompt: whatever the agent left open in the last turn, nobody will hear of any more. */
  async beginTurn(session: string, turn: string): Promise<Recorded> {
    const isNew = () => this.state.sessions.get(session)?.turn !== turn;
    if (!isNew()) return recordNote(this.ports.log, [], null);
    await this.endOpen(session, 'a new turn began before the outcome was reported');
    // Looked at again under the lock: several calls may begin the same one.
    return this.locks.hold(session, () => {
      const stream = streams.session(session);
      return recordNote(this.ports.log, isNew() ? [{ stream, event: { type: 'turn_begun', data: { session, turn } } }] : [], null);
    });
  }

  /** Cites the only active intent for a session that has nothing to choose, and says on the record that the agent did not. Null: it cites nothing. */
  async citeOnlyIntent(session: string): Promise<Intent | null> {
    return this.locks.hold(session, async () => {
      const intent = await onlyIntentFor(this.ports, this.state, session);
      if (intent === null) return null;
      const data = { session, intent: intent.id, by: 'door' } as const;
      await recordNote(this.ports.log, [{ stream: streams.session(session), event: { type: 'intent_selected', data } }], null);
      return intent;
    });
  }

  /** The agent ended its turn. */
  async endTurn(session: string): Promise<Recorded> {
    await this.endOpen(session, 'the turn ended before the outcome was reported');
    return recordNote(this.ports.log, [], null);
  }

  async closeSession(session: string, reason: string): Promise<Recorded> {
    await this.endOpen(session, 'the session ended before the outcome was reported');
    return recordNote(
      this.ports.log,
      [{ stream: streams.session(session), event: { type: 'session_closed', data: { session, reason } } }],
      null,
    );
  }

  async recordDefect(door: string, error: unknown): Promise<void> {
    const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    await recordNote(
      this.ports.log,
      [{ stream: streams.daemon, event: { type: 'defect_caught', data: { door, message: message.slice(0, 2_000).toWellFormed() } } }],
      null,
    );
  }

  /** Processes of agents that are there no more. `goneBy`: they were not there then; they may have ended before. */
  async recordEndedProcesses(processes: EventOf<'agent_processes_ended'>['data']['processes'], goneBy: Date): Promise<void> {
    const data = { processes, gone_by: goneBy.toISOString() };
    await recordNote(this.ports.log, [{ stream: streams.daemon, event: { type: 'agent_processes_ended', data } }], null);
  }

  async recordExpired(data: EventOf<'contents_expired'>['data']): Promise<void> {
    await recordNote(this.ports.log, [{ stream: streams.daemon, event: { type: 'contents_expired', data } }], null);
  }

  /** Changes of a tree that no receipt explains. Long lists are written in parts, so that nobody waits for all of them. */
  async recordUntracked(found: readonly EventOf<'untracked_mutation'>['data'][]): Promise<void> {
    for (let at = 0; at < found.length; at += UNTRACKED_PER_APPEND) {
      const part = found.slice(at, at + UNTRACKED_PER_APPEND).map((data) => ({
        ...data,
        ...(this.state.gaps.touches(data.workspace, data.root, data.window) ? { paused: true as const } : {}),
      }));
      await recordNote(
        this.ports.log,
        part.map((data) => ({ stream: streams.tree(data.workspace), event: { type: 'untracked_mutation', data } })),
        null,
      );
    }
  }

  private async endOpen(session: string, reason: string): Promise<void> {
    await this.nativeAsks.end(session, reason);
    const open = [...this.state.actions.values()].filter(({ state }) => state === 'admitted').map(({ action }) => action.session);
    const here = open.filter((id) => id === session || this.state.sessions.get(id)?.parent === session);
    for (const id of new Set(here)) {
      // Locked: an outcome that is on its way counts.
      await this.locks.hold(id, () =>
        this.end('action_unknown', ({ state, action }) => state === 'admitted' && action.session === id, reason),
      );
    }
  }

  private async end(type: 'action_unknown' | 'action_lapsed', which: (entry: ActionEntry) => boolean, reason: string): Promise<void> {
    const actions = [...this.state.actions.values()].filter(which).map(({ action }) => action);
    await recordEnded(this.ports.log, type, actions, reason);
  }
}

async function foldedState(past: AsyncIterable<LedgerRecord>, log: KernelPorts['log']): Promise<State> {
  const state = new State();
  for await (const record of past) state.apply(record);
  log.subscribe((records) => {
    for (const record of records) state.apply(record);
  });
  return state;
}
