// Where tests keep a daemon's home, a ledger or a store: in memory, where the machine has such a place. A sync costs milliseconds on a disk,
// and a test run makes tens of thousands. What a test says about the disk itself stays on the disk.

import { accessSync, constants } from 'node:fs';

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Short: a socket's path has about a hundred bytes. */
export const MEMORY_FOLDER = isWritable('/dev/shm') ? '/dev/shm' : '/tmp';
