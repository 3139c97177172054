// Reads records back out of the segments. All of it was verified when the store was opened, or written by it since; records that
// answer a question are checked by their signature again, because a file can be changed under an open store.

import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { lineChunks, parseRecord, readLine, type RecordLine, segmentName, signatureOf, signedBody } from '../../ledger/index.ts';
import { Fault } from '../../protocol/index.ts';
import type { SignedRecord } from '../event-store.ts';

type Hmac = (bytes: Uint8Array) => string;

/** A record's place, by an index. */
export interface FoundPlace {
  readonly seq: number;
  readonly segment: number;
  readonly offset: number;
  readonly length: number;
}

interface LinePlace {
  readonly segment: number;
  readonly offset: number;
}

/** The records `from` to `to`, all before `end`. `start`: where the first one is; null: it has to be searched. `types`: only these. */
export async function* readRecords<T>(
  dir: string,
  {
    from,
    to,
    end,
    start: known,
    types,
  }: {
    readonly from: number;
    readonly to: number;
    readonly end: LinePlace;
    readonly start: LinePlace | null;
    readonly types?: ReadonlySet<string>;
  },
  read: (raw: Buffer, line: RecordLine) => T,
): AsyncGenerator<T, void, void> {
  if (from > to) return;
  // A segment that is just beginning may not exist yet, or never, if the disk refuses it.
  const last = end.offset === 0 ? end.segment - 1 : end.segment;
  let seq = 0;
  for (let number = known?.segment ?? (await segmentOf(dir, from, last)); number <= last && seq < to; number++) {
    const begin = number === known?.segment ? known.offset : 0;
    for await (const chunk of lineChunks(join(dir, segmentName(number)), begin, number === end.segment ? end.offset : Infinity)) {
      for (let start = 0; start < chunk.end;) {
        const newline = chunk.bytes.indexOf(10, start);
        const raw = chunk.bytes.subarray(start, newline);
        start = newline + 1;
        const line = readLine(raw);
        if (line?.kind === 'head' || (line !== null && line.seq < from && seq === 0)) continue;
        const isFirst = seq === 0;
        seq = isFirst ? from : seq + 1;
        if (seq > to) return;
        if (line?.seq !== seq) throw changedSince(isFirst ? `Record ${seq}, or one before it,` : `Record ${seq}`, 'another line is there');
        if (types === undefined || types.has(line.type)) yield read(raw, line);
      }
    }
  }
}

async function segmentOf(dir: string, seq: number, last: number): Promise<number> {
  for (let number = last; number > 1; number--) {
    const first = await firstSeq(join(dir, segmentName(number)));
    if (first !== null && first <= seq) return number;
  }
  return 1;
}

async function firstSeq(path: string): Promise<number | null> {
  for await (const { bytes, end } of lineChunks(path)) {
    if (end === 0) return null;
    const line = readLine(bytes.subarray(0, bytes.indexOf(10)));
    return line?.kind === 'record' ? line.seq : null;
  }
  return null;
}

/** In the order given. Throws when a place does not hold the record that it should: the index is wrong. */
export function readPlaces(dir: string, places: readonly FoundPlace[], hmac: Hmac): readonly SignedRecord[] {
  const files = new Map<number, number>();
  try {
    return places.map(({ seq, segment, offset, length }) => {
      const fd = files.get(segment) ?? openSync(join(dir, segmentName(segment)), 'r');
      files.set(segment, fd);
      const raw = Buffer.alloc(length);
      readSync(fd, raw, 0, length, offset);
      const line = readLine(raw);
      if (line?.kind !== 'record' || line.seq !== seq) throw new Error(`The index expects record ${seq} where another line is.`);
      return heldToSignature(raw, line, hmac);
    });
  } finally {
    for (const fd of files.values()) closeSync(fd);
  }
}

/** Throws INTEGRITY_BROKEN when the line is not as the daemon wrote it. */
export function heldToSignature(raw: Buffer, line: RecordLine, hmac: Hmac): SignedRecord {
  const signature = signatureOf(raw);
  if (hmac(signedBody(raw, 'record')) !== signature) throw changedSince(`Record ${line.seq}`, 'its signature does not fit');
  return { ...parseRecord(raw, line), signature };
}

const changedSince = (what: string, why: string): Fault =>
  new Fault('INTEGRITY_BROKEN', `${what} was changed after it was written: ${why}.`, {
    fix: 'Run `countersign verify`, keep the files as they are for whoever looks into it, and restore the ledger from a backup.',
  });
