// The walls around an agent's own commands. The whole disk can be read and not changed, so that tools work as they do without walls.
// Writable: what the scope, derived folders, companions and git need, one temporary folder per session, the caches of tools (in a layer of
// the session's own), and what a human granted by name. Hidden: the gate's own folders, sockets, and places that are known to hold secrets.
//
// Secrets in the work tree itself (`.env`, keys for tests) stay readable: builds need them, and without a network they go nowhere.

import { existsSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { AGENT_LOGINS, HOLDS_CREDENTIAL, SECRETS_AT_HOME, SECRETS_OF_SYSTEM, SETTINGS_WITH_SECRETS } from '../shell/index.ts';
import type { CommandAccess } from './access.ts';
import { programFolders } from './places.ts';
import type { SessionCaches } from './private-caches.ts';
import { kindOf, type WallPolicy, wallsOfTree } from './walls.ts';

export interface AgentWallOrder {
  readonly access: CommandAccess;
  /** The session's own; `/tmp` is this folder. */
  readonly temp: string;
  /** Where the agent keeps its temporary files, which is not always `/tmp`. */
  readonly tempPlaces: readonly string[];
  readonly userHome: string;
  /** The daemon's, where that is another one. */
  readonly otherHome: string;
  readonly privateFolders: readonly string[];
  /** Agents' settings below the user's home. */
  readonly agentSettings: readonly string[];
  /** Places that a human granted by name, although they are hidden or emptied otherwise. */
  readonly readable: readonly string[];
  /** Places outside the work tree that a human granted by name; `~/` is the home. */
  readonly writable: readonly string[];
  readonly caches: SessionCaches;
  /** The agent's own files that a command reads, although they are in an emptied place. */
  readonly shown: readonly string[];
  /** It only looks: no cache is writable either. */
  readonly looks: boolean;
  /** Further places that are writable. */
  readonly more: readonly string[];
  /** A human said yes to a command that reads secrets. */
  readonly showSecrets: boolean;
}

/** Sockets of services, by which a command could act outside; temporary files of others. */
const EMPTIED = ['/run', '/tmp', '/var/tmp'];
/** Shown in `/run`: where names are resolved, and where NixOS keeps its programs. */
const SHOWN_IN_RUN = [
  ...['systemd/resolve/stub-resolv.conf', 'systemd/resolve/resolv.conf', 'resolvconf/resolv.conf', 'NetworkManager/resolv.conf'],
  ...['current-system', 'booted-system', 'opengl-driver', 'wrappers'],
];

/** What a shell, git or an editor of the human runs. Closed even where the home itself is a work tree. */
const STARTUP_FILES = [
  ...['.profile', '.bash_profile', '.bash_login', '.bashrc', '.bash_logout', '.bash_aliases', '.zshrc', '.zshenv', '.zprofile', '.zlogin'],
  ...[
    '.inputrc',
    '.gitconfig',
    '.config/git',
    '.config/fish',
    '.config/autostart',
    '.config/systemd',
    '.local/bin',
    '.vimrc',
    '.config/nvim',
  ],
  ...['.tmux.conf', '.local/share/systemd', '.pam_environment', '.xprofile', '.xsessionrc'],
];
/** Sockets and keys outside the lists of the reader: what would act, or sign, outside the walls. */
const HIDDEN_AT_HOME = [
  ...['.docker/run', '.colima', '.rd', '.1password', '.config/google-chrome', '.config/chromium'],
  ...['.config/github-copilot', '.Xauthority', '.ICEauthority'],
];

export function agentWalls(order: AgentWallOrder): WallPolicy {
  const { access, temp, readable } = order;
  const [userHome, otherHome] = [realOf(order.userHome), realOf(order.otherHome)];
  const atHome = (place: string): string => path.join(userHome, place);
  const homes = [...new Set([userHome, otherHome])];
  const tree = wallsOfTree(access);
  const tempPlaces = order.tempPlaces.filter((place) => isPlain(place) && place !== '/');
  const emptied = [...new Set([...EMPTIED.filter(isPlain), ...tempPlaces])];
  const named = (place: string): string => path.resolve(place.startsWith('~/') ? atHome(place.slice(2)) : place);
  // What may be written may be read.
  const granted = new Set([...readable, ...order.writable].map(named).flatMap((place) => [place, realOf(place)]));
  const isGranted = (place: string): boolean => [...granted].some((each) => place === each || place.startsWith(`${each}/`));
  const isEmptied = (place: string): boolean => emptied.some((folder) => place.startsWith(`${folder}/`));
  const secrets = order.showSecrets
    ? []
    : [
        ...homes.flatMap((home) => [...SECRETS_AT_HOME, ...AGENT_LOGINS, ...HIDDEN_AT_HOME].map((place) => path.join(home, place))),
        ...homes.flatMap((home) => SETTINGS_WITH_SECRETS.map((place) => path.join(home, place))).filter(holdsCredential),
        ...SECRETS_OF_SYSTEM,
      ];
  // Where a link leads to a secret, its target is hidden; not the whole work tree or home.
  const keptAt = (place: string): string[] => {
    const real = realOf(place);
    return real === place || ![access.root, ...homes].some((each) => `${each}/`.startsWith(`${real}/`)) ? [real] : [];
  };
  const hidden = [
    ...secrets.filter((place) => !isGranted(place)),
    // No grant shows these.
    ...order.privateFolders,
    ...access.hidden,
  ].flatMap(keptAt);
  const hiddenFolders = hidden.filter((place) => kindOf(place) === 'folder');
  // A command that still runs may have put a link in the place of a folder: a mount would open what it leads to.
  const outside = order.looks ? [] : [...order.caches.shared, ...order.writable.map(named)];
  const layered = order.looks ? [] : order.caches.layered;
  const writable = [...tree.writable, ...outside, temp, ...order.more].filter(isPlain);
  const shown = [...SHOWN_IN_RUN.map((place) => `/run/${place}`), ...programFolders(userHome), userHome, ...order.shown, ...granted].filter(
    isEmptied,
  );
  const isBelow = (places: readonly string[]) => (place: string) => places.some((each) => place.startsWith(`${each}/`));
  const isAtOrBelow = (places: readonly string[]) => (place: string) => places.includes(place) || isBelow(places)(place);
  const isPutBack = isBelow([...writable, ...tree.closed, ...shown]);
  const isInSight = (place: string): boolean => (!isEmptied(place) || isPutBack(place)) && !isBelow(hiddenFolders)(place);
  return {
    emptied,
    shown,
    temp: { folder: temp, at: [...new Set(['/tmp', ...tempPlaces])] },
    layered,
    writable,
    closed: [...tree.closed, ...[...STARTUP_FILES, ...order.agentSettings].map(atHome).filter(isAtOrBelow(writable))],
    // In an emptied place only what was put back has to be hidden. What is in a hidden folder, such as the daemon's own socket, is hidden with it: nothing can be mounted there.
    hidden: [...new Set([...hidden, ...listeningSockets((place) => isInSight(place) && !isGranted(place))])].filter(isInSight),
  };
}

/** Each costs a mount, of those that are not hidden with their folder. */
const MAX_SOCKETS = 200;

/** Sockets of other programs, wherever they are: through one, such as an editor's or a container service's, a command would act outside. */
function listeningSockets(isInSight: (place: string) => boolean): string[] {
  try {
    const lines = readFileSync('/proc/net/unix', 'utf8').split('\n');
    // The flag says that it is listened on; without a path it is in the network's names, not on the disk.
    const places = lines.flatMap((line) => /^\S+ \S+ \S+ 00010000 \S+ \S+ +\d+ (\/.+)$/.exec(line)?.[1] ?? []);
    const isThere = (place: string) => !place.startsWith('/dev/') && isInSight(place) && existsSync(place);
    return [...new Set(places.map(realOf))].filter(isThere).slice(0, MAX_SOCKETS);
  } catch {
    return [];
  }
}

/** It exists, and no link leads elsewhere: a mount would follow it. */
function isPlain(place: string): boolean {
  try {
    return realpathSync(place) === place;
  } catch {
    return false;
  }
}

/** Where links lead: on some systems every home is behind one. */
export function realOf(place: string): string {
  try {
    return realpathSync(place);
  } catch {
    return place;
  }
}

function holdsCredential(file: string): boolean {
  try {
    return HOLDS_CREDENTIAL.test(readFileSync(file, 'utf8'));
  } catch {
    return true;
  }
}
