// Which changes of a work tree are git's own: what checkout, stash, merge or rebase put there. Git is not run; its files are read.
//
// A change is git's when git moved since the last scan and the file now is
// - what the index says, and that content was in git before, or came by a merge, a rebase or a fetch;
// - or in conflict, as git left it;
// - or what it was at an earlier scan, as after `git stash pop`;
// - or gone from the index too, after git moved HEAD or put work away.
// So `git add` and `git commit` alone make nothing git's: new content that is only staged still needs an author.

import { createHash } from 'node:crypto';
import { closeSync, createReadStream, read } from 'node:fs';
import { lstat, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type GitDir, gitDirAt } from './git-dir.ts';
import { idBytesOf, type IndexEntry, readIndexEntries } from './git-index.ts';
import { openPlainFile, readPlainFile } from './plain-file.ts';
import { revisionIn } from './revision.ts';
import type { TreeChange } from './tree-scan.ts';
import type { SeenFile } from './tree-scan-walk.ts';

const readFrom = promisify(read);

/** Git's state at a scan. */
export interface GitMark {
  readonly head: string | null;
  /** Stamps of the files that git writes when it moves; an empty text: there was no such file. */
  readonly stamps: Readonly<Record<MarkedFile, string>>;
  /** Bytes of HEAD's log. */
  readonly logged: number;
}

type MarkedFile = 'HEAD' | 'index' | 'ORIG_HEAD' | 'FETCH_HEAD' | 'stash';

const LOCK_MS = 30_000;
const LOG_MAX_BYTES = 1024 * 1024;
/** A document that humans write. */
const DOCUMENT_MAX_BYTES = 1024 * 1024;
/** Entries of HEAD's log whose contents git itself put together. */
const COMBINES = /^(?:merge|rebase|pull|cherry-pick|revert)\b/;
/** Entries that record contents instead of bringing them. */
const RECORDS = /^(?:commit|initial)\b/;

/** Null where there is no git. */
export async function readGitMark(root: string): Promise<GitMark | null> {
  const git = await gitDirAt(root).catch(() => null);
  if (!git) return null;
  const [head, headFile, index, orig, fetched, stash, log] = await Promise.all([
    revisionIn(git).catch(() => null),
    stampText(join(git.gitDir, 'HEAD')),
    stampText(join(git.gitDir, 'index')),
    stampText(join(git.gitDir, 'ORIG_HEAD')),
    stampText(join(git.gitDir, 'FETCH_HEAD')),
    stampText(join(git.commonDir, 'refs/stash')),
    lstat(join(git.gitDir, 'logs/HEAD')).catch(() => null),
  ]);
  return { head, stamps: { HEAD: headFile, index, ORIG_HEAD: orig, FETCH_HEAD: fetched, stash }, logged: log?.size ?? 0 };
}

/** Git is writing: its changes reach the tree before the index. An old lock left behind by a crash does not count. */
export async function isGitAtWork(root: string, now: Date): Promise<boolean> {
  const git = await gitDirAt(root).catch(() => null);
  const lock = git && (await lstat(join(git.gitDir, 'index.lock')).catch(() => null));
  return lock !== null && now.getTime() - lock.mtimeMs < LOCK_MS;
}

export interface GitWindow {
  readonly from: Date;
  /** Null: git's state at that time is unknown. */
  readonly before: GitMark | null;
  readonly now: GitMark | null;
  /** Whether this content was seen there before and explained. */
  readonly wasSeen: (path: string, sha256: string) => boolean;
}

/** The paths of the changes that are git's own. */
export async function changesByGit(
  root: string,
  window: GitWindow,
  changes: readonly Pick<TreeChange, 'path' | 'after'>[],
): Promise<Set<string>> {
  const { before, now } = window;
  const git = now && changes.length > 0 ? await gitDirAt(root).catch(() => null) : null;
  if (!git || !now) return new Set();
  const isOther = (file: MarkedFile): boolean => before?.stamps[file] !== now.stamps[file];
  const moved = before === null || before.head !== now.head || (['HEAD', 'index', 'ORIG_HEAD', 'stash'] as const).some(isOther);
  if (!moved) return new Set();

  const moves = await logSince(git, before?.logged ?? 0);
  const combines = isOther('FETCH_HEAD') || moves.some((entry) => COMBINES.test(entry));
  const putAway = isOther('stash') || moves.some((entry) => !RECORDS.test(entry)) || before === null;
  const idBytes = await idBytesOf(git);
  const entries = await readIndexEntries(git.gitDir, idBytes, new Set(changes.map(({ path }) => path)));
  if (!entries) return new Set();

  const found = new Set<string>();
  for (const { path, after } of changes) {
    const entry = entries.get(path);
    if (after === null) {
      if (putAway && !entry) found.add(path);
    } else if (after.sha256 !== null && window.wasSeen(path, after.sha256)) found.add(path);
    else if (entry && entry.stage !== 0) found.add(path);
    else if (
      entry &&
      (combines || !(await isNewObject(git, entry.id, window.from))) &&
      (isAsIndexed(entry, after) || (await isBlob(root, path, after, entry.id, idBytes)))
    )
      found.add(path);
  }
  return found;
}

/** The document equals git's index, or is missing in both: git may have written it. False where there is no git. */
export async function isAsInGitIndex(root: string, path: string): Promise<boolean> {
  const git = await gitDirAt(root);
  if (!git) return false;
  const idBytes = await idBytesOf(git);
  const entry = (await readIndexEntries(git.gitDir, idBytes, new Set([path])))?.get(path);
  const file = await readPlainFile(join(root, path), DOCUMENT_MAX_BYTES);
  if (file.kind !== 'file') return file.kind === 'missing' && entry === undefined;
  const hash = createHash(idBytes === 20 ? 'sha1' : 'sha256')
    .update(`blob ${file.bytes.length}\0`)
    .update(file.bytes);
  return entry !== undefined && hash.digest('hex') === entry.id;
}

async function stampText(path: string): Promise<string> {
  const stats = await lstat(path, { bigint: true }).catch(() => null);
  return stats ? `${stats.mtimeNs}:${stats.ctimeNs}:${stats.size}:${stats.ino}` : '';
}

/** What HEAD's log says since then, one message for each entry. A shorter log was rewritten: all of it counts. */
async function logSince(git: GitDir, from: number): Promise<string[]> {
  const opened = openPlainFile(join(git.gitDir, 'logs/HEAD'), { follow: true });
  if (opened.kind !== 'file') return [];
  const { fd, size } = opened;
  try {
    const start = Math.max(size < from ? 0 : from, size - LOG_MAX_BYTES);
    const length = Math.max(0, size - start);
    const { buffer, bytesRead } = await readFrom(fd, Buffer.alloc(length), 0, length, start);
    const lines = buffer.toString('utf8', 0, bytesRead).split('\n');
    return lines.flatMap((line) => (line.includes('\t') ? [line.slice(line.indexOf('\t') + 1)] : []));
  } finally {
    closeSync(fd);
  }
}

/** Created since then. Git renews the stamp of an object that is written again, so only its birth time counts; a packed one is old. */
async function isNewObject(git: GitDir, id: string, since: Date): Promise<boolean> {
  const stats = await lstat(join(git.commonDir, 'objects', id.slice(0, 2), id.slice(2))).catch(() => null);
  if (!stats) return false;
  return (stats.birthtimeMs > 0 ? Math.min(stats.birthtimeMs, stats.mtimeMs) : stats.mtimeMs) >= since.getTime();
}

/** Git has just seen the very same file clean. Filters may make its content another one than the blob. */
function isAsIndexed({ ctime, mtime, size, ino }: IndexEntry, file: SeenFile): boolean {
  const cut = (value: bigint): number => Number(BigInt.asUintN(32, value));
  const isStamp = ([seconds, nanoseconds]: readonly [number, number], value: bigint): boolean =>
    seconds === cut(value / 1_000_000_000n) && (nanoseconds === 0 || nanoseconds === Number(value % 1_000_000_000n));
  return size === cut(BigInt(file.size)) && ino === cut(file.ino) && isStamp(mtime, file.mtimeNs) && isStamp(ctime, file.ctimeNs);
}

async function isBlob(root: string, path: string, file: SeenFile, id: string, idBytes: 20 | 32): Promise<boolean> {
  const hash = createHash(idBytes === 20 ? 'sha1' : 'sha256').update(`blob ${file.size}\0`);
  try {
    if ((file.mode & 0o170000) === 0o120000) return hash.update(await readlink(join(root, path), 'buffer')).digest('hex') === id;
    const opened = openPlainFile(join(root, path));
    if (opened.kind !== 'file') return false;
    try {
      for await (const chunk of createReadStream('', { fd: opened.fd, autoClose: false })) hash.update(chunk as Uint8Array);
    } finally {
      closeSync(opened.fd);
    }
    return hash.digest('hex') === id;
  } catch {
    return false;
  }
}
