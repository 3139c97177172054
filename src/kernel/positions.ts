// How far each stream was folded. An append that rests on folded state names these positions: if another kernel wrote first, the store
// refuses it, and the call is decided again.

import type { LedgerRecord } from '../protocol/index.ts';

/** The streams that an append rests on, and how far each was folded. Null: no longer known here, and not checked. */
export type Basis = ReadonlyMap<string, number | null>;

/** More streams than are in use at once. */
const KEEP_STREAMS = 10_000;

export class Positions {
  /** The stream that moved last is the last one. */
  readonly at = new Map<string, number>();

  apply({ stream, stream_seq }: LedgerRecord): void {
    this.at.delete(stream);
    this.at.set(stream, stream_seq);
    if (this.at.size > KEEP_STREAMS * 2) this.forgetOldest();
  }

  of(...wanted: readonly string[]): Basis {
    return new Map(wanted.map((stream) => [stream, this.at.get(stream) ?? (isForgotten(stream) ? null : 0)]));
  }

  private forgetOldest(): void {
    for (const stream of this.at.keys()) {
      if (this.at.size <= KEEP_STREAMS) return;
      if (isForgotten(stream)) this.at.delete(stream);
    }
  }
}

/** The number of these grows without limit. All others stay few. */
const isForgotten = (stream: string): boolean => stream.startsWith('session:') || stream.startsWith('approval:');
