// The kernel put together: state folded from the ledger, the spine, principals, authority. One per daemon.

import { checkExamples, policies as ourPolicies, type Policy } from '../policy/index.ts';
import { type EventOf, type LedgerRecord, streams } from '../protocol/index.ts';
import { Answers } from './answers.ts';
import { ApprovalAuthority } from './approval-authority.ts';
import { ApproverAuthority } from './approver-authority.ts';
import { Authority } from './authority.ts';
import { ConversationRecords } from './conversation-records.ts';
import { DocumentAuthority } from './document-authority.ts';
import { Views } from './views.ts';
import { GapAuthority } from './gap-authority.ts';
import { IntentNumbers } from './intent-numbers.ts';
import { NativeAsks } from './native-asks.ts';
import type { KernelPorts } from './ports.ts';
import { HiddenNames } from './redaction/hidden-names.ts';
import { redactingLog } from './redaction/redacting-log.ts';
import type { Redactor } from './redaction/redactor.ts';
import { Principals } from './principals.ts';
import { recordNote } from './settle.ts';
import { SettingsAuthority } from './settings-authority.ts';
import { SessionLocks } from './session-locks.ts';
import { Spine } from './spine.ts';
import { State } from './state.ts';
import { Turns } from './turns.ts';

export interface KernelOptions {
  readonly policyRevision: string;
  readonly version: string;
  readonly pid: number;
  /** Replace the built-in ones. */
  readonly policies?: readonly Policy[];
}

const UNTRACKED_PER_APPEND = 500;
/** Policies about how an agent works, not about what is changed. */
const OWED_BY_AGENTS: ReadonlySet<string> = new Set(['recall', 'tasks']);

export class Kernel {
  readonly state: State;
  readonly spine: Spine;
  /** For actions of the gate itself after an agent's change: mode, intent, scope and lock apply as they did to that change. */
  readonly ownWork: Spine;
  readonly authority: Authority;
  readonly approvals: ApprovalAuthority;
  readonly approvers: ApproverAuthority;
  readonly gaps: GapAuthority;
  readonly documents: DocumentAuthority;
  readonly settings: SettingsAuthority;
  readonly conversations: ConversationRecords;
  readonly principals: Principals;
  readonly nativeAsks: NativeAsks;
  readonly turns: Turns;
  readonly views: Views;
  readonly now: () => Date;
  readonly redactor: Redactor;
  private readonly ports: KernelPorts;

  private constructor(ports: KernelPorts, state: State, options: KernelOptions, policies: readonly Policy[]) {
    const locks = new SessionLocks();
    const nativeAsks = new NativeAsks(ports.log, state, locks);
    const shared = {
      answers: new Answers(),
      locks,
      nativeAsks,
      intentNumbers: new IntentNumbers(state),
      hiddenNames: new HiddenNames(ports.redactor),
    };
    ports.log.subscribe((records) => shared.answers.onRecords(records));
    this.nativeAsks = nativeAsks;
    this.ports = ports;
    this.now = ports.now;
    this.redactor = ports.redactor;
    this.state = state;
    this.spine = new Spine(ports, state, policies, options.policyRevision, shared);
    const forOwnWork = policies.filter(({ name }) => !OWED_BY_AGENTS.has(name));
    this.ownWork = new Spine(ports, state, forOwnWork, options.policyRevision, shared);
    this.authority = new Authority(ports.log, state, shared);
    const refuse: Authority['refuse'] = (...attempt) => this.authority.refuse(...attempt);
    this.approvals = new ApprovalAuthority(ports.log, state, locks, ports.now, refuse);
    this.approvers = new ApproverAuthority(ports.log, state, refuse);
    this.gaps = new GapAuthority(ports.log, state, ports.now, refuse);
    this.documents = new DocumentAuthority(ports.log, state, shared, refuse);
    this.settings = new SettingsAuthority(ports.log, state, refuse);
    this.conversations = new ConversationRecords(ports.log, state, refuse);
    this.principals = new Principals(state);
    this.views = new Views(state, nativeAsks, ports.now);
    this.turns = new Turns({
      views: this.views,
      ports,
      state,
      locks,
      nativeAsks,
      refuse,
      spine: this.spine,
      principals: this.principals,
      recordDefect: (where, error) => this.recordDefect(where, error),
    });
  }

  /** Records what the last daemon could not. A given state has folded the past and already follows the log. */
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
    await kernel.approvals.withdrawOutdated(policyRevision);
    for (const message of broken) await kernel.recordDefect('policy', message);
    // An open action may belong to another kernel that is running it. That of a dead kernel stays open until its session's next turn begins or
    // ends, at any kernel; its lease is over before that.
    if (ports.log.isShared) return kernel;
    await kernel.turns.endActions('action_unknown', ({ state }) => state === 'admitted', 'the daemon ended before it saw the outcome');
    await kernel.turns.endActions('action_lapsed', ({ state }) => state === 'waiting', 'the daemon ended while a human was asked');
    return kernel;
  }

  async recordDefect(door: string, error: unknown): Promise<void> {
    const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    await recordNote(
      this.ports.log,
      [{ stream: streams.daemon, event: { type: 'defect_caught', data: { door, message: message.slice(0, 2_000).toWellFormed() } } }],
      null,
    );
  }

  /** Processes of agents that have ended, at `goneBy` or before. */
  async recordEndedProcesses(processes: EventOf<'agent_processes_ended'>['data']['processes'], goneBy: Date): Promise<void> {
    const data = { processes, gone_by: goneBy.toISOString() };
    await recordNote(this.ports.log, [{ stream: streams.daemon, event: { type: 'agent_processes_ended', data } }], null);
  }

  async recordExpired(data: EventOf<'contents_expired'>['data']): Promise<void> {
    await recordNote(this.ports.log, [{ stream: streams.daemon, event: { type: 'contents_expired', data } }], null);
  }

  /** Changes of a tree that no receipt explains. Long lists are written in parts, so that other appends need not wait for all of it. */
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
}

async function foldedState(past: AsyncIterable<LedgerRecord>, log: KernelPorts['log']): Promise<State> {
  const state = new State();
  for await (const record of past) state.apply(record);
  log.subscribe((records) => {
    for (const record of records) state.apply(record);
  });
  return state;
}
