// Reads a part of a ledger by itself, on the word of its first line: what that says stood before it is checked by whoever puts the parts
// together. Knows only good and not good: what is wrong, and where, is said by the one reading from the start.

import { type Digest, digestOf, hexOf, leafOf, sha256 } from './hash.ts';
import { type MerkleNode, MerkleSpan } from './merkle-span.ts';
import { readNextRecord } from './next-record.ts';
import { readLine } from './record-line.ts';
import { lineChunks } from './segments.ts';

/** Whole batches of one file: from a line's beginning to just behind a head. */
export interface Span {
  readonly path: string;
  readonly from: number;
  readonly to: number;
}

export interface SpanReading {
  /** How many records its first line says stand before it, and the hash that it names. */
  readonly before: { readonly size: number; readonly prev: string };
  readonly records: number;
  readonly heads: number;
  /** The hash of the last line, and of the last record's. */
  readonly prev: string;
  readonly chain: string;
  readonly nodes: readonly MerkleNode[];
  /** Of each stream its first and its last position here. */
  readonly streams: ReadonlyMap<string, readonly [number, number]>;
  /** The hash of the line of the record that was asked for, when it is here. */
  readonly chainAt: string | null;
}

/** Null when a line is not as it was written, or the span is none. */
export async function readSpan({ path, from, to }: Span, wanted: number | null): Promise<SpanReading | null> {
  let span: SpanLines | null = null;
  for await (const { bytes, end, rest } of lineChunks(path, from, to)) {
    const lines = bytes.subarray(0, end);
    if (rest > 0 || lines.includes(0)) return null;
    for (let start = 0; start < end;) {
      const newline = lines.indexOf(10, start);
      const raw = lines.subarray(start, newline);
      span ??= SpanLines.beginningWith(raw, wanted);
      if (span === null || !span.take(raw)) return null;
      start = newline + 1;
    }
  }
  return span?.reading() ?? null;
}

class SpanLines {
  readonly #before: { readonly size: number; readonly prev: string };
  readonly #wanted: number | null;
  readonly #tree: MerkleSpan;
  readonly #streams = new Map<string, [number, number]>();
  #size: number;
  #sealed: number;
  #heads = 0;
  #prev: Digest;
  #chain: Digest = '';
  #chainAt: string | null = null;

  constructor(before: { readonly size: number; readonly prev: string }, wanted: number | null) {
    this.#before = before;
    this.#wanted = wanted;
    this.#tree = new MerkleSpan(before.size);
    this.#size = before.size;
    this.#sealed = before.size;
    this.#prev = digestOf(before.prev);
  }

  static beginningWith(raw: Buffer, wanted: number | null): SpanLines | null {
    const line = readLine(raw);
    return line?.kind === 'record' ? new SpanLines({ size: line.seq - 1, prev: line.prev }, wanted) : null;
  }

  take(raw: Buffer): boolean {
    const record = readNextRecord(raw, this.#prev, this.#size + 1);
    if (record === null) return this.#takeHead(raw);
    const known = this.#streams.get(record.stream);
    if (known === undefined) this.#streams.set(record.stream, [record.stream_seq, record.stream_seq]);
    else if (++known[1] !== record.stream_seq) return false;
    this.#size += 1;
    this.#prev = sha256(raw);
    this.#chain = this.#prev;
    this.#tree.append(leafOf(this.#prev));
    if (this.#size === this.#wanted) this.#chainAt = hexOf(this.#prev);
    return true;
  }

  /** Null when it does not end with a head. */
  reading(): SpanReading | null {
    if (this.#sealed !== this.#size) return null;
    return {
      before: this.#before,
      records: this.#size - this.#before.size,
      heads: this.#heads,
      prev: hexOf(this.#prev),
      chain: hexOf(this.#chain),
      nodes: this.#tree.nodes,
      streams: this.#streams,
      chainAt: this.#chainAt,
    };
  }

  #takeHead(raw: Buffer): boolean {
    const head = readLine(raw);
    if (head?.kind !== 'head' || head.prev !== hexOf(this.#prev) || head.head !== this.#size || this.#sealed === this.#size) return false;
    this.#sealed = this.#size;
    this.#heads += 1;
    this.#prev = sha256(raw);
    return true;
  }
}
