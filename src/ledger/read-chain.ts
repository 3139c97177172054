// Reads a ledger from its files and checks it line by line, by its exact bytes. Verification and the store's start are both
// this one reading.
//
// Each line names the hash of the line before it, so the newest head's signature covers every byte before it, older heads
// included. Therefore only that one is checked, unless it is bad: then every head is, to find the first bad one.

import { createPublicKey, verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { LedgerRecord } from '../protocol/index.ts';
import { EMPTY_CHAIN } from './chain-position.ts';
import type { ChainPosition, RecordPlace } from './chain-position.ts';
import { explainBreak, someLine } from './explain-break.ts';
import { leafHash, MerkleFrontier, sha256Hex } from './hash.ts';
import type { Digest } from './hash.ts';
import { keyIdOf } from './keys.ts';
import type { Place, Problem } from './problem.ts';
import { parseRecord, readLine, signatureOf, signedBody, writtenAt } from './record-line.ts';
import type { HeadLine, RecordLine } from './record-line.ts';
import { lineChunks, listSegments, segmentName } from './segments.ts';

export interface ReadChainOptions {
  readonly dir: string;
  readonly publicKeyPem: string;
  /** Checks the records' HMACs as well; only the daemon has the secret. */
  readonly hmac?: (bytes: Uint8Array) => string;
  /** Checks every head's signature and root, not only the newest one's. */
  readonly everyHead?: boolean;
  readonly resumeFrom?: ChainPosition;
  readonly signal?: AbortSignal;
  /** Both are called once a batch's head was read. Believe what they brought only if the reading ends without a problem. */
  readonly onRecord?: (record: LedgerRecord) => void;
  readonly onPlace?: (place: RecordPlace) => void;
}

export interface ChainReading {
  /** The end of the last closed batch. */
  readonly position: ChainPosition;
  readonly problem: Problem | null;
  /** Bytes of a last batch whose write was cut short; it was never acknowledged. */
  readonly tornTailBytes: number;
}

export async function readChain(options: ReadChainOptions): Promise<ChainReading> {
  const reader = new ChainReader(options);
  const reading = await reader.read();
  if (reader.newestHeadIsGood()) return reader.explained(reading);
  const { onRecord: _onRecord, onPlace: _onPlace, ...quiet } = options;
  const careful = new ChainReader({ ...quiet, everyHead: true });
  return careful.explained(await careful.read());
}

/** How many bytes a file has, and how many of them follow its last line break. */
interface SegmentEnd {
  readonly size: number;
  readonly rest: number;
}

/** How a line is wrong, before it is known which line was changed. */
interface Trouble {
  readonly place: Place;
  readonly message: string;
}

class ChainReader {
  readonly #options: ReadChainOptions;
  readonly #publicKey: KeyObject;
  readonly #keyId: string;

  // As of the last head.
  #position: Omit<ChainPosition, 'frontier' | 'streams'>;
  #frontier: MerkleFrontier;
  readonly #streams: Map<string, number>;
  #newestHead: { readonly head: HeadLine; readonly raw: Buffer } | null = null;

  // The open batch: read, and not closed by a head yet.
  #leaves: Digest[] = [];
  #records: LedgerRecord[] = [];
  #places: RecordPlace[] = [];
  readonly #openStreams = new Map<string, number>();

  // The line before the one that is read next.
  #segment: number;
  #line: number;
  #prev: string;

  #trouble: Trouble | null = null;

  constructor(options: ReadChainOptions) {
    const { frontier, streams, ...position } = options.resumeFrom ?? EMPTY_CHAIN;
    this.#options = options;
    this.#publicKey = createPublicKey(options.publicKeyPem);
    this.#keyId = keyIdOf(this.#publicKey);
    this.#position = position;
    this.#frontier = new MerkleFrontier(frontier);
    this.#streams = new Map(Object.entries(streams));
    this.#segment = position.segment;
    this.#line = position.line;
    this.#prev = position.prev;
  }

  async read(): Promise<ChainReading> {
    const names = await listSegments(this.#options.dir);
    const count = Math.max(names.length, this.#position.size > 0 ? this.#position.segment : 0);
    for (let number = this.#position.segment; number <= count; number++) {
      if (number > this.#position.segment) this.#enterSegment(number);
      const name = segmentName(number);
      if (names[number - 1] !== name)
        return this.#result({ segment: name, line: 1, byte: 0, seq: null, how: 'missing segment', message: `There is no ${name}.` });
      const end = await this.#readSegment(name, number === count);
      if ('how' in end) return this.#result(end);
      if (this.#trouble === null && this.#cutBatch()) {
        const { segment, line, offset } = this.#position;
        const message = 'The file ends in the middle of a batch, and another one follows.';
        return this.#result({ segment: segmentName(segment), line: line + 1, byte: offset, seq: null, how: 'torn', message });
      }
      if (number === count) return this.#result(null, this.#trouble === null ? end.size - this.#position.offset : 0);
      if (this.#trouble !== null) return this.#result(null);
      if (end.rest > 0 || end.size === 0) {
        const message = `The file ${end.size === 0 ? 'is empty' : 'ends in the middle of a line'}, and another one follows.`;
        return this.#result({ segment: name, line: this.#line + 1, byte: end.size - end.rest, seq: null, how: 'torn', message });
      }
    }
    return this.#result(null);
  }

  /** The same reading, and if it met a line that is not as it was written: which line was changed, and how. */
  async explained(reading: ChainReading): Promise<ChainReading> {
    if (this.#trouble === null) return reading;
    const { segment, offset, line, size, prev } = this.#position;
    const problem = await explainBreak({
      dir: this.#options.dir,
      base: { segment, offset, line, size, prev, frontier: this.#frontier },
      ...this.#trouble,
      isSigned: (head, raw) => this.#isSigned(head, raw),
      keyId: this.#keyId,
    });
    return { ...reading, problem };
  }

  newestHeadIsGood(): boolean {
    return this.#newestHead === null || this.#whatIsWrongWithSeal(this.#newestHead.head, this.#newestHead.raw, this.#frontier) === null;
  }

  #result(problem: Problem | null, tornTailBytes = 0): ChainReading {
    const position = { ...this.#position, frontier: this.#frontier.data(), streams: Object.fromEntries(this.#streams) };
    return { position, problem, tornTailBytes };
  }

  #enterSegment(number: number): void {
    if (this.#leaves.length === 0) this.#position = { ...this.#position, segment: number, offset: 0, line: 0 };
    this.#segment = number;
    this.#line = 0;
  }

  /** A batch lies in one file. */
  #cutBatch(): boolean {
    return this.#leaves.length > 0 && this.#position.segment !== this.#segment;
  }

  /** Its size, and how many bytes at its end have no line break. Stops at the first line that is not good. */
  async #readSegment(name: string, last: boolean): Promise<SegmentEnd | Problem> {
    const path = join(this.#options.dir, name);
    const from = this.#position.segment === this.#segment ? this.#position.offset : 0;
    let size = from;
    let rest = 0;
    for await (const chunk of lineChunks(path, from)) {
      this.#options.signal?.throwIfAborted();
      for (let start = 0; start < chunk.end;) {
        const end = chunk.bytes.indexOf(10, start);
        const byte = chunk.offset + start;
        this.#line += 1;
        const raw = chunk.bytes.subarray(start, end);
        const trouble = this.#take(raw, name, byte);
        if (trouble !== null) {
          if (last && raw.includes(0) && !(await this.#isSealedAfter(byte))) return { size: await sizeOf(path), rest: 0 };
          this.#trouble = trouble;
          return { size, rest };
        }
        start = end + 1;
      }
      size = chunk.offset + chunk.end + chunk.rest;
      rest = chunk.rest;
      if (chunk.tooLong)
        return {
          segment: name,
          line: this.#line + 1,
          byte: chunk.offset,
          seq: null,
          how: 'forged',
          message: 'This line is longer than any record.',
        };
    }
    return { size, rest };
  }

  // After a power cut a file system may show zeros where a write had not reached the disk. No line contains a zero byte, so
  // such a line, with no signed head after it, is the rest of an unacknowledged batch and no edit.
  #isSealedAfter(byte: number): Promise<boolean> {
    const from = { segment: this.#segment, offset: byte, line: this.#line - 1 };
    return someLine(this.#options.dir, from, ({ fields, raw }) => fields?.kind === 'head' && this.#isSigned(fields, raw));
  }

  #take(raw: Buffer, segment: string, byte: number): Trouble | null {
    const line = readLine(raw);
    const place: Place = { segment, line: this.#line, byte, seq: line?.kind === 'record' ? line.seq : null };
    if (line === null) return { place, message: 'This line is neither a record nor a head.' };
    if (line.prev !== this.#prev) return { place, message: 'This line does not name the line before it.' };
    if (this.#cutBatch()) return { place, message: 'The file before ends in the middle of a batch.' };
    const chain = sha256Hex(raw);
    const message = line.kind === 'record' ? this.#takeRecord(line, raw, place, chain) : this.#takeHead(line, raw, place, chain);
    if (message !== null) return { place, message };
    if (line.kind === 'record') this.#leaves.push(leafHash(chain));
    this.#prev = chain;
    return null;
  }

  /** Null, or what is wrong with it. */
  #takeRecord(line: RecordLine, raw: Buffer, place: Place, chain: string): string | null {
    const { seq, stream, stream_seq, type } = line;
    const expected = this.#position.size + this.#leaves.length + 1;
    if (seq !== expected) return `The record calls itself ${seq} and is number ${expected}.`;
    const expectedInStream = (this.#openStreams.get(stream) ?? this.#streams.get(stream) ?? 0) + 1;
    if (stream_seq !== expectedInStream) return `The record calls itself ${stream_seq} of ${stream} and is number ${expectedInStream}.`;
    const { hmac, onRecord, onPlace } = this.#options;
    if (hmac !== undefined && hmac(signedBody(raw, 'record')) !== signatureOf(raw)) return "The record's HMAC does not fit it.";
    this.#openStreams.set(stream, stream_seq);
    if (onPlace !== undefined) {
      this.#places.push({
        seq,
        stream,
        stream_seq,
        type,
        at: writtenAt(raw),
        segment: this.#position.segment,
        offset: place.byte,
        length: raw.length,
        chain,
      });
    }
    if (onRecord !== undefined) {
      try {
        this.#records.push(parseRecord(raw, line));
      } catch {
        return 'The record is not JSON.';
      }
    }
    return null;
  }

  #takeHead(head: HeadLine, raw: Buffer, place: Place, prev: string): string | null {
    const { heads, size: before, segment } = this.#position;
    const size = before + this.#leaves.length;
    if (head.head !== size) return `The head is for ${head.head} records and is after ${size}.`;
    if (size === before) return 'The head closes no batch.';
    const frontier = this.#options.everyHead === true ? this.#frontier.clone() : this.#frontier;
    for (const leaf of this.#leaves) frontier.append(leaf);
    const wrong = this.#options.everyHead === true ? this.#whatIsWrongWithSeal(head, raw, frontier) : null;
    if (wrong !== null) return wrong;
    this.#frontier = frontier;
    this.#newestHead = { head, raw: Buffer.from(raw) };
    this.#position = { segment, offset: place.byte + raw.length + 1, line: place.line, size, heads: heads + 1, prev, chain: head.prev };
    this.#closeBatch();
    return null;
  }

  #closeBatch(): void {
    for (const [stream, seq] of this.#openStreams) this.#streams.set(stream, seq);
    for (const record of this.#records) this.#options.onRecord?.(record);
    for (const place of this.#places) this.#options.onPlace?.(place);
    this.#openStreams.clear();
    this.#leaves = [];
    this.#records = [];
    this.#places = [];
  }

  #whatIsWrongWithSeal(head: HeadLine, raw: Buffer, frontier: MerkleFrontier): string | null {
    if (head.key !== this.#keyId) return `The head is signed with the key ${head.key}; the public key given is ${this.#keyId}.`;
    if (!this.#isSigned(head, raw)) return "The head's signature does not fit it.";
    if (head.root !== frontier.root()) return "The head's Merkle root is not that of the records before it.";
    return null;
  }

  #isSigned(head: HeadLine, raw: Buffer): boolean {
    return head.key === this.#keyId && verify(null, signedBody(raw, 'head'), this.#publicKey, Buffer.from(head.signature, 'base64'));
  }
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path)).size;
}
