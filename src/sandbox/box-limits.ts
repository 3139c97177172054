// How many processes a session may have and how much memory it may use, so that a bomb inside ends itself and not the machine. A control group
// of the session holds both where one can be made, as root or where it was delegated. An ordinary user's processes are counted by the
// kernel for the walls alone, without a group; their memory is then not limited, but they are the first to be ended when it runs out.

import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export interface BoxLimits {
  readonly processes: number;
  readonly memoryBytes: number;
}

/** Far more than builds with many workers use. */
const MAX_PROCESSES = 4_096;
/** What is left for the rest of the machine is enough to work with. */
const PART_OF_MEMORY = 0.8;

export const usualLimits = (): BoxLimits => ({
  processes: MAX_PROCESSES,
  memoryBytes: Math.floor(Math.min(os.totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY) * PART_OF_MEMORY),
});

/** The folders of a session's groups; none where groups cannot be made. `pid`: of a process that shows that one can be joined. */
export function makeGroups(name: string, pid: number, { processes, memoryBytes }: BoxLimits): string[] {
  const own = ownGroups();
  const first = [
    { controller: 'pids', settings: { 'pids.max': processes } },
    { controller: 'memory', settings: { 'memory.limit_in_bytes': memoryBytes } },
  ].flatMap(({ controller, settings }) => {
    const at = own.get(controller);
    return at === undefined ? [] : (tryGroup(path.join('/sys/fs/cgroup', controller, at, name), pid, settings) ?? []);
  });
  const unified = own.get('');
  if (first.length > 0 || unified === undefined) return first;
  const settings = { 'pids.max': processes, 'memory.max': memoryBytes };
  for (const at of new Set([path.dirname(unified), unified])) {
    const group = tryGroup(path.join('/sys/fs/cgroup', at, name), pid, settings);
    if (group !== null) return [group];
  }
  return [];
}

/** True: they are gone. Groups with processes cannot be removed: those that were ended take a moment. */
export function removeGroups(groups: readonly string[]): boolean {
  let isGone = true;
  for (const group of groups)
    try {
      rmdirSync(group);
    } catch (error) {
      isGone &&= (error as NodeJS.ErrnoException).code === 'ENOENT';
    }
  return isGone;
}

/** The files that a process joins the groups by. */
export const joinFiles = (groups: readonly string[]): string[] => groups.map((group) => path.join(group, 'cgroup.procs'));

/** By controller; empty: the unified hierarchy. */
function ownGroups(): Map<string, string> {
  try {
    const lines = readFileSync('/proc/self/cgroup', 'utf8').split('\n');
    return new Map(
      lines.flatMap((line) => {
        const [, controllers = '', at] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
        return at === undefined ? [] : controllers.split(',').map((controller): [string, string] => [controller, at]);
      }),
    );
  } catch {
    return new Map();
  }
}

function tryGroup(folder: string, pid: number, settings: Readonly<Record<string, number>>): string | null {
  // The wall program gets their names in one line.
  if (/\s/.test(folder)) return null;
  try {
    mkdirSync(folder);
  } catch {
    return null;
  }
  try {
    // A file that is not there would be made, where this is no control group at all.
    for (const [file, value] of Object.entries(settings)) writeFileSync(path.join(folder, file), String(value), { flag: 'r+' });
    writeFileSync(path.join(folder, 'cgroup.procs'), String(pid), { flag: 'r+' });
    return folder;
  } catch {
    removeGroups([folder]);
    return null;
  }
}
