// Snapshots of what was folded from the ledger, so that a start reads only what came after. A snapshot carries the position and hash of
// its last record, and the daemon's HMAC: no other source is trusted about modes, intents or approvals. It is a copy that can be
// deleted at any time; one that does not match, for any reason, is ignored and everything is read.

import { readFile, rm } from 'node:fs/promises';
import { deserialize, serialize } from 'node:v8';
import type { LedgerKeys } from '../ledger/index.ts';
import type { EventStore, StoreMark } from '../stores/index.ts';
import { writePrivateFile } from '../workspace/index.ts';
import type { FoldRegistry, SavedFolds } from './folds.ts';

type Folds = Pick<FoldRegistry, 'fits' | 'restore' | 'save'>;

export interface Snapshot {
  readonly mark: StoreMark;
  readonly folds: SavedFolds;
}

/** About the most records that are read again after a crash. */
const EVERY_RECORDS = 10_000;
/** A clean stop saves a snapshot from this many records on; fewer are read quickly. */
const AT_STOP_RECORDS = 500;
const HMAC_BYTES = 64;

export interface SnapshotPlace {
  readonly file: string;
  readonly keys: Pick<LedgerKeys, 'hmac'>;
}

/** Null when there is none that every fold can be restored from. */
export async function readSnapshot({ file, keys }: SnapshotPlace, folds: Pick<Folds, 'fits'>): Promise<Snapshot | null> {
  try {
    const bytes = await readFile(file);
    const body = bytes.subarray(HMAC_BYTES);
    if (keys.hmac(body) !== bytes.subarray(0, HMAC_BYTES).toString('latin1')) return null;
    const saved = deserialize(body) as Snapshot;
    return folds.fits(saved.folds) ? saved : null;
  } catch {
    return null;
  }
}

/** A snapshot that cannot be restored after all is removed: the next start reads everything. */
export async function restoreSnapshot({ file }: SnapshotPlace, snapshot: Snapshot, folds: Pick<Folds, 'restore'>): Promise<void> {
  try {
    folds.restore(snapshot.folds);
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  }
}

export class Snapshots {
  readonly #place: SnapshotPlace;
  readonly #store: EventStore;
  readonly #folds: Pick<Folds, 'save'>;
  /** How many records the last one covers. */
  #at: number;
  #writing: Promise<void> = Promise.resolve();

  constructor(place: SnapshotPlace, store: EventStore, folds: Pick<Folds, 'save'>) {
    this.#place = place;
    this.#store = store;
    this.#folds = folds;
    this.#at = store.resumedAt;
  }

  /** Takes one if enough has happened since the last. */
  keep(): Promise<void> {
    return this.#takeAfter(EVERY_RECORDS);
  }

  async close(): Promise<void> {
    await this.#takeAfter(AT_STOP_RECORDS);
  }

  #takeAfter(records: number): Promise<void> {
    if (this.#store.head().size - this.#at >= records) {
      // Serialised at once: the folds and the mark are of the same moment.
      const { file, keys } = this.#place;
      const mark = this.#store.mark();
      const body = serialize({ mark, folds: this.#folds.save() } satisfies Snapshot);
      const whole = Buffer.concat([Buffer.from(keys.hmac(body), 'latin1'), body]);
      this.#at = mark.size;
      this.#writing = this.#writing.catch(() => {}).then(() => writePrivateFile(file, whole));
    }
    return this.#writing;
  }
}
