// The one writer of a ledger's files. Appends that come while the disk is busy wait and share one batch: one write, one head, one sync,
// then all are acknowledged. Knows nothing of a store's other uses of the records: an index, rows, listeners.

import { setImmediate as nextEventLoopTurn } from 'node:timers/promises';
import {
  canonicalJson,
  type ChainPosition,
  isStreamName,
  type LedgerKeys,
  MAX_LINE_BYTES,
  MerkleFrontier,
  type RecordPlace,
  segmentName,
} from '../../ledger/index.ts';
import { Event, type EventOf, Fault, type LedgerRecord, type StreamAppend, streams } from '../../protocol/index.ts';
import type { AppendOptions } from '../event-store.ts';
import { auditUnavailable } from './audit-unavailable.ts';
import { sealBatch } from './batch.ts';
import type { AcceptedEvent, Acceptance, Batch, Tip } from './batch.ts';
import type { SegmentFile } from './segment-file.ts';
import type { WriterLock } from './writer-lock.ts';

/** What a record's line has besides its data fits into this. */
const ENVELOPE_BYTES = 1024;
const MAX_DATA_BYTES = MAX_LINE_BYTES - ENVELOPE_BYTES;

interface QueuedAppend extends Acceptance {
  readonly durable: boolean;
  readonly resolve: (records: readonly LedgerRecord[]) => void;
  readonly reject: (fault: Fault) => void;
}

/** A head that is safe from a crash: how many records, the hash of the last one's line, the file, and the offset after the head. */
export interface SyncedHead {
  readonly size: number;
  readonly chain: string;
  readonly segment: string;
  readonly end: number;
}

/** What a store does with each batch. Neither may throw. */
export interface WriterFollower {
  /** The batch is written (synced, if durable); its appends resolve after this. */
  readonly onBatch: (places: readonly RecordPlace[], records: readonly LedgerRecord[]) => void;
  /** The sync is under way in another thread, and this thread is idle meanwhile. */
  readonly onIdle: () => void;
}

export interface WriterParts {
  readonly ledgerDir: string;
  readonly keys: LedgerKeys;
  readonly lock: WriterLock;
  readonly segment: SegmentFile;
  readonly position: ChainPosition;
  /** A torn tail that the first write cuts off; null when there was none. */
  readonly repair: EventOf<'ledger_repaired'> | null;
  readonly clock: () => Date;
  readonly onSynced: (head: SyncedHead) => void;
  readonly onDefect: (error: unknown) => void;
}

export class LedgerWriter {
  readonly #parts: WriterParts;
  #follower: WriterFollower | null = null;
  #tip: Tip;
  /** The last position of each stream, as written. */
  readonly #written: Map<string, number>;
  /** The same with appends that are not written yet; cleared when one of them fails. */
  readonly #accepted = new Map<string, number>();
  #queue: QueuedAppend[] = [];
  #pumping: Promise<void> | null = null;
  /** The last batch had more than one append, or another one came while it was written. */
  #hasSeveralWriters = false;
  #writable = true;
  /** Why nothing is written any more. */
  #broken: Fault | null = null;
  #closed = false;
  #released = false;
  /** A repair that is not recorded yet. */
  #unrecordedRepair: EventOf<'ledger_repaired'> | null;

  constructor(parts: WriterParts) {
    const { size, prev, chain, frontier, streams: positions, heads, line } = parts.position;
    this.#parts = parts;
    this.#unrecordedRepair = parts.repair;
    this.#tip = { size, prev, chain, frontier: new MerkleFrontier(frontier), heads, line };
    this.#written = new Map(Object.entries(positions));
  }

  /** Before the first append. */
  follow(follower: WriterFollower): void {
    this.#follower = follower;
  }

  /** As `EventStore.append`. */
  async append(parts: readonly StreamAppend[], { durable = true }: AppendOptions = {}): Promise<readonly LedgerRecord[]> {
    if (this.#closed) throw new Fault('AUDIT_UNAVAILABLE', 'The store is closed.', { fix: 'Start the daemon again.' });
    if (this.#broken !== null) throw this.#broken;
    if (this.#unrecordedRepair !== null) this.recordRepair().catch(this.#parts.onDefect);
    const events = this.#accept(parts);
    if (events.length === 0) return [];
    return new Promise((resolve, reject) => {
      this.#queue.push({ at: this.#now(), events, durable, resolve, reject });
      this.#pumping ??= this.#pump();
    });
  }

  /** A stream's last position, appends that are on their way included. */
  streamSeq(stream: string): number {
    return this.#accepted.get(stream) ?? this.#written.get(stream) ?? 0;
  }

  head(): { readonly size: number; readonly chain: string | null } {
    return { size: this.#tip.size, chain: this.#tip.chain };
  }

  /** Where the next batch will begin. */
  end(): { readonly segment: number; readonly offset: number } {
    return { segment: this.#parts.segment.number, offset: this.#parts.segment.offset };
  }

  position(): ChainPosition {
    const { frontier, ...tip } = this.#tip;
    return { ...this.end(), ...tip, frontier: frontier.data(), streams: Object.fromEntries(this.#written) };
  }

  /** False after a failed write, until a later append succeeds. */
  writable(): boolean {
    return this.#writable;
  }

  /** Stops for good: the ledger's files do not verify. */
  stopWriting({ message, fix }: Fault): Fault {
    this.#writable = false;
    this.#broken ??= new Fault('AUDIT_UNAVAILABLE', message, fix === null ? {} : { fix });
    return this.#broken;
  }

  /** If the disk refuses, the repair is recorded before the next append that succeeds. */
  async recordRepair(): Promise<void> {
    const repair = this.#unrecordedRepair;
    if (repair === null) return;
    this.#unrecordedRepair = null;
    try {
      await this.append([{ stream: streams.daemon, expected_seq: this.streamSeq(streams.daemon), events: [repair] }]);
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== 'AUDIT_UNAVAILABLE') throw error;
      this.#unrecordedRepair = repair;
    }
  }

  /** Accepts nothing more, and writes what is queued. */
  async drain(): Promise<void> {
    this.#closed = true;
    await this.#pumping;
  }

  async close(): Promise<void> {
    await this.drain();
    if (this.#released) return;
    this.#released = true;
    try {
      await this.#parts.segment.close();
    } finally {
      this.#parts.lock.release();
    }
  }

  /** Checks every event before it reserves any position: an error leaves everything unchanged. */
  #accept(parts: readonly StreamAppend[]): AcceptedEvent[] {
    const positions = new Map<string, number>();
    const accepted: AcceptedEvent[] = [];
    for (const { stream, expected_seq, events } of parts) {
      if (!isStreamName(stream)) throw new TypeError(`${JSON.stringify(stream)} cannot name a stream`);
      let position = positions.get(stream) ?? this.streamSeq(stream);
      if (expected_seq !== null && expected_seq !== position)
        throw new Fault('CONFLICT', `${stream} is at ${position}, not at ${expected_seq}.`);
      for (const candidate of events) {
        const event = Event.parse(candidate);
        const data = canonicalJson(event.data);
        if (Buffer.byteLength(data) > MAX_DATA_BYTES)
          throw new Fault('TOO_LARGE', `An event of type ${event.type} is larger than a record can be.`);
        position += 1;
        // As it will be read back: listeners see now what they would see after a restart.
        accepted.push({ stream, stream_seq: position, event: { type: event.type, data: JSON.parse(data) as unknown } as Event, data });
      }
      if (events.length > 0) positions.set(stream, position);
    }
    for (const [stream, position] of positions) this.#accepted.set(stream, position);
    return accepted;
  }

  async #pump(): Promise<void> {
    while (this.#queue.length > 0) {
      // Writers that were just acknowledged get a chance to join the next batch: without this, writers split into two halves.
      // A single writer does not wait.
      if (this.#hasSeveralWriters) await nextEventLoopTurn();
      const waiting = this.#queue;
      this.#queue = [];
      try {
        const batch = await this.#write(waiting);
        this.#hasSeveralWriters = waiting.length > 1 || this.#queue.length > 0;
        this.#adopt(batch);
        for (const [i, { resolve }] of waiting.entries()) resolve(batch.records[i] ?? []);
      } catch (error) {
        this.#rejectAll(waiting, auditUnavailable(this.#parts.ledgerDir, error));
      }
    }
    this.#pumping = null;
  }

  async #write(waiting: readonly QueuedAppend[]): Promise<Batch> {
    const { segment, keys } = this.#parts;
    await segment.prepare();
    const batch = sealBatch(this.#tip, waiting, keys, { segment: segment.number, offset: segment.offset, at: this.#now() });
    // One durable append makes its whole batch wait for the disk: resolved earlier, the others would be reported out of order.
    const written = segment.append(
      batch.bytes,
      waiting.some(({ durable }) => durable),
    );
    if (segment.isSyncing) this.#follower?.onIdle();
    await written;
    return batch;
  }

  /** The batch is written; from here on nothing may fail. */
  #adopt({ tip, places, records }: Batch): void {
    this.#tip = tip;
    this.#writable = this.#broken === null;
    const { segment, onSynced } = this.#parts;
    if (segment.isSynced && tip.chain !== null)
      onSynced({ size: tip.size, chain: tip.chain, segment: segmentName(segment.number), end: segment.offset });
    for (const { stream, stream_seq } of places) {
      this.#written.set(stream, stream_seq);
      if (this.#accepted.get(stream) === stream_seq) this.#accepted.delete(stream);
    }
    this.#follower?.onBatch(places, records.flat());
  }

  /** Appends that came later go too: their positions rest on those that failed. */
  #rejectAll(waiting: readonly QueuedAppend[], fault: Fault): void {
    const later = this.#queue;
    this.#queue = [];
    this.#writable = false;
    this.#accepted.clear();
    for (const { reject } of [...waiting, ...later]) reject(fault);
  }

  #now(): string {
    return this.#parts.clock().toISOString();
  }
}
