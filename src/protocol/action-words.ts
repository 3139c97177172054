// One word and one sign for what became of an action: the same in the log, in receipts, on the page and in JSON.
// Without schemas: the command line and the page load it.

/**
 * `allowed`: its outcome is not known yet. `lapsed`: it waited, and its caller left or no human answered. `undone`: a human took back every
 * change that it made.
 */
export const ACTION_WORDS = ['observed', 'waiting', 'lapsed', 'allowed', 'ran', 'failed', 'refused', 'undone', 'unknown'] as const;
export type ActionWord = (typeof ACTION_WORDS)[number];

export interface WordFacts {
  readonly state: 'observed' | 'refused' | 'waiting' | 'admitted' | 'settled' | 'unknown';
  /** Of a settled action: whether the agent's call succeeded. */
  readonly status: 'done' | 'failed' | null;
  /** It waited for a human and ended without an answer. */
  readonly lapsed: boolean;
  readonly undone: boolean;
}

export function wordOf({ state, status, lapsed, undone }: WordFacts): ActionWord {
  if (state === 'admitted') return 'allowed';
  if (state === 'settled' || state === 'observed') return wordOfReceipt(status ?? 'done', undone, state === 'observed');
  return state === 'refused' && lapsed ? 'lapsed' : state;
}

/** A receipt is about a call that ended. `observed`: it only read. */
export const wordOfReceipt = (status: 'done' | 'failed', undone: boolean, observed: boolean): ActionWord =>
  undone ? 'undone' : status === 'failed' ? 'failed' : observed ? 'observed' : 'ran';

/** The sign beside the word, drawn or as a character. Colour only repeats what both say. */
export interface Sign {
  readonly shape: 'circle' | 'triangle' | 'diamond' | 'hollow-diamond' | 'square' | 'back' | 'dotted';
  readonly mark: string;
  readonly tone: 'good' | 'wait' | 'bad' | 'quiet';
}

export const SIGNS: Readonly<Record<ActionWord, Sign>> = {
  observed: { shape: 'circle', mark: '●', tone: 'quiet' },
  allowed: { shape: 'circle', mark: '●', tone: 'good' },
  ran: { shape: 'circle', mark: '●', tone: 'good' },
  failed: { shape: 'triangle', mark: '▲', tone: 'bad' },
  waiting: { shape: 'diamond', mark: '◆', tone: 'wait' },
  lapsed: { shape: 'hollow-diamond', mark: '◇', tone: 'quiet' },
  refused: { shape: 'square', mark: '■', tone: 'bad' },
  undone: { shape: 'back', mark: '↶', tone: 'quiet' },
  unknown: { shape: 'dotted', mark: '◌', tone: 'wait' },
};
