// The files of a ledger: `00000001.jsonl`, `00000002.jsonl`, …, and how their lines are read without holding a whole file.

import { open, readdir } from 'node:fs/promises';
import { MAX_LINE_BYTES } from './record-line.ts';

const NAME = /^\d{8}\.jsonl$/;

export const segmentName = (number: number): string => `${String(number).padStart(8, '0')}.jsonl`;

/** In order; empty when there is no such folder. */
export async function listSegments(dir: string): Promise<readonly string[]> {
  const names = await readdir(dir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names.filter((name) => NAME.test(name)).toSorted();
}

const CHUNK_BYTES = 1024 * 1024;

/** Complete lines fill `bytes[0, end)`, each with its newline; what follows has no newline yet and comes again in the next chunk. */
export interface LineChunk {
  readonly bytes: Buffer;
  readonly end: number;
  /** The offset of `bytes[0]` in the file. */
  readonly offset: number;
  /** Only in the last chunk: how many bytes after `end` have no newline. */
  readonly rest: number;
  /** The rest is above the limit; nothing more is read. */
  readonly tooLong: boolean;
}

/** Reads `[from, to)`. */
export async function* lineChunks(path: string, from = 0, to = Infinity): AsyncGenerator<LineChunk, void, void> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    let bytes = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.max(0, Math.min(size, to) - from)) + 1);
    let filled = 0;
    let offset = from;
    for (;;) {
      const wanted = Math.min(bytes.length - filled, to - offset - filled);
      const { bytesRead } = wanted > 0 ? await file.read(bytes, filled, wanted, offset + filled) : { bytesRead: 0 };
      const last = bytesRead === 0;
      filled += bytesRead;
      const end = last ? 0 : bytes.subarray(0, filled).lastIndexOf(10) + 1;
      const tooLong = end === 0 && filled > MAX_LINE_BYTES;
      if (last || tooLong) {
        yield { bytes, end: 0, offset, rest: filled, tooLong };
        return;
      }
      if (end === 0) {
        if (filled < bytes.length) continue;
        const larger = Buffer.allocUnsafe(bytes.length * 2);
        bytes.copy(larger, 0, 0, filled);
        bytes = larger;
        continue;
      }
      yield { bytes, end, offset, rest: 0, tooLong: false };
      bytes.copy(bytes, 0, end, filled);
      offset += end;
      filled -= end;
    }
  } finally {
    await file.close();
  }
}
