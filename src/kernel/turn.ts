// A turn: what a session did since the last prompt. Recall, stamp and checklist are about turns.

import { type ChecklistItem, type Decision, type RecallView, sessionTraits } from '../protocol/index.ts';
import type { SessionEntry } from './state-entries.ts';

export interface Recall extends RecallView {
  readonly seq: number;
  /** The intent that it was made for; null: made before one was cited. */
  readonly intent: string | null;
  /** The first node of a plan that was changed after it; absent: none yet. */
  readonly node?: string;
}

export interface TurnLog {
  mutations: number;
  recalls: number;
  /** Changes of tinyTasks.md through the gate. */
  tasks: number;
  completed: number;
  memory: { kept: number; refused: number };
  /** Issued after the last change. */
  stamp: string | null;
  /** The last change. */
  changedBy: string | null;
  /** How often its end was sent back for the stamp. */
  demands: number;
  /** It is on the record that it ended without its stamp. */
  missed: boolean;
}

/** What was done since the current task became current, over all turns. */
export interface WorkLog {
  receipts: string[];
  actions: number;
}

export const newTurnLog = (): TurnLog => ({
  mutations: 0,
  recalls: 0,
  tasks: 0,
  completed: 0,
  memory: { kept: 0, refused: 0 },
  stamp: null,
  changedBy: null,
  demands: 0,
  missed: false,
});

/** Temporary files are not governed: they lie outside the work tree, and a glob of their own covers them. */
export const writesOnlyScratch = ({ facts: { files } }: Decision): boolean => {
  const written = files.filter(({ access }) => access !== 'read');
  return (
    written.length > 0 && written.every(({ real, unresolved, scope_glob }) => real === null && unresolved === null && scope_glob !== null)
  );
};

/** Where no prompts are reported, a turn ends with its stamp, or after this long without a call. */
const IDLE_TURN_MS = 30 * 60_000;

export const isTurnOver = (session: SessionEntry, now: Date): boolean =>
  !sessionTraits(session).reportsPrompts && (session.turnLog.stamp !== null || now.getTime() - Date.parse(session.lastAt) >= IDLE_TURN_MS);

export const nextTurn = ({ turn }: Pick<SessionEntry, 'turn'>): string => String((Number(turn) || 0) + 1);

/** The end-of-response checklist, from the record and never from the agent's claims. Null when nothing was changed in this turn. */
export function checklistOf({ turnLog, mode, recall, turn, steps }: SessionEntry, list: 'none' | 'open' | 'done'): ChecklistItem[] | null {
  if (turnLog.mutations === 0) return null;
  const { memory } = turnLog;
  return [
    {
      rule: 'R1',
      ok: recall?.turn === turn,
      note: recall?.turn === turn ? `recall completed, ${recall.found} found (${recall.how})` : 'no recall in this turn',
    },
    { rule: 'R4', ok: mode !== null && mode !== 'PASSIVE', note: mode === null ? 'no mode declared' : `mode ${mode} declared` },
    {
      rule: 'R2',
      ok: steps.length <= 1 || list !== 'none',
      note:
        list === 'none' ? `${steps.length > 1 ? steps.length : 'no'} further steps seen, no task list` : 'the steps are in tinyTasks.md',
    },
    {
      rule: 'R3',
      ok: true,
      note:
        list === 'none'
          ? 'no task list'
          : `${turnLog.completed} completed with receipts, ${list === 'open' ? 'more to do' : 'nothing left'}`,
    },
    {
      rule: 'R5',
      ok: memory.refused === 0 || memory.kept > 0,
      note: memory.kept + memory.refused === 0 ? 'no memory writes' : `${memory.kept} memory writes done, ${memory.refused} refused`,
    },
  ];
}
