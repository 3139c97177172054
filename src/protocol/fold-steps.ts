// Steps of a call, and the gate's own steps in a turn, are counted with the call that they belong to instead of listed: the same in the
// terminal and on the page. Without schemas: both load it.

import type { ActionWord } from './action-words.ts';

/** Who did what the gate does by itself. */
export const GATE_AGENT = 'countersign';

export interface StepFacts {
  readonly id: string | null;
  /** The call that it was a step of. */
  readonly parent: string | null;
  readonly agent: string;
  readonly session: string | null;
  /** Null: not known, as of what has no receipt; it is then that of what its session did before. */
  readonly turn: string | null;
  readonly word: ActionWord;
}

/** Outcomes that a person must see, whoever's step it was. */
const NEVER_FOLDED: ReadonlySet<ActionWord> = new Set(['waiting', 'lapsed', 'failed', 'refused', 'unknown']);

/** In the order given. A step whose call, or whose turn's calls, are not among the rows stays a row. */
export function foldSteps<T>(rows: readonly T[], facts: (row: T) => StepFacts): { readonly row: T; readonly steps: number }[] {
  const known = rows.map((row) => ({ row, ...facts(row) }));
  const listed = new Set(known.map(({ id }) => id));
  // The row nearest to the turn's recall, which the gate makes before the agent's first call.
  const callOf = new Map<string, string>();
  const turnNow = new Map<string, string>();
  const turns = new Map<string, string>();
  for (const each of known.toSorted((a, b) => ((a.id ?? '') < (b.id ?? '') ? -1 : 1))) {
    if (each.session === null || each.id === null) continue;
    const turn = each.turn === null ? turnNow.get(each.session) : `${each.session} ${each.turn}`;
    if (turn === undefined) continue;
    turnNow.set(each.session, turn);
    turns.set(each.id, turn);
    if (each.agent !== GATE_AGENT && each.parent === null && !callOf.has(turn)) callOf.set(turn, each.id);
  }
  const steps = new Map<string, number>();
  const kept = known.filter((each) => {
    const ofGate = each.agent === GATE_AGENT ? callOf.get(turns.get(each.id ?? '') ?? '') : undefined;
    const host = each.parent ?? ofGate;
    if (host === undefined || !listed.has(host) || NEVER_FOLDED.has(each.word)) return true;
    steps.set(host, (steps.get(host) ?? 0) + 1);
    return false;
  });
  return kept.map(({ row, id }) => ({ row, steps: steps.get(id ?? '') ?? 0 }));
}
