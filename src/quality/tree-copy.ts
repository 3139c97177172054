// A copy of a work tree that checks run on: as it is now, or as it was before a session changed it. Nothing that a check writes, and
// nothing that is restored in it, reaches the tree itself. Installed packages are linked, not copied.
//
// INVARIANT: before a file is written, everything unwanted in the copy is removed, links included: a link that a check left in place of a
// folder cannot redirect our writes.

import { constants } from 'node:fs';
import { copyFile, lstat, mkdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { adoptScan, emptySnapshot, type PathConfig, scanTree, sha256Of } from '../workspace/index.ts';
import { InstalledParts } from './installed-parts.ts';

/** By path, the sha256 of every file that is neither derived nor git's own. */
export type TreeState = ReadonlyMap<string, string>;

export interface CopyOptions {
  /** The work tree. */
  readonly root: string;
  /** Where its copy is. */
  readonly dir: string;
  /** Earlier contents; null: no longer stored. */
  readonly contentOf: (sha256: string) => Promise<Uint8Array | null>;
}

/** The earlier content of a file is no longer stored. */
export class ContentGone extends Error {}

export class TreeCopy {
  readonly dir: string;
  private readonly options: CopyOptions;
  private readonly snapshot = emptySnapshot();
  private readonly installed: InstalledParts;

  constructor(options: CopyOptions) {
    this.options = options;
    this.dir = options.dir;
    this.installed = new InstalledParts(options.root, options.dir);
  }

  /** Makes the copy hold exactly `wanted`. `now` is what the tree itself holds. Returns the folders that the copy links to. */
  async update(wanted: TreeState, now: TreeState, paths: PathConfig): Promise<readonly string[]> {
    const { root, contentOf } = this.options;
    await mkdir(this.dir, { recursive: true, mode: 0o700 });
    const held = await this.scan(paths);
    for (const file of held.keys()) if (!wanted.has(file)) await rm(path.join(this.dir, file), { force: true });
    for (const [file, sha256] of wanted) {
      if (held.get(file) === sha256) continue;
      const place = path.join(this.dir, file);
      await rm(place, { recursive: true, force: true });
      await mkdir(path.dirname(place), { recursive: true });
      if (now.get(file) === sha256) await copyEntry(path.join(root, file), place);
      else {
        const content = await contentOf(sha256);
        if (!content) throw new ContentGone(`what ${file} held is not kept`);
        await writeFile(place, content);
      }
    }
    return this.installed.update(wanted.keys());
  }

  /** What the copy holds now, after a check may have changed it. */
  async scan(paths: PathConfig): Promise<TreeState> {
    adoptScan(this.snapshot, await scanTree(this.dir, this.snapshot, { paths }));
    return treeStateOf(this.snapshot.files);
  }

  content(file: string): Promise<Uint8Array> {
    return readFile(path.join(this.dir, file));
  }
}

export const treeStateOf = (files: ReadonlyMap<string, { readonly sha256: string | null }>): Map<string, string> =>
  new Map([...files].flatMap(([file, { sha256 }]) => (sha256 === null ? [] : [[file, sha256] as const])));

export const treeHash = (state: TreeState): string =>
  sha256Of(
    Buffer.from(
      [...state]
        .map(([file, sha256]) => `${sha256} ${file}\n`)
        .toSorted()
        .join(''),
    ),
  );

async function copyEntry(from: string, to: string): Promise<void> {
  try {
    if ((await lstat(from)).isSymbolicLink()) await symlink(await readlink(from), to);
    else await copyFile(from, to, constants.COPYFILE_FICLONE);
  } catch (error) {
    // Gone since the scan, such as a file that is being replaced.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
