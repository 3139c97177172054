// Git's index, read by hand for the reason that `git-dir.ts` gives: what git last wrote into the work tree, or what was staged.

import { join } from 'node:path';
import type { GitDir } from './git-dir.ts';
import { readPlainFile } from './plain-file.ts';

export const INDEX_MAX_BYTES = 256 * 1024 * 1024;
const CONFIG_MAX_BYTES = 1024 * 1024;
/** Stamps, device, inode, mode, owner and size: ten numbers of four bytes. */
const NUMBERS_BYTES = 40;

export interface IndexEntry {
  readonly id: string;
  /** Not 0: the file is in conflict, and git wrote the content in the work tree. */
  readonly stage: number;
  readonly mode: number;
  /** The file's stamps as git last saw it clean, cut to four bytes each. */
  readonly ctime: readonly [seconds: number, nanoseconds: number];
  readonly mtime: readonly [seconds: number, nanoseconds: number];
  readonly ino: number;
  readonly size: number;
}

/** The entries of these paths. Null when there is no index that can be read by hand: none yet, or one that is split over files. */
export async function readIndexEntries(
  gitDir: string,
  idBytes: 20 | 32,
  wanted: ReadonlySet<string>,
): Promise<Map<string, IndexEntry> | null> {
  const file = await readPlainFile(join(gitDir, 'index'), INDEX_MAX_BYTES, { follow: true });
  return file.kind === 'file' ? parseIndex(Buffer.from(file.bytes), idBytes, wanted) : null;
}

export function parseIndex(bytes: Buffer, idBytes: 20 | 32, wanted: ReadonlySet<string>): Map<string, IndexEntry> | null {
  const found = new Map<string, IndexEntry>();
  const isWhole = walkIndex(bytes, idBytes, (path, start, flags) => {
    // Of a file in conflict there are up to three entries; any of them says so.
    if (wanted.has(path)) found.set(path, entryAt(bytes, start, idBytes, (flags >> 12) & 3));
  });
  return isWhole ? found : null;
}

/** The paths of all entries; null as above. */
export function indexedPaths(bytes: Buffer, idBytes: 20 | 32): Set<string> | null {
  const found = new Set<string>();
  return walkIndex(bytes, idBytes, (path) => found.add(path)) ? found : null;
}

const GITLINK = 0xe000;

/** The paths of other repositories in it; null as above. */
export function gitlinksIn(bytes: Buffer, idBytes: 20 | 32): string[] | null {
  const found: string[] = [];
  const meet = (path: string, start: number) => void (bytes.readUInt32BE(start + 24) === GITLINK && found.push(path));
  return walkIndex(bytes, idBytes, meet) ? found : null;
}

/** False when it cannot be read by hand to its end. */
function walkIndex(bytes: Buffer, idBytes: 20 | 32, meet: (path: string, start: number, flags: number) => void): boolean {
  if (bytes.length < 12 + idBytes || bytes.toString('latin1', 0, 4) !== 'DIRC') return false;
  const version = bytes.readUInt32BE(4);
  if (version < 2 || version > 4) return false;
  const end = bytes.length - idBytes;
  let at = 12;
  let name: Buffer = Buffer.alloc(0);
  for (let left = bytes.readUInt32BE(8); left > 0; left--) {
    const start = at;
    const flagsAt = at + NUMBERS_BYTES + idBytes;
    if (flagsAt + 4 > end) return false;
    const flags = bytes.readUInt16BE(flagsAt);
    at = flagsAt + (version >= 3 && flags & 0x4000 ? 4 : 2);
    let kept = 0;
    if (version === 4) {
      const cut = offsetAt(bytes, at, end);
      if (!cut || cut.value > name.length) return false;
      kept = name.length - cut.value;
      at = cut.next;
    }
    const zero = bytes.indexOf(0, at);
    if (zero < 0 || zero >= end) return false;
    name = kept === 0 ? bytes.subarray(at, zero) : Buffer.concat([name.subarray(0, kept), bytes.subarray(at, zero)]);
    meet(name.toString('utf8'), start, flags);
    at = version === 4 ? zero + 1 : start + Math.ceil((zero + 1 - start) / 8) * 8;
  }
  return !hasLinkExtension(bytes, at, end);
}

function entryAt(bytes: Buffer, at: number, idBytes: number, stage: number): IndexEntry {
  const number = (index: number): number => bytes.readUInt32BE(at + 4 * index);
  return {
    ctime: [number(0), number(1)],
    mtime: [number(2), number(3)],
    ino: number(5),
    mode: number(6),
    size: number(9),
    id: bytes.toString('hex', at + NUMBERS_BYTES, at + NUMBERS_BYTES + idBytes),
    stage,
  };
}

/** How many bytes of the last name to drop: seven bits a byte, and every further byte counts from one more. */
function offsetAt(bytes: Buffer, at: number, end: number): { value: number; next: number } | null {
  let value = 0;
  for (let next = at; next < end && next < at + 5; next++) {
    const byte = bytes.readUInt8(next);
    value = next === at ? byte & 0x7f : (value + 1) * 128 + (byte & 0x7f);
    if (byte < 0x80) return { value, next: next + 1 };
  }
  return null;
}

/** Such an index says only how it differs from another file. */
function hasLinkExtension(bytes: Buffer, from: number, end: number): boolean {
  for (let at = from; at + 8 <= end; at += 8 + bytes.readUInt32BE(at + 4)) if (bytes.toString('latin1', at, at + 4) === 'link') return true;
  return false;
}

/** How long the repository's ids are. */
export async function idBytesOf(git: GitDir): Promise<20 | 32> {
  const config = await readPlainFile(join(git.commonDir, 'config'), CONFIG_MAX_BYTES, { follow: true });
  return config.kind === 'file' && /^\s*objectformat\s*=\s*"?sha256/im.test(Buffer.from(config.bytes).toString('utf8')) ? 32 : 20;
}
