// Turns appends into the bytes of one batch: their records' lines, then the head that seals them.

import { headLine, leafHash, type LedgerKeys, type MerkleFrontier, recordLine, type RecordPlace, sha256Hex } from '../../ledger/index.ts';
import type { Event, LedgerRecord } from '../../protocol/index.ts';

/** The chain's end: what the next line is built on. */
export interface Tip {
  readonly size: number;
  /** The hash of the last line. */
  readonly prev: string;
  /** The hash of the last record's line. */
  readonly chain: string | null;
  readonly frontier: MerkleFrontier;
  readonly heads: number;
  /** Lines in the segment that it ends in. */
  readonly line: number;
}

export interface AcceptedEvent {
  readonly stream: string;
  readonly stream_seq: number;
  readonly event: Event;
  /** Canonical JSON of the event's data. */
  readonly data: string;
}

export interface Acceptance {
  readonly at: string;
  readonly events: readonly AcceptedEvent[];
}

export interface Batch {
  readonly bytes: Buffer;
  /** For each acceptance its records. */
  readonly records: readonly (readonly LedgerRecord[])[];
  readonly places: readonly RecordPlace[];
  readonly tip: Tip;
}

const NEWLINE = Buffer.from('\n');

export function sealBatch(
  tip: Tip,
  acceptances: readonly Acceptance[],
  keys: LedgerKeys,
  where: { readonly segment: number; readonly offset: number; readonly at: string },
): Batch {
  let { size, prev, chain } = tip;
  let { offset } = where;
  const frontier = tip.frontier.clone();
  const bytes: Buffer[] = [];
  const places: RecordPlace[] = [];
  const records = acceptances.map(({ at, events }) =>
    events.map(({ stream, stream_seq, event, data }): LedgerRecord => {
      const { type } = event;
      const seq = ++size;
      const line = recordLine({ at, data, prev, seq, stream, stream_seq, type }, keys.hmac);
      prev = sha256Hex(line);
      chain = prev;
      frontier.append(leafHash(chain));
      places.push({ seq, stream, stream_seq, type, at, segment: where.segment, offset, length: line.length, chain });
      offset += line.length + 1;
      bytes.push(line, NEWLINE);
      return { seq, stream, stream_seq, at, event };
    }),
  );
  const head = headLine({ at: where.at, head: size, key: keys.keyId, prev, root: frontier.root() }, keys.sign);
  bytes.push(head, NEWLINE);
  const line = (where.offset === 0 ? 0 : tip.line) + places.length + 1;
  return {
    bytes: Buffer.concat(bytes),
    records,
    places,
    tip: { size, prev: sha256Hex(head), chain, frontier, heads: tip.heads + 1, line },
  };
}
