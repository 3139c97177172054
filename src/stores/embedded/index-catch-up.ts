// Brings the index up to the ledger while the ledger is read at the start, and notices when it must be rebuilt.

import type { RecordPlace } from '../../ledger/index.ts';
import type { ChainFollower } from '../ledger-files/open-ledger-writer.ts';
import { LedgerIndex, removeIndex } from './ledger-index.ts';

export class IndexCatchUp implements ChainFollower {
  #index: LedgerIndex | null;
  #newest: { readonly seq: number; readonly chain: string } | null = null;
  /** Whether the ledger has the index's newest record. */
  #agrees = true;
  readonly #knew: number;

  /** `resumed`: where reading begins, when it does not begin at the first record. An index that does not have that one is rebuilt. */
  constructor(path: string, resumed: { readonly size: number; readonly chain: string | null } | null) {
    this.#index = openIndex(path);
    this.#newest = this.#index === null ? null : newestOf(this.#index, resumed);
    this.#knew = this.#newest?.seq ?? 0;
    if (resumed !== null) this.#agrees = this.#newest?.seq === resumed.size;
    else if (this.#newest === null) this.#try((index) => index.clear());
    else this.#agrees = false;
  }

  /** How many records the index had, as it was opened; 0: none, or it could not be read. */
  get knew(): number {
    return this.#knew;
  }

  /** Takes every record of the ledger, in order. */
  take(place: RecordPlace): void {
    if (place.seq === this.#newest?.seq) this.#agrees = place.chain === this.#newest.chain;
    if (this.#agrees && place.seq > (this.#newest?.seq ?? 0)) this.#try((index) => index.add(place));
  }

  /** True when all records have to be taken once more, into an empty index. */
  mustStartAgain(): boolean {
    if (this.#agrees || this.#index === null) return false;
    this.#newest = null;
    this.#agrees = true;
    this.#try((index) => index.clear());
    return true;
  }

  /** Null when it failed: questions are then answered from the ledger itself. */
  finish(): LedgerIndex | null {
    return this.#index;
  }

  abandon(): void {
    this.#try((index) => index.close());
    this.#index = null;
  }

  #try(work: (index: LedgerIndex) => void): void {
    try {
      if (this.#index !== null) work(this.#index);
    } catch {
      this.#index = null;
    }
  }
}

function newestOf(
  index: LedgerIndex,
  resumed: { readonly size: number; readonly chain: string | null } | null,
): ReturnType<LedgerIndex['newest']> {
  try {
    if (resumed !== null && index.chainAt(resumed.size) !== resumed.chain) return null;
    return index.newest();
  } catch {
    return null;
  }
}

function openIndex(path: string): LedgerIndex | null {
  try {
    return new LedgerIndex(path);
  } catch {
    try {
      removeIndex(path);
      return new LedgerIndex(path);
    } catch {
      return null;
    }
  }
}
