// A line names another line before it than the one that stands there. Which of the two is wrong, and how, is told from the
// lines around. Only called once a chain is known to be broken, so it may take its time.

import { join } from 'node:path';
import { sha256Hex } from './hash.ts';
import type { Place, Problem } from './problem.ts';
import { readLine } from './record-line.ts';
import { lineChunks, segmentName } from './segments.ts';

export interface BrokenLink {
  readonly dir: string;
  readonly segmentNumber: number;
  readonly place: Place;
  /** The line before; null when it is known to be good, or there is none. */
  readonly previous: Place | null;
  readonly raw: Buffer;
  /** The hash that the line gives for the one before it. */
  readonly prev: string;
  /** How many records further on than expected the line believes to be. */
  readonly ahead: number;
  /** A head straight after a head. */
  readonly closesNothing: boolean;
  /** A head whose own signature is good. */
  readonly signed: boolean;
}

export async function explainBrokenLink(link: BrokenLink): Promise<Problem> {
  const { place, previous, ahead } = link;
  if (!isJson(link.raw)) return { ...place, how: 'edited', message: 'This line is not JSON any more.' };
  const after = { path: join(link.dir, place.segment), from: place.byte + link.raw.length + 1 };
  if (ahead < 0 || link.closesNothing || (await someLine(after, (line) => sha256Hex(line) === link.prev))) {
    return { ...place, how: 'swapped or inserted', message: 'This line does not follow the line before it; it belongs elsewhere.' };
  }
  if (ahead > 0)
    return { ...place, how: 'dropped', message: `${ahead === 1 ? 'A record is' : `${ahead} records are`} missing before this line.` };
  const intact = link.signed || (await nextLineFollows(link, after));
  if (intact && previous === null)
    return {
      ...place,
      how: 'swapped or inserted',
      message: 'This line was written after other lines; it belongs to another ledger, or lines before it are missing.',
    };
  if (intact && previous !== null) {
    return {
      ...previous,
      how: 'edited',
      message: 'This line was changed, or a head after it was dropped: the next line was written after other bytes.',
    };
  }
  return { ...place, how: 'edited', message: 'This line was changed: it does not follow the line before it.' };
}

async function nextLineFollows(link: BrokenLink, after: LinesFrom): Promise<boolean> {
  const chain = sha256Hex(link.raw);
  let next = await firstLine(after);
  next ??= await firstLine({ path: join(link.dir, segmentName(link.segmentNumber + 1)), from: 0 }).catch(() => null);
  return next !== null && readLine(next)?.prev === chain;
}

export interface LinesFrom {
  readonly path: string;
  readonly from: number;
}

/** Whether a complete line at or after that byte passes the test. */
export async function someLine({ path, from }: LinesFrom, test: (line: Buffer) => boolean): Promise<boolean> {
  for await (const { bytes, end } of lineChunks(path, from)) {
    for (let start = 0; start < end;) {
      const newline = bytes.indexOf(10, start);
      if (test(bytes.subarray(start, newline))) return true;
      start = newline + 1;
    }
  }
  return false;
}

async function firstLine(lines: LinesFrom): Promise<Buffer | null> {
  let first: Buffer | null = null;
  await someLine(lines, (line) => {
    first = Buffer.from(line);
    return true;
  });
  return first;
}

function isJson(line: Buffer): boolean {
  try {
    JSON.parse(line.toString());
    return true;
  } catch {
    return false;
  }
}
