// Where a path really leads. A scope is judged by this and never by the path as it was written.
// Every path of every action needs it, so it is synchronous, like `git-dir.ts`.
//
// INVARIANT: `real` is null exactly when `unresolved` says why. Whatever two readers could understand differently (`link/..`,
// `~`, a backslash, a place under /proc) is unresolved: a check is worthless if the writer reads the path differently.

import { lstatSync, readdirSync, readlinkSync, type Stats } from 'node:fs';
import { basename, dirname, isAbsolute, join, normalize, parse, relative, sep } from 'node:path';
import { errorCode, statsOf } from './plain-file.ts';

export interface RealPath {
  /** Relative to the root, with `/`, as it is spelled on disk; `''` is the root itself. */
  readonly real: string | null;
  /** Completes a sentence: "it …". */
  readonly unresolved: string | null;
  /** A file that also exists under another name: writing to it changes a path that was not judged. */
  readonly hardLinked: boolean;
  /** The real path, also outside the root, and in /proc where it is the same for every process; null when it is unknown. */
  readonly absolute: string | null;
}

/** On Linux a backslash is an ordinary character. */
const SEPARATOR = sep === '/' ? '/' : /[\\/]/;
const PATH_MAX_BYTES = 4096;
const NAME_MAX_BYTES = 255;
const LINKS_MAX = 40;
const IN_PROC = 'it goes through /proc, which shows every process something else';
/** Controls, line separators, and the marks that turn or hide text in what a human is shown. */
const INVISIBLE = /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]/u;

/** `root` is a real path; `given` is absolute or relative to `cwd`. */
export async function resolveInRoot(root: string, given: string, cwd: string): Promise<RealPath> {
  const malformed = whyMalformed(given);
  if (malformed !== null) return unresolved(malformed);

  const written = isAbsolute(given) ? given : `${cwd}${sep}${given}`;
  const place = follow(root, written);
  if (typeof place === 'string') return unresolved(place);
  if (place.why) return unresolved(place.why, place.path);
  // The system goes through a link and then back from where it led; tools that tidy the path first never enter the link.
  if (written.split(SEPARATOR).includes('..')) {
    const tidied = follow(root, normalize(written));
    if (typeof tidied === 'string') return unresolved(tidied);
    if (tidied.why) return unresolved(tidied.why, tidied.path);
    if (tidied.path !== place.path) return unresolved('it goes back through a link, so that it names two places');
  }

  const fromRoot = place.path.startsWith(root + sep) ? place.path.slice(root.length + 1) : relative(root, place.path);
  if (fromRoot === '..' || fromRoot.startsWith(`..${sep}`) || isAbsolute(fromRoot))
    return unresolved('it leads outside the work tree', place.path);
  if (place.stats && !place.stats.isFile() && !place.stats.isDirectory())
    return unresolved('it is a FIFO, a socket or a device', place.path);
  const twin = unicodeTwin(root, place);
  if (twin !== null) return unresolved(twin, place.path);
  return {
    real: fromRoot.split(sep).join('/'),
    unresolved: null,
    hardLinked: place.stats !== null && place.stats.isFile() && place.stats.nlink > 1,
    absolute: place.path,
  };
}

const unresolved = (why: string, absolute: string | null = null): RealPath => ({
  real: null,
  unresolved: why,
  hardLinked: false,
  absolute,
});

function whyMalformed(given: string): string | null {
  if (given === '') return 'it is empty';
  if (Buffer.byteLength(given) > PATH_MAX_BYTES) return `it is longer than ${PATH_MAX_BYTES} bytes`;
  if (INVISIBLE.test(given)) return 'it has control or invisible characters';
  if (!given.isWellFormed()) return 'it is not valid unicode';
  if (/^~[^/]*\//.test(given) || given === '~') return 'it begins with ~, which some tools read as a home folder';
  if (/^[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(given)) return 'it is an address and not a path';
  if (sep === '/' && given.includes('\\')) return 'it has a backslash, which some tools read as a slash';
  if (given.split(SEPARATOR).some((name) => Buffer.byteLength(name) > NAME_MAX_BYTES))
    return `it has a name longer than ${NAME_MAX_BYTES} bytes`;
  return null;
}

/** `..` stays: in /proc it does not undo the name before it. */
const isName = (name: string): boolean => name !== '' && name !== '.';

interface Place {
  readonly path: string;
  /** Null when nothing exists there yet. */
  readonly stats: Stats | null;
  /** Why resolution stops although the path continues. */
  readonly why?: string;
}

/** Resolves name by name, as the system does; a string says why that failed. */
function follow(root: string, absolute: string): Place | string {
  // The root is already real; without this shortcut every lookup would start at the top of the disk.
  const below = absolute === root || absolute.startsWith(root + sep);
  let current = below ? root : parse(absolute).root;
  const ahead = absolute.slice(current.length).split(SEPARATOR).toReversed();
  let stats: Stats | null = null;
  let links = 0;
  /** While a link is being followed: how many names were ahead when it was met. */
  let linkUntil = Infinity;

  for (let name = ahead.pop(); name !== undefined; name = ahead.pop()) {
    if (ahead.length < linkUntil) linkUntil = Infinity;
    if (!isName(name)) continue;
    if (stats !== null && !stats.isDirectory()) return 'it goes through a file as if that were a folder';
    if (name === '..') {
      current = dirname(current);
      stats = null;
      continue;
    }
    if (current === '/proc') return { path: [current, name, ...ahead.toReversed().filter(isName)].join('/'), stats: null, why: IN_PROC };

    // Not `join`, which would normalise an already normal path; this runs for every name of every path.
    const next = current.endsWith(sep) ? current + name : current + sep + name;
    try {
      stats = lstatSync(next, { throwIfNoEntry: false }) ?? null;
    } catch (error) {
      return `it cannot be followed (${errorCode(error) || 'no reason given'})`;
    }
    if (stats === null) {
      if (linkUntil !== Infinity) return 'it is a link to something that does not exist';
      if (ahead.includes('..')) return 'it goes back through a folder that does not exist';
      return { path: ahead.length === 0 ? next : join(next, ...ahead.toReversed()), stats: null };
    }
    if (!stats.isSymbolicLink()) {
      current = next;
      continue;
    }
    if (++links > LINKS_MAX) return 'it goes through too many links';
    if (linkUntil === Infinity) linkUntil = ahead.length;
    const target = targetOf(next);
    if (target === null) return 'it changes while it is being looked at';
    if (isAbsolute(target)) current = parse(target).root;
    ahead.push(...target.split(SEPARATOR).toReversed());
    stats = null;
  }
  return { path: current, stats: stats ?? statsOf(current) };
}

function targetOf(link: string): string | null {
  try {
    return readlinkSync(link);
  } catch {
    return null;
  }
}

/**
 * Scopes compare names in unicode's composed form, so that a path typed on one system covers the file made on another. Where a
 * file system keeps several forms apart, two files would then be one path: neither of them is resolved, nor is a new name in any
 * other form, which would become such a file.
 */
function unicodeTwin(root: string, place: Place): string | null {
  // Such names have one form.
  if (/^[\x00-\x7f]*$/.test(place.path)) return null;
  for (let path = place.path; path !== root; path = dirname(path)) {
    const name = basename(path);
    if (/^[\x00-\x7f]*$/.test(name)) continue;
    const composed = name.normalize('NFC');
    const own = statsOf(path);
    if (!own && name !== composed) return 'it is a new name in another unicode form than the composed one (NFC)';
    const isOther = (other: string) => {
      if (other === name || other.normalize('NFC') !== composed) return false;
      const found = statsOf(join(dirname(path), other));
      return found !== null && (!own || found.ino !== own.ino || found.dev !== own.dev);
    };
    if (namesIn(dirname(path)).some(isOther)) return 'another file has the same name in a different unicode form';
  }
  return null;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
