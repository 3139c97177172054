// The folders that one piece of work needs, each opened once, made where they are missing, and closed when the work ends.

import { mkdir, rmdir } from 'node:fs/promises';
import { below, type Folder, openRoot } from './open-folder.ts';
import { errorCode } from './plain-file.ts';

export class FolderTree {
  readonly #folders = new Map<string, Folder>();
  readonly #made: { readonly parent: Folder; readonly name: string }[] = [];
  readonly #root: Folder;

  private constructor(root: Folder) {
    this.#root = root;
    this.#folders.set('', root);
  }

  /** The caller closes it. */
  static async open(root: string): Promise<FolderTree> {
    return new FolderTree(await openRoot(root));
  }

  static async use<T>(root: string, work: (tree: FolderTree) => Promise<T>): Promise<T> {
    const tree = await FolderTree.open(root);
    try {
      return await work(tree);
    } finally {
      await tree.close();
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#folders.values()].map((folder) => folder.close()));
  }

  /** Null when it does not exist and must not be created. */
  async folder(path: string, missing: 'make' | 'leave'): Promise<Folder | null> {
    let current = this.#root;
    for (const name of path === '' ? [] : path.split('/')) {
      const known = this.#folders.get(below(current.path, name));
      const next: Folder | null = known ?? (await current.enter(name)) ?? (missing === 'make' ? await this.#make(current, name) : null);
      if (!next) return null;
      this.#folders.set(next.path, next);
      current = next;
    }
    return current;
  }

  async #make(parent: Folder, name: string): Promise<Folder | null> {
    try {
      await mkdir(parent.at(name), 0o755);
      this.#made.push({ parent, name });
    } catch (error) {
      // Another process created it first, which is fine.
      if (errorCode(error) !== 'EEXIST') throw error;
    }
    return parent.enter(name);
  }

  /** Removes the folders that were created for this work, where they are empty. */
  async unmake(): Promise<void> {
    for (const { parent, name } of this.#made.toReversed()) await rmdir(parent.at(name)).catch(() => undefined);
  }

  /** Without this a power failure can restore old names. */
  async sync(changed: Iterable<Folder>): Promise<void> {
    const folders = new Set([...changed, ...this.#made.map(({ parent }) => parent)]);
    await Promise.all([...folders].map((folder) => folder.sync()));
  }
}
