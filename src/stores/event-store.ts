// The interface between the rooms that record events and the backend that stores them. A backend is done when `contract.ts` passes on it.

import type { EventType, Fault, LedgerRecord, StreamAppend } from '../protocol/index.ts';

export interface AppendOptions {
  /** False only for pure observation: the append resolves when its batch was written, without waiting for the disk. Default true. */
  readonly durable?: boolean;
}

export interface FindQuery {
  readonly types?: readonly EventType[];
  readonly stream?: string;
  /** Only records with a smaller `seq`. */
  readonly before?: number;
  readonly limit: number;
}

export interface SignedRecord extends LedgerRecord {
  /** The HMAC-SHA256 that its line carries. */
  readonly signature: string;
}

export type RecordListener = (records: readonly LedgerRecord[]) => void;

export interface EventStore {
  /** Other kernels append to this store too, from here or from another machine. Absent: there is one. */
  readonly isShared?: boolean;
  /**
   * All or nothing, over all streams named. A stream that is not at its `expected_seq` is a CONFLICT and nothing is written; null fits any
   * position. A part without events is checked like any other.
   * AUDIT_UNAVAILABLE: it could not be written, and never counts as written. An invalid event throws.
   */
  append(parts: readonly StreamAppend[], options?: AppendOptions): Promise<readonly LedgerRecord[]>;
  /** The last position of each stream, appends that are still on their way included; 0 for a stream that does not exist. */
  positions(streams: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** In order, from that `seq`, up to what was there when reading began. `types`: only these; the others cost little. */
  read(from?: number, types?: readonly EventType[]): AsyncIterable<LedgerRecord>;
  /** Newest first, each signature checked again. INTEGRITY_BROKEN: one was changed since, and nothing is written any more. */
  find(query: FindQuery): Promise<readonly SignedRecord[]>;
  /** The listener gets every batch, in order, once it is written (synced, if durable) and before its appends resolve. It must not throw. */
  subscribe(listener: RecordListener): () => void;
  /** How many records there are, and the hash of the last one's line. */
  head(): { readonly size: number; readonly chain: string | null };
  /** False after a failed write, until a later append succeeds. */
  writable(): boolean;
  /** The content's SHA-256, by which it is got back. Not durable: it may be gone after the machine went down. */
  putBlob(bytes: Uint8Array, options?: AppendOptions): Promise<string>;
  getBlob(sha256: string): Promise<Uint8Array | null>;
  /** Plain data: how far this store is now. A later opening that gets it need not read the earlier records. */
  mark(): StoreMark;
  /** How many records were not read when it was opened, because a mark vouched for them. */
  readonly resumedAt: number;
  /** How many records the index had when the store was opened, where it has one that outlives it. */
  readonly indexKnew?: number;
  /** Reads what a mark vouched for. If that does not verify, nothing is written any more; reading goes on. Resolves with what is wrong. */
  verifyPast(signal: AbortSignal): Promise<Fault | null>;
  /** Rebuilds the index from the record alone. Questions are answered meanwhile. Resolves with the number of records. */
  reindex(): Promise<number>;
  /** Removes payloads that were last put before `olderThan`. */
  expireBlobs(olderThan: Date): Promise<ExpiredBlobs>;
  close(): Promise<void>;
}

/** Further fields are known only to the kind of store that made it. */
export interface StoreMark {
  readonly size: number;
  readonly chain: string | null;
}

export interface ExpiredBlobs {
  readonly count: number;
  readonly bytes: number;
}
