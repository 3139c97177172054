// Where cited lines are now. Only their hash is known, so every window of as many lines is hashed, nearest first.
//
// INVARIANT: the work is bounded whatever the file and the citation are: lines that are not found within the bound count as gone, which
// makes a claim STALE and never VERIFIED.

import type { Citation } from '../protocol/index.ts';
import { hashOfLines } from './cite.ts';

/** In bytes to hash. Enough for 100 lines anywhere in a file of 3,000. */
const MAX_WORK = 16 * 1024 * 1024;
/** What a hash costs besides its bytes. */
const WORK_PER_HASH = 128;

/** Shorter text (a brace, `return;`) occurs so often that finding it again proves nothing. */
const DISTINCTIVE_CHARACTERS = 8;

/** The first line where the cited text is now; null when it is gone. */
export function findAgain(lines: readonly string[], cited: Citation): number | null {
  const count = cited.end_line - cited.start_line + 1;
  const last = lines.length - count + 1;
  if (last < 1) return null;
  const isAt = (line: number): boolean => hashOfLines(lines.slice(line - 1, line - 1 + count)) === cited.sha256;
  if (cited.start_line <= last && isAt(cited.start_line)) return cited.start_line;

  let work = 0;
  const costOf = windowCosts(lines, count);
  const from = Math.min(cited.start_line, last);
  for (let distance = 0; from - distance >= 1 || from + distance <= last; distance++) {
    for (const line of distance === 0 ? [from] : [from - distance, from + distance]) {
      if (line < 1 || line > last || line === cited.start_line) continue;
      work += costOf(line);
      if (work > MAX_WORK) return null;
      if (isAt(line)) return isDistinctive(lines.slice(line - 1, line - 1 + count)) ? line : null;
    }
  }
  return null;
}

/** The cost of hashing the window that begins at a line, without joining its text. */
function windowCosts(lines: readonly string[], count: number): (line: number) => number {
  const before = new Float64Array(lines.length + 1);
  for (const [index, line] of lines.entries()) before[index + 1] = (before[index] ?? 0) + line.length + 1;
  return (line) => (before[line - 1 + count] ?? 0) - (before[line - 1] ?? 0) + WORK_PER_HASH;
}

function isDistinctive(lines: readonly string[]): boolean {
  let found = 0;
  for (const line of lines) {
    found += line.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
    if (found >= DISTINCTIVE_CHARACTERS) return true;
  }
  return false;
}
