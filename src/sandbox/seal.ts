// The walls of a sealed run, and what starts the agent inside them. Nothing of this machine is shown but what is named: the system's
// programs, the agent's own, this product's, the run's tree and home. Own processes, names, network; no capabilities, no new privileges.
//
// INVARIANT: only the run's tree and home are writable. Files that are pinned stay as they are, and cannot be moved away with their folder.

import { existsSync, lstatSync, realpathSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { TOOLS_AT_HOME } from './places.ts';
import { withFilter } from './seccomp.ts';
import { type Passage, relayCommand } from './session-net.ts';

export interface SealOrder {
  readonly tree: string;
  /** The agent's own home. */
  readonly home: string;
  /** What the hook client and the MCP client know the daemon's folder by. */
  readonly gate: string;
  /** A folder for the relay's socket. */
  readonly control: string;
  /** Of the tree: hooks, settings, documents of the gate. */
  readonly pinned: readonly string[];
  /** Read-only. */
  readonly shown: readonly string[];
  /** Never shown, also where a place that is shown contains them. */
  readonly hidden: readonly string[];
  /** Folders of git's objects, shown even in what is hidden. */
  readonly borrowed: readonly string[];
  readonly passages: readonly Passage[];
  /** A file with a filter of system calls; null: there is none for this machine. */
  readonly filter: string | null;
  /** A terminal of the agent's own; without one it gets no terminal at all. */
  readonly terminal: boolean;
}

/** What programs need of a system, and no more of it. */
const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/opt', '/etc', '/nix/store', '/run/current-system/sw'];
/** Keys and passwords of the system: for root, nothing but these walls would keep them. */
const SECRET_FOLDERS = ['/etc/ssh', '/etc/ssl/private', '/etc/sudoers.d', '/etc/NetworkManager', '/etc/wireguard'];
const SECRET_FILES = ['/etc/shadow', '/etc/shadow-', '/etc/gshadow', '/etc/gshadow-', '/etc/sudoers'];

const SHELL = ['/bin/bash', '/usr/bin/bash'].find((file) => existsSync(file)) ?? '/bin/sh';

/** The arguments of the program that is started come after it. Waits for the relay: a hook that fires earlier would find no gate. The relay is not the agent's: it gets none of its terminal. */
const LAUNCHER = `
ready=$1 relay=$2; shift 2
rm -f "$ready"
sh -c "$relay" </dev/null >"$ready" 2>&1 &
tries=0
until grep -q '^[0-9]' "$ready" 2>/dev/null; do
  tries=$((tries + 1))
  if [ "$tries" -gt 400 ] || ! kill -0 $! 2>/dev/null; then
    echo 'countersign: the way out of the sealed run did not start.' >&2
    cat "$ready" >&2
    exit 125
  fi
  sleep 0.05
done
exec "$@"`;

/** The agent's own program and its arguments come after these. */
export function sealedCommand(order: SealOrder): string[] {
  const { tree, home, gate, control, pinned, shown, hidden, borrowed, passages, filter, terminal } = order;
  const relay = relayCommand(path.join(control, 'ports'), passages, true);
  const places = [...new Set(shown)].filter((place) => !SYSTEM.some((folder) => isWithin(folder, place)));
  const isShown = (place: string) => [...SYSTEM, ...places].some((folder) => isWithin(folder, place));
  const covered = [...SECRET_FOLDERS, ...hidden].filter((place) => isFolder(place) && isShown(place));
  return [
    ...(filter === null ? ['bwrap'] : [...withFilter(filter), 'bwrap', '--seccomp', '9']),
    ...['--die-with-parent', '--unshare-ipc', '--unshare-pid', '--unshare-uts', '--unshare-net', '--unshare-cgroup-try'],
    ...['--cap-drop', 'ALL', ...(terminal ? [] : ['--new-session'])],
    ...SYSTEM.flatMap((place) => showAsItIs(place)),
    ...['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp', '--dir', '/run', '--dir', '/var/tmp'],
    // For root, a new /proc would make system settings writable.
    ...['/proc/sys', '/proc/sysrq-trigger'].flatMap((place) => ['--ro-bind-try', place, place]),
    ...places.flatMap((place) => ['--ro-bind-try', place, place]),
    ...covered.flatMap((place) => ['--tmpfs', place]),
    ...SECRET_FILES.filter((place) => existsSync(place)).flatMap((place) => ['--ro-bind', '/dev/null', place]),
    ...[tree, home, control].flatMap((place) => ['--bind', place, place]),
    ...[gate, ...borrowed].flatMap((place) => ['--ro-bind', place, place]),
    ...pinned.flatMap((name) => foldersAbove(name)).flatMap((name) => ['--bind', path.join(tree, name), path.join(tree, name)]),
    ...pinned.map((name) => path.join(tree, name)).flatMap((place) => ['--ro-bind', place, place]),
    // Only now: what is shown inside them needed a place.
    ...covered.flatMap((place) => ['--remount-ro', place]),
    ...['--setenv', 'SHELL', SHELL, '--chdir', tree, '--'],
    ...['/bin/sh', '-c', LAUNCHER, 'sh', path.join(control, 'ready'), relay.map(quoted).join(' ')],
  ];
}

/** A folder is a mount of its own as well: others can be moved away with what is mounted in them. */
function foldersAbove(name: string): string[] {
  const above = path.dirname(name);
  return above === '.' ? [] : [...foldersAbove(above), above];
}

/** On many systems `/bin` is a link into `/usr`. */
function showAsItIs(place: string): string[] {
  const entry = lstatSync(place, { throwIfNoEntry: false });
  if (entry?.isSymbolicLink()) return ['--symlink', path.relative('/', realpathSync(place)), place];
  return entry ? ['--ro-bind', place, place] : [];
}

/**
 * Where a program and what it starts are: its file or packages, the programs on the caller's PATH with theirs, and the tools that people
 * install in their home. Never a home itself, nor a folder of settings in one.
 */
export function programPlaces(program: string, searchPath: string, userHome: string): string[] {
  const homes = [...new Set([userHome, os.homedir(), '/root'])];
  const onPath = searchPath.split(':').filter((place) => path.isAbsolute(place) && existsSync(place));
  const isHome = (place: string) => homes.includes(place) || path.dirname(place) === '/home';
  const places = [
    ...[program, realpathSync(program)].map(ownPlace),
    ...onPath.flatMap((place) => [path.resolve(place), realpathSync(place)]).map((place) => packageOf(place, isHome)),
    ...TOOLS_AT_HOME.map((place) => path.join(userHome, place)),
  ];
  return [...new Set(places)].filter(
    (place) => existsSync(place) && place !== '/' && !homes.some((home) => isWithin(place, home)) && !isHome(place),
  );
}

/** A program alone, or with the packages around it. */
function ownPlace(file: string): string {
  const modules = file.lastIndexOf('/node_modules/');
  return modules < 0 ? file : file.slice(0, modules + '/node_modules'.length);
}

/** A program in `bin` finds its parts beside it. In a home, what is beside it may be credentials. */
function packageOf(place: string, isHome: (place: string) => boolean): string {
  const above = path.dirname(place);
  const isPackage = path.basename(place) === 'bin' && above.split('/').length > 2 && !isHome(above) && !isHome(path.dirname(above));
  return isPackage ? above : place;
}

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;
const isFolder = (place: string): boolean => lstatSync(place, { throwIfNoEntry: false })?.isDirectory() === true;
/** Whether `place` is `folder` or in it. */
export const isWithin = (folder: string, place: string): boolean =>
  place === folder || place.startsWith(folder === '/' ? '/' : `${folder}/`);
