// The folds: whatever the daemon folds from the ledger and holds in memory. The past is read once for all of them, the ledger is followed
// by one listener, and one snapshot saves them all.
//
// INVARIANT: a fold sees every record once, in order. A fold is restored only from what the same version of it saved.

import { State } from '../kernel/index.ts';
import { Memory } from '../memory/index.ts';
import { Conversations } from './conversations.ts';
import type { LedgerRecord } from '../protocol/index.ts';
import type { EventStore } from '../stores/index.ts';

/** Folded from records, in order. */
export interface Fold {
  apply(record: LedgerRecord): void;
  /** Plain data. */
  save(): unknown;
  /** Only into one that has seen nothing yet. */
  restore(saved: unknown): void;
}

interface FoldDefinition {
  /** Raised when it folds differently than before, or saves something else: data that an older version saved is then not restored. */
  readonly version: number;
  /** Where folding begins, relative to this folder. The version covers these files and whatever they import from the rooms that fold. */
  readonly roots: readonly string[];
  /** Imported from there, and changes nothing that the fold holds or saves. */
  readonly foldsNothing?: readonly string[];
  /** Absent: it needs more than records, so `app` makes it and registers it. */
  readonly open?: () => Fold;
}

/** One line for each, in the order in which they see a record: the state first. Readers get a record after all folds have. */
export const FOLDS = {
  state: {
    version: 9,
    roots: ['../kernel/state.ts', '../kernel/state-entries.ts'],
    open: () => new State(),
    foldsNothing: ['../protocol/codes.ts', '../protocol/ids.ts'],
  },
  reconciliation: { version: 2, roots: ['reconcile/fold.ts', '../kernel/fold-fields.ts'] },
  memory: {
    version: 1,
    roots: ['../memory/memory.ts'],
    open: () => new Memory(),
    // Forms of ids and of a human's proof, and what is only read for queries.
    foldsNothing: [
      ...['contradiction', 'exchange', 'recall', 'statement', 'stem', 'text-index', 'words'].map((name) => `../memory/${name}.ts`),
      ...['../protocol/ids.ts', '../protocol/intent.ts'],
    ],
  },
  conversations: { version: 1, roots: ['conversations.ts', '../kernel/fold-fields.ts'], open: () => new Conversations() },
  // It only reads the state, after all folds.
  'intent-map': { version: 2, roots: ['intent-map-view.ts'], foldsNothing: ['../kernel/state.ts'] },
} as const satisfies Readonly<Record<string, FoldDefinition>>;

/** By name: what each fold saved, and which version of it. */
export type SavedFolds = Readonly<Record<string, { readonly version: number; readonly saved: unknown }>>;

type Reader = (record: LedgerRecord) => void;
type Definitions = Readonly<Record<string, Pick<FoldDefinition, 'version' | 'open'>>>;
type NameIn<D extends Definitions> = keyof D & string;

export class FoldRegistry<D extends Definitions = typeof FOLDS> {
  readonly #definitions: D;
  readonly #onDefect: (error: unknown) => void;
  readonly #folds = new Map<string, Fold>();
  readonly #readers: Reader[] = [];

  /** `onDefect` gets what a fold or a reader throws on a new record; the others still see the record. */
  constructor(definitions: D, onDefect: (error: unknown) => void) {
    this.#definitions = definitions;
    this.#onDefect = onDefect;
    for (const [name, { open }] of Object.entries(definitions)) if (open) this.#folds.set(name, open());
  }

  register(name: NameIn<D>, fold: Fold): void {
    this.#folds.set(name, fold);
  }

  /** A fold that the registry opened. */
  of<N extends NameIn<D>>(name: N): D[N] extends { readonly open: () => infer F } ? F : never {
    return this.#folds.get(name) as D[N] extends { readonly open: () => infer F } ? F : never;
  }

  /** Whether every fold can be restored from it. If one cannot, all of them read the ledger from its beginning. */
  fits(saved: SavedFolds): boolean {
    return this.#names().every((name) => saved[name]?.version === this.#versionOf(name));
  }

  restore(saved: SavedFolds): void {
    for (const [name, fold] of this.#inOrder()) fold.restore(saved[name]?.saved);
  }

  save(): SavedFolds {
    return Object.fromEntries(this.#inOrder().map(([name, fold]) => [name, { version: this.#versionOf(name), saved: fold.save() }]));
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

  #versionOf(name: string): number {
    return this.#definitions[name]!.version;
  }

  #names(): string[] {
    return Object.keys(this.#definitions);
  }

  #inOrder(): [string, Fold][] {
    return this.#names().map((name) => {
      const fold = this.#folds.get(name);
      if (!fold) throw new Error(`The fold ${name} was neither opened nor registered`);
      return [name, fold];
    });
  }
}
