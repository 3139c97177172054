// What the events of a turn change in their session: mode, intent, recall, steps, stamps.

import type { LedgerRecord } from '../protocol/index.ts';
import type { SessionEntry } from './state-entries.ts';
import { newTurnLog } from './turn.ts';

/** Not an intent's id: a recall for it counts for no intent. */
const NO_INTENT = '-';

export function foldTurn(session: SessionEntry, { event, at, seq }: LedgerRecord): void {
  switch (event.type) {
    case 'turn_begun':
      session.turn = event.data.turn;
      session.steps = [];
      session.turnLog = newTurnLog();
      session.streaks.clear();
      session.failures.clear();
      return;
    case 'mode_declared':
      session.mode = event.data.mode;
      session.modeBy = event.data.by;
      return;
    case 'intent_selected': {
      session.intent = event.data.intent;
      session.intentBy = event.data.by ?? 'agent';
      session.intentTurn = session.turn;
      const made = session.recall?.intent;
      // A recall made before any intent was cited counts for the first one cited; one for another intent is dropped.
      if (session.recall && made !== event.data.intent)
        session.recall = { ...session.recall, intent: made === null ? event.data.intent : NO_INTENT };
      return;
    }
    case 'recall_done': {
      const { turn, intent, how, found } = event.data;
      session.recall = { at, seq, turn, intent, how, found, stampable: true };
      session.turnLog.recalls += 1;
      return;
    }
    case 'stamp_issued':
      if (session.recall) session.recall = { ...session.recall, stampable: false };
      session.turnLog.stamp = event.data.stamp;
      return;
    case 'stamp_demanded':
      session.turnLog.demands = event.data.times;
      return;
    case 'stamp_missing':
      session.turnLog.missed = true;
      return;
    case 'steps_observed':
      // A shorter list does not remove steps already seen in this turn.
      if (event.data.steps.length >= session.steps.length) session.steps = event.data.steps;
      return;
    case 'work_abandoned':
      session.intent = null;
      session.intentBy = null;
      session.mode = 'PASSIVE';
      session.modeBy = 'agent';
      return;
    case 'walls_used':
      session.bypassedBy = event.data.used ? null : (event.data.action ?? null);
      return;
    case 'session_closed':
      session.open = false;
      return;
    default:
  }
}

/** What was recalled before the first change of a node counts for that node. */
export function noteNode(session: SessionEntry, node: string | null): void {
  if (session.recall && node !== null && session.recall.node === undefined) session.recall = { ...session.recall, node };
}
