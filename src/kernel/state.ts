// The daemon's memory: what the ledger's events come to when they are folded in order. Facts are taken from here, never
// from an index that may lag. Rebuilt from the ledger at every start.

import type {
  Action,
  ActionState,
  Approval,
  ApprovalState,
  Decision,
  Human,
  Intent,
  LedgerRecord,
  Mode,
  Receipt,
} from '../protocol/index.ts';

export interface SessionEntry {
  readonly id: string;
  readonly workspace: string;
  readonly root: string;
  readonly agent: string;
  readonly agentId: string | null;
  readonly level: 'hooked' | 'advisory';
  readonly parent: string | null;
  readonly openedAt: string;
  mode: Mode | null;
  modeBy: 'agent' | 'door' | null;
  intent: string | null;
  turn: string;
  open: boolean;
  lastAt: string;
}

export interface ActionEntry {
  readonly action: Action;
  readonly decision: Decision;
  state: ActionState;
  approval: string | null;
  receipt: Receipt | null;
  /** Why it lapsed or is unknown. */
  note: string | null;
}

export interface ApprovalEntry {
  readonly approval: Approval;
  /** What is asked, as it was when it was first asked. */
  readonly action: Action;
  readonly decision: Decision;
  state: ApprovalState;
  reason: string | null;
  human: Human | null;
}

export interface IntentEntry {
  readonly workspace: string;
  readonly intent: Intent;
  /** Null while it is only proposed. */
  readonly human: Human | null;
  readonly at: string;
}

export interface AgentProcess {
  readonly pid: number;
  /** The kernel's start time of the process: a pid alone is reused. */
  readonly started: string;
  readonly session: string;
}

/** Ended actions and answered approvals kept in memory for the page; older ones are in the ledger. */
const KEEP_ENDED = 500;

export class State {
  readonly sessions = new Map<string, SessionEntry>();
  readonly actions = new Map<string, ActionEntry>();
  readonly approvals = new Map<string, ApprovalEntry>();
  /** By workspace, then by intent id. */
  readonly intents = new Map<string, Map<string, IntentEntry>>();
  readonly processes = new Map<number, AgentProcess>();

  apply(record: LedgerRecord): void {
    const { event, at } = record;
    switch (event.type) {
      case 'session_opened': {
        const { session, workspace, root, agent, agent_id, level, parent, inherited } = event.data;
        // A session that is resumed goes on where it was.
        const before = this.sessions.get(session);
        // An inherited mode was said by whoever said it to the parent.
        const spoken = before?.mode ? before : inherited?.mode && parent ? this.sessions.get(parent) : undefined;
        this.sessions.set(session, {
          id: session,
          workspace,
          root,
          agent,
          agentId: agent_id,
          level,
          parent,
          openedAt: before?.openedAt ?? at,
          mode: before?.mode ?? inherited?.mode ?? null,
          modeBy: spoken?.modeBy ?? null,
          intent: before?.intent ?? inherited?.intent ?? null,
          turn: before?.turn ?? '0',
          open: true,
          lastAt: at,
        });
        break;
      }
      case 'agent_process_reported':
        this.processes.set(event.data.pid, { pid: event.data.pid, started: event.data.started, session: event.data.session });
        break;
      case 'turn_begun':
        this.touch(event.data.session, at, (session) => (session.turn = event.data.turn));
        break;
      case 'mode_declared':
        this.touch(event.data.session, at, (session) => {
          session.mode = event.data.mode;
          session.modeBy = event.data.by;
        });
        break;
      case 'intent_selected':
        this.touch(event.data.session, at, (session) => (session.intent = event.data.intent));
        break;
      case 'session_closed':
        this.touch(event.data.session, at, (session) => (session.open = false));
        break;

      case 'action_observed':
        this.enter(event.data.action, event.data.decision, 'observed', null, at).receipt = event.data.receipt;
        break;
      case 'action_refused':
        this.enter(event.data.action, event.data.decision, 'refused', event.data.approval, at);
        break;
      case 'action_waiting':
        this.enter(event.data.action, event.data.decision, 'waiting', event.data.approval, at);
        break;
      case 'action_admitted':
        this.enter(event.data.action, event.data.decision, 'admitted', event.data.approval, at);
        break;
      case 'action_lapsed':
        this.move(event.data.action, 'refused', event.data.reason);
        break;
      case 'action_unknown':
        this.move(event.data.action, 'unknown', event.data.reason);
        break;
      case 'action_settled': {
        this.move(event.data.action, 'settled', null);
        const entry = this.actions.get(event.data.action);
        if (entry) entry.receipt = event.data.receipt;
        break;
      }

      case 'approval_requested': {
        const { approval } = event.data;
        // Written in one append right after the `action_waiting` that asks.
        const asking = this.actions.get(approval.action);
        if (asking) {
          const { action, decision } = asking;
          this.approvals.set(approval.id, { approval, action, decision, state: 'pending', reason: null, human: null });
          forgetOldest(this.approvals, ({ state }) => state !== 'pending' && state !== 'approved');
        }
        break;
      }
      case 'approval_answered':
        this.answer(event.data.approval, event.data.answer, event.data.reason, event.data.human);
        break;
      case 'approval_spent':
        this.answer(event.data.approval, 'spent');
        break;
      case 'approval_expired':
        this.answer(event.data.approval, 'expired');
        break;

      case 'intent_proposed':
        this.enterIntent({ workspace: event.data.workspace, intent: event.data.intent, human: null, at });
        break;
      case 'intent_confirmed':
        this.enterIntent({ workspace: event.data.workspace, intent: event.data.intent, human: event.data.human, at });
        break;

      case 'authority_refused':
      case 'daemon_started':
      case 'defect_caught':
      case 'ledger_repaired':
        break;
    }
  }

  activeIntents(workspace: string): IntentEntry[] {
    return [...(this.intents.get(workspace)?.values() ?? [])].filter(({ intent }) => intent.status === 'active');
  }

  intent(workspace: string, id: string): IntentEntry | undefined {
    return this.intents.get(workspace)?.get(id);
  }

  /** The newest question about this very input that can still be answered, spent, or was rejected not long ago. */
  approvalFor(action: Action, policyRevision: string, now: Date): ApprovalEntry | undefined {
    let found: ApprovalEntry | undefined;
    for (const entry of this.approvals.values()) {
      const { approval, state } = entry;
      if (state === 'spent' || state === 'expired' || Date.parse(approval.expires_at) <= now.getTime()) continue;
      if (
        approval.session === action.session &&
        approval.input_sha256 === action.input_sha256 &&
        approval.policy_revision === policyRevision
      )
        found = entry;
    }
    return found;
  }

  private touch(session: string, at: string, change: (entry: SessionEntry) => void): void {
    const entry = this.sessions.get(session);
    if (!entry) return;
    entry.lastAt = at;
    change(entry);
  }

  private enter(action: Action, decision: Decision, state: ActionState, approval: string | null, at: string): ActionEntry {
    const entry: ActionEntry = { action, decision, state, approval, receipt: null, note: null };
    this.actions.delete(action.id);
    this.actions.set(action.id, entry);
    this.touch(action.session, at, () => {});
    forgetOldest(this.actions, ({ state }) => state !== 'waiting' && state !== 'admitted' && state !== 'unknown');
    return entry;
  }

  private move(id: string, state: ActionState, note: string | null): void {
    const entry = this.actions.get(id);
    if (!entry) return;
    entry.state = state;
    entry.note = note;
  }

  private answer(id: string, state: ApprovalState, reason?: string | null, human?: Human): void {
    const entry = this.approvals.get(id);
    if (!entry) return;
    entry.state = state;
    if (reason !== undefined) entry.reason = reason;
    if (human !== undefined) entry.human = human;
  }

  private enterIntent(entry: IntentEntry): void {
    const known = this.intents.get(entry.workspace) ?? new Map<string, IntentEntry>();
    known.set(entry.intent.id, entry);
    this.intents.set(entry.workspace, known);
  }
}

/** Keeps memory bounded: drops the oldest entries that have ended. A Map iterates in the order of insertion. */
function forgetOldest<T>(entries: Map<string, T>, ended: (entry: T) => boolean): void {
  if (entries.size <= KEEP_ENDED * 2) return;
  let surplus = entries.size - KEEP_ENDED;
  for (const [id, entry] of entries) {
    if (surplus === 0) return;
    if (ended(entry)) {
      entries.delete(id);
      surplus--;
    }
  }
}
