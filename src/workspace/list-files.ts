// The files of the tree that an agent may see.

import { Fault } from '../protocol/index.ts';
import { FolderTree } from './folder-tree.ts';
import { compileGlob } from './glob.ts';
import { below } from './open-folder.ts';
import { isHidden, type Visibility, walkFiles } from './walk-files.ts';

export interface Listing {
  /** Relative to the root; a folder ends in a slash. */
  readonly files: string[];
  /** False when there are more than the limit. */
  readonly complete: boolean;
}

/** The entries of one folder. */
export function listFolder(root: string, under: string, limit: number, visibility: Visibility): Promise<Listing> {
  return FolderTree.use(root, async (tree) => {
    const folder = await tree.folder(under, 'leave');
    if (!folder || (under !== '' && isHidden(root, under, visibility))) throw new Fault('NOT_FOUND', `There is no folder ${under}`);
    const seen = (await folder.entries()).flatMap((entry) => {
      const path = below(under, entry.name);
      return isHidden(root, path, visibility) ? [] : [entry.isDirectory() ? `${path}/` : path];
    });
    return { files: seen.toSorted().slice(0, limit), complete: seen.length <= limit };
  });
}

/** Every file below a folder that a glob, taken from that folder, covers. */
export async function listMatches(root: string, under: string, glob: string, limit: number, visibility: Visibility): Promise<Listing> {
  const covers = globBelow(under, glob);
  const files: string[] = [];
  for await (const { path } of walkFiles(root, under, visibility)) {
    if (!covers(path)) continue;
    if (files.length === limit) return { files, complete: false };
    files.push(path);
  }
  return { files, complete: true };
}

/** A glob without a slash is about names at every depth, as people write it for searches. */
export function globBelow(under: string, glob: string): (path: string) => boolean {
  const covers = compileGlob(glob.includes('/') ? glob : `**/${glob}`);
  // A file that was named itself is not filtered by its name.
  return (path) => path === under || covers(under === '' ? path : path.slice(under.length + 1));
}
