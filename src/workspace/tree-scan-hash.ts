// The content of a file for reconciliation: its hash, read without following a link, and only if it did not change during the read.

import { createHash, type Hash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync } from 'node:fs';
import { BRAIN_FILES, outsideBrain } from './brain-file.ts';
import { errorCode } from './plain-file.ts';
import { sha256Of } from './tree-file.ts';
import { type FileStamp, hasStamp, isRacy, type Pace, type SeenFile, stampOf, statOf } from './tree-scan-walk.ts';

/** A larger file is not read: that would delay the end of a turn by seconds. */
export const HASHED_MAX_BYTES = 512 * 1024 * 1024;
const CHUNK_BYTES = 1024 * 1024;
const buffer = Buffer.allocUnsafe(CHUNK_BYTES);

export type Hashed =
  | { readonly kind: 'file'; readonly file: SeenFile }
  | { readonly kind: 'missing' }
  /** It changed while it was read. */
  | { readonly kind: 'moving' }
  /** `why` completes a sentence that begins with the path. */
  | { readonly kind: 'unreadable'; readonly why: string; readonly stamp: FileStamp };

const isBrain = (path: string): boolean => (BRAIN_FILES as readonly string[]).includes(path);

/** Of a file that may hold a block of the gate's: the hash of everything else. A block that cannot be recognised counts as content. */
export function restHash(path: string, bytes: Uint8Array): string | null {
  if (!isBrain(path)) return null;
  try {
    return sha256Of(Buffer.from(outsideBrain(path, Buffer.from(bytes).toString('utf8'))));
  } catch {
    return sha256Of(bytes);
  }
}

/** A missing file and a file with only the block count as the same. */
export const NO_REST = sha256Of(new Uint8Array());

export async function hashFile(root: string, path: string, stamp: FileStamp, pace: Pace, signal?: AbortSignal): Promise<Hashed> {
  const absolute = `${root}/${path}`;
  const now = Date.now();
  const stats = statOf(absolute);
  if (!stats) return { kind: 'missing' };
  if (stats.isSymbolicLink()) {
    try {
      const sha256 = sha256Of(readlinkSync(absolute, { encoding: 'buffer' }));
      return { kind: 'file', file: { ...stampOf(stats), sha256, restSha256: null, racy: isRacy(stats, now) } };
    } catch {
      return { kind: 'moving' };
    }
  }
  if (!stats.isFile()) return { kind: 'missing' };
  const unreadable = (why: string): Hashed => ({ kind: 'unreadable', why, stamp });
  if (stats.size > BigInt(HASHED_MAX_BYTES)) return unreadable(`is larger than ${HASHED_MAX_BYTES} bytes`);

  let descriptor: number;
  try {
    descriptor = openSync(absolute, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'missing' };
    return code === 'ELOOP' ? { kind: 'moving' } : unreadable(`cannot be opened (${code || 'no reason given'})`);
  }
  try {
    const sha = createHash('sha256');
    const whole = isBrain(path) ? ([] as Buffer[]) : null;
    await feed(descriptor, sha, whole, pace, signal);
    const after = fstatSync(descriptor, { bigint: true });
    if (!hasStamp(stampOf(stats), after)) return { kind: 'moving' };
    const restSha256 = whole && restHash(path, Buffer.concat(whole));
    return { kind: 'file', file: { ...stampOf(stats), sha256: sha.digest('hex'), restSha256, racy: isRacy(stats, now) } };
  } catch (error) {
    if (signal?.aborted) throw error;
    return unreadable(`cannot be read (${errorCode(error) || 'no reason given'})`);
  } finally {
    closeSync(descriptor);
  }
}

async function feed(descriptor: number, hash: Hash, whole: Buffer[] | null, pace: Pace, signal?: AbortSignal): Promise<void> {
  for (;;) {
    const read = readSync(descriptor, buffer, 0, CHUNK_BYTES, null);
    if (read === 0) return;
    const chunk = buffer.subarray(0, read);
    hash.update(chunk);
    whole?.push(Buffer.from(chunk));
    if (read === CHUNK_BYTES && pace.isDue(1)) await pace.rest(signal);
  }
}
