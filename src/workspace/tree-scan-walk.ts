// The stat walk. It follows no link, opens no file and blocks the daemon for at most a few milliseconds at a time. A folder with unchanged
// stamps is not listed again; every file in it is still checked.

import { type BigIntStats, type Dirent, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { NO_PATH_CONFIG, type PathConfig } from './path-class.ts';
import { errorCode } from './plain-file.ts';
import { isSkippedFile, isSkippedFolder, isSkippedPath } from './tree-scan-skip.ts';

export interface FileStamp {
  readonly size: number;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
  readonly ino: bigint;
  readonly mode: number;
}

export interface SeenFile extends FileStamp {
  /** Null when the content could not be read, or was not requested. */
  readonly sha256: string | null;
  /** Of a file with a block that the gate keeps: the hash of the rest of it. */
  readonly restSha256: string | null;
  /** It was as new as the scan: a second change in the same clock tick would leave the same stamp. */
  readonly racy: boolean;
}

export interface SeenFolder extends Pick<FileStamp, 'mtimeNs' | 'ctimeNs' | 'ino'> {
  readonly racy: boolean;
  /** Paths from the root. */
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

export interface TreeSnapshot {
  readonly files: Map<string, SeenFile>;
  readonly folders: Map<string, SeenFolder>;
}

/** `why` completes a sentence that begins with the path. */
export interface Trouble {
  readonly path: string;
  readonly why: string;
}

export interface Walk {
  /** New files, and files whose stamps say that they may have changed. */
  readonly touched: Map<string, FileStamp>;
  readonly gone: string[];
  readonly folders: Map<string, SeenFolder>;
  readonly troubles: Trouble[];
  /** Files that were checked. */
  readonly files: number;
}

/** Yields to other work after each time slice. */
export class Pace {
  private calls = 0;
  private since = performance.now();
  private readonly sliceMs: number;

  constructor(sliceMs = 10) {
    this.sliceMs = sliceMs;
  }

  isDue(everyCalls = 64): boolean {
    return ++this.calls % everyCalls === 0 && performance.now() - this.since > this.sliceMs;
  }

  async rest(signal?: AbortSignal): Promise<void> {
    await nextTurn(undefined, signal ? { signal } : {});
    this.since = performance.now();
  }
}

/** A tree with far too many files, such as a whole home folder. */
export class TreeTooLarge extends Error {
  constructor(root: string, maxFiles: number) {
    super(`${root} has more than ${maxFiles} files`);
    this.name = 'TreeTooLarge';
  }
}

export interface WalkOptions {
  readonly signal?: AbortSignal;
  /** Scan only these files and folders, relative to the root. A folder is scanned whole. */
  readonly only?: ReadonlySet<string>;
  /** What else is derived here. When it changes, folders have to be listed again. */
  readonly paths?: PathConfig;
  /** With more it throws `TreeTooLarge`. */
  readonly maxFiles?: number;
}

const FILES_MAX = 200_000;

export async function walkTree(root: string, known: TreeSnapshot, options: WalkOptions = {}): Promise<Walk> {
  const { signal, only, paths = NO_PATH_CONFIG, maxFiles = FILES_MAX } = options;
  const pace = new Pace();
  const walk = {
    touched: new Map<string, FileStamp>(),
    gone: [] as string[],
    folders: new Map<string, SeenFolder>(),
    troubles: [] as Trouble[],
  };
  const listed: (readonly string[])[] = [];
  const missing = new Set<string>();
  const unlisted: string[] = [];
  let files = 0;
  let met = 0;

  const visit = (path: string): void => {
    const stats = statOf(`${root}/${path}`);
    if (stats === null) {
      missing.add(path);
      if (path.includes('\ufffd')) walk.troubles.push({ path, why: 'has a name that is not UTF-8' });
      return;
    }
    files++;
    const before = known.files.get(path);
    if (before) met++;
    if (before && !before.racy && hasStamp(before, stats)) return;
    if (stats.isFile() || stats.isSymbolicLink()) walk.touched.set(path, stampOf(stats));
    else missing.add(path);
  };

  const pending: string[] = [];
  for (const path of only ?? ['']) {
    if (path !== '' && isSkippedPath(path, paths)) continue;
    if (path === '' || statOf(`${root}/${path}`)?.isDirectory()) pending.push(path);
    else {
      listed.push([path]);
      visit(path);
    }
  }

  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    const seen = listFolder(root, folder, known.folders.get(folder), paths);
    if (typeof seen === 'string') {
      walk.troubles.push({ path: folder || '.', why: seen });
      // Its content is unknown: nothing in it counts as deleted.
      unlisted.push(folder === '' ? '' : `${folder}/`);
    }
    if (seen === null || typeof seen === 'string') continue;
    walk.folders.set(folder, seen);
    pending.push(...seen.folders);
    listed.push(seen.files);
    if (files + seen.files.length > maxFiles) throw new TreeTooLarge(root, maxFiles);
    for (const path of seen.files) {
      visit(path);
      if (pace.isDue()) await pace.rest(signal);
    }
  }

  if (only?.size === 0 || (met === known.files.size && missing.size === 0)) return { ...walk, files };
  const here = new Set(listed.flat());
  const isPartOf = (path: string): boolean => only === undefined || only.has(path) || ancestors(path).some((each) => only.has(each));
  for (const path of known.files.keys()) {
    const isThere = here.has(path) && !missing.has(path);
    if (!isThere && isPartOf(path) && !unlisted.some((folder) => path.startsWith(folder))) walk.gone.push(path);
  }
  return { ...walk, files };
}

export const hasStamp = (seen: FileStamp, stats: BigIntStats): boolean =>
  seen.mtimeNs === stats.mtimeNs &&
  seen.ctimeNs === stats.ctimeNs &&
  seen.ino === stats.ino &&
  seen.size === Number(stats.size) &&
  seen.mode === Number(stats.mode);

export const stampOf = ({ size, mtimeNs, ctimeNs, ino, mode }: BigIntStats): FileStamp => ({
  size: Number(size),
  mtimeNs,
  ctimeNs,
  ino,
  mode: Number(mode),
});

const SECOND_NS = 1_000_000_000n;
/** File system clocks tick more slowly than ours: usually 100 times a second, some every two seconds. */
export function isRacy({ mtimeNs, ctimeNs }: Pick<FileStamp, 'mtimeNs' | 'ctimeNs'>, scannedAtMs: number): boolean {
  const wholeSeconds = mtimeNs % SECOND_NS === 0n && ctimeNs % SECOND_NS === 0n;
  const newest = mtimeNs > ctimeNs ? mtimeNs : ctimeNs;
  return newest >= BigInt(scannedAtMs - (wholeSeconds ? 2_000 : 100)) * 1_000_000n;
}

const EXACT = { bigint: true, throwIfNoEntry: false } as const;

export function statOf(path: string): BigIntStats | null {
  try {
    return lstatSync(path, EXACT) ?? null;
  } catch {
    return null;
  }
}

/** Null when there is no such folder any more, or another work tree begins there; a text says why it cannot be listed. */
function listFolder(root: string, folder: string, before: SeenFolder | undefined, paths: PathConfig): SeenFolder | string | null {
  const absolute = folder === '' ? root : `${root}/${folder}`;
  const now = Date.now();
  const stats = statOf(absolute);
  if (!stats?.isDirectory()) return null;
  const { mtimeNs, ctimeNs, ino } = stats;
  if (before && !before.racy && before.mtimeNs === mtimeNs && before.ctimeNs === ctimeNs && before.ino === ino) return before;
  let entries: Dirent[];
  try {
    entries = readdirSync(absolute, { withFileTypes: true });
  } catch (error) {
    const code = errorCode(error);
    return code === 'ENOENT' || code === 'ENOTDIR' ? null : `cannot be listed (${code || 'no reason given'})`;
  }
  if (folder !== '' && entries.some((entry) => entry.name === '.git' && entry.isFile()) && isLinkedWorkTree(absolute)) return null;
  const prefix = folder === '' ? '' : `${folder}/`;
  const files: string[] = [];
  const folders: string[] = [];
  for (const entry of entries) {
    const path = prefix + entry.name;
    if (entry.isDirectory()) {
      if (!isSkippedFolder(path, entry.name, paths)) folders.push(path);
    } else if ((entry.isFile() || entry.isSymbolicLink()) && !isSkippedFile(path, entry.name, paths)) files.push(path);
  }
  return { mtimeNs, ctimeNs, ino, racy: isRacy(stats, now), files, folders };
}

/**
 * A linked work tree is a root of its own, with its own scans; a submodule is part of this one. Git must list it too: otherwise anyone
 * could hide a folder from scans by writing a pointer.
 */
function isLinkedWorkTree(folder: string): boolean {
  try {
    const target = /^gitdir: (?<path>[^\r\n]+)/.exec(readFileSync(`${folder}/.git`, 'utf8'))?.groups?.['path'];
    if (target === undefined) return false;
    const home = resolve(folder, target);
    const back = readFileSync(join(home, 'gitdir'), 'utf8').trimEnd();
    return basename(dirname(home)) === 'worktrees' && resolve(home, back) === join(folder, '.git');
  } catch {
    return false;
  }
}

function ancestors(path: string): string[] {
  const found: string[] = [];
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) found.push(path.slice(0, at));
  return found;
}
