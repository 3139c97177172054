// The folds: whatever the daemon folds from the ledger and holds in memory. The past is read once for all of them, the ledger is followed
// by one listener, and one snapshot saves them all.
//
// INVARIANT: a fold sees every record once, in order. A fold is restored only from what the same version of it saved.

import type { LedgerRecord, Revision } from '../protocol/index.ts';
import type { EventStore } from '../stores/index.ts';

/** Folded from records, in order. */
export interface Fold {
  apply(record: LedgerRecord): void;
  /** Plain data. */
  save(): unknown;
  /** Only into one that has seen nothing yet. */
  restore(saved: unknown): void;
}

interface FoldVersion {
  /** Raised when it folds differently than before, or saves something else: data that an older version saved is then not restored. */
  readonly version: number;
  /** The files that the version covers, relative to this folder. */
  readonly files: readonly string[];
}

/** One line for each, in the order in which they see a record: the state first. Readers get a record after all folds have. */
export const FOLDS = {
  state: {
    version: 2,
    files: [
      ...inKernel('approvers', 'breaker', 'command-rules', 'document-edits', 'fold-fields', 'forget-oldest', 'gaps', 'given-ids'),
      ...inKernel('grants', 'leases', 'memory-marks', 'mode-limits', 'newest-question', 'opened-session', 'positions', 'presence'),
      ...inKernel('seen-files', 'state-entries', 'state', 'turn'),
      '../protocol/doors.ts',
      '../protocol/action.ts',
    ],
  },
  reconciliation: { version: 1, files: ['reconcile/fold.ts', ...inKernel('fold-fields')] },
  memory: { version: 1, files: ['../memory/memory.ts', '../memory/merge.ts', '../protocol/claim.ts'] },
  'intent-map': { version: 1, files: ['intent-map-view.ts'] },
} as const satisfies Readonly<Record<string, FoldVersion>>;
export type FoldName = keyof typeof FOLDS;

export const FOLD_REVISIONS: readonly Revision[] = Object.entries(FOLDS).map(([name, { version, files }]) => ({
  ...{ name: `fold/${name}`, version, files, from: import.meta.url },
}));

/** By name: what each fold saved, and which version of it. */
export type SavedFolds = Readonly<Record<string, { readonly version: number; readonly saved: unknown }>>;

type Reader = (record: LedgerRecord) => void;
type Versions<Name extends string> = Readonly<Record<Name, Pick<FoldVersion, 'version'>>>;

export class FoldRegistry<Name extends string = FoldName> {
  readonly #versions: Versions<Name>;
  readonly #onDefect: (error: unknown) => void;
  readonly #folds = new Map<Name, Fold>();
  readonly #readers: Reader[] = [];

  /** `onDefect` gets what a fold or a reader throws on a new record; the others still see the record. */
  constructor(versions: Versions<Name>, onDefect: (error: unknown) => void) {
    this.#versions = versions;
    this.#onDefect = onDefect;
  }

  register(name: Name, fold: Fold): void {
    this.#folds.set(name, fold);
  }

  /** Whether every fold can be restored from it. If one cannot, all of them read the ledger from its beginning. */
  fits(saved: SavedFolds): boolean {
    return this.#names().every((name) => saved[name]?.version === this.#versions[name].version);
  }

  restore(saved: SavedFolds): void {
    for (const [name, fold] of this.#inOrder()) fold.restore(saved[name]?.saved);
  }

  save(): SavedFolds {
    return Object.fromEntries(this.#inOrder().map(([name, fold]) => [name, { version: this.#versions[name].version, saved: fold.save() }]));
  }

  /** Reads what is in the store after `seq`, then follows it. Nothing may be appended until this resolves. */
  async follow(store: Pick<EventStore, 'read' | 'subscribe'>, seq: number): Promise<void> {
    const folds = this.#inOrder().map(([, fold]) => fold);
    for await (const record of store.read(seq + 1)) for (const fold of folds) fold.apply(record);
    store.subscribe((records) => {
      for (const fold of folds) this.#guarded(() => records.forEach((record) => fold.apply(record)));
      for (const reader of this.#readers) this.#guarded(() => records.forEach(reader));
    });
  }

  /** Called with each new record after every fold has applied it. Readers are called in the order in which they were added. */
  addReader(reader: Reader): void {
    this.#readers.push(reader);
  }

  #guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#onDefect(error);
    }
  }

  #names(): Name[] {
    return Object.keys(this.#versions) as Name[];
  }

  #inOrder(): [Name, Fold][] {
    return this.#names().map((name) => {
      const fold = this.#folds.get(name);
      if (!fold) throw new Error(`The fold ${name} has a version but was not registered`);
      return [name, fold];
    });
  }
}

function inKernel(...names: readonly string[]): string[] {
  return names.map((name) => `../kernel/${name}.ts`);
}
