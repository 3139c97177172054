// Places that no governed tool may even read: the daemon's own folders, under whatever name, and the insides of processes, which lead
// to the same keys.

import { lstat, readdir } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import type { Resource } from '../protocol/index.ts';
import { compileGlob } from './glob.ts';
import type { RealPath } from './real-path.ts';

/** A process's view of the disk leads everywhere; its memory, environment and open files may hold a key; `..` leads there. */
const INSIDE_A_PROCESS =
  /^\/proc\/(?:(?:self|thread-self|\d+)\/(?:task\/[^/]+\/)?(?:root|cwd)|\d+\/(?:task\/[^/]+\/)?(?:mem|environ|auxv|maps|smaps|map_files|fd)|.*\/\.\.)(?:\/|$)/;

/** Why it is private, or null. A change inside a process has no place in the tree. */
export async function whyPrivate(
  { absolute, real, hardLinked }: RealPath,
  { access, deep }: Pick<Extract<Resource, { kind: 'file' }>, 'access' | 'deep'>,
  privateFolders: readonly string[],
): Promise<string | null> {
  if (absolute === null) return null;
  const own = "it belongs to the gate's keys and records";
  if (privateFolders.some((folder) => isWithin(folder, absolute) || mayLeadInto(folder, absolute))) return own;
  if (access === 'read' && INSIDE_A_PROCESS.test(absolute)) return 'it is the inside of a process, and the gate is one';
  // Only outside the root: inside it, this would refuse every search.
  if (deep && real === null && privateFolders.some((folder) => isWithin(absolute, folder)))
    return "the gate's keys and records lie below it; name a narrower folder";
  if (hardLinked && (await hasTwinIn(absolute, privateFolders))) return own;
  return null;
}

/** A second name of a file in one of these folders, or in a folder of theirs. */
async function hasTwinIn(file: string, folders: readonly string[]): Promise<boolean> {
  const { ino, dev } = await lstat(file);
  for (const folder of folders) {
    const top = await readdir(folder, { withFileTypes: true }).catch(unlessMissing);
    if (top === null) continue;
    const places = [folder, ...top.flatMap((entry) => (entry.isDirectory() ? [join(folder, entry.name)] : []))];
    for (const place of places) {
      for (const name of await readdir(place)) {
        const other = await lstat(join(place, name)).catch(() => null);
        if (other?.ino === ino && other.dev === dev) return true;
      }
    }
  }
  return false;
}

function unlessMissing(error: NodeJS.ErrnoException): null {
  if (error.code !== 'ENOENT') throw error;
  return null;
}

/** A pattern, as a shell would expand it: one that may reach into the folder counts as reaching it. */
function mayLeadInto(folder: string, pattern: string): boolean {
  if (!/[*?[]/.test(pattern)) return false;
  const names = pattern.split(sep);
  const way = folder.split(sep);
  return names.length > way.length && way.every((name, i) => mayBe(names[i]!, name));
}

function mayBe(pattern: string, name: string): boolean {
  if (pattern === name) return true;
  if (!/[*?[]/.test(pattern)) return false;
  try {
    return compileGlob(pattern)(name) || (name.startsWith('.') && /^[*?[]/.test(pattern) && compileGlob(`.${pattern}`)(name));
  } catch {
    return true;
  }
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
