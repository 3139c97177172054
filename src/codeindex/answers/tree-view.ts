// The index as questions see it: definitions with their ids, texts with their hashes, imports with where they lead.

import { posix } from 'node:path';
import { compileGlob } from '../../workspace/plain.ts';
import type { CodeCitation, Definition } from '../model.ts';
import { decodeDefinitions } from '../segment/decode.ts';
import type { Segment } from '../segment/segment.ts';
import { widthOf } from '../segment/tables.ts';
import type { IndexStore } from '../tree/store.ts';
import type { TextCache } from '../tree/text-cache.ts';
import { citation } from './cite.ts';
import { ImportPaths, type ModuleNames } from './import-paths.ts';
import { Resolver } from './resolve.ts';

const DECODED_MAX = 4_000;

export class TreeView {
  readonly store: IndexStore;
  readonly #texts: TextCache;
  readonly resolver: Resolver;
  /** Files whose text is another one by now. */
  readonly changed = new Set<string>();
  #definitions = new Map<string, { readonly sha256: string; readonly found: readonly Definition[] }>();
  #imports: ImportPaths | null = null;

  constructor(store: IndexStore, texts: TextCache) {
    this.store = store;
    this.#texts = texts;
    this.resolver = new Resolver(this);
  }

  /** What was remembered about paths no longer holds. */
  refresh(changed: readonly string[], removed: readonly string[]): void {
    this.#imports = null;
    for (const path of [...changed, ...removed]) {
      this.#definitions.delete(path);
      this.#texts.forget(path);
    }
  }

  /** Null when the content has changed: the caller scans again. */
  textOf(path: string): { readonly text: string; readonly sha256: string } | null {
    const found = this.#texts.get(path);
    if (found === 'changed') this.changed.add(path);
    return found === 'changed' ? null : found;
  }

  definitionsIn(path: string): readonly Definition[] {
    const file = this.store.file(path);
    if (!file) return [];
    const { sha256 } = file.segment.fileRow(file.slot);
    const known = this.#definitions.get(path);
    if (known?.sha256 === sha256) return known.found;
    const found = decodeDefinitions(file.segment, file.slot, this.textOf(path)?.text ?? '');
    if (this.#definitions.size >= DECODED_MAX) this.#definitions = new Map();
    this.#definitions.set(path, { sha256, found });
    return found;
  }

  cite(path: string, startLine: number, endLine: number): CodeCitation | null {
    const read = this.textOf(path);
    return read ? citation(path, read.text, read.sha256, startLine, endLine) : null;
  }

  readonly target = (from: string, specifier: string): string | null => {
    this.#imports ??= new ImportPaths(
      this.store.entries.keys(),
      (path) => (this.store.entries.get(path)?.place ?? null) !== null,
      this.#moduleNames(),
    );
    return this.#imports.target(from, specifier);
  };

  /** Of every indexed tsconfig and package. */
  #moduleNames(): ModuleNames {
    const paths: (readonly [string, readonly string[]])[] = [];
    const packages = new Map<string, string>();
    for (const [path, { place }] of this.store.entries) {
      const name = path.slice(path.lastIndexOf('/') + 1);
      if (place === null || (name !== 'package.json' && !/^tsconfig(?:\..*)?\.json$/.test(name))) continue;
      const folder = posix.dirname(path) === '.' ? '' : posix.dirname(path);
      const parsed = parseLoosely(this.textOf(path)?.text ?? '');
      if (name === 'package.json') {
        if (typeof parsed['name'] === 'string' && !packages.has(parsed['name'])) packages.set(parsed['name'], folder);
        continue;
      }
      const options = (parsed['compilerOptions'] ?? {}) as { readonly baseUrl?: unknown; readonly paths?: unknown };
      const base = posix.join(folder, typeof options.baseUrl === 'string' ? options.baseUrl : '.');
      for (const [pattern, targets] of Object.entries((options.paths ?? {}) as Record<string, unknown>))
        if (Array.isArray(targets))
          paths.push([pattern, targets.filter((each) => typeof each === 'string').map((each) => posix.join(base, each))]);
    }
    // Longer patterns say more.
    return { paths: paths.sort(([a], [b]) => b.length - a.length), packages };
  }

  /** The definitions that a class or a type inherits from, as far as they are in the tree. */
  basesOf(heir: Definition): readonly Definition[] {
    const file = this.store.file(heir.path);
    if (!file) return [];
    const { segment, slot } = file;
    const number = this.definitionsIn(heir.path).findIndex(({ id }) => id === heir.id);
    const [first, end] = segment.rowsOf(slot, 'inheritance');
    const table = segment.table('inheritance');
    const found: Definition[] = [];
    for (let row = first; row < end; row++) {
      const at = row * widthOf('inheritance');
      if (table[at] === number)
        found.push(...this.resolver.typeNamed(segment, slot, heir.path, segment.string(table[at + 1]!)).filter(({ id }) => id !== heir.id));
    }
    return found;
  }

  /** Live rows that define or use a name. */
  *rowsNamed(
    name: string,
    table: 'definitions' | 'references',
  ): Generator<{ readonly segment: Segment; readonly file: number; readonly row: number }> {
    for (const { segment, live } of this.store.live()) {
      const id = segment.idOf(name);
      if (id < 0) continue;
      for (const row of table === 'definitions' ? segment.definitionRows(id) : segment.referenceRows(id)) {
        const file = segment.fileOf(row, table);
        if (live[file] === 1) yield { segment, file, row };
      }
    }
  }
}

/** With comments and trailing commas; anything else counts as empty. */
function parseLoosely(text: string): Readonly<Record<string, unknown>> {
  const plain = text
    .replace(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[^]*?\*\//g, (_all, string: string | undefined) => string ?? '')
    .replace(/,(\s*[}\]])/g, '$1');
  try {
    const parsed: unknown = JSON.parse(plain);
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** A glob without a slash is about names at every depth. */
export function covering(glob: string | undefined): (path: string) => boolean {
  return glob === undefined ? () => true : compileGlob(glob.includes('/') ? glob : `**/${glob}`);
}
