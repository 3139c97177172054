// Every line of a ledger, over its files, one at a time.

import { join } from 'node:path';
import { sha256Hex } from './hash.ts';
import type { Place } from './problem.ts';
import { readLine } from './record-line.ts';
import type { HeadLine, RecordLine } from './record-line.ts';
import { lineChunks, listSegments, segmentName } from './segments.ts';

export interface StandingLine {
  readonly place: Place;
  readonly raw: Buffer;
  /** The SHA-256 of its bytes. */
  readonly hash: string;
  /** Null when it is neither a record nor a head. */
  readonly fields: RecordLine | HeadLine | null;
}

export interface LinesFrom {
  /** From 1. */
  readonly segment: number;
  readonly offset: number;
  /** Lines before that offset in that segment. */
  readonly line: number;
}

/** Files are taken in the order of their names, whether or not one is missing; an unfinished last line of a file is left out. */
export async function* linesFrom(dir: string, from: LinesFrom): AsyncGenerator<StandingLine, void, void> {
  const first = segmentName(from.segment);
  for (const segment of await listSegments(dir)) {
    if (segment < first) continue;
    let number = segment === first ? from.line : 0;
    for await (const { bytes, end, offset } of lineChunks(join(dir, segment), segment === first ? from.offset : 0)) {
      for (let start = 0; start < end;) {
        const newline = bytes.indexOf(10, start);
        const raw = Buffer.from(bytes.subarray(start, newline));
        const fields = readLine(raw);
        const seq = fields?.kind === 'record' ? fields.seq : null;
        yield { place: { segment, line: ++number, byte: offset + start, seq }, raw, hash: sha256Hex(raw), fields };
        start = newline + 1;
      }
    }
  }
}
