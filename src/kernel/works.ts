// Pieces of work, folded from the ledger: who opened them, which plan was accepted, which of its nodes are done, what turns have cost.
//
// INVARIANT: an agent's word moves nothing here. A node is done because a change of its file settled or its checks passed after the last change; a plan is
// approved because a human answered; the budget grows because a human granted it.

import {
  type AcceptedPlan,
  type Action,
  type BudgetStatus,
  BUDGET,
  type KnowledgeStrategy,
  type LedgerRecord,
  mutates,
  nodeTask,
  type OpenedWork,
  type PlanFact,
  type Receipt,
  type Reservation,
  type WorkEvent,
  type WorkState,
} from '../protocol/index.ts';
import { forgetOldest } from './forget-oldest.ts';
import type { ActionEntry, ApprovalEntry } from './state-entries.ts';

export interface PlanEntry extends AcceptedPlan {
  /** A human has to say yes to all of it. */
  readonly confirm: boolean;
  /** Nodes that a human has to say yes to. */
  readonly review: readonly string[];
  /** When a change of the node was last admitted, and last settled. */
  readonly started: Map<string, string>;
  readonly changed: Map<string, string>;
}

export interface WorkEntry extends OpenedWork {
  prompt: string | null;
  /** Apart from the budget, which is the workspace's. */
  state: Exclude<WorkState, 'BLOCKED_BUDGET'>;
  ended: string | null;
  plan: PlanEntry | null;
  versions: number;
  rejections: (readonly string[])[];
  history: readonly WorkEvent[];
  strategy: KnowledgeStrategy | null;
  issued: readonly string[];
  turns: number;
  /** When each check, by name or command, last passed. */
  readonly passed: Map<string, string>;
  /** How often each call, by tool and input, was made with nothing changed in between, and when it was last made. */
  readonly calls: Map<string, { readonly times: number; readonly at: string }>;
  /** The action whose part failed: when it then fails too, that is the same failure. */
  failedIn: string | null;
}

interface Known {
  readonly actions: ReadonlyMap<string, ActionEntry>;
  readonly approvals: ReadonlyMap<string, ApprovalEntry>;
}

type Answer = 'approved' | 'rejected';

const KEEP_ENDED = 100;
const KEEP_ANSWERS = 1_000;
const REJECTIONS = 20;
const ISSUED = 100;
/** More than it takes to try every strategy. */
const HISTORY = 200;
const CALLS = 200;
/** How long a node keeps others from what it has reserved after its last change. */
const RESERVED_MS = 30 * 60_000;
const OVER: ReadonlySet<WorkState> = new Set<WorkState>(['COMPLETED', 'FAILED']);

export class Works {
  /** By workspace and work id. */
  readonly entries = new Map<string, WorkEntry>();
  /** The newest work of each session. */
  readonly ofSession = new Map<string, string>();
  /** In tokens, by workspace. */
  readonly used = new Map<string, number>();
  readonly granted = new Map<string, number>();
  /** What humans said to plans and nodes. */
  readonly answers = new Map<string, Answer>();
  /** When files of a work tree last changed. */
  readonly lastEdits = new Map<string, string>();

  /** `known`: what is known before this record. */
  apply({ event, at }: LedgerRecord, known: Known): void {
    switch (event.type) {
      case 'work_opened': {
        const { workspace, root, session, work_id: workId, run_session_id: runSessionId, agent_id: agentId, metered, prompt } = event.data;
        const key = keyOf(workspace, workId);
        this.entries.set(key, {
          ...{ workId, runSessionId, agentId, session, workspace, root, metered, prompt, openedAt: at },
          ...{
            state: 'PLAN_REQUIRED',
            ended: null,
            plan: null,
            versions: 0,
            rejections: [],
            history: [],
            strategy: null,
            issued: [],
            turns: 0,
            passed: new Map(),
            calls: new Map(),
            failedIn: null,
          },
        });
        this.ofSession.set(session, key);
        forgetOldest(this.entries, KEEP_ENDED, ({ state }) => OVER.has(state));
        forgetOldest(this.ofSession, KEEP_ENDED, (of) => !this.entries.has(of));
        return;
      }
      case 'work_prompted':
        this.touch(event.data.session, (work) => (work.prompt ??= event.data.prompt));
        return;
      case 'work_charged':
        this.used.set(event.data.workspace, (this.used.get(event.data.workspace) ?? 0) + event.data.tokens);
        this.touch(event.data.session, (work) => (work.turns += 1));
        return;
      case 'budget_granted':
        this.granted.set(event.data.workspace, (this.granted.get(event.data.workspace) ?? 0) + event.data.tokens);
        return;
      case 'plan_accepted': {
        const { version, plan, confirm, review, reservations, strategy } = event.data;
        this.touch(event.data.session, (work) => {
          if (work.state === 'PLAN_REQUIRED') work.state = 'PLAN_ACCEPTED';
          work.plan = { version, graph: plan, confirm, review, reservations, acceptedAt: at, started: new Map(), changed: new Map() };
          work.versions = version;
          work.rejections = [];
          note(work, { kind: 'accepted' });
          work.strategy = strategy;
          work.issued = [...work.issued, plan.contextPackRef, plan.contextPackHash, plan.planFingerprint].slice(-ISSUED);
        });
        return;
      }
      case 'plan_rejected':
        this.touch(event.data.session, (work) => {
          work.rejections = [...work.rejections, event.data.codes].slice(-REJECTIONS);
          note(work, { kind: 'rejected', codes: event.data.codes });
          work.strategy = event.data.strategy ?? work.strategy;
          work.issued = [...work.issued, ...event.data.issued].slice(-ISSUED);
        });
        return;
      case 'checks_ran':
        this.touch(event.data.session, (work) => {
          for (const check of event.data.failed) work.passed.delete(check);
          for (const check of event.data.passed) work.passed.set(check, at);
        });
        return;
      case 'work_failed':
        this.end(event.data.session, 'FAILED', event.data.reason);
        return;
      case 'work_ended':
        this.end(event.data.session, 'COMPLETED', event.data.abandoned ? 'abandoned' : 'completed');
        return;
      case 'breaker_tripped': {
        const work = this.current(event.data.session);
        if (work?.metered) this.end(work.session, 'FAILED', `${event.data.code} ${event.data.times} times`);
        return;
      }
      case 'action_observed':
      case 'action_refused':
        this.called(event.data.action, known, at);
        return;
      case 'action_admitted': {
        const { action, decision } = event.data;
        this.called(action, known, at);
        const node = decision.facts.plan?.node;
        if (!decision.facts.plan || !mutates(action.effects)) return;
        this.touch(this.workerOf(action.workspace, decision.facts.plan.work), (work) => {
          if (work.state === 'PLAN_ACCEPTED') work.state = 'EXECUTION_ENABLED';
          if (node) work.plan?.started.set(node, at);
        });
        return;
      }
      case 'action_settled': {
        const entry = known.actions.get(event.data.action);
        if (entry) this.settled(entry, event.data.receipt, at);
        return;
      }
      case 'untracked_mutation':
        this.lastEdits.set(event.data.root, at);
        return;
      case 'approval_answered': {
        const asked = known.approvals.get(event.data.approval)?.action;
        const about = asked?.resources.find((resource) => resource.kind === 'human')?.plan;
        if (asked && about)
          this.answers.set(answerKey(asked.workspace, about.work, about.opened, about.version, about.node), event.data.answer);
        forgetOldest(this.answers, KEEP_ANSWERS, () => true);
        return;
      }
      default:
    }
  }

  /** The newest work of the first of these sessions that has any: a session, then its parents. */
  of(sessions: Iterable<string>): WorkEntry | null {
    for (const session of sessions) {
      const found = this.current(session);
      if (found) return found;
    }
    return null;
  }

  named(workspace: string, workId: string): WorkEntry | null {
    return this.entries.get(keyOf(workspace, workId)) ?? null;
  }

  /** Shown in the task file by the gate, which alone checks it. */
  isNodeTask(root: string, title: string): boolean {
    const isIn = ({ graph }: PlanEntry) => graph.nodes.some((node) => nodeTask(node) === title);
    return [...this.entries.values()].some(({ root: at, plan }) => at === root && plan !== null && isIn(plan));
  }

  stateOf(work: WorkEntry, { blocked }: Pick<BudgetStatus, 'blocked'>): WorkState {
    return work.metered && !OVER.has(work.state) && blocked ? 'BLOCKED_BUDGET' : work.state;
  }

  /** `base`: what the settings say. `granted`: more than was recorded so far. */
  budgetOf(workspace: string, base: number, granted = 0): BudgetStatus {
    const maxTokens = base + (this.granted.get(workspace) ?? 0) + granted;
    const usedTokens = this.used.get(workspace) ?? 0;
    const thresholdTokens = Math.floor(maxTokens * BUDGET.threshold);
    return { maxTokens, usedTokens, thresholdTokens, blocked: usedTokens > thresholdTokens };
  }

  answerTo({ workspace, workId, openedAt }: WorkEntry, version: number, node: string | null): Answer | null {
    return this.answers.get(answerKey(workspace, workId, openedAt, version, node)) ?? null;
  }

  /** Nodes of other open work of this tree that hold a reservation now. */
  *heldBeside(
    work: WorkEntry,
    now: Date,
  ): Generator<{ readonly work: WorkEntry; readonly held: readonly Reservation[]; readonly reservation: Reservation }> {
    for (const other of this.entries.values()) {
      if (other === work || other.root !== work.root || OVER.has(other.state) || !other.plan) continue;
      for (const reservation of other.plan.reservations) {
        const at = other.plan.started.get(reservation.nodeId);
        if (at === undefined || now.getTime() - Date.parse(at) > RESERVED_MS || this.isValidated(other, reservation.nodeId)) continue;
        yield { work: other, held: other.plan.reservations, reservation };
      }
    }
  }

  /** The checks of a validate node passed after the last change of the tree. */
  havePassed(work: WorkEntry, hooks: readonly string[]): boolean {
    const lastEdit = this.lastEdits.get(work.root) ?? '';
    return hooks.length > 0 && hooks.every((hook) => (work.passed.get(hook) ?? '') > lastEdit);
  }

  private isValidated(work: WorkEntry, node: string): boolean {
    const checks = work.plan!.graph.nodes.filter((each) => each.kind === 'validate' && each.mapsToNodeIds.includes(node));
    return checks.length > 0 && checks.every((each) => each.kind === 'validate' && this.havePassed(work, each.verificationHooks));
  }

  /** The same call with nothing changed since learns nothing new. One that touches nothing only asks how things are. */
  private called({ session, root, tool, parent, input_sha256: call, resources }: Action, { actions }: Known, at: string): void {
    const isPart = parent !== undefined && (actions.get(parent)?.action.resources.length ?? 0) > 0;
    if (resources.length === 0 || isPart) return;
    this.touch(session, (work) => {
      if (OVER.has(work.state)) return;
      const last = work.calls.get(call);
      const times = last && last.at > (this.lastEdits.get(root) ?? '') ? last.times + 1 : 1;
      if (times > 1) note(work, { kind: 'repeated', tool, call, times });
      work.calls.delete(call);
      work.calls.set(call, { times, at });
      forgetOldest(work.calls, CALLS, () => true);
    });
  }

  private failed(work: WorkEntry, { id, parent, tool, resources }: Action, plan: PlanFact): void {
    const command = resources.find((resource) => resource.kind === 'command')?.command;
    const isWhole = work.failedIn === id;
    work.failedIn = parent ?? null;
    // A command that is not of the plan may fail without saying anything of it: a search that finds nothing.
    if (isWhole || (command !== undefined && !plan.hook && plan.node === null)) return;
    note(work, { kind: 'failed', what: command ?? tool });
  }

  private settled({ action, decision }: ActionEntry, receipt: Receipt, at: string): void {
    if (receipt.file_refs.length > 0) this.lastEdits.set(action.root, at);
    const { plan } = decision.facts;
    if (!plan) return;
    this.touch(this.workerOf(action.workspace, plan.work), (work) => {
      if (plan.node !== null && receipt.status === 'done' && receipt.file_refs.length > 0 && work.plan?.version === plan.version)
        work.plan.changed.set(plan.node, at);
      for (const resource of action.resources) {
        if (resource.kind !== 'command') continue;
        if (receipt.status === 'done') work.passed.set(resource.command, at);
        else work.passed.delete(resource.command);
      }
      if (receipt.status === 'failed' && mutates(action.effects)) this.failed(work, action, plan);
    });
  }

  private workerOf(workspace: string, workId: string): string {
    return this.named(workspace, workId)?.session ?? '';
  }

  private current(session: string): WorkEntry | undefined {
    return this.entries.get(this.ofSession.get(session) ?? '');
  }

  private touch(session: string, change: (work: WorkEntry) => void): void {
    const work = this.current(session);
    if (work) change(work);
  }

  private end(session: string, state: 'FAILED' | 'COMPLETED', why: string): void {
    this.touch(session, (work) => {
      if (OVER.has(work.state)) return;
      work.state = state;
      work.ended = why;
    });
  }
}

/** The oldest are kept: what a strategy was switched by must not be forgotten, or the switch would be undone. */
function note(work: WorkEntry, event: WorkEvent): void {
  if (work.history.length < HISTORY) work.history = [...work.history, event];
}

const keyOf = (workspace: string, workId: string): string => `${workspace} ${workId}`;
/** When it was opened belongs to it: a later work of the same name is another one. */
const answerKey = (workspace: string, work: string, opened: string, version: number, node: string | null): string =>
  JSON.stringify([workspace, work, opened, version, node]);
