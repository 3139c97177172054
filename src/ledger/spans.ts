// Cuts a ledger's files into spans of about one size, each between two heads. The end of the newest file, which may still grow or be torn,
// is in none of them.

import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readLine } from './record-line.ts';
import type { Span } from './read-span.ts';
import { listSegments, segmentName } from './segments.ts';

/** Where a head is looked for; a batch that is longer is not cut. */
const WINDOW_BYTES = 1024 * 1024;

/** In order, without a gap, from the first byte on. Empty when a file is missing or empty: a reading from the start reports that better. */
export async function findSpans(dir: string, spanBytes: number): Promise<readonly Span[]> {
  const spans: Span[] = [];
  const names = await listSegments(dir);
  for (const [at, name] of names.entries()) {
    const path = join(dir, name);
    const { size } = await stat(path);
    if (name !== segmentName(at + 1) || size === 0) return [];
    const cuts = await cutsOf(path, size, spanBytes);
    const ends = at === names.length - 1 ? cuts : [...cuts, size];
    for (const [part, to] of ends.entries()) spans.push({ path, from: ends[part - 1] ?? 0, to });
  }
  return spans;
}

async function cutsOf(path: string, size: number, spanBytes: number): Promise<readonly number[]> {
  const cuts: number[] = [];
  const file = await open(path, 'r');
  try {
    const window = Buffer.allocUnsafe(WINDOW_BYTES);
    for (let near = spanBytes; near < size; near = Math.max(near, cuts.at(-1) ?? 0) + spanBytes) {
      const { bytesRead } = await file.read(window, 0, WINDOW_BYTES, near);
      const headEnd = endOfHead(window.subarray(0, bytesRead));
      if (headEnd !== null && near + headEnd < size) cuts.push(near + headEnd);
    }
  } finally {
    await file.close();
  }
  return cuts;
}

/** The first byte after a head; null when there is no whole one. */
function endOfHead(bytes: Buffer): number | null {
  // The first line may not be whole.
  for (let start = bytes.indexOf(10) + 1; start > 0;) {
    const newline = bytes.indexOf(10, start);
    if (newline < 0) return null;
    if (readLine(bytes.subarray(start, newline))?.kind === 'head') return newline + 1;
    start = newline + 1;
  }
  return null;
}
