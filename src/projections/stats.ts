// Counts the ledger by workspace and agent. A verdict that stopped nothing is never counted as one that did.

import { refusalOf } from '../policy/index.ts';
import { type Action, type CodeCount, type Decision, type LedgerRecord, mutates, type StatsRow, traitsOf } from '../protocol/index.ts';

export class StatsFold {
  private readonly tallies = new Map<string, Tally>();
  private readonly sessions = new Map<string, { tally: Tally; turn: string }>();
  private readonly actions = new Map<string, Tally>();
  private readonly approvals = new Map<string, Tally>();
  private readonly adopted = new Map<string, NonNullable<StatsRow['adopted']>>();
  private readonly observing = new Set<string>();
  private readonly roots = new Map<string, string>();

  apply({ at, event }: LedgerRecord): void {
    switch (event.type) {
      case 'observing_set': {
        const { workspace, observing, revision } = event.data;
        if (observing && !this.adopted.has(workspace)) this.adopted.set(workspace, { at, revision });
        if (observing) this.observing.add(workspace);
        else this.observing.delete(workspace);
        break;
      }
      case 'session_opened': {
        const { session, workspace, root, agent } = event.data;
        const tally = this.tallyOf(workspace, agent, at);
        this.roots.set(workspace, root);
        if (!this.sessions.has(session)) tally.sessions += 1;
        this.sessions.set(session, { tally, turn: this.sessions.get(session)?.turn ?? '0' });
        tally.lastAt = at;
        break;
      }
      case 'turn_begun': {
        const session = this.sessions.get(event.data.session);
        if (!session) break;
        session.turn = event.data.turn;
        session.tally.prompts += 1;
        session.tally.lastAt = at;
        break;
      }
      case 'action_observed':
        countBypass(this.saw(event.data.action, at, 'reads'), event.data.decision);
        break;
      case 'action_admitted': {
        const { action, decision } = event.data;
        const tally = this.saw(action, at, mutates(action.effects) ? 'changes' : null);
        countBypass(tally, decision);
        this.actions.set(action.id, tally);
        const intent = decision.facts.intent.selected?.id;
        if (intent !== undefined && mutates(action.effects)) tally.intents.add(intent);
        if (decision.outcome === 'allow' && tally.refusedNow.delete(this.keyOf(action))) tally.falseBlocks += 1;
        break;
      }
      case 'action_refused': {
        const { action, decision } = event.data;
        const tally = this.saw(action, at, null);
        add(tally.refused, refusalOf(decision).error_code);
        tally.refusedNow.add(this.keyOf(action));
        break;
      }
      case 'action_waiting':
        this.saw(event.data.action, at, null);
        break;
      case 'action_settled':
        if (event.data.receipt.status === 'failed') this.count(event.data.action, 'failed');
        this.actions.delete(event.data.action);
        break;
      case 'action_unknown':
        this.count(event.data.action, 'unknown');
        break;
      case 'approval_requested': {
        const tally = this.sessions.get(event.data.approval.session)?.tally;
        if (!tally) break;
        tally.questions.asked += 1;
        this.approvals.set(event.data.approval.id, tally);
        break;
      }
      case 'approval_answered': {
        const tally = this.approvals.get(event.data.approval);
        if (tally) tally.questions[event.data.answer] += 1;
        break;
      }
      case 'approval_withdrawn':
      case 'approval_expired': {
        const tally = this.approvals.get(event.data.approval);
        if (tally) tally.questions.expired += 1;
        break;
      }
      case 'untracked_mutation': {
        const [action] = event.data.actions;
        const tally = action === undefined ? undefined : this.actors.get(action);
        if (tally) tally.untracked += 1;
        break;
      }
      default:
        break;
    }
  }

  /** Busiest first. */
  rows(workspace: string | undefined): StatsRow[] {
    return [...this.tallies.values()]
      .filter((tally) => workspace === undefined || tally.workspace === workspace)
      .map((tally) => this.rowOf(tally))
      .toSorted((a, b) => b.actions.changes - a.actions.changes || (a.agent < b.agent ? -1 : 1));
  }

  /** Whose action it was, also after it has settled: a change without a receipt is found later. */
  private readonly actors = new Map<string, Tally>();

  private saw(
    { id, session, workspace, actor, resources, parent, ...action }: Action,
    at: string,
    kind: 'reads' | 'changes' | null,
  ): Tally {
    const tally = this.sessions.get(session)?.tally ?? this.tallyOf(workspace, actor.agent, at);
    // What the gate itself does for a session does not count as its agent's.
    if (actor.agent !== tally.agent) return tally;
    tally.lastAt = at;
    if (kind) tally.actions[kind] += 1;
    if (kind === 'changes') this.actors.set(id, tally);
    const isOwn =
      traitsOf(action).executes === 'gate' &&
      parent === undefined &&
      !resources.some((each) => each.kind === 'file' || each.kind === 'command' || each.kind === 'url');
    if (isOwn) tally.gateCalls += 1;
    return tally;
  }

  /** The same attempt again: the same tool at the same target, in the same turn. */
  private keyOf({ session, tool, resources, input_sha256 }: Action): string {
    const paths = resources.flatMap((each) => (each.kind === 'file' ? [each.path] : []));
    return JSON.stringify([session, this.sessions.get(session)?.turn, tool, paths.length > 0 ? paths : input_sha256]);
  }

  private count(action: string, what: 'failed' | 'unknown'): void {
    const tally = this.actions.get(action);
    if (tally) tally.actions[what] += 1;
  }

  private tallyOf(workspace: string, agent: string, at: string): Tally {
    const key = JSON.stringify([workspace, agent]);
    const tally = this.tallies.get(key) ?? newTally(workspace, agent, at);
    this.tallies.set(key, tally);
    return tally;
  }

  private rowOf(tally: Tally): StatsRow {
    const { workspace, agent, prompts, sessions, gateCalls, questions, intents, actions } = tally;
    const refused = counted(tally.refused);
    const repeats = refused.reduce((sum, { count }) => sum + count, 0);
    return {
      workspace,
      root: this.roots.get(workspace) ?? null,
      agent,
      observing: this.observing.has(workspace),
      adopted: this.adopted.get(workspace) ?? null,
      first_at: tally.firstAt,
      last_at: tally.lastAt,
      sessions,
      prompts,
      ...{
        actions: { ...actions },
        refused,
        would_refuse: counted(tally.wouldRefuse),
        would_ask: tally.wouldAsk,
        questions: { ...questions },
      },
      false_block_candidates: tally.falseBlocks,
      gate_calls: gateCalls,
      extra_calls_per_prompt: ratio(gateCalls + repeats, prompts),
      intents: intents.size,
      interruptions_per_intent: ratio(questions.asked, intents.size),
      untracked: tally.untracked,
    };
  }
}

interface Tally {
  readonly workspace: string;
  readonly agent: string;
  readonly firstAt: string;
  lastAt: string;
  sessions: number;
  prompts: number;
  readonly actions: { reads: number; changes: number; failed: number; unknown: number };
  readonly refused: Map<string, number>;
  readonly wouldRefuse: Map<string, number>;
  wouldAsk: number;
  readonly questions: { asked: number; approved: number; rejected: number; expired: number };
  falseBlocks: number;
  readonly refusedNow: Set<string>;
  gateCalls: number;
  readonly intents: Set<string>;
  untracked: number;
}

const newTally = (workspace: string, agent: string, at: string): Tally => ({
  workspace,
  agent,
  firstAt: at,
  lastAt: at,
  sessions: 0,
  prompts: 0,
  actions: { reads: 0, changes: 0, failed: 0, unknown: 0 },
  refused: new Map(),
  wouldRefuse: new Map(),
  wouldAsk: 0,
  questions: { asked: 0, approved: 0, rejected: 0, expired: 0 },
  falseBlocks: 0,
  refusedNow: new Set(),
  gateCalls: 0,
  intents: new Set(),
  untracked: 0,
});

/** It passed despite its verdict: only where nothing is enforced. */
function countBypass(tally: Tally, decision: Decision): void {
  if (decision.outcome === 'deny') add(tally.wouldRefuse, refusalOf(decision).error_code);
  if (decision.outcome === 'ask') tally.wouldAsk += 1;
}

const add = (counts: Map<string, number>, code: string): void => void counts.set(code, (counts.get(code) ?? 0) + 1);

const counted = (counts: ReadonlyMap<string, number>): CodeCount[] =>
  [...counts].map(([code, count]) => ({ code, count })).toSorted((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1));

const ratio = (part: number, whole: number): number | null => (whole === 0 ? null : Math.round((part / whole) * 100) / 100);
