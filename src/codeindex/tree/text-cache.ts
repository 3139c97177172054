// Texts of indexed files, as they were indexed: read again when they are needed, and checked against the hash that the index saw.

import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { FILE_MAX_BYTES } from '../extract/language-of.ts';
import type { IndexStore } from './store.ts';

const CACHE_MAX = 256 * 1024 * 1024;

interface Kept {
  readonly text: string;
  readonly sha256: string;
}

export class TextCache {
  readonly #root: string;
  readonly #store: IndexStore;
  readonly #kept = new Map<string, Kept>();
  #size = 0;

  constructor(root: string, store: IndexStore) {
    this.#root = root;
    this.#store = store;
  }

  /** Null: it is not indexed. `changed`: the content has changed, and must be indexed first. */
  get(path: string): Kept | 'changed' | null {
    const file = this.#store.file(path);
    if (!file) return null;
    return this.of(path, file.segment.fileRow(file.slot).sha256);
  }

  of(path: string, sha256: string): Kept | 'changed' {
    const known = this.#kept.get(path);
    if (known?.sha256 === sha256) return known;
    const bytes = this.#read(path);
    if (bytes === null || createHash('sha256').update(bytes).digest('hex') !== sha256) return 'changed';
    const kept = { text: new TextDecoder('utf-8').decode(bytes), sha256 };
    this.#keep(path, kept);
    return kept;
  }

  #read(path: string): Buffer | null {
    try {
      const file = openSync(`${this.#root}/${path}`, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
      try {
        const stats = fstatSync(file);
        return stats.isFile() && stats.size <= FILE_MAX_BYTES ? readFileSync(file) : null;
      } finally {
        closeSync(file);
      }
    } catch {
      return null;
    }
  }

  #keep(path: string, kept: Kept): void {
    this.forget(path);
    this.#kept.set(path, kept);
    this.#size += kept.text.length;
    // The longest kept goes first.
    for (const oldest of this.#size > CACHE_MAX ? this.#kept.keys() : []) {
      if (this.#size <= CACHE_MAX || oldest === path) break;
      this.forget(oldest);
    }
  }

  forget(path: string): void {
    this.#size -= this.#kept.get(path)?.text.length ?? 0;
    this.#kept.delete(path);
  }
}
