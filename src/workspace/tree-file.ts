// One file of the tree, read at its real place: never through a link, never a pipe or a device, never more than memory takes.

import { hash } from 'node:crypto';
import { Fault } from '../protocol/index.ts';
import { FolderTree } from './folder-tree.ts';
import { below, type Folder } from './open-folder.ts';
import { readPlainFile, statsOf } from './plain-file.ts';
import { resolveInRoot } from './real-path.ts';

export const TREE_FILE_MAX_BYTES = 64 * 1024 * 1024;

export interface TreeFile {
  readonly bytes: Uint8Array;
  readonly sha256: string;
  readonly mode: number;
}

export const sha256Of = (bytes: Uint8Array): string => hash('sha256', bytes);

/** `path` is a real path, relative to the root, with `/`. Null when there is no such file. */
export async function readInRoot(root: string, path: string): Promise<TreeFile | null> {
  const { folder: parent, name } = await splitRealPath(root, path);
  return FolderTree.use(root, async (tree) => {
    const folder = await tree.folder(parent, 'leave');
    return folder && readInFolder(folder, name);
  });
}

/**
 * The folder and the name of a path that leads through no link. This check only produces a helpful message. The protection against a name
 * swapped afterwards is that the folder is opened without following links.
 */
export async function splitRealPath(root: string, path: string): Promise<{ folder: string; name: string }> {
  const place = await resolveInRoot(root, path, root);
  if (place.real === null) throw refused(path, place.unresolved ?? 'where it leads is unknown');
  if (place.real === '') throw refused(path, 'it is the root');
  if (place.real !== path) throw refused(path, `its real path is ${place.real}`);
  const slash = path.lastIndexOf('/');
  return { folder: slash < 0 ? '' : path.slice(0, slash), name: path.slice(slash + 1) };
}

export async function readInFolder(folder: Folder, name: string): Promise<TreeFile | null> {
  const path = below(folder.path, name);
  const file = await readPlainFile(folder.at(name), TREE_FILE_MAX_BYTES);
  if (file.kind === 'unreadable') {
    if (file.why.startsWith('is larger')) throw new Fault('TOO_LARGE', `${path} ${file.why}`);
    throw refused(path, `it ${file.why}`);
  }
  await refuseTwin(folder, name, file.kind === 'file');
  return file.kind === 'missing' ? null : { bytes: file.bytes, sha256: sha256Of(file.bytes), mode: file.mode };
}

/**
 * Two spellings that a scope or the system takes for one name: composed and decomposed letters, and, where the system ignores
 * it, case. The one on disk is the file's name; the other is refused, since it would be judged as another file.
 */
async function refuseTwin(folder: Folder, name: string, exists: boolean): Promise<void> {
  const ignoresCase = exists && isSameFile(folder, name, swapCase(name));
  if (!ignoresCase && /^[\x20-\x7e]*$/.test(name)) return;
  const names = (await folder.entries()).map((entry) => entry.name);
  const twin = twinOf(names, name, ignoresCase);
  if (twin !== null) throw refused(below(folder.path, name), `it is another spelling of ${JSON.stringify(twin)}, which is there`);
}

export function twinOf(names: readonly string[], name: string, ignoresCase: boolean): string | null {
  const same = (text: string): string => (ignoresCase ? text.normalize('NFC').toUpperCase().toLowerCase() : text.normalize('NFC'));
  // A folder that holds both cases is case-sensitive: the probe found two names of one file.
  const apart = ignoresCase && names.includes(name);
  return (
    names.find((other) => other !== name && (apart ? other.normalize('NFC') === name.normalize('NFC') : same(other) === same(name))) ?? null
  );
}

const swapCase = (name: string): string => (name === name.toUpperCase() ? name.toLowerCase() : name.toUpperCase());

function isSameFile(folder: Folder, name: string, other: string): boolean {
  if (name === other) return false;
  const [one, two] = [name, other].map((each) => statsOf(folder.at(each)));
  return Boolean(one && two && one.ino === two.ino && one.dev === two.dev);
}

export const refused = (path: string, why: string): Fault =>
  new Fault('BAD_REQUEST', `${JSON.stringify(path.length > 200 ? `${path.slice(0, 200)}…` : path)} cannot be used: ${why}`, {
    fix: 'Name a plain file inside the work tree by its real path, without links',
  });
