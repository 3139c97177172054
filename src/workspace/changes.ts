// Which lines of a file an action wrote: a line diff, as ranges of the new content.
//
// INVARIANT: the new content without its ranges is a subsequence of the old content's lines. Within the work limit the ranges
// are as small as can be (Myers' shortest edit script); past it the changed middle is one range.

import { createHash } from 'node:crypto';
import type { FileRef } from '../protocol/index.ts';

export type Ranges = FileRef['ranges'];

/** Steps of the search. A file that is rewritten from a copy of itself in another order would otherwise take minutes. */
const WORK_LIMIT = 20_000_000;
/** Each edit keeps a row of the search; 2,000 rows are 16 MB. */
const EDITS_LIMIT = 2_000;

/** Null means that there is no such file. Binary content (a NUL byte) has no lines and so no ranges. */
export function changedRanges(before: Uint8Array | null, after: Uint8Array | null): Ranges {
  if (after === null || after.includes(0)) return [];
  const bytes = Buffer.from(after.buffer, after.byteOffset, after.byteLength);
  const ends = lineEnds(bytes);
  const written = newLines(
    before === null ? [] : linesOf(Buffer.from(before.buffer, before.byteOffset, before.byteLength)),
    linesOf(bytes),
  );

  const ranges: Ranges = [];
  for (let start = 0; start < written.length; start++) {
    if (!written[start]) continue;
    let end = start;
    while (written[end + 1]) end++;
    const content = bytes.subarray(start === 0 ? 0 : ends[start - 1], ends[end]);
    ranges.push({ start_line: start + 1, end_line: end + 1, sha256: createHash('sha256').update(content).digest('hex') });
    start = end;
  }
  return ranges;
}

/** Where each line ends, its newline included. The last line needs none. */
function lineEnds(bytes: Buffer): number[] {
  const ends: number[] = [];
  let end = 0;
  while (end < bytes.length) {
    const newline = bytes.indexOf(10, end);
    end = newline < 0 ? bytes.length : newline + 1;
    ends.push(end);
  }
  return ends;
}

/** One character per byte, so that invalid UTF-8 bytes stay distinct. */
const linesOf = (bytes: Buffer): string[] =>
  lineEnds(bytes).map((end, line, ends) => bytes.toString('latin1', line === 0 ? 0 : ends[line - 1], end));

/** For every new line: whether the action wrote it. */
function newLines(before: readonly string[], after: readonly string[]): boolean[] {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < before.length - head && tail < after.length - head && before[before.length - 1 - tail] === after[after.length - 1 - tail])
    tail++;

  const written = after.map((_, line) => line >= head && line < after.length - tail);
  // A line that the other side does not have can be in no common part: leaving it out keeps the result and makes rewrites cheap.
  const oldLines = before.slice(head, before.length - tail);
  const places = after.map((_, line) => line).slice(head, after.length - tail);
  const inOld = new Set(oldLines);
  const candidates = places.filter((line) => inOld.has(after[line] ?? ''));
  const inNew = new Set(candidates.map((line) => after[line]));
  const remaining = oldLines.filter((line) => inNew.has(line));

  const ids = new Map<string, number>();
  const idOf = (line: string): number => {
    const id = ids.get(line) ?? ids.size;
    ids.set(line, id);
    return id;
  };
  const kept = keptLines(
    Int32Array.from(remaining, idOf),
    Int32Array.from(candidates, (line) => idOf(after[line] ?? '')),
  );
  for (const index of kept ?? []) written[candidates[index] ?? -1] = false;
  return written;
}

/** Indexes of `b` in a longest common subsequence with `a`, or null when that would take too long. */
function keptLines(a: Int32Array, b: Int32Array): number[] | null {
  const most = Math.min(a.length + b.length, EDITS_LIMIT);
  // Furthest x on each diagonal k = x - y, before each number of edits; diagonal k is at index k + most + 1.
  const reach = new Int32Array(2 * most + 3);
  const rows: Int32Array[] = [];
  const at = (row: Int32Array, k: number, offset: number): number => row[k + offset] ?? 0;
  let work = 0;

  for (let edits = 0; edits <= most; edits++) {
    rows.push(reach.slice(most + 1 - edits - 1, most + 1 + edits + 2));
    for (let k = -edits; k <= edits; k += 2) {
      const down = k === -edits || (k !== edits && at(reach, k - 1, most + 1) < at(reach, k + 1, most + 1));
      let x = down ? at(reach, k + 1, most + 1) : at(reach, k - 1, most + 1) + 1;
      const from = x;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      reach[k + most + 1] = x;
      work += x - from + 1;
      if (x >= a.length && x - k >= b.length) return walkBack(rows, edits, a.length, b.length);
    }
    if (work > WORK_LIMIT) return null;
  }
  return null;
}

/** From the end of both to the start, collecting the lines that were passed on a diagonal. Row `d` has diagonal k at index k + d + 1. */
function walkBack(rows: readonly Int32Array[], edits: number, endX: number, endY: number): number[] {
  const kept: number[] = [];
  let x = endX;
  let y = endY;
  for (let d = edits; d >= 0; d--) {
    const row = rows[d] ?? new Int32Array(0);
    const reachOf = (k: number): number => row[k + d + 1] ?? 0;
    const k = x - y;
    const down = k === -d || (k !== d && reachOf(k - 1) < reachOf(k + 1));
    const previousX = d === 0 ? 0 : reachOf(down ? k + 1 : k - 1);
    const previousY = d === 0 ? 0 : previousX - (down ? k + 1 : k - 1);
    const startX = d === 0 ? 0 : down ? previousX : previousX + 1;
    while (x > startX) {
      x--;
      y--;
      kept.push(y);
    }
    x = previousX;
    y = previousY;
  }
  return kept;
}
