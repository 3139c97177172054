// The kernel put together: state folded from the ledger, the spine, principals, authority. One per daemon.

import { policies } from '../policy/index.ts';
import { type LedgerRecord, type Mode, streams } from '../protocol/index.ts';
import { Answers } from './answers.ts';
import { Authority } from './authority.ts';
import type { ProcessLink } from './caller.ts';
import type { KernelPorts } from './ports.ts';
import { Principals, type SessionIdentity } from './principals.ts';
import { type Recorded, recordEnded, recordNote } from './settle.ts';
import { Spine } from './spine.ts';
import { type ActionEntry, State } from './state.ts';

export interface KernelOptions {
  readonly policyRevision: string;
  readonly version: string;
  readonly pid: number;
}

export class Kernel {
  readonly state: State;
  readonly spine: Spine;
  readonly authority: Authority;
  readonly principals: Principals;
  private readonly ports: KernelPorts;

  private constructor(ports: KernelPorts, state: State, options: KernelOptions) {
    const answers = new Answers();
    this.ports = ports;
    this.state = state;
    this.spine = new Spine(ports, state, policies, options.policyRevision, answers);
    this.authority = new Authority(ports.log, state, answers, ports.now);
    this.principals = new Principals(state);
  }

  /** Folds what happened before, then says on the record what the last daemon could not. */
  static async start(ports: KernelPorts, past: AsyncIterable<LedgerRecord>, options: KernelOptions): Promise<Kernel> {
    const state = new State();
    for await (const record of past) state.apply(record);
    ports.log.subscribe((records) => {
      for (const record of records) state.apply(record);
    });
    const kernel = new Kernel(ports, state, options);
    const { policyRevision, version, pid } = options;
    await recordNote(
      ports.log,
      [{ stream: streams.daemon, event: { type: 'daemon_started', data: { pid, version, policy_revision: policyRevision } } }],
      null,
    );
    await kernel.end('action_unknown', ({ state }) => state === 'admitted', 'the daemon ended before it saw the outcome');
    await kernel.end('action_lapsed', ({ state }) => state === 'waiting', 'the daemon ended while a human was asked');
    return kernel;
  }

  /** Makes sure that the session is known; cheap when it is. */
  async openSession(
    identity: SessionIdentity,
    declared: Mode | null,
    process: (ProcessLink & { via: 'hook' | 'mcp' }) | null,
  ): Promise<{ session: string; recorded: Recorded }> {
    const { session, drafts } = this.principals.open(identity, declared, process);
    return { session, recorded: await recordNote(this.ports.log, drafts, { session }) };
  }

  /** A new prompt: whatever the agent left open in the last turn, nobody will hear of any more. */
  async beginTurn(session: string, turn: string): Promise<Recorded> {
    if (this.state.sessions.get(session)?.turn !== turn) {
      await this.endOpen(session, 'a new turn began before the outcome was reported');
      return recordNote(
        this.ports.log,
        [{ stream: streams.session(session), event: { type: 'turn_begun', data: { session, turn } } }],
        null,
      );
    }
    return recordNote(this.ports.log, [], null);
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
      [{ stream: streams.daemon, event: { type: 'defect_caught', data: { door, message: message.toWellFormed().slice(0, 2_000) } } }],
      null,
    );
  }

  private endOpen(session: string, reason: string): Promise<void> {
    return this.end('action_unknown', (entry) => entry.state === 'admitted' && entry.action.session === session, reason);
  }

  private async end(type: 'action_unknown' | 'action_lapsed', which: (entry: ActionEntry) => boolean, reason: string): Promise<void> {
    const actions = [...this.state.actions.values()].filter(which).map(({ action }) => action);
    await recordEnded(this.ports.log, type, actions, reason);
  }
}
