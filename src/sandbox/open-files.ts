// What a process has open, as Linux lists it.

import { readdirSync, readlinkSync } from 'node:fs';

/** Paths, and names such as `socket:[123]`; null: no such process, or one whose files may not be listed. */
export function openFilesOf(pid: number): string[] | null {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return [readlinkSync(`/proc/${pid}/fd/${fd}`)];
      } catch {
        return [];
      }
    });
  } catch {
    return null;
  }
}
