import type { EventOf } from '../protocol/index.ts';
import type { Streak } from './breaker.ts';
import type { SessionEntry } from './state-entries.ts';
import { newTurnLog } from './turn.ts';

/** A session as it begins. `before`: its earlier state, if it is resumed. `above`: the parent that a sub-agent inherits from. */
export function openedSession(
  { session, workspace, root, agent, agent_id, level, parent, inherited }: EventOf<'session_opened'>['data'],
  at: string,
  before: SessionEntry | undefined,
  above: SessionEntry | undefined,
): SessionEntry {
  // An inherited mode counts as declared by whoever declared the parent's.
  const spoken = before?.mode ? before : inherited?.mode ? above : undefined;
  // A snapshot: it makes the sub-agent fresh, but cannot be used for a stamp.
  const snapshot = above?.recall && above.recall.turn === above.turn ? { ...above.recall, turn: '0', stampable: false } : null;
  return {
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
    intentBy: before ? before.intentBy : inherited?.intent ? 'agent' : null,
    intentTurn: before ? before.intentTurn : inherited?.intent ? '0' : null,
    turn: before?.turn ?? '0',
    recall: before ? before.recall : snapshot,
    steps: before?.steps ?? above?.steps ?? [],
    turnLog: before?.turnLog ?? newTurnLog(),
    work: before?.work ?? { receipts: [], actions: 0 },
    seen: before?.seen ?? new Map<string, string>(),
    streaks: before?.streaks ?? new Map<string, Streak>(),
    walls: null,
    bypassedBy: null,
    failures: before?.failures ?? new Map<string, Streak>(),
    open: true,
    lastAt: at,
  };
}

/** Of a session that has ended, only its end counts: while its agent may still be present. Resumed, it reads its files again. */
export function forgetDetails(session: SessionEntry): void {
  if (session.open) return;
  session.seen.clear();
  session.streaks.clear();
  session.failures.clear();
  session.work = { receipts: [], actions: 0 };
}
