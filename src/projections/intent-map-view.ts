// Which files were changed for which intent, folded from the receipts, and the map of it in the work tree.

import { existsSync } from 'node:fs';
import type { CodeIndex } from '../codeindex/index.ts';
import type { State } from '../kernel/index.ts';
import type { FileRef, LedgerRecord } from '../protocol/index.ts';
import { type IntentMapFile, readDocument, renderIntentMap, writeIntentMap } from '../workspace/index.ts';

type Changed = Pick<IntentMapFile, 'at' | 'receipt_id' | 'mutation' | 'ranges'> & Pick<FileRef, 'after_sha256'>;
type Symbols = IntentMapFile['symbols'];

/** The most sessions whose work tree is kept, for receipts that do not name one: those opened last. */
const SESSIONS = 5_000;

export class IntentMapView {
  private readonly symbolsOf: CodeIndex['symbolsOf'];
  /** By work tree, then intent, then path: the last change of each file. */
  private readonly changes = new Map<string, Map<string, Map<string, Changed>>>();
  /** By session: where it works. */
  private readonly roots = new Map<string, string>();
  /** By path and content: a file is read again only when it changed. */
  private readonly symbols = new Map<string, { readonly sha256: string; readonly symbols: Symbols }>();

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
      files.set(path, { at: receipt.timestamp, receipt_id: receipt.receipt_id, mutation, ranges, after_sha256 });
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
  async write(state: State, workspace: string, root: string): Promise<void> {
    // Writing would recreate a work tree that was removed.
    if (!existsSync(root)) return;
    const entries = [];
    for (const { intent } of state.intents.get(workspace)?.values() ?? []) {
      const files = [...(this.changes.get(root)?.get(intent.id) ?? [])];
      const mapped = [];
      for (const [path, { after_sha256, ...change }] of files)
        mapped.push({ path, ...change, symbols: await this.symbolsIn(root, path, after_sha256) });
      entries.push({ ...intent, files: mapped });
    }
    await writeIntentMap(root, renderIntentMap(entries));
  }

  private async symbolsIn(root: string, path: string, sha256: string | null): Promise<Symbols> {
    if (sha256 === null) return [];
    const key = JSON.stringify([root, path]);
    const known = this.symbols.get(key);
    if (known?.sha256 === sha256) return known.symbols;
    const document = await readDocument(root, path).catch(() => null);
    const symbols = document === null ? [] : await this.symbolsOf(path, new TextDecoder().decode(document.bytes));
    this.symbols.set(key, { sha256, symbols });
    return symbols;
  }
}

function at<K, L, V>(map: Map<K, Map<L, V>>, key: K): Map<L, V> {
  const known = map.get(key) ?? new Map<L, V>();
  map.set(key, known);
  return known;
}
