// Reads a ledger from its files and checks it line by line, by its exact bytes. Verification and the store's start are both
// this one reading.
//
// Each line names the hash of the line before it, so the newest head's signature covers every byte before it, older heads
// included. Therefore only that one is checked, unless it is bad: then every head is, to find the first bad one.

import { createPublicKey, verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { join } from 'node:path';
import type { LedgerRecord } from '../protocol/index.ts';
import { EMPTY_CHAIN } from './chain-position.ts';
import type { ChainPosition, RecordPlace } from './chain-position.ts';
import { explainBrokenLink, someLine } from './explain-break.ts';
import { leafHash, MerkleFrontier, sha256Hex } from './hash.ts';
import type { Digest } from './hash.ts';
import { keyIdOf } from './keys.ts';
import type { Place, Problem } from './problem.ts';
import { parseRecord, readLine, signedBody } from './record-line.ts';
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
  if (reader.newestHeadIsGood()) return reading;
  const { onRecord: _onRecord, onPlace: _onPlace, ...quiet } = options;
  return new ChainReader({ ...quiet, everyHead: true }).read();
}

/** A problem, or how to find out what it is from the lines around. */
type Trouble = Problem | (() => Promise<Problem>);

class ChainReader {
  readonly #options: ReadChainOptions;
  readonly #publicKey: KeyObject;
  readonly #keyId: string;

  // As of the last head.
  #position: Omit<ChainPosition, 'frontier' | 'streams'>;
  readonly #frontier: MerkleFrontier;
  readonly #streams: Map<string, number>;
  #newestHead: { readonly head: HeadLine; readonly raw: Buffer } | null = null;

  // The open batch: read, and not closed by a head yet.
  #leaves: Digest[] = [];
  #records: LedgerRecord[] = [];
  #places: RecordPlace[] = [];
  readonly #openStreams = new Map<string, number>();

  // The line before the one that is read next.
  #line: number;
  #prev: string;
  #previous: Place | null = null;

  constructor(options: ReadChainOptions) {
    const { frontier, streams, ...position } = options.resumeFrom ?? EMPTY_CHAIN;
    this.#options = options;
    this.#publicKey = createPublicKey(options.publicKeyPem);
    this.#keyId = keyIdOf(this.#publicKey);
    this.#position = position;
    this.#frontier = new MerkleFrontier(frontier);
    this.#streams = new Map(Object.entries(streams));
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
      if (typeof end === 'object') return this.#result(end);
      const tail = end - this.#position.offset;
      if (number === count) return this.#result(null, tail);
      if (tail > 0 || end === 0) {
        const message = 'The segment does not end with a head, and another segment follows.';
        return this.#result({
          segment: name,
          line: this.#position.line + 1,
          byte: this.#position.offset,
          seq: null,
          how: 'unsigned tail',
          message,
        });
      }
    }
    return this.#result(null);
  }

  newestHeadIsGood(): boolean {
    return this.#newestHead === null || this.#whatIsWrongWithSeal(this.#newestHead.head, this.#newestHead.raw) === null;
  }

  #result(problem: Problem | null, tornTailBytes = 0): ChainReading {
    const position = { ...this.#position, frontier: this.#frontier.data(), streams: Object.fromEntries(this.#streams) };
    return { position, problem, tornTailBytes };
  }

  #enterSegment(number: number): void {
    this.#position = { ...this.#position, segment: number, offset: 0, line: 0 };
    this.#line = 0;
  }

  /** The segment's size when all its lines are good, apart from a tail that was never acknowledged. */
  async #readSegment(name: string, last: boolean): Promise<number | Problem> {
    const path = join(this.#options.dir, name);
    let size = this.#position.offset;
    for await (const chunk of lineChunks(path, this.#position.offset)) {
      this.#options.signal?.throwIfAborted();
      for (let start = 0; start < chunk.end;) {
        const end = chunk.bytes.indexOf(10, start);
        const byte = chunk.offset + start;
        this.#line += 1;
        const trouble = this.#take(chunk.bytes.subarray(start, end), name, byte);
        if (trouble !== null) {
          const tornSize = last ? await this.#sizeIfLostPower(path, chunk.bytes.subarray(start, end), byte) : null;
          return tornSize ?? (typeof trouble === 'function' ? trouble() : trouble);
        }
        start = end + 1;
      }
      size = chunk.offset + chunk.end + chunk.rest;
      if (chunk.tooLong)
        return {
          segment: name,
          line: this.#line + 1,
          byte: chunk.offset,
          seq: null,
          how: 'not a record',
          message: 'This line is longer than any record.',
        };
    }
    return size;
  }

  // After a power cut a file system may show zeros where a write had not reached the disk. No line contains a zero byte, so
  // such a line, with no signed head behind it, is the rest of an unacknowledged batch and no edit.
  async #sizeIfLostPower(path: string, line: Buffer, byte: number): Promise<number | null> {
    if (!line.includes(0)) return null;
    const isGoodHead = (raw: Buffer): boolean => {
      const head = readLine(raw);
      return head?.kind === 'head' && this.#isSigned(head, raw);
    };
    if (await someLine({ path, from: byte }, isGoodHead)) return null;
    let size = byte;
    for await (const chunk of lineChunks(path, byte)) size = chunk.offset + chunk.end + chunk.rest;
    return size;
  }

  #take(raw: Buffer, segment: string, byte: number): Trouble | null {
    const line = raw.includes(0) ? null : readLine(raw);
    const place: Place = { segment, line: this.#line, byte, seq: line?.kind === 'record' ? line.seq : null };
    if (line === null) return { ...place, how: 'not a record', message: 'This line is neither a record nor a head.' };
    if (line.prev !== this.#prev) return this.#brokenLink(line, Buffer.from(raw), place);
    const chain = sha256Hex(raw);
    const problem = line.kind === 'record' ? this.#takeRecord(line, raw, place, chain) : this.#takeHead(line, raw, place, chain);
    if (problem !== null) return problem;
    if (line.kind === 'record') this.#leaves.push(leafHash(chain));
    this.#prev = chain;
    this.#previous = place;
    return null;
  }

  #brokenLink(line: RecordLine | HeadLine, raw: Buffer, place: Place): Trouble {
    const expected = this.#position.size + this.#leaves.length;
    return () =>
      explainBrokenLink({
        dir: this.#options.dir,
        segmentNumber: this.#position.segment,
        place,
        previous: this.#leaves.length === 0 && this.newestHeadIsGood() ? null : this.#previous,
        raw,
        prev: line.prev,
        ahead: line.kind === 'record' ? line.seq - expected - 1 : line.head - expected,
        closesNothing: line.kind === 'head' && this.#leaves.length === 0,
        signed: line.kind === 'head' && this.#isSigned(line, raw),
      });
  }

  #takeRecord(line: RecordLine, raw: Buffer, place: Place, chain: string): Problem | null {
    const edited = (message: string): Problem => ({ ...place, how: 'edited', message });
    const { seq, stream, stream_seq, type, at } = line;
    const expected = this.#position.size + this.#leaves.length + 1;
    if (seq !== expected) return edited(`The record calls itself ${seq} and is number ${expected}.`);
    const expectedInStream = (this.#openStreams.get(stream) ?? this.#streams.get(stream) ?? 0) + 1;
    if (stream_seq !== expectedInStream)
      return edited(`The record calls itself ${stream_seq} of ${stream} and is number ${expectedInStream}.`);
    const { hmac, onRecord, onPlace } = this.#options;
    if (hmac !== undefined && hmac(signedBody(raw, 'record')) !== line.signature) return edited("The record's HMAC does not fit it.");
    this.#openStreams.set(stream, stream_seq);
    if (onPlace !== undefined) {
      this.#places.push({
        seq,
        stream,
        stream_seq,
        type,
        at,
        segment: this.#position.segment,
        offset: place.byte,
        length: raw.length,
        chain,
      });
    }
    if (onRecord !== undefined) {
      try {
        this.#records.push(parseRecord(raw));
      } catch {
        return { ...place, how: 'not a record', message: 'This line is not JSON.' };
      }
    }
    return null;
  }

  #takeHead(head: HeadLine, raw: Buffer, place: Place, prev: string): Problem | null {
    const bad = (message: string): Problem => ({ ...place, how: 'bad head', message });
    const { heads, size: before, segment } = this.#position;
    const size = before + this.#leaves.length;
    if (head.head !== size) return bad(`The head is for ${head.head} records and stands after ${size}.`);
    if (size === before) return bad('The head closes no batch.');
    for (const leaf of this.#leaves) this.#frontier.append(leaf);
    const wrong = this.#options.everyHead === true ? this.#whatIsWrongWithSeal(head, raw) : null;
    if (wrong !== null) return bad(wrong);
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

  #whatIsWrongWithSeal(head: HeadLine, raw: Buffer): string | null {
    if (head.key !== this.#keyId) return `The head is signed with the key ${head.key}; the public key given is ${this.#keyId}.`;
    if (!this.#isSigned(head, raw)) return "The head's signature does not fit it.";
    if (head.root !== this.#frontier.root()) return "The head's Merkle root is not that of the records before it.";
    return null;
  }

  #isSigned(head: HeadLine, raw: Buffer): boolean {
    return head.key === this.#keyId && verify(null, signedBody(raw, 'head'), this.#publicKey, Buffer.from(head.signature, 'base64'));
  }
}
