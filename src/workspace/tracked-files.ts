// Which files git tracks, from its index. What is tracked belongs to the tree, whatever .gitignore says about it by now.

import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gitDirAt } from './git-dir.ts';
import { idBytesOf, INDEX_MAX_BYTES, indexedPaths } from './git-index.ts';

export class TrackedFiles {
  readonly #index: string | null;
  readonly #idBytes: 20 | 32;
  #known: Known | null = null;
  /** What is ignored in this repository alone; null where there is no git. */
  readonly excludeFile: string | null;

  private constructor(index: string | null, excludeFile: string | null, idBytes: 20 | 32) {
    this.#index = index;
    this.excludeFile = excludeFile;
    this.#idBytes = idBytes;
  }

  /** Of a real folder that may hold `.git`. Nothing is tracked where there is no index that can be read by hand. */
  static async at(root: string): Promise<TrackedFiles> {
    const git = await gitDirAt(root).catch(() => null);
    if (!git) return new TrackedFiles(null, null, 20);
    return new TrackedFiles(join(git.gitDir, 'index'), join(git.commonDir, 'info/exclude'), await idBytesOf(git));
  }

  has(path: string): boolean {
    return this.#read().paths.has(path);
  }

  /** Whether anything below a folder is tracked. */
  hasBelow(folder: string): boolean {
    return this.#read().folders.has(folder);
  }

  /** What is tracked at the top of the tree, by name. */
  topLevel(): { readonly name: string; readonly isFolder: boolean }[] {
    const { paths } = this.#read();
    const kinds = new Map([...paths].map((path) => [path.split('/', 1)[0]!, path.includes('/')] as const));
    return [...kinds].map(([name, isFolder]) => ({ name, isFolder })).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Read with the first question, and again when git has written it: most trees hold nothing that is ignored and not derived. */
  #read(): Known {
    const stamp = this.#index === null ? '' : stampOf(this.#index);
    if (this.#known?.stamp === stamp) return this.#known;
    const paths = this.#index === null ? null : readPaths(this.#index, this.#idBytes);
    const folders = new Set<string>();
    for (const path of paths ?? [])
      for (let end = path.lastIndexOf('/'); end > 0 && !folders.has(path.slice(0, end)); end = path.lastIndexOf('/', end - 1))
        folders.add(path.slice(0, end));
    return (this.#known = { stamp, paths: paths ?? new Set(), folders });
  }
}

interface Known {
  /** Of the index that it was read from. */
  readonly stamp: string;
  readonly paths: ReadonlySet<string>;
  readonly folders: ReadonlySet<string>;
}

function stampOf(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false });
  return found ? `${found.ino} ${found.size} ${found.mtimeMs} ${found.ctimeMs}` : '';
}

function readPaths(index: string, idBytes: 20 | 32): ReadonlySet<string> | null {
  try {
    const stats = statSync(index);
    return stats.isFile() && stats.size <= INDEX_MAX_BYTES ? indexedPaths(readFileSync(index), idBytes) : null;
  } catch {
    return null;
  }
}
