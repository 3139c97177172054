// A file of the work tree as the gate may look at it. Every reason why it cannot be read is returned in words.
//
// INVARIANT: no text leaves this file that an agent may not be shown: its real path is judged, never the path as written.

import { constants } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { governanceRule, resolveInRoot } from '../workspace/index.ts';

export interface Tree {
  /** A real path. */
  readonly root: string;
  /** Real folders that hold keys and the ledger, if they are inside the root. */
  readonly privateFolders?: readonly string[] | undefined;
}

export const FILE_MAX_BYTES = 8 * 1024 * 1024;

export type TreeFile<T> =
  | ({ readonly kind: 'file'; readonly path: string } & T)
  | { readonly kind: 'missing'; readonly why: string }
  /** It is unknown, or must not be disclosed, what is there. */
  | { readonly kind: 'withheld'; readonly why: string };

/** Whether a file exists. For secrets not even that is disclosed. */
export async function findFile(tree: Tree, given: string): Promise<TreeFile<object>> {
  const place = await placeOf(tree, given, 'read');
  if (place.kind !== 'file') return place;
  const stats = await lstat(join(tree.root, place.path)).catch(() => null);
  if (stats === null) return { kind: 'missing', why: 'does not exist' };
  return stats.isFile() ? place : { kind: 'missing', why: 'is not a file' };
}

/** The file's lines without their ends. Governance files are refused as for a change: a quotation from them would be stored. */
export async function readLines(tree: Tree, given: string): Promise<TreeFile<{ readonly lines: readonly string[] }>> {
  const place = await placeOf(tree, given, 'write');
  if (place.kind !== 'file') return place;
  const read = await readBytes(join(tree.root, place.path));
  if ('kind' in read) return read;
  // A binary file can be valid UTF-8 by chance, but hardly ever without a zero byte.
  const text = read.bytes.includes(0) ? null : decode(read.bytes);
  if (text === null) return { kind: 'withheld', why: 'is not text in UTF-8' };
  return { ...place, lines: linesOf(text) };
}

/** A line feed ends a line; a carriage return before it belongs to the end, so that a checkout with other line ends changes nothing. */
export function linesOf(text: string): readonly string[] {
  if (text === '') return [];
  const lines = text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

async function placeOf(tree: Tree, given: string, access: 'read' | 'write'): Promise<TreeFile<object>> {
  const place = await resolveInRoot(tree.root, given, tree.root);
  if (place.real === null) return { kind: 'withheld', why: `cannot be looked at: ${String(place.unresolved)}` };
  const { absolute } = place;
  if (absolute !== null && (tree.privateFolders ?? []).some((folder) => isWithin(folder, absolute)))
    return { kind: 'withheld', why: "cannot be looked at: it belongs to the gate's keys and records" };
  const governance = governanceRule(place.real, access);
  if (governance !== null) return { kind: 'withheld', why: `cannot be looked at: ${governance}` };
  return { kind: 'file', path: place.real };
}

async function readBytes(path: string): Promise<{ readonly bytes: Uint8Array } | Exclude<TreeFile<object>, { kind: 'file' }>> {
  let handle: FileHandle;
  try {
    // A FIFO in the file's place would hang a plain read, and a link would show another file.
    handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'missing', why: 'does not exist' };
    return { kind: 'withheld', why: `cannot be opened (${code || 'no reason given'})` };
  }
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) return { kind: 'missing', why: 'is not a file' };
    const tooLarge = { kind: 'withheld', why: `is larger than ${FILE_MAX_BYTES} bytes` } as const;
    if (stats.size > FILE_MAX_BYTES) return tooLarge;
    const bytes = await handle.readFile();
    // It may have grown between the two calls.
    return bytes.length > FILE_MAX_BYTES ? tooLarge : { bytes };
  } finally {
    await handle.close();
  }
}

function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
