// Reading a file that somebody else may be playing with. A FIFO in its place would hang a plain read for ever, a device would
// answer without end, and a link would show another file; all three come back as words.

import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

export type Opened =
  | { readonly kind: 'file'; readonly handle: FileHandle; readonly size: number; readonly mode: number }
  | { readonly kind: 'missing' }
  /** `why` completes a sentence that begins with the file's name. */
  | { readonly kind: 'unreadable'; readonly why: string };

export type PlainFile = { readonly kind: 'file'; readonly bytes: Uint8Array; readonly mode: number } | Exclude<Opened, { kind: 'file' }>;

export const errorCode = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');

/** The caller closes the handle. `follow` is for files of git, where old layouts keep links. */
export async function openPlainFile(path: string, options: { readonly follow?: boolean } = {}): Promise<Opened> {
  let handle: FileHandle;
  try {
    handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | (options.follow ? 0 : constants.O_NOFOLLOW));
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'missing' };
    if (code === 'ELOOP') return { kind: 'unreadable', why: 'is a symbolic link' };
    if (code === 'ENXIO') return { kind: 'unreadable', why: 'is not a plain file' };
    return { kind: 'unreadable', why: `cannot be opened (${code || 'no reason given'})` };
  }
  const stats = await handle.stat();
  if (stats.isFile()) return { kind: 'file', handle, size: stats.size, mode: stats.mode & 0o777 };
  await handle.close();
  return { kind: 'unreadable', why: stats.isDirectory() ? 'is a folder' : 'is not a plain file' };
}

export async function readPlainFile(path: string, maxBytes: number, options: { readonly follow?: boolean } = {}): Promise<PlainFile> {
  const opened = await openPlainFile(path, options);
  if (opened.kind !== 'file') return opened;
  try {
    if (opened.size > maxBytes) return { kind: 'unreadable', why: `is larger than ${maxBytes} bytes` };
    const bytes = await opened.handle.readFile();
    // It may have grown between the two calls.
    if (bytes.length > maxBytes) return { kind: 'unreadable', why: `is larger than ${maxBytes} bytes` };
    return { kind: 'file', bytes, mode: opened.mode };
  } catch (error) {
    return { kind: 'unreadable', why: `cannot be read (${errorCode(error) || 'no reason given'})` };
  } finally {
    await opened.handle.close();
  }
}

/** Made if need be. Null when something other than a plain file stands there. The caller closes the handle. */
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
