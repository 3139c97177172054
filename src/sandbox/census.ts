// Counts the descendants of a process and their memory. The system's limits apply to one process at a time, and some do not apply to root.
// These apply to a whole command.

import { readdirSync, readFileSync } from 'node:fs';

export interface Census {
  readonly pids: readonly number[];
  /** Memory that is not shared, as far as the system reports it. */
  readonly bytes: number;
}

const PAGE_BYTES = 4096;

/** Stops counting beyond `most`: a fork bomb must not keep the monitor busy. */
export function censusBelow(pid: number, most: number): Census {
  const pids: number[] = [];
  let bytes = 0;
  const pending = childrenOf(pid);
  for (let next = pending.pop(); next !== undefined && pids.length <= most; next = pending.pop()) {
    pids.push(next);
    bytes += memoryOf(next);
    pending.push(...childrenOf(next));
  }
  return { pids, bytes };
}

function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    );
  } catch {
    // The process has ended, or this system does not report it.
    return [];
  }
}

function memoryOf(pid: number): number {
  try {
    const [, resident = 0, shared = 0] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ').map(Number);
    return (resident - shared) * PAGE_BYTES;
  } catch {
    return 0;
  }
}
