// A reader's report about the first line that is not as it was written.

/**
 * - `edited`: the line was changed.
 * - `dropped`: lines are missing before it.
 * - `swapped`: the line belongs to this ledger, but is in another line's place.
 * - `inserted`: a copy of a line of this ledger.
 * - `spliced`: here begin lines of another chain.
 * - `forged`: it was not written with the key.
 * - `torn`: the file ends, or goes over to the next one, in the middle of a batch.
 * - `rolled back`: the ledger ends before the head that was kept, or has another record there.
 */
export type How = 'edited' | 'dropped' | 'swapped' | 'inserted' | 'spliced' | 'forged' | 'torn' | 'missing segment' | 'rolled back';

export interface Place {
  readonly segment: string;
  /** From 1. */
  readonly line: number;
  /** Where the line begins in its file. */
  readonly byte: number;
  /** The number of the record there, where it is known. */
  readonly seq: number | null;
}

export interface Problem extends Place {
  readonly how: How;
  readonly message: string;
}
