// What the files of an intent hold before a command runs that may change any of them, so that it can be undone and blamed line by line.
// A file is read again only when it changed; what is beyond the bounds is not kept, and undo says so.

import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ImageStore } from '../protocol/index.ts';
import { coveringGlob } from './glob.ts';
import { listMatches } from './list-files.ts';
import { readInRoot } from './tree-file.ts';

/** Larger contents are not kept; undo and blame then say so. */
export const IMAGE_MAX_BYTES = 4 * 1024 * 1024;

const MAX_FILES = 2_000;
const MAX_BYTES = 64 * 1024 * 1024;

export class ScopeImages {
  private readonly privateFolders: readonly string[];
  private readonly largest: number;
  /** By path: what the file looked like when it was last kept. */
  private readonly kept = new Map<string, string>();

  constructor(privateFolders: readonly string[], largest: number) {
    this.privateFolders = privateFolders;
    this.largest = largest;
  }

  async keep(root: string, scope: readonly string[], images: ImageStore): Promise<void> {
    let bytes = MAX_BYTES;
    for (const glob of scope) {
      for (const path of await this.filesOf(root, glob)) {
        const stats = await lstat(join(root, path), { bigint: true }).catch(() => null);
        if (!stats?.isFile() || stats.size > this.largest || stats.size > bytes) continue;
        const stamp = `${stats.mtimeNs} ${stats.ctimeNs} ${stats.size} ${stats.ino}`;
        const key = join(root, path);
        if (this.kept.get(key) === stamp) continue;
        const file = await readInRoot(root, path).catch(() => null);
        if (!file) continue;
        // Thousands at once, each just in case: the command does not wait for the disk.
        await images.putBlob(file.bytes, { durable: false });
        bytes -= file.bytes.length;
        this.kept.set(key, stamp);
      }
    }
  }

  /** Starts at the deepest folder that the glob names without wildcards: a scope of one folder does not walk the whole tree. */
  private async filesOf(root: string, glob: string): Promise<readonly string[]> {
    const plain = glob.slice(0, Math.max(0, glob.search(/[*?[{\\!]|$/)));
    if (plain === glob) return [glob];
    const under = plain.slice(0, Math.max(0, plain.lastIndexOf('/')));
    const visibility = { privateFolders: this.privateFolders };
    const { files } = await listMatches(root, under, '**', MAX_FILES, visibility).catch(() => ({ files: [] }));
    return files.filter((path) => coveringGlob([glob], path) !== null);
  }
}
