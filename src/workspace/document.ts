// Documents of the workspace that humans own or that are written for them. They are read and written at their real place only:
// a link would let an agent change the document through a path that is in its scope.

import { isUtf8 } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readFileSync, renameSync, unlinkSync } from 'node:fs';
import { lstat, mkdir, open, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Fault } from '../protocol/index.ts';
import { errorCode, readPlainFile } from './plain-file.ts';
import { resolveInRoot } from './real-path.ts';

export interface Document {
  readonly bytes: Uint8Array;
  readonly mode: number;
}

export const DOCUMENT_MAX_BYTES = 1024 * 1024;

/** `path` is relative to the root, with `/`. Null when there is no such file. */
export async function readDocument(root: string, path: string): Promise<Document | null> {
  const place = await resolveInRoot(root, path, root);
  if (place.real !== path) throw misplaced(path, place.unresolved ?? `it leads to ${String(place.real)} through a link`);
  const file = await readPlainFile(join(root, path), DOCUMENT_MAX_BYTES);
  if (file.kind === 'missing') return null;
  if (file.kind === 'unreadable') throw misplaced(path, `it ${file.why}`);
  return { bytes: file.bytes, mode: file.mode };
}

/** A document's text, byte for byte: what is not valid UTF-8 would be lost by reading and writing it. */
export function textOf(path: string, bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  if (isUtf8(bytes)) return text;
  const line = text.split('\ufffd')[0]?.split('\n').length ?? 1;
  throw new Fault('DOCUMENT_INVALID', `${path}:${line}: is not valid UTF-8`, { fix: `Save ${path} as UTF-8` });
}

/** The folder of a document, made if need be, and certainly not a link. */
export async function ensureFolder(root: string, folder: string): Promise<void> {
  const trouble = await mkdir(join(root, folder), { recursive: true }).then(() => '', errorCode);
  const place = await resolveInRoot(root, folder, root);
  const stats = await lstat(join(root, folder)).catch(() => null);
  if (place.real === folder && stats?.isDirectory()) return;
  throw misplaced(folder, place.unresolved ?? (stats ? 'it is a link or not a folder' : `it cannot be made (${trouble})`));
}

/**
 * Puts new content in place of exactly the content that the caller read, at once or not at all. Null: there was no such file.
 * INVARIANT: a caller in this process never overwrites a concurrent change by others; its last check and the rename are one step.
 */
export async function replaceFile(path: string, expected: Document | null, next: Uint8Array): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(12).toString('hex')}.tmp`);
  const handle = await open(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600);
  try {
    try {
      await handle.writeFile(next);
      await handle.chmod(expected?.mode ?? 0o644);
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (!sameContent(path, expected)) throw changed(path);
    renameSync(temporary, path);
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Removes exactly the content that the caller read. */
export async function removeFile(path: string, expected: Document): Promise<void> {
  if (!sameContent(path, expected)) throw changed(path);
  unlinkSync(path);
  await syncFolder(dirname(path));
}

const changed = (path: string): Fault =>
  new Fault('CONFLICT', `${path} was changed by someone else at the same time`, { fix: 'Run the command again' });

/** Anything but a plain file counts as changed; a pipe in its place must not block the process. */
function sameContent(path: string, expected: Document | null): boolean {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return expected === null;
    if (errorCode(error) === 'ELOOP') return false;
    throw error;
  }
  try {
    return expected !== null && fstatSync(file).isFile() && readFileSync(file).equals(expected.bytes);
  } finally {
    closeSync(file);
  }
}

/** Without this a power failure can restore the old name. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const misplaced = (path: string, why: string): Fault =>
  new Fault('DOCUMENT_INVALID', `${path} cannot be used: ${why}`, {
    fix: `Make ${path} a plain file or folder inside the work tree, without links`,
  });
