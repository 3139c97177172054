// One description of walls, for commands that the gate runs, for checks, and for agents' own commands: what is writable, what is closed
// within that, what is hidden. Everything else on the disk can be read and not changed. bubblewrap builds them.
//
// INVARIANT: a place is as the deepest entry above it says; where the same place is writable and closed, it is closed; hidden comes last.

import { lstatSync, realpathSync } from 'node:fs';
import path from 'node:path';
import type { CommandAccess } from './access.ts';
import type { LayeredPlace } from './private-caches.ts';

export interface WallPolicy {
  /** Shown empty: homes, sockets, temporary files of others. */
  readonly emptied: readonly string[];
  /** Shown in emptied places, read-only. */
  readonly shown: readonly string[];
  /** A folder that takes the place of emptied ones, such as `/tmp`; null: they are empty each time. */
  readonly temp: { readonly folder: string; readonly at: readonly string[] } | null;
  /** Places that show another folder, writable: caches. */
  readonly layered?: readonly LayeredPlace[];
  readonly writable: readonly string[];
  readonly closed: readonly string[];
  /** Folders and files whose content must not be read. */
  readonly hidden: readonly string[];
}

/** An empty file to put in the place of a hidden one, and the options that limit an empty folder. */
export interface WallParts {
  readonly emptyFile: string;
  readonly sized: readonly string[];
}

/** The arguments for bubblewrap that make these walls out of a read-only disk. */
export function wallArguments(policy: WallPolicy, { emptyFile, sized }: WallParts): string[] {
  const { emptied, shown, temp, hidden } = policy;
  return [
    ...emptied.flatMap((folder) => (temp?.at.includes(folder) ? ['--bind', temp.folder, folder] : [...sized, '--tmpfs', folder])),
    ...shown.flatMap((place) => ['--ro-bind-try', place, place]),
    ...mountsOf(policy),
    ...hidden.flatMap((place) => hide(place, emptyFile)),
  ];
}

/** The part of the walls that a work tree and its git folder need. */
export function wallsOfTree({ root, open, pinned, closed, beside }: CommandAccess): Pick<WallPolicy, 'writable' | 'closed'> {
  const within = (place: string): string => (place === '' ? root : path.join(root, place));
  return {
    writable: [...[...open, ...pinned].map(within), ...beside.filter(({ writable }) => writable).map(({ place }) => place)],
    // A tree in an emptied place is shown, even where nothing in it is writable.
    closed: [
      ...(open.has('') ? [] : [root]),
      ...[...closed].map(within),
      ...beside.filter(({ writable }) => !writable).map(({ place }) => place),
    ],
  };
}

/** Parents first: their contents are mounted over them. */
export function mountsOf({ layered = [], writable, closed }: Pick<WallPolicy, 'layered' | 'writable' | 'closed'>): string[] {
  const shut = new Set(closed);
  const mounts = [
    ...layered.map(({ at, of }) => ({ at, of, how: '--bind' })),
    ...[...new Set(writable)].filter((place) => !shut.has(place)).map((place) => ({ at: place, of: place, how: '--bind-try' })),
    ...[...shut].map((place) => ({ at: place, of: place, how: '--ro-bind-try' })),
  ].toSorted((one, two) => depthOf(one.at) - depthOf(two.at));
  return mounts.flatMap(({ at, of, how }) => [how, of, at]);
}

const depthOf = (place: string): number => place.split('/').filter(Boolean).length;

/** Only what exists can be hidden, and nothing that a link leads to elsewhere: a mount would follow it. */
function hide(place: string, emptyFile: string): string[] {
  const kind = kindOf(place);
  if (kind === 'folder') return ['--tmpfs', place, '--remount-ro', place];
  return kind === 'file' ? ['--ro-bind', emptyFile, place] : [];
}

export function kindOf(place: string): 'folder' | 'file' | null {
  try {
    if (realpathSync(place) !== place) return null;
    return lstatSync(place).isDirectory() ? 'folder' : 'file';
  } catch {
    return null;
  }
}
