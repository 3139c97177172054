// Snapshots of what was folded from the ledger, so that a start reads only what came after. A snapshot carries the position and hash of
// the record that it stands for, and the daemon's HMAC: nobody else's word about modes, intents or approvals is taken. It is a copy
// that can be deleted at any time; one that does not fit, for whatever reason, is passed over and all is read.

import { readFile } from 'node:fs/promises';
import { deserialize, serialize } from 'node:v8';
import type { LedgerKeys } from '../ledger/index.ts';
import type { EventStore, StoreMark } from '../stores/index.ts';
import { writePrivateFile } from '../workspace/index.ts';

/** Folded from records, in order. */
export interface Fold {
  /** Plain data. */
  save(): unknown;
  /** Into one that has seen nothing yet. */
  restore(saved: unknown): void;
}

export interface Snapshot {
  readonly mark: StoreMark;
  readonly folds: Readonly<Record<string, unknown>>;
}

/** So many records are read again at most after a crash, give or take what a second brings. */
const EVERY_RECORDS = 10_000;
/** What an orderly end puts away; fewer are read in no time. */
const AT_STOP_RECORDS = 500;
const HMAC_BYTES = 64;

export interface SnapshotPlace {
  readonly file: string;
  readonly keys: Pick<LedgerKeys, 'hmac'>;
  /** Of the sources that fold: what other sources folded is not taken up. */
  readonly revisionOf: () => string;
}

/** Null when there is none that can be used. */
export async function readSnapshot({ file, keys, revisionOf }: SnapshotPlace): Promise<Snapshot | null> {
  try {
    const bytes = await readFile(file);
    const body = bytes.subarray(HMAC_BYTES);
    if (keys.hmac(body) !== bytes.subarray(0, HMAC_BYTES).toString('latin1')) return null;
    const saved = deserialize(body) as Snapshot & { readonly revision: string };
    return saved.revision === revisionOf() ? saved : null;
  } catch {
    return null;
  }
}

export class Snapshots {
  readonly #place: SnapshotPlace;
  readonly #store: EventStore;
  readonly #folds: Readonly<Record<string, Fold>>;
  /** How many records the last one stands for. */
  #at: number;
  #writing: Promise<void> = Promise.resolve();

  constructor(place: SnapshotPlace, store: EventStore, folds: Readonly<Record<string, Fold>>) {
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
      const { file, keys, revisionOf } = this.#place;
      const mark = this.#store.mark();
      const folds = Object.fromEntries(Object.entries(this.#folds).map(([name, fold]) => [name, fold.save()]));
      const body = serialize({ revision: revisionOf(), mark, folds });
      const whole = Buffer.concat([Buffer.from(keys.hmac(body), 'latin1'), body]);
      this.#at = mark.size;
      this.#writing = this.#writing.catch(() => {}).then(() => writePrivateFile(file, whole));
    }
    return this.#writing;
  }
}
