// The store of one daemon: a ledger in JSONL segments, an index in SQLite, blobs by digest, under one folder.
//
//   <dir>/ledger/00000001.jsonl …   the record; with public.pem beside, the folder verifies by itself
//   <dir>/blobs/ab/abcdef…          payloads
//   <dir>/index.sqlite              can be deleted at any time
//   <dir>/lock.sqlite               held by the one writer

import { setImmediate as nextTurn } from 'node:timers/promises';
import { canonicalJson, isStreamName, MAX_LINE_BYTES, MerkleFrontier, parseRecord, segmentName, verifyLedger } from '../../ledger/index.ts';
import type { ChainPosition, LedgerKeys, RecordPlace } from '../../ledger/index.ts';
import { Event, Fault, streams } from '../../protocol/index.ts';
import type { EventOf, EventType, LedgerRecord, StreamAppend } from '../../protocol/index.ts';
import type { AppendOptions, EventStore, ExpiredBlobs, FindQuery, RecordListener, SignedRecord } from '../event-store.ts';
import { auditUnavailable } from './audit-unavailable.ts';
import { sealBatch } from './batch.ts';
import { brokenLedger } from './broken-ledger.ts';
import type { AcceptedEvent, Acceptance, Batch, Tip } from './batch.ts';
import type { Blobs } from './blobs.ts';
import type { LedgerIndex } from './ledger-index.ts';
import { rebuildIndex } from './rebuild-index.ts';
import { heldToSignature, readPlaces, readRecords } from './read-records.ts';
import type { SegmentFile } from './segment-file.ts';
import type { WriterLock } from './writer-lock.ts';

/** Room for what a record's line has besides its data. */
const MAX_DATA_BYTES = MAX_LINE_BYTES - 1024;

interface Waiting extends Acceptance {
  readonly durable: boolean;
  readonly resolve: (records: readonly LedgerRecord[]) => void;
  readonly reject: (fault: Fault) => void;
}

export interface EmbeddedParts {
  readonly ledgerDir: string;
  readonly keys: LedgerKeys;
  readonly lock: WriterLock;
  readonly segment: SegmentFile;
  readonly blobs: Blobs;
  /** Null when it cannot be had; questions are then answered from the ledger itself. */
  readonly index: LedgerIndex | null;
  readonly indexPath: string;
  readonly position: ChainPosition;
  readonly resumedAt: number;
  readonly clock: () => Date;
  readonly onDefect: (error: unknown) => void;
  readonly onSynced: (head: SyncedHead) => void;
}

/** A head that no crash takes back: how many records, the hash of the last one's line, the file, and the byte behind the head. */
export interface SyncedHead {
  readonly size: number;
  readonly chain: string;
  readonly segment: string;
  readonly end: number;
}

export class EmbeddedStore implements EventStore {
  readonly resumedAt: number;
  readonly #parts: EmbeddedParts;
  #index: LedgerIndex | null;
  #tip: Tip;
  /** Positions as written. */
  readonly #written: Map<string, number>;
  /** Positions of appends on their way; forgotten when one of them fails. */
  readonly #accepted = new Map<string, number>();
  #queue: Waiting[] = [];
  #pumping: Promise<void> | null = null;
  /** Whether the last batch had more than one append, or another one came while it was written. */
  #crowded = false;
  #writable = true;
  /** Why nothing is written any more. */
  #broken: Fault | null = null;
  #closed = false;
  /** A repair that could not be recorded yet. */
  #owed: EventOf<'ledger_repaired'> | null = null;
  readonly #listeners = new Set<RecordListener>();
  #reindexing: Promise<number> | null = null;
  /** What was written since an index is being made anew. */
  #sinceReindex: RecordPlace[] = [];

  constructor(parts: EmbeddedParts) {
    const { size, prev, chain, frontier, streams: positions, heads, line } = parts.position;
    this.#parts = parts;
    this.resumedAt = parts.resumedAt;
    this.#index = parts.index;
    this.#tip = { size, prev, chain, frontier: new MerkleFrontier(frontier), heads, line };
    this.#written = new Map(Object.entries(positions));
  }

  async append(parts: readonly StreamAppend[], { durable = true }: AppendOptions = {}): Promise<readonly LedgerRecord[]> {
    if (this.#closed) throw new Fault('AUDIT_UNAVAILABLE', 'The store is closed.', { fix: 'Start the daemon again.' });
    if (this.#broken !== null) throw this.#broken;
    if (this.#owed !== null) this.#settleRepair(this.#owed);
    const events = this.#accept(parts);
    if (events.length === 0) return [];
    return new Promise((resolve, reject) => {
      this.#queue.push({ at: this.#now(), events, durable, resolve, reject });
      this.#pumping ??= this.#pump();
    });
  }

  streamSeq(stream: string): number {
    return this.#accepted.get(stream) ?? this.#written.get(stream) ?? 0;
  }

  read(from = 1, types?: readonly EventType[]): AsyncIterable<LedgerRecord> {
    const place = { from, to: this.#tip.size, end: this.#end(), start: this.#placeOf(from), ...(types && { types: new Set(types) }) };
    return readRecords(this.#parts.ledgerDir, place, parseRecord);
  }

  async find(query: FindQuery): Promise<readonly SignedRecord[]> {
    const { ledgerDir, keys } = this.#parts;
    try {
      if (this.#index !== null) {
        try {
          return readPlaces(ledgerDir, this.#index.find(query), keys.hmac);
        } catch (error) {
          if (error instanceof Fault) throw error;
          this.#dropIndex();
        }
      }
      return await this.#findWithoutIndex(query);
    } catch (error) {
      if (error instanceof Fault && error.code === 'INTEGRITY_BROKEN') this.#stopWriting(error);
      throw error;
    }
  }

  subscribe(listener: RecordListener): () => void {
    // A wrapper, so that the same function subscribed twice is called twice and each can leave by itself.
    const own: RecordListener = (records) => listener(records);
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  head(): { readonly size: number; readonly chain: string | null } {
    return { size: this.#tip.size, chain: this.#tip.chain };
  }

  writable(): boolean {
    return this.#writable;
  }

  /** The index has all of it once this was asked for: a start that goes on from here need not make it anew. */
  mark(): ChainPosition {
    this.#tryIndex((index) => index.flush());
    const { frontier, ...tip } = this.#tip;
    return { ...this.#end(), ...tip, frontier: frontier.data(), streams: Object.fromEntries(this.#written) };
  }

  async verifyPast(signal: AbortSignal): Promise<Fault | null> {
    if (this.resumedAt === 0) return null;
    const { ledgerDir, keys } = this.#parts;
    const { problem } = await verifyLedger({ dir: ledgerDir, publicKeyPem: keys.publicKeyPem, signal });
    if (problem === null) return null;
    return this.#stopWriting(brokenLedger(problem));
  }

  reindex(): Promise<number> {
    this.#reindexing ??= this.#rebuild().finally(() => {
      this.#reindexing = null;
      this.#sinceReindex = [];
    });
    return this.#reindexing;
  }

  expireBlobs(olderThan: Date): Promise<ExpiredBlobs> {
    return this.#parts.blobs.expire(olderThan);
  }

  putBlob(bytes: Uint8Array, options?: AppendOptions): Promise<string> {
    return this.#parts.blobs.put(bytes, options);
  }

  getBlob(sha256: string): Promise<Uint8Array | null> {
    return this.#parts.blobs.get(sha256);
  }

  /** Writes what is queued, then lets go of everything. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#pumping;
    await this.#reindexing?.catch(() => {});
    try {
      await this.#parts.segment.close();
    } finally {
      this.#dropIndex();
      this.#parts.lock.release();
    }
  }

  /** If the disk refuses, the repair is recorded before the first append that it takes again. */
  async recordRepair(repair: EventOf<'ledger_repaired'>): Promise<void> {
    try {
      await this.append([{ stream: streams.daemon, expected_seq: this.streamSeq(streams.daemon), events: [repair] }]);
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== 'AUDIT_UNAVAILABLE') throw error;
      this.#owed = repair;
    }
  }

  #stopWriting({ message, fix }: Fault): Fault {
    this.#writable = false;
    this.#broken ??= new Fault('AUDIT_UNAVAILABLE', message, fix === null ? {} : { fix });
    return this.#broken;
  }

  #settleRepair(repair: EventOf<'ledger_repaired'>): void {
    this.#owed = null;
    this.recordRepair(repair).catch(this.#parts.onDefect);
  }

  /** Checks everything, then takes the positions. Whatever throws here has changed nothing. */
  #accept(parts: readonly StreamAppend[]): AcceptedEvent[] {
    const positions = new Map<string, number>();
    const accepted: AcceptedEvent[] = [];
    for (const { stream, expected_seq, events } of parts) {
      if (!isStreamName(stream)) throw new TypeError(`${JSON.stringify(stream)} cannot name a stream`);
      let position = positions.get(stream) ?? this.streamSeq(stream);
      if (expected_seq !== position) throw new Fault('CONFLICT', `${stream} is at ${position}, not at ${expected_seq}.`);
      for (const candidate of events) {
        const event = Event.parse(candidate);
        const data = canonicalJson(event.data);
        if (Buffer.byteLength(data) > MAX_DATA_BYTES)
          throw new Fault('TOO_LARGE', `An event of type ${event.type} is larger than a record can be.`);
        position += 1;
        accepted.push({ stream, stream_seq: position, event, data });
      }
      positions.set(stream, position);
    }
    for (const [stream, position] of positions) this.#accepted.set(stream, position);
    return accepted;
  }

  async #pump(): Promise<void> {
    while (this.#queue.length > 0) {
      // Those who have just heard back get the chance to be in the next batch: without this, writers fall into two halves.
      // Whoever writes alone waits for nobody.
      if (this.#crowded) await nextTurn();
      const waiting = this.#queue;
      this.#queue = [];
      try {
        const batch = await this.#write(waiting);
        this.#crowded = waiting.length > 1 || this.#queue.length > 0;
        this.#take(batch);
        for (const [i, { resolve }] of waiting.entries()) resolve(batch.records[i] ?? []);
      } catch (error) {
        this.#refuse(waiting, auditUnavailable(this.#parts.ledgerDir, error));
      }
    }
    this.#pumping = null;
  }

  async #write(waiting: readonly Waiting[]): Promise<Batch> {
    const { segment, keys } = this.#parts;
    await segment.prepare();
    const batch = sealBatch(this.#tip, waiting, keys, { segment: segment.number, offset: segment.offset, at: this.#now() });
    // One durable append makes its whole batch wait for the disk: resolved earlier, the others would be heard out of order.
    const written = segment.append(
      batch.bytes,
      waiting.some(({ durable }) => durable),
    );
    // The disk is waited for anyway: meanwhile the index takes what was written before.
    if (segment.isSyncing) this.#tryIndex((index) => index.flushSome());
    await written;
    return batch;
  }

  /** The batch is written; from here on nothing may fail. */
  #take({ tip, places, records }: Batch): void {
    this.#tip = tip;
    this.#writable = this.#broken === null;
    const { segment, onSynced } = this.#parts;
    if (segment.isSynced && tip.chain !== null)
      onSynced({ size: tip.size, chain: tip.chain, segment: segmentName(segment.number), end: segment.offset });
    for (const { stream, stream_seq } of places) {
      this.#written.set(stream, stream_seq);
      if (this.#accepted.get(stream) === stream_seq) this.#accepted.delete(stream);
    }
    this.#tryIndex((index) => places.forEach((place) => index.add(place)));
    if (this.#reindexing !== null) this.#sinceReindex.push(...places);
    const all = records.flat();
    for (const listener of this.#listeners) {
      try {
        listener(all);
      } catch (error) {
        this.#parts.onDefect(error);
      }
    }
  }

  #refuse(waiting: readonly Waiting[], fault: Fault): void {
    const behind = this.#queue;
    this.#queue = [];
    this.#writable = false;
    this.#accepted.clear();
    for (const { reject } of [...waiting, ...behind]) reject(fault);
  }

  async #rebuild(): Promise<number> {
    const { ledgerDir, indexPath, keys } = this.#parts;
    const rebuilt = await rebuildIndex({ ledgerDir, indexPath, publicKeyPem: keys.publicKeyPem });
    // From here to the exchange nothing waits: no record can come in between.
    const newest = rebuilt.newest()?.seq ?? 0;
    for (const place of this.#sinceReindex) if (place.seq > newest) rebuilt.add(place);
    this.#dropIndex();
    rebuilt.moveTo(indexPath);
    this.#index = rebuilt;
    return this.#tip.size;
  }

  /** Where a record stands, if that can be had without reading through the segments. */
  #placeOf(seq: number): { readonly segment: number; readonly offset: number } | null {
    let place = null;
    if (seq > 1) this.#tryIndex((index) => (place = index.placeOf(seq)));
    return place;
  }

  #tryIndex(work: (index: LedgerIndex) => void): void {
    try {
      if (this.#index !== null) work(this.#index);
    } catch {
      this.#dropIndex();
    }
  }

  // The next start makes it anew: it no longer has all records.
  #dropIndex(): void {
    const index = this.#index;
    this.#index = null;
    try {
      index?.close();
    } catch {
      // An index that cannot even be closed is out of use all the same.
    }
  }

  async #findWithoutIndex({ types, stream, before = Infinity, limit }: FindQuery): Promise<readonly SignedRecord[]> {
    const { ledgerDir, keys } = this.#parts;
    const place = { from: 1, to: this.#tip.size, end: this.#end(), start: null };
    let found: SignedRecord[] = [];
    for await (const record of readRecords(ledgerDir, place, (raw, line) => heldToSignature(raw, line, keys.hmac))) {
      if (record.seq >= before) break;
      if (stream !== undefined && record.stream !== stream) continue;
      if (types !== undefined && !types.includes(record.event.type)) continue;
      found.push(record);
      if (found.length > 2 * limit + 1024) found = found.slice(-limit);
    }
    return limit === 0 ? [] : found.slice(-limit).toReversed();
  }

  #end(): { readonly segment: number; readonly offset: number } {
    return { segment: this.#parts.segment.number, offset: this.#parts.segment.offset };
  }

  #now(): string {
    return this.#parts.clock().toISOString();
  }
}
