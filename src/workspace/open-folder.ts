// A folder held open: work in it stays in that folder even if its path changes.
//
// Linux: every name of the path is opened on its own without following a link, through the descriptor of the folder before it
// (`/proc/self/fd/N/name`, which is what openat does). A name that is swapped for a link between check and use is refused.
// Elsewhere Node offers no equivalent: the path is checked name by name and then used, so a swap in between can succeed. That is weaker,
// and documented.

import { closeSync, constants, type Dirent, fsync, lstatSync, openSync, readlinkSync } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Fault } from '../protocol/plain.ts';
import { errorCode } from './plain-file.ts';

export interface Folder {
  /** Relative to the root, with `/`; `''` is the root. */
  readonly path: string;
  /** The path to give the system for a name in this folder. One name, never a path. */
  at(name: string): string;
  /** Null when there is no such folder. A link or a file in its place is a CONFLICT. */
  enter(name: string): Promise<Folder | null>;
  entries(): Promise<Dirent[]>;
  /** Whether it is still at its path. If it was moved away, a change in it would be a change somewhere else. */
  isInPlace(): boolean;
  /** Makes changed names survive a power failure. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** `root` is a real path. */
export const openRoot = (root: string): Promise<Folder> => (process.platform === 'linux' ? openByDescriptor(root) : openByPath(root));

const syncToDisk = promisify(fsync);
const FOLDER_FLAGS = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

export async function openByDescriptor(root: string): Promise<Folder> {
  const folder = await hold(root, '', null);
  if (!folder) throw new Fault('NOT_FOUND', `There is no folder ${root}`);
  return folder;
}

/** `base`: where the system says that the root is; null: this is the root. */
async function hold(address: string, path: string, base: string | null): Promise<Folder | null> {
  let fd: number;
  try {
    fd = openSync(address, FOLDER_FLAGS);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw notAFolder(path, error);
  }
  const self = `/proc/self/fd/${fd}`;
  const root = base ?? readlinkSync(self);
  return {
    path,
    at: (name) => `${self}/${oneName(name)}`,
    enter: (name) => hold(`${self}/${oneName(name)}`, below(path, name), root),
    entries: () => readdir(`${self}/`, { withFileTypes: true }),
    isInPlace: () => readlinkSync(self) === join(root, path),
    sync: () => syncToDisk(fd),
    close: async () => closeSync(fd),
  };
}

export async function openByPath(root: string): Promise<Folder> {
  const folder = await folderAt(root, '');
  if (!folder) throw new Fault('NOT_FOUND', `There is no folder ${root}`);
  return folder;
}

async function folderAt(root: string, path: string): Promise<Folder | null> {
  const address = join(root, path);
  const first = await lstat(address).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return null;
    throw notAFolder(path, error);
  });
  if (!first) return null;
  if (!first.isDirectory()) throw notAFolder(path, null);
  return {
    path,
    at: (name) => join(address, oneName(name)),
    enter: (name) => folderAt(root, below(path, oneName(name))),
    entries: () => readdir(address, { withFileTypes: true }),
    isInPlace: () => {
      const now = lstatSync(address, { throwIfNoEntry: false });
      return now !== undefined && now.isDirectory() && now.ino === first.ino && now.dev === first.dev;
    },
    sync: async () => undefined,
    close: async () => undefined,
  };
}

export const below = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);

/** INVARIANT: nothing that could leave the folder reaches the system as a name. */
function oneName(name: string): string {
  if (name === '' || name === '.' || name === '..' || name.includes('/') || name.includes('\0'))
    throw new Error(`no name of a file: ${name}`);
  return name;
}

function notAFolder(path: string, error: unknown): Fault {
  const code = errorCode(error);
  const why = code === 'ELOOP' || code === 'ENOTDIR' || code === '' ? 'it is a link or a file' : `it cannot be opened (${code})`;
  return new Fault('CONFLICT', `${path || 'The root'} is not a folder now: ${why}`, {
    fix: 'Check what is there, and name the real path',
    cause: error,
  });
}
