// Reads a part of a ledger by itself and trusts its first line: whoever joins the parts checks what that line says about the lines
// before it. Knows only good and not good: the reading from the start reports what is wrong, and where.

import { leafHash, sha256Hex } from './hash.ts';
import { type MerkleNode, MerkleSpan } from './merkle-span.ts';
import { type HeadLine, readLine, type RecordLine } from './record-line.ts';
import { lineChunks } from './segments.ts';

/** Whole batches of one file: from a line's beginning to the end of a head. */
export interface Span {
  readonly path: string;
  readonly from: number;
  readonly to: number;
}

export interface SpanReading {
  /** How many records are before it, by its first line, and the hash that this line names. */
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

/** Null when a line is not as it was written, or this is not a span. */
export async function readSpan({ path, from, to }: Span, wanted: number | null): Promise<SpanReading | null> {
  let span: SpanLines | null = null;
  for await (const { bytes, end, rest } of lineChunks(path, from, to)) {
    if (rest > 0) return null;
    for (let start = 0; start < end;) {
      const newline = bytes.indexOf(10, start);
      const raw = bytes.subarray(start, newline);
      const line = readLine(raw);
      if (line === null) return null;
      span ??= SpanLines.beginningWith(line, wanted);
      if (span === null || !span.take(line, raw)) return null;
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
  #prev: string;
  #chain = '';
  #chainAt: string | null = null;

  constructor(before: { readonly size: number; readonly prev: string }, wanted: number | null) {
    this.#before = before;
    this.#wanted = wanted;
    this.#tree = new MerkleSpan(before.size);
    this.#size = before.size;
    this.#sealed = before.size;
    this.#prev = before.prev;
  }

  static beginningWith(line: RecordLine | HeadLine, wanted: number | null): SpanLines | null {
    return line.kind === 'record' ? new SpanLines({ size: line.seq - 1, prev: line.prev }, wanted) : null;
  }

  take(line: RecordLine | HeadLine, raw: Buffer): boolean {
    if (line.prev !== this.#prev) return false;
    if (line.kind === 'head') return this.#takeHead(line, raw);
    if (line.seq !== this.#size + 1) return false;
    const known = this.#streams.get(line.stream);
    if (known === undefined) this.#streams.set(line.stream, [line.stream_seq, line.stream_seq]);
    else if (++known[1] !== line.stream_seq) return false;
    this.#size += 1;
    this.#prev = sha256Hex(raw);
    this.#chain = this.#prev;
    this.#tree.append(leafHash(this.#prev));
    if (this.#size === this.#wanted) this.#chainAt = this.#prev;
    return true;
  }

  /** Null when it does not end with a head. */
  reading(): SpanReading | null {
    if (this.#sealed !== this.#size) return null;
    return {
      before: this.#before,
      records: this.#size - this.#before.size,
      heads: this.#heads,
      prev: this.#prev,
      chain: this.#chain,
      nodes: this.#tree.nodes,
      streams: this.#streams,
      chainAt: this.#chainAt,
    };
  }

  #takeHead({ head }: HeadLine, raw: Buffer): boolean {
    if (head !== this.#size || this.#sealed === this.#size) return false;
    this.#sealed = this.#size;
    this.#heads += 1;
    this.#prev = sha256Hex(raw);
    return true;
  }
}
