// What a file system says about a file without opening it.

import type { Stats } from 'node:fs';

/** Times in milliseconds, as exact as a double holds them. */
export interface Stamp {
  readonly size: number;
  readonly mtime: number;
  readonly ctime: number;
  readonly ino: number;
}

export const stampOf = ({ size, mtimeMs, ctimeMs, ino }: Stats): Stamp => ({ size, mtime: mtimeMs, ctime: ctimeMs, ino });

export const isSameStamp = (a: Stamp, b: Stamp): boolean =>
  a.mtime === b.mtime && a.size === b.size && a.ctime === b.ctime && a.ino === b.ino;

/** As new as its scan: a second change in the same tick of the clock would leave the same stamp. */
export function isRacy({ mtime, ctime }: Stamp, scannedAtMs: number): boolean {
  const coarse = mtime % 1000 === 0 && ctime % 1000 === 0;
  return Math.max(mtime, ctime) >= scannedAtMs - (coarse ? 2_000 : 50);
}
