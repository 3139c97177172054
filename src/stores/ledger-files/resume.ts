// Where a start may continue: a mark counts only if the files still match it, as far as their sizes and the one line before it
// show. Earlier lines are not read here; `countersign verify` reads all of them.

import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { type ChainPosition, segmentName, sha256Hex } from '../../ledger/index.ts';
import type { StoreMark } from '../event-store.ts';

/** No head is longer. */
const HEAD_BYTES = 4096;

export async function positionIn(ledgerDir: string, mark: StoreMark): Promise<ChainPosition | null> {
  const position = mark as ChainPosition;
  if (position.size === 0) return null;
  const last = await lastLineBefore(join(ledgerDir, segmentName(position.segment)), position.offset);
  return last !== null && sha256Hex(last) === position.prev ? position : null;
}

/** Null when the file is shorter, or no line ends there. */
async function lastLineBefore(path: string, offset: number): Promise<Uint8Array | null> {
  const file = await open(path, 'r').catch(() => null);
  if (file === null) return null;
  try {
    const from = Math.max(0, offset - HEAD_BYTES);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(offset - from), 0, offset - from, from);
    if (bytesRead < offset - from || buffer.at(-1) !== 10) return null;
    return buffer.subarray(buffer.subarray(0, -1).lastIndexOf(10) + 1, -1);
  } finally {
    await file.close();
  }
}
