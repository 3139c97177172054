// Caches of tools, as a session sees them: what the human's hold can be read, and what commands write goes into a layer of its own. So an
// install works as usual, and nothing that an agent put into a cache is run by the human's next build.
//
// A layer stays for the work tree: cargo, go and maven keep what they fetched nowhere else. While two sessions work in one tree, the second
// reads the first one's layer, and what it adds ends with it.

import { createHash } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync, utimesSync } from 'node:fs';
import path from 'node:path';

/** A folder that is shown in another place. */
export interface LayeredPlace {
  readonly at: string;
  readonly of: string;
}

export interface SessionCaches {
  readonly layered: readonly LayeredPlace[];
  /** Where no layer can be made: the human's own. */
  readonly shared: readonly string[];
}

/** Below the home, and the program that uses it: made if the program is there, because a missing folder cannot be shown. */
const CACHES: readonly (readonly [folder: string, program: string | null])[] = [
  ['.cache', 'sh'],
  ['.npm', 'npm'],
  ['.yarn/berry', 'yarn'],
  ['.local/share/pnpm', 'pnpm'],
  ['.local/state/pnpm', 'pnpm'],
  ['.bun/install/cache', 'bun'],
  ['.cargo/registry', 'cargo'],
  ['.cargo/git', 'cargo'],
  ['go/pkg', 'go'],
  ['.m2/repository', 'mvn'],
  ['.gradle/caches', 'gradle'],
  ['.gradle/daemon', 'gradle'],
  ['.gradle/native', 'gradle'],
  ['.gradle/wrapper', 'gradle'],
  ['.nuget/packages', 'dotnet'],
  ['.local/share/NuGet', 'dotnet'],
  ['.ivy2/cache', 'sbt'],
  ['.composer/cache', 'composer'],
  ['.pub-cache', 'dart'],
  ['.ccache', null],
];

/**
 * Shared with the human, where layers cannot be made: what the tools themselves take packages and compiled parts from. Not here: what is
 * run from a cache as it is, by npx, pre-commit, corepack, a wrapper of gradle, a browser for tests.
 */
const SHARED: readonly (readonly [folder: string, program: string])[] = [
  ['.npm/_cacache', 'npm'],
  ['.npm/_logs', 'npm'],
  ['.cache/yarn', 'yarn'],
  ['.yarn/berry/cache', 'yarn'],
  ['.local/share/pnpm/store', 'pnpm'],
  ['.cache/pip', 'python3'],
  ['.cache/uv/wheels-v5', 'uv'],
  ['.cache/go-build', 'go'],
  ['go/pkg', 'go'],
  ['.cargo/registry', 'cargo'],
  ['.cargo/git', 'cargo'],
  ['.m2/repository', 'mvn'],
  ['.gradle/caches', 'gradle'],
  ['.nuget/packages', 'dotnet'],
  ['.cache/ccache', 'ccache'],
];

/** Caches that nothing used for this long are deleted. */
const KEPT_DAYS = 30;

export interface CacheOrder {
  readonly userHome: string;
  /** The daemon's own, for all layers. */
  readonly folder: string;
  readonly root: string;
  /** Other sessions use these. */
  readonly used: ReadonlySet<string>;
}

/** The folder of a session's layers, and the one that it reads besides. */
export interface CacheFolders {
  readonly own: string;
  readonly first: string | null;
}

export function takeCacheFolder({ folder, root, used }: Omit<CacheOrder, 'userHome'>): CacheFolders {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  forgetOld(folder, used);
  const ofTree = path.join(folder, createHash('sha256').update(root).digest('hex').slice(0, 16));
  if (used.has(ofTree)) return { own: mkdtempSync(path.join(folder, 'session-')), first: ofTree };
  mkdirSync(ofTree, { recursive: true, mode: 0o700 });
  utimesSync(ofTree, new Date(), new Date());
  return { own: ofTree, first: null };
}

/** A session has ended. */
export function leaveCacheFolder(own: string): void {
  if (path.basename(own).startsWith('session-')) removeLayers(own);
}

/** `enter`: what runs a program in the box, where it may mount. */
export function openCaches({ own, first }: CacheFolders, userHome: string, enter: readonly string[], sh: string): SessionCaches {
  const places = placesOf(CACHES, userHome).filter((place) => !/[,:\\]/.test(place + own));
  const layers = places.map((at) => {
    const of = path.join(own, nameOf(at));
    for (const name of ['new', 'work', 'seen']) mkdirSync(path.join(of, name), { recursive: true, mode: 0o700 });
    const other = first === null ? null : path.join(first, nameOf(at), 'new');
    return { at, of, lower: [...(other !== null && existsSync(other) ? [other] : []), at].join(':') };
  });
  const [program = '', ...args] = enter;
  const words = layers.flatMap(({ of, lower }) => [of, lower]);
  const { stdout } = spawnSync(program, [...args, sh, '-c', MOUNT, 'sh', ...words], {
    encoding: 'utf8',
    env: { PATH: SYSTEM_PATH },
    cwd: '/',
  });
  const made = new Set((stdout ?? '').split('\n'));
  const layered = layers.filter(({ of }) => made.has(of)).map(({ at, of }) => ({ at, of: path.join(of, 'seen') }));
  const isLayered = (place: string) => layered.some(({ at }) => `${place}/`.startsWith(`${at}/`));
  const others = SHARED.filter(([place]) => !isLayered(path.join(userHome, place)));
  return { layered, shared: placesOf(others, userHome) };
}

/** Where nothing can be layered: those that are there. */
export const sharedCaches = (userHome: string): string[] =>
  placesOf(
    SHARED.map(([place]) => [place, null]),
    userHome,
  );

const SYSTEM_PATH = '/usr/bin:/bin:/usr/sbin:/sbin:/run/current-system/sw/bin';

/** An ordinary user may do this only with `userxattr`, and root needs it not. Says which layers were made. */
const MOUNT = `
while [ $# -gt 1 ]; do
  options="lowerdir=$2,upperdir=$1/new,workdir=$1/work"
  { mount -t overlay -o "$options" overlay "$1/seen" || mount -t overlay -o "$options,userxattr" overlay "$1/seen"; } 2>/dev/null && echo "$1"
  shift 2
done`;

function placesOf(list: readonly (readonly [string, string | null])[], userHome: string): string[] {
  const folders = (process.env['PATH'] ?? '').split(':').filter((place) => path.isAbsolute(place));
  const isInstalled = (program: string) => folders.some((folder) => existsSync(path.join(folder, program)));
  return list.flatMap(([place, program]) => {
    const folder = path.join(userHome, place);
    if (!existsSync(folder) && program !== null && isInstalled(program)) tryToMake(folder);
    return isPlainFolder(folder) ? [folder] : [];
  });
}

const nameOf = (place: string): string => Buffer.from(place).toString('base64url').slice(-200);

function forgetOld(folder: string, used: ReadonlySet<string>): void {
  const oldest = Date.now() - KEPT_DAYS * 24 * 3600 * 1000;
  for (const name of readdirSync(folder)) {
    const place = path.join(folder, name);
    const isOver = name.startsWith('session-') || statSync(place).mtimeMs < oldest;
    if (isOver && !used.has(place)) removeLayers(place);
  }
}

function removeLayers(own: string): void {
  try {
    for (const name of readdirSync(own)) {
      const work = path.join(own, name, 'work/work');
      // The kernel leaves it without any rights.
      if (existsSync(work)) chmodSync(work, 0o700);
    }
    rmSync(own, { recursive: true, force: true });
  } catch {
    // Read-only folders of go's packages, or a mount that still is: the next session tries again.
  }
}

function tryToMake(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch {
    // A home that cannot be written has no caches.
  }
}

/** No link leads elsewhere: a mount would follow it. */
function isPlainFolder(folder: string): boolean {
  try {
    return realpathSync(folder) === folder && statSync(folder).isDirectory();
  } catch {
    return false;
  }
}
