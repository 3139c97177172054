// Which files were changed for which intent, folded from the receipts, and the map of it in the work tree.

import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { CodeIndex } from '../codeindex/index.ts';
import type { State } from '../kernel/index.ts';
import type { FileRef, LedgerRecord } from '../protocol/index.ts';
import { type IntentMapFile, readDocument, renderIntentMap, writeIntentMap } from '../workspace/index.ts';

type Changed = Pick<IntentMapFile, 'at' | 'receipt_id' | 'mutation' | 'ranges'> & Pick<FileRef, 'after_sha256'>;
/** The contents that changes left, by hash. */
type ContentOf = (sha256: string) => Promise<Uint8Array | null>;
type Symbols = IntentMapFile['symbols'];
type Lines = IntentMapFile['ranges'][number];

/** Changes of one file that are kept for one intent. Where there are more, refactorings go first: an evolution is what the map is for. */
const MAX_CHANGES = 50;
/** The most sessions whose work tree is kept, for receipts that do not name one: those opened last. */
const SESSIONS = 5_000;

export class IntentMapView {
  private readonly symbolsOf: CodeIndex['symbolsOf'];
  /** By work tree, then intent, then path: the changes of each file, oldest first. */
  private readonly changes = new Map<string, Map<string, Map<string, readonly Changed[]>>>();
  /** By session: where it works. */
  private readonly roots = new Map<string, string>();
  /** By path and content: a file is read again only when it changed. */
  private readonly symbols = new Map<string, Symbols>();

  constructor({ symbolsOf }: Pick<CodeIndex, 'symbolsOf'>) {
    this.symbolsOf = symbolsOf;
  }

  save(): unknown {
    return { changes: this.changes, roots: this.roots };
  }

  restore(saved: unknown): void {
    const { changes, roots } = saved as { changes: IntentMapView['changes']; roots: IntentMapView['roots'] };
    for (const [root, intents] of changes) this.changes.set(root, intents);
    for (const [session, root] of roots) this.roots.set(session, root);
  }

  apply({ event }: LedgerRecord): void {
    if (event.type === 'session_opened') this.enter(event.data.session, event.data.root);
    if (event.type !== 'action_settled') return;
    const { receipt } = event.data;
    const root = receipt.root ?? this.roots.get(receipt.task_id);
    if (root === undefined || receipt.intent === null) return;
    for (const { path, after_sha256, ranges, mutation = null } of receipt.file_refs) {
      const files = at(at(this.changes, root), receipt.intent);
      const change = { at: receipt.timestamp, receipt_id: receipt.receipt_id, mutation, ranges, after_sha256 };
      files.set(path, kept([...(files.get(path) ?? []), change]));
    }
  }

  private enter(session: string, root: string): void {
    this.roots.delete(session);
    this.roots.set(session, root);
    for (const [oldest] of this.roots) {
      if (this.roots.size <= SESSIONS) break;
      this.roots.delete(oldest);
    }
  }

  /** Writes the map of one work tree, from what is known by now. */
  async write(state: State, workspace: string, root: string, contentOf: ContentOf): Promise<void> {
    // Writing would recreate a work tree that was removed.
    if (!existsSync(root)) return;
    const entries = [];
    for (const { intent } of state.intents.get(workspace)?.values() ?? []) {
      const files = [];
      for (const [path, changes] of this.changes.get(root)?.get(intent.id) ?? [])
        files.push(await this.fileOf(root, path, changes, contentOf));
      entries.push({ ...intent, files });
    }
    await writeIntentMap(root, renderIntentMap(entries));
  }

  /** The symbols that any of the changes touched, where they are now, and the lines of the newest one. */
  private async fileOf(root: string, path: string, changes: readonly Changed[], contentOf: ContentOf): Promise<IntentMapFile> {
    const newest = changes.at(-1)!;
    const { at, receipt_id, mutation } = changes.findLast((change) => change.mutation?.class === 'INTENT_EVOLUTION') ?? newest;
    const document = newest.after_sha256 === null ? null : await readDocument(root, path).catch(() => null);
    const now = document === null ? [] : await this.symbolsIn(path, hash('sha256', document.bytes), async () => document.bytes);
    const touched = new Set<string>();
    for (const { after_sha256, ranges } of changes) {
      const then = after_sha256 === null ? [] : await this.symbolsIn(path, after_sha256, () => contentOf(after_sha256));
      for (const symbol of then) if (ranges.some((range) => meets(range, symbol))) touched.add(nameOf(symbol));
    }
    // Lines are true only for the content that they were counted in.
    const isNow = document !== null && hash('sha256', document.bytes) === newest.after_sha256;
    return {
      path,
      at,
      receipt_id,
      mutation,
      ranges: isNow ? newest.ranges : [],
      symbols: now.filter((symbol) => touched.has(nameOf(symbol))),
    };
  }

  private async symbolsIn(path: string, sha256: string, content: () => Promise<Uint8Array | null>): Promise<Symbols> {
    const key = JSON.stringify([path, sha256]);
    const known = this.symbols.get(key);
    if (known) return known;
    const bytes = await content();
    const symbols = bytes === null ? [] : await this.symbolsOf(path, new TextDecoder().decode(bytes));
    this.symbols.set(key, symbols);
    for (const oldest of this.symbols.keys()) if (this.symbols.size > MAX_READ_FILES) this.symbols.delete(oldest);
    return symbols;
  }
}

const MAX_READ_FILES = 2_000;

const meets = (one: Lines, other: Lines): boolean => one.start_line <= other.end_line && other.start_line <= one.end_line;
const nameOf = ({ kind, container, name }: Symbols[number]): string => JSON.stringify([kind, container, name]);

function kept(changes: readonly Changed[]): readonly Changed[] {
  if (changes.length <= MAX_CHANGES) return changes;
  const minor = changes.findIndex(({ mutation }) => mutation?.class !== 'INTENT_EVOLUTION');
  return changes.toSpliced(Math.max(0, minor), 1);
}

function at<K, L, V>(map: Map<K, Map<L, V>>, key: K): Map<L, V> {
  const known = map.get(key) ?? new Map<L, V>();
  map.set(key, known);
  return known;
}
