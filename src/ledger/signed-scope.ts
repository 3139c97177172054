// Whether a recorded scope can be what a human signed as paths. Paths were resolved where they were typed, and links were followed then.
// From the record alone one can see that a scope is wider than the paths, has another wildcard or covers other files; not where a link led.

import { posix } from 'node:path';

const WILD = /[*?[\]{}]/;

/** `cwd` and `paths` as they were signed; any other form explains no scope. */
export function mayBeScopeOf(scope: readonly string[], cwd: unknown, paths: unknown): boolean {
  if (typeof cwd !== 'string' || !Array.isArray(paths)) return false;
  const explains = (path: unknown, glob: string) => typeof path === 'string' && readings(path).some((read) => fits(glob, read, cwd));
  return (
    scope.every((glob) => paths.some((path) => explains(path, glob))) && paths.every((path) => scope.some((glob) => explains(path, glob)))
  );
}

/** A path, and what follows it in the glob. */
interface PathReading {
  readonly place: string;
  readonly tails: readonly string[];
}

/** A name that existed was taken literally; otherwise as a glob. Nothing after a path, or all of it: a file, a folder, or either. */
function readings(path: string): PathReading[] {
  const names = path.split('/');
  const firstWild = names.findIndex((name) => WILD.test(name.replace(/\\./gu, '')));
  const still = (firstWild < 0 ? names : names.slice(0, firstWild)).map((name) => name.replace(/\\(.)/gu, '$1')).join('/');
  const place = still || (path.startsWith('/') ? '/' : '.');
  const wild = firstWild < 0 ? [] : names.slice(firstWild).filter((name) => name !== '.');
  const all = ['', '**'];
  const last = wild.at(-1) === '' ? [...wild.slice(0, -1), '**'] : wild;
  return [
    { place: path, tails: all },
    { place, tails: wild.length === 0 ? all : [last.join('/')] },
  ];
}

function fits(glob: string, { place, tails }: PathReading, cwd: string): boolean {
  return tails.some((tail) => {
    const isAll = glob === tail;
    if (!isAll && tail !== '' && !glob.endsWith(`/${tail}`)) return false;
    const still = isAll ? '' : glob.slice(0, tail === '' ? undefined : -tail.length - 1);
    if (WILD.test(still.replace(/\\./gu, ''))) return false;
    return mayLead(namesIn(posix.resolve(cwd, place)), namesIn(still.replace(/\\(.)/gu, '$1')), namesIn(cwd));
  });
}

/** To the place itself, below some root that the human was in; or, by a link, anywhere but to a folder that the place is in. */
function mayLead(place: readonly string[], recorded: readonly string[], cwd: readonly string[]): boolean {
  const isRoot = (count: number) => place.slice(0, count).every((name, at) => name === cwd[at]);
  const isAt = (from: number) => recorded.every((name, at) => name === place[from + at]);
  const end = place.length - recorded.length;
  if (end >= 0 && isRoot(end) && isAt(end)) return true;
  return !place.slice(0, Math.max(end, 0)).some((_, from) => isRoot(from) && isAt(from));
}

const namesIn = (path: string): string[] => path.split('/').filter((name) => name !== '');
