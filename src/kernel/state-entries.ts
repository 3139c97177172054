// What the daemon remembers of a session, an action, a question and an intent.

import type {
  Action,
  ActionState,
  Approval,
  ApprovalState,
  Decision,
  Human,
  Intent,
  Mode,
  Receipt,
  SessionLevel,
} from '../protocol/index.ts';
import type { Streak } from './breaker.ts';
import type { Recall, TurnLog, WorkLog } from './turn.ts';

export interface SessionEntry {
  readonly id: string;
  readonly workspace: string;
  readonly root: string;
  readonly agent: string;
  readonly agentId: string | null;
  readonly level: SessionLevel;
  readonly parent: string | null;
  readonly openedAt: string;
  mode: Mode | null;
  modeBy: 'agent' | 'door' | null;
  intent: string | null;
  /** Who cited it, and in which turn; null: none is cited. */
  intentBy: 'agent' | 'door' | null;
  intentTurn: string | null;
  turn: string;
  /** The last recall that did not err. */
  recall: Recall | null;
  /** Steps that the agent was seen to have in this turn. */
  steps: readonly string[];
  turnLog: TurnLog;
  work: WorkLog;
  /** What it last saw of each file, by real path: by reading it, by writing it, or from a report of what changed. */
  readonly seen: Map<string, string>;
  /** Refusals and failures that repeat, by what was refused. */
  readonly streaks: Map<string, Streak>;
  /** What confined its last command, as its receipt says. Null: none says it. */
  walls: NonNullable<Receipt['walls']>['level'] | null;
  /** The command that was given walls and did not ask for them; null: none, or the agent was started again since. */
  bypassedBy: string | null;
  /** Calls that were admitted and failed, in a row, by what was called. */
  readonly failures: Map<string, Streak>;
  open: boolean;
  lastAt: string;
}

export interface ActionEntry {
  readonly action: Action;
  readonly decision: Decision;
  state: ActionState;
  approval: string | null;
  /** Where its admission is in the ledger: of two leases of a file, the higher one counts. Null: it was not admitted. */
  fence: number | null;
  receipt: Receipt | null;
  /** The reason why it lapsed or is unknown. */
  note: string | null;
  /** A later change of the same file that was admitted after this one's lease was over. Null: none. */
  overtakenBy: string | null;
  /** The receipt of the undo that took back all its changes. Null: none did. */
  undoneBy: string | null;
  /** The decision was recorded and stopped nothing. */
  observing: boolean;
  /** It passed while a human had paused the gate. */
  paused: boolean;
}

export interface ApprovalEntry {
  readonly approval: Approval;
  /** What is asked, as it was when it was first asked. */
  readonly action: Action;
  readonly decision: Decision;
  state: ApprovalState;
  reason: string | null;
  human: Human | null;
  /** Where its answer is in its stream: it is spent only while that is the newest event. Null: not answered. */
  fence: number | null;
}

export interface IntentEntry {
  readonly workspace: string;
  readonly intent: Intent;
  /** Null while it is only proposed. */
  readonly human: Human | null;
  readonly at: string;
}
