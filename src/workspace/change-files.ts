// Changes to several files of the tree, all of them or none.
//
// New contents are written to files with random names beside their targets (created exclusively, readable only by this user) and take their
// places by rename. Before the first rename every expectation is checked again; the checks and renames are one step for this process. A
// failure in between puts back what was there.
//
// What is not promised: a crash between two renames leaves some files changed and others not, and files called
// `.countersign-….tmp` behind. A write by another process between our last check and our rename, some microseconds, is lost.
//
// A file with several hard links gets a new inode by the rename: its other names, wherever they are, keep the old content.
// (The gate refuses such a write earlier; this applies if the link is created afterwards.)

import { randomBytes } from 'node:crypto';
import { closeSync, constants, linkSync, lstatSync, openSync, readFileSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { Fault } from '../protocol/index.ts';
import { FolderTree } from './folder-tree.ts';
import { below, type Folder } from './open-folder.ts';
import { errorCode } from './plain-file.ts';
import { readInFolder, refused, splitRealPath, TREE_FILE_MAX_BYTES, type TreeFile } from './tree-file.ts';

export interface FileChange {
  /** A real path, relative to the root, with `/`. */
  readonly path: string;
  /** Null deletes. */
  readonly content: Uint8Array | null;
  /** The sha256 that must be there; null: nothing may be there; undefined: whatever is there. */
  readonly expect?: string | null | undefined;
  /** Of a new file; one that is replaced keeps its own. */
  readonly mode?: number;
}

interface Step {
  readonly change: FileChange;
  readonly folder: Folder;
  readonly name: string;
  readonly old: TreeFile | null;
  /** Holds the new content before the change, or the old file after a deletion. */
  readonly spare: string;
}

export async function changeFiles(root: string, changes: readonly FileChange[]): Promise<void> {
  refuseRepeated(changes);
  await FolderTree.use(root, async (tree) => {
    const steps: Step[] = [];
    const lost = new Set<Step>();
    try {
      for (const change of changes) {
        const step = await prepare(root, tree, change);
        if (step) steps.push(step);
      }
      for (const step of steps) await writeSpare(step);
      commit(steps, lost);
    } catch (error) {
      // The spare of a file that could not be restored may be its only copy.
      for (const step of steps) if (!lost.has(step)) dropSpare(step);
      await tree.unmake();
      throw error;
    }
    await tree.sync(steps.map(({ folder }) => folder));
  });
}

/** Fails when `to` exists. `expect` as for a change. A crash in the middle leaves the file under both paths. */
export async function moveFile(root: string, from: string, to: string, expect?: string): Promise<void> {
  const source = await splitRealPath(root, from);
  const target = await splitRealPath(root, to);
  await FolderTree.use(root, async (tree) => {
    const folder = await tree.folder(source.folder, 'leave');
    const old = folder && (await readInFolder(folder, source.name));
    if (!folder || !old) throw new Fault('NOT_FOUND', `There is no file ${from}`);
    if (expect !== undefined && old.sha256 !== expect) throw conflict(from, 'changed since');
    try {
      const newFolder = await made(tree, target.folder);
      if (await readInFolder(newFolder, target.name)) throw conflict(to, 'is there already');
      inWords(from, () => {
        checkUnchanged({ folder, name: source.name, old });
        checkUnchanged({ folder: newFolder, name: target.name, old: null });
        placeNew(folder.at(source.name), newFolder.at(target.name), to);
      });
      await tree.sync([folder, newFolder]);
    } catch (error) {
      await tree.unmake();
      throw error;
    }
  });
}

async function prepare(root: string, tree: FolderTree, change: FileChange): Promise<Step | null> {
  const { path, content, expect } = change;
  if (content !== null && content.length > TREE_FILE_MAX_BYTES)
    throw new Fault('TOO_LARGE', `${path} would be larger than ${TREE_FILE_MAX_BYTES} bytes`);
  const { folder: parent, name } = await splitRealPath(root, path);
  const folder = content === null ? await tree.folder(parent, 'leave') : await made(tree, parent);
  const old = folder && (await readInFolder(folder, name));
  if (expect !== undefined && (old?.sha256 ?? null) !== expect) {
    throw conflict(path, expect === null ? 'is there already' : old === null ? 'is gone' : 'changed since');
  }
  if (!folder || (content === null && old === null)) return null;
  return { change, folder, name, old, spare: `.countersign-${randomBytes(16).toString('hex')}.tmp` };
}

async function made(tree: FolderTree, path: string): Promise<Folder> {
  try {
    const folder = await tree.folder(path, 'make');
    if (!folder) throw conflict(path, 'was taken away');
    return folder;
  } catch (error) {
    throw translated(path, error);
  }
}

async function writeSpare({ change: { path, content, mode }, folder, old, spare }: Step): Promise<void> {
  if (content === null) return;
  try {
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
    const handle = await open(folder.at(spare), flags, 0o600);
    try {
      await handle.writeFile(content);
      await handle.chmod(old?.mode ?? mode ?? 0o644);
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw translated(path, error);
  }
}

/** INVARIANT: no other work of this process runs between its first check and its last rename. `lost`: files that could not be restored. */
function commit(steps: readonly Step[], lost: Set<Step>): void {
  for (const step of steps) inWords(step.change.path, () => checkUnchanged(step));
  const done: Step[] = [];
  try {
    for (const step of steps) {
      inWords(step.change.path, () => put(step));
      done.push(step);
    }
  } catch (error) {
    for (const step of done.toReversed()) if (!putBack(step)) lost.add(step);
    if (lost.size === 0) throw error;
    const paths = [...lost].map(({ change, spare }) => `${change.path} (see ${spare})`);
    throw new Fault('CONFLICT', `The change failed half way, and could not be taken back in ${paths.join(', ')}`, {
      fix: 'Look at these files before anything else is done',
      cause: error,
    });
  }
  steps.forEach(dropSpare);
}

const dropSpare = ({ folder, spare }: Step): void => rmSync(folder.at(spare), { force: true });

function put({ change: { path, content }, folder, name, old, spare }: Step): void {
  if (content === null) renameSync(folder.at(name), folder.at(spare));
  else if (old === null) placeNew(folder.at(spare), folder.at(name), path);
  else renameSync(folder.at(spare), folder.at(name));
}

function putBack({ change, folder, name, old, spare }: Step): boolean {
  try {
    if (old === null) unlinkSync(folder.at(name));
    else {
      if (change.content !== null) writeFileSync(folder.at(spare), old.bytes, { flag: 'wx', mode: old.mode });
      renameSync(folder.at(spare), folder.at(name));
    }
    return true;
  } catch {
    return false;
  }
}

/** A rename would replace a file that another process has just created there; a link to the new name fails instead. */
function placeNew(from: string, to: string, path: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') throw conflict(path, 'is there already');
    if (!WITHOUT_LINKS.has(errorCode(error))) throw error;
    if (lstatSync(to, { throwIfNoEntry: false })) throw conflict(path, 'is there already');
    renameSync(from, to);
    return;
  }
  unlinkSync(from);
}

/** The errors of file systems without hard links, or with rules against them. */
const WITHOUT_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

function checkUnchanged({ folder, name, old }: Pick<Step, 'folder' | 'name' | 'old'>): void {
  const path = below(folder.path, name);
  if (!folder.isInPlace()) throw conflict(path, 'is in a folder that was moved meanwhile');
  const now = lstatSync(folder.at(name), { throwIfNoEntry: false });
  const same = old === null ? now === undefined : now?.isFile() === true && holds(folder.at(name), old.bytes);
  if (!same) throw conflict(path, 'changed since');
}

function holds(address: string, bytes: Uint8Array): boolean {
  const file = openSync(address, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  try {
    return readFileSync(file).equals(bytes);
  } finally {
    closeSync(file);
  }
}

function refuseRepeated(changes: readonly FileChange[]): void {
  const seen = new Set<string>();
  for (const { path } of changes) {
    const key = path.normalize('NFC');
    if (seen.has(key)) throw refused(path, 'it is named twice in one change');
    seen.add(key);
  }
}

const conflict = (path: string, what: string): Fault =>
  new Fault('CONFLICT', `${path} ${what}`, { fix: 'Read the file again and decide again; nothing was changed' });

/** Turns a system error, such as a full disk or missing rights, into a fault that names the file. */
function translated(path: string, error: unknown): unknown {
  const code = errorCode(error);
  if (error instanceof Fault || code === '') return error;
  return new Fault('CONFLICT', `${path} cannot be changed now (${code})`, {
    fix: 'See to the disk, the rights and the path',
    cause: error,
  });
}

function inWords(path: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    throw translated(path, error);
  }
}
