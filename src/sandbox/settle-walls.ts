// What a command behind walls must not leave behind, although the walls let it be written: programs in git's settings, which git would run
// for the human, and new files that decide what agents may do. Both are taken back when the command settles. They are kept aside, not
// deleted: a human may have made the file at the same moment.

import { cpSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { governanceRule, namedPrograms } from '../workspace/index.ts';
import { type CommandAccess, GIT_SETTINGS } from './access.ts';

export interface BeforeCommand {
  readonly access: CommandAccess;
  /** Git's settings by their file; null: there was none. */
  readonly settings: ReadonlyMap<string, string | null>;
}

export function lookBefore(access: CommandAccess): BeforeCommand {
  const folders = access.beside.filter(({ writable }) => writable).map(({ place }) => place);
  const files = folders.flatMap((folder) => GIT_SETTINGS.map((name) => path.join(folder, name)));
  return { access, settings: new Map(files.map((file) => [file, textOf(file)])) };
}

/** What was taken back, in words for the record and the agent. `aside`: a private folder. */
export function takeBack({ access, settings }: BeforeCommand, aside: string): string[] {
  const { root } = access;
  const taken: string[] = [];
  for (const [file, before] of settings) {
    const added = addedPrograms(before, textOf(file));
    if (added.length === 0) continue;
    keep(root, file, aside);
    if (before === null) rmSync(file, { force: true });
    else writeFileSync(file, before);
    taken.push(`${path.relative(root, file)}: ${added.join('; ')} names a program that git would run`);
  }
  for (const place of newGoverned(access)) {
    const file = path.join(root, place);
    keep(root, file, aside);
    rmSync(file, { force: true });
    removeEmpty(path.dirname(file));
    taken.push(`${place}: ${governanceRule(place)}`);
  }
  return taken;
}

function addedPrograms(before: string | null, now: string | null): string[] {
  if (now === null || now === before) return [];
  const known = new Set(namedPrograms(before ?? ''));
  return namedPrograms(now).filter((line) => !known.has(line));
}

/** In folders where new files are possible, what is governed and was not there to be closed. Deeper folders of the scope: reconciliation reports it. */
function newGoverned({ root, open, whole, closed }: CommandAccess): string[] {
  const found: string[] = [];
  for (const folder of open) {
    if (whole.has(folder) && folder !== '') continue;
    for (const name of namesIn(path.join(root, folder))) {
      const place = folder === '' ? name : `${folder}/${name}`;
      if (place !== '.git' && !closed.has(place) && governanceRule(place) !== null) found.push(...filesBelow(root, place));
    }
  }
  return found.filter((place) => governanceRule(place) !== null);
}

const MOST_FILES = 200;

function filesBelow(root: string, place: string): string[] {
  if (!statSync(path.join(root, place), { throwIfNoEntry: false })?.isDirectory()) return [place];
  const below = readdirSync(path.join(root, place), { recursive: true, withFileTypes: true }).filter((entry) => !entry.isDirectory());
  return below.slice(0, MOST_FILES).map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)));
}

function keep(root: string, file: string, aside: string): void {
  const target = path.join(aside, String(Date.now()), path.relative(path.dirname(root), file).replaceAll('..', '_'));
  mkdirSync(path.dirname(target), { recursive: true, mode: 0o700 });
  // A link is kept as a link: what it leads to is none of ours.
  cpSync(file, target, { recursive: true, verbatimSymlinks: true });
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Something else is in it.
  }
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
