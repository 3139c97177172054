// The files below a folder, in order of their names, without following a link and without what an agent may not see.

import { lstat } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { Fault } from '../protocol/plain.ts';
import { FolderTree } from './folder-tree.ts';
import { governanceRule } from './governance.ts';
import { below, type Folder } from './open-folder.ts';
import { NO_PATH_CONFIG, type PathConfig, pathClass } from './path-class.ts';

export interface Visibility {
  /** Real folders that hold keys and the ledger, if they are inside the root. */
  readonly privateFolders?: readonly string[];
  readonly paths?: PathConfig;
}

export interface FoundFile {
  /** Relative to the root. */
  readonly path: string;
  /** Open until the next file is requested. */
  readonly folder: Folder;
  readonly name: string;
}

/** Whether not even its name is shown. */
export function isHidden(root: string, path: string, { privateFolders = [] }: Visibility): boolean {
  return governanceRule(path, 'read') !== null || privateFolders.some((folder) => isWithin(folder, join(root, path)));
}

/** `under` is a real folder or file, relative to the root. What is derived, and git's own folder, is left out unless `under` lies in it. */
export async function* walkFiles(root: string, under: string, visibility: Visibility): AsyncGenerator<FoundFile> {
  const paths = visibility.paths ?? NO_PATH_CONFIG;
  const isPlain = (folder: string): boolean => !folder.split('/').includes('.git') && pathClass(`${folder}/x`, paths) === 'governed';
  const everything = under !== '' && !isPlain(under);

  async function* walk(folder: Folder): AsyncGenerator<FoundFile> {
    const entries = (await folder.entries()).toSorted((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      const path = below(folder.path, entry.name);
      if (isHidden(root, path, visibility)) continue;
      if (entry.isFile() && (everything || pathClass(path, paths) === 'governed')) yield { path, folder, name: entry.name };
      if (!entry.isDirectory() || !(everything || isPlain(path))) continue;
      // Deleted, or a link by now: not entered.
      const inner = await folder.enter(entry.name).catch(() => null);
      if (!inner) continue;
      try {
        yield* walk(inner);
      } finally {
        await inner.close();
      }
    }
  }

  const tree = await FolderTree.open(root);
  try {
    if (under !== '' && isHidden(root, under, visibility)) return;
    const slash = under.lastIndexOf('/');
    const name = under.slice(slash + 1);
    const parent = await tree.folder(slash < 0 ? '' : under.slice(0, slash), 'leave');
    if (!parent) throw nothingAt(under);
    if (name !== '' && (await lstat(parent.at(name)).catch(() => null))?.isFile()) {
      yield { path: under, folder: parent, name };
      return;
    }
    const start = await tree.folder(under, 'leave');
    if (!start) throw nothingAt(under);
    yield* walk(start);
  } finally {
    await tree.close();
  }
}

const nothingAt = (path: string): Fault => new Fault('NOT_FOUND', `There is nothing at ${path}`);

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
