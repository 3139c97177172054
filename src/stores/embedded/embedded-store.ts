// The store of one daemon: a ledger in JSONL segments, an index in SQLite, blobs by digest, under one folder.
//
//   <dir>/ledger/00000001.jsonl …   the record; with its public.pem, the folder can be verified alone
//   <dir>/blobs/ab/abcdef…          payloads
//   <dir>/index.sqlite              can be deleted at any time
//   <dir>/lock.sqlite               held by the one writer

import { type ChainPosition, type LedgerKeys, parseRecord, type RecordPlace, verifyLedger } from '../../ledger/index.ts';
import { type EventType, Fault, type LedgerRecord, type StreamAppend } from '../../protocol/index.ts';
import type { AppendOptions, EventStore, ExpiredBlobs, FindQuery, RecordListener, SignedRecord } from '../event-store.ts';
import { brokenLedger } from '../ledger-files/broken-ledger.ts';
import type { LedgerWriter } from '../ledger-files/ledger-writer.ts';
import { heldToSignature, readPlaces, readRecords } from '../ledger-files/read-records.ts';
import type { Blobs } from './blobs.ts';
import type { LedgerIndex } from './ledger-index.ts';
import { rebuildIndex } from './rebuild-index.ts';

export interface EmbeddedParts {
  readonly ledgerDir: string;
  readonly keys: LedgerKeys;
  readonly writer: LedgerWriter;
  readonly blobs: Blobs;
  /** Null when it is unavailable; questions are then answered from the ledger itself. */
  readonly index: LedgerIndex | null;
  readonly indexPath: string;
  /** How many records the index had when the store was opened. */
  readonly indexKnew: number;
  readonly resumedAt: number;
  /** Called with what a subscriber threw; that cannot fail the append. */
  readonly onDefect: (error: unknown) => void;
}

export class EmbeddedStore implements EventStore {
  readonly resumedAt: number;
  readonly #parts: EmbeddedParts;
  #index: LedgerIndex | null;
  #closed = false;
  readonly #listeners = new Set<RecordListener>();
  #reindexing: Promise<number> | null = null;
  /** What was written since an index is being rebuilt. */
  #sinceReindex: RecordPlace[] = [];

  constructor(parts: EmbeddedParts) {
    this.#parts = parts;
    this.resumedAt = parts.resumedAt;
    this.#index = parts.index;
    parts.writer.follow({
      onBatch: (places, records) => this.#take(places, records),
      // The writer waits for the disk anyway: meanwhile the index takes what was written before.
      onIdle: () => this.#tryIndex((index) => index.flushWhenIdle()),
    });
  }

  append(parts: readonly StreamAppend[], options?: AppendOptions): Promise<readonly LedgerRecord[]> {
    return this.#parts.writer.append(parts, options);
  }

  async positions(streams: readonly string[]): Promise<ReadonlyMap<string, number>> {
    return new Map(streams.map((stream) => [stream, this.#parts.writer.streamSeq(stream)]));
  }

  read(from = 1, types?: readonly EventType[]): AsyncIterable<LedgerRecord> {
    const { ledgerDir, writer } = this.#parts;
    const start = this.#placeOf(from);
    const place = { from, to: writer.head().size, end: writer.end(), start, ...(types && { types: new Set(types) }) };
    return readRecords(ledgerDir, place, parseRecord);
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
      if (error instanceof Fault && error.code === 'INTEGRITY_BROKEN') this.#parts.writer.stopWriting(error);
      throw error;
    }
  }

  subscribe(listener: RecordListener): () => void {
    // A wrapper, so that the same function subscribed twice is called twice and each can leave by itself.
    const own: RecordListener = (records) => listener(records);
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  /** More than the ledger has: some were removed, or a power cut lost reads that had not been synced. */
  get indexKnew(): number {
    return this.#parts.indexKnew;
  }

  head(): { readonly size: number; readonly chain: string | null } {
    return this.#parts.writer.head();
  }

  writable(): boolean {
    return this.#parts.writer.writable();
  }

  /** The index has all of it once this was asked for: a start that continues from here need not rebuild it. */
  mark(): ChainPosition {
    this.#tryIndex((index) => index.flush());
    return this.#parts.writer.position();
  }

  async verifyPast(signal: AbortSignal): Promise<Fault | null> {
    if (this.resumedAt === 0) return null;
    const { ledgerDir, keys, writer } = this.#parts;
    const { problem } = await verifyLedger({ dir: ledgerDir, publicKeyPem: keys.publicKeyPem, signal });
    if (problem === null) return null;
    return writer.stopWriting(brokenLedger(problem));
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
    await this.#parts.writer.drain();
    await this.#reindexing?.catch(() => {});
    // While the lock is held: the next writer opens the index too.
    this.#dropIndex();
    await this.#parts.writer.close();
  }

  #take(places: readonly RecordPlace[], records: readonly LedgerRecord[]): void {
    this.#tryIndex((index) => places.forEach((place) => index.add(place)));
    if (this.#reindexing !== null) this.#sinceReindex.push(...places);
    for (const listener of this.#listeners) {
      try {
        listener(records);
      } catch (error) {
        this.#parts.onDefect(error);
      }
    }
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
    return this.#parts.writer.head().size;
  }

  /** A record's place, if it is known without reading through the segments. */
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

  // The next start rebuilds it: it no longer has all records.
  #dropIndex(): void {
    const index = this.#index;
    this.#index = null;
    try {
      index?.close();
    } catch {
      // An index that cannot be closed is still no longer used.
    }
  }

  async #findWithoutIndex({ types, stream, before = Infinity, limit }: FindQuery): Promise<readonly SignedRecord[]> {
    const { ledgerDir, keys, writer } = this.#parts;
    const place = { from: 1, to: writer.head().size, end: writer.end(), start: null };
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
}
