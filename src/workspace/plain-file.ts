// Reading a file that another process may replace. A FIFO in its place would hang a plain read, a device would answer without end, and a
// link would show another file; all three are returned as a reason in words.
//
// Checking, opening and reading a small file are synchronous: every action reads a dozen of them, and a trip to another thread costs ten
// times as much.

import { closeSync, constants, fstatSync, lstatSync, openSync, readFile, readFileSync, readSync, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { promisify } from 'node:util';

export interface OpenedFile {
  readonly kind: 'file';
  /** The caller that opened it closes it. */
  readonly fd: number;
  readonly size: number;
  readonly mode: number;
}

export type Opened =
  | OpenedFile
  | { readonly kind: 'missing' }
  /** `why` completes a sentence that begins with the file's name. */
  | { readonly kind: 'unreadable'; readonly why: string };

export type PlainFile = { readonly kind: 'file'; readonly bytes: Uint8Array; readonly mode: number } | Exclude<Opened, OpenedFile>;

export const errorCode = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');

/** What is there, a link as itself; null when nothing is there or access is denied. */
export function statsOf(path: string): Stats | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

/** Larger files are read by another thread, so that other work does not wait. */
const READ_AT_ONCE_BYTES = 256 * 1024;
const readElsewhere = promisify(readFile);

/** `follow` is for files of git, where old layouts keep links. */
export function openPlainFile(path: string, options: { readonly follow?: boolean } = {}): Opened {
  let fd: number;
  try {
    // Checked first because most of these files do not exist, and an error costs more than the check.
    if (!lstatSync(path, { throwIfNoEntry: false })) return { kind: 'missing' };
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | (options.follow ? 0 : constants.O_NOFOLLOW));
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'missing' };
    if (code === 'ELOOP') return { kind: 'unreadable', why: 'is a symbolic link' };
    if (code === 'ENXIO') return { kind: 'unreadable', why: 'is not a plain file' };
    return { kind: 'unreadable', why: `cannot be opened (${code || 'no reason given'})` };
  }
  const stats = fstatSync(fd);
  if (stats.isFile()) return { kind: 'file', fd, size: stats.size, mode: stats.mode & 0o777 };
  closeSync(fd);
  return { kind: 'unreadable', why: stats.isDirectory() ? 'is a folder' : 'is not a plain file' };
}

/** All of it, as it is now. */
export async function contentOf({ fd, size }: OpenedFile): Promise<Buffer> {
  if (size > READ_AT_ONCE_BYTES) return readElsewhere(fd);
  const bytes = Buffer.allocUnsafeSlow(size + 1);
  const length = readSync(fd, bytes, 0, size + 1, 0);
  // Room for one more byte: if it is filled, the file has grown since it was opened.
  return length <= size ? bytes.subarray(0, length) : readFileSync(fd);
}

export async function readPlainFile(path: string, maxBytes: number, options: { readonly follow?: boolean } = {}): Promise<PlainFile> {
  const opened = openPlainFile(path, options);
  if (opened.kind !== 'file') return opened;
  try {
    if (opened.size > maxBytes) return { kind: 'unreadable', why: `is larger than ${maxBytes} bytes` };
    const bytes = await contentOf(opened);
    // It may have grown between the two calls.
    if (bytes.length > maxBytes) return { kind: 'unreadable', why: `is larger than ${maxBytes} bytes` };
    return { kind: 'file', bytes, mode: opened.mode };
  } catch (error) {
    return { kind: 'unreadable', why: `cannot be read (${errorCode(error) || 'no reason given'})` };
  } finally {
    closeSync(opened.fd);
  }
}

/** Created if missing. Null when something other than a plain file is there. The caller closes the handle. */
export async function openToAppend(path: string): Promise<FileHandle | null> {
  const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  let handle: FileHandle;
  try {
    handle = await open(path, flags, 0o644);
  } catch (error) {
    if (errorCode(error) === 'ELOOP' || errorCode(error) === 'EISDIR') return null;
    throw error;
  }
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  return null;
}
