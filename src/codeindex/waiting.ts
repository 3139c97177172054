// How long a question about a tree waits before it is answered with the progress.

import { setTimeout as pause } from 'node:timers/promises';
import type { TreeIndex } from './model.ts';

/** The first scan of a tree takes a moment; an early question waits this long, and then gets the progress. */
const FIRST_SCAN_MS = 10_000;

export async function firstScan(index: TreeIndex): Promise<void> {
  const enough = new AbortController();
  await Promise.race([index.ready(), pause(FIRST_SCAN_MS, undefined, { signal: enough.signal }).catch(() => undefined)]);
  enough.abort();
}

/** Half of the time that a client waits. */
const ANSWER_WITHIN_MS = 15_000;
export const LATE = Symbol('late');

export async function unlessLate<T>(work: Promise<T>): Promise<T | typeof LATE> {
  const enough = new AbortController();
  const late = pause(ANSWER_WITHIN_MS, LATE, { signal: enough.signal }).catch((): typeof LATE => LATE);
  try {
    return await Promise.race([work, late]);
  } finally {
    enough.abort();
  }
}
