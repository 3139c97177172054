// The index of one tree with all its questions, in the thread that it runs in. `tree-index.ts` is how others reach it.

import type {
  CallHit,
  CodeCitation,
  DefinitionHit,
  DefinitionQuery,
  FileFacts,
  Found,
  GraphQuery,
  IndexChange,
  IndexedFile,
  IndexEvent,
  IndexStatus,
  Outline,
  OutlineEntry,
  RankedHit,
  ReferenceHit,
  ReferenceQuery,
  RenameEdit,
  SymbolGraph,
  TextHit,
  TextQuestion,
  TreeIndex,
} from '../model.ts';
import type { PathConfig } from '../../workspace/plain.ts';
import { definitions } from '../answers/definitions.ts';
import { Compilers, type PreciseContext, preciseReferences, renameEdits } from '../answers/precise.ts';
import { rank } from '../answers/rank.ts';
import { callees, callers, references } from '../answers/references.ts';
import { search } from '../answers/search.ts';
import { symbolGraph } from '../answers/symbol-graph.ts';
import { TreeView } from '../answers/tree-view.ts';
import { loadMatcherFor } from '../text/line-matcher.ts';
import { decodeFacts, decodeFile } from '../segment/decode.ts';
import type { KeeperOptions } from './keeper-options.ts';
import { TreeKeeper } from './keeper.ts';
import { TextCache } from './text-cache.ts';

const EVENTS_MAX = 1_000;
/** A file may change while it is asked about, and again. */
const TRIES = 3;

export class TreeEngine implements TreeIndex {
  readonly #keeper: TreeKeeper;
  readonly #view: TreeView;
  readonly #compilers = new Compilers();
  readonly #precise: PreciseContext;
  readonly #listeners = new Set<(change: IndexChange) => void>();
  readonly #first: Promise<void>;

  constructor(options: KeeperOptions) {
    this.#keeper = new TreeKeeper(options, (change) => {
      this.#view.refresh(change.changed, change.removed);
      for (const listener of this.#listeners) listener(change);
    });
    this.#view = new TreeView(this.#keeper.store, new TextCache(options.root, this.#keeper.store));
    this.#precise = { root: options.root, view: this.#view, compilers: this.#compilers, engine: options.engine };
    this.#first = this.#keeper.scan();
  }

  /** Asks again when a file turned out to be another one by now: it is taken in first. */
  async #answer<T>(ask: (view: TreeView) => T): Promise<T> {
    for (let tries = 1; ; tries++) {
      this.#view.changed.clear();
      const answer = ask(this.#view);
      if (this.#view.changed.size === 0 || tries === TRIES) return answer;
      await this.#keeper.scan([...this.#view.changed]);
    }
  }

  async status(): Promise<IndexStatus> {
    return this.#keeper.status();
  }

  async ready(): Promise<IndexStatus> {
    await this.#first;
    return this.#keeper.status();
  }

  async refresh(paths?: readonly string[]): Promise<IndexStatus> {
    await this.#keeper.scan(paths ?? null);
    return this.#keeper.status();
  }

  usePaths(paths: PathConfig): Promise<void> {
    return this.#keeper.usePaths(paths);
  }

  async files(): Promise<readonly IndexedFile[]> {
    return [...this.#keeper.store.entries.keys()].sort().flatMap((path) => {
      const file = this.#keeper.store.file(path);
      return file ? [decodeFile(file.segment, file.slot)] : [];
    });
  }

  facts(paths: readonly string[]): Promise<readonly FileFacts[]> {
    return this.#answer((view) =>
      paths.flatMap((path) => {
        const file = view.store.file(path);
        const read = file ? view.textOf(path) : null;
        return file && read ? [decodeFacts(file.segment, file.slot, read.text, view)] : [];
      }),
    );
  }

  async events(limit = EVENTS_MAX): Promise<Found<IndexEvent>> {
    const all = [...this.#keeper.events()].sort((a, b) => (a.path < b.path ? -1 : 1));
    return { hits: all.slice(0, limit), incomplete: all.length > limit ? `more than ${limit} events` : null };
  }

  definitions(query: DefinitionQuery): Promise<Found<DefinitionHit>> {
    return this.#answer((view) => definitions(view, query));
  }

  async references(query: ReferenceQuery): Promise<Found<ReferenceHit>> {
    const found = await this.#answer((view) => references(view, query));
    return query.precise === true ? preciseReferences(this.#precise, query, found) : found;
  }

  callers(query: ReferenceQuery): Promise<Found<CallHit>> {
    return this.#answer((view) => callers(view, query));
  }

  callees(query: ReferenceQuery): Promise<Found<CallHit>> {
    return this.#answer((view) => callees(view, query));
  }

  outline(path: string): Promise<Outline | null> {
    return this.#answer((view) => {
      const file = view.store.file(path);
      if (!file) return null;
      const depths = new Map<string, number>();
      const entries = view.definitionsIn(path).map((definition): OutlineEntry => {
        const depth = definition.container === null ? 0 : (depths.get(definition.container) ?? 0) + 1;
        depths.set(definition.container === null ? definition.name : `${definition.container}.${definition.name}`, depth);
        return { ...definition, depth };
      });
      return { file: decodeFile(file.segment, file.slot), entries };
    });
  }

  async search(question: TextQuestion): Promise<Found<TextHit>> {
    await loadMatcherFor(question);
    return this.#answer((view) => search(view, question));
  }

  rank(question: string, limit?: number): Promise<Found<RankedHit>> {
    return this.#answer((view) => rank(view, question, limit));
  }

  symbolGraph(query: GraphQuery): Promise<SymbolGraph> {
    return this.#answer((view) => symbolGraph(view, query));
  }

  async rename(name: string, to: string): Promise<readonly RenameEdit[]> {
    return renameEdits(this.#precise, name, to);
  }

  cite(path: string, startLine: number, endLine: number): Promise<CodeCitation | null> {
    return this.#answer((view) => view.cite(path, startLine, endLine));
  }

  text(path: string): Promise<{ readonly text: string; readonly sha256: string } | null> {
    return this.#answer((view) => {
      const read = view.textOf(path);
      return read ? { text: read.text, sha256: read.sha256 } : null;
    });
  }

  onChange(listener: (change: IndexChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): Promise<void> {
    this.#compilers.close('the index is closed');
    return this.#keeper.close();
  }
}
