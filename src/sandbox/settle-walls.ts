// What a command behind walls must not leave behind, although the walls let it be written: programs in git's settings, which git would run
// for the human, and new files that decide what agents may do. Both are taken back when the command settles. They are kept aside, not
// deleted: a human may have made the file at the same moment.

import { randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  copyFileSync,
  type Dirent,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { governanceRule, linkedRepositories, namedPrograms } from '../workspace/index.ts';
import { type CommandAccess, GIT_REDIRECTION, GIT_SETTINGS } from './access.ts';

export interface BeforeCommand {
  readonly access: CommandAccess;
  /** Git's settings by their file; null: there was none. */
  readonly settings: ReadonlyMap<string, string | null>;
  /** Pointers of repositories that the index already linked to. */
  readonly links: ReadonlySet<string>;
  /** Git's own folders, with those of other work trees in them. */
  readonly gitFolders: readonly string[];
  /** Links that were in them: git would write through a new one, into a file of the human's. */
  readonly gitLinks: ReadonlySet<string>;
  /** Files that were not there, by which git would look for its settings elsewhere. */
  readonly redirections: readonly string[];
}

/** Git's settings are small; what is larger is not read. */
const MAX_BYTES = 1024 * 1024;

export function lookBefore(access: CommandAccess): BeforeCommand {
  const folders = access.beside.filter(({ writable }) => writable).map(({ place }) => place);
  const links = linkedRepositories(access.root);
  const files = [
    ...folders.flatMap((folder) => GIT_SETTINGS.map((name) => path.join(folder, name))),
    ...links.flatMap(({ settings }) => settings).filter(isWithin(access.root)),
  ];
  return {
    access,
    links: new Set(links.map(({ pointer }) => pointer)),
    settings: new Map([...files, ...folders.flatMap(treeSettings)].map((file) => [file, settingsIn(file).text])),
    gitFolders: folders,
    gitLinks: new Set(folders.flatMap(gitLinksIn)),
    redirections: folders.map((folder) => path.join(folder, GIT_REDIRECTION)).filter((file) => !isThere(file)),
  };
}

/** What was taken back, in words for the record and the agent. `aside`: a private folder. */
export function takeBack(before: BeforeCommand, aside: string): string[] {
  const { access } = before;
  const { root, open, whole } = access;
  const asideOf = asideIn(aside);
  const { taken } = keepSettings(before, aside);
  for (const folder of open) {
    // Deeper folders of the scope: reconciliation reports it.
    if (whole.has(folder) && folder !== '') continue;
    for (const place of takeGoverned(path.join(root, folder), folder, access.closed, asideOf))
      taken.push(`${place}: ${governanceRule(place)}`);
  }
  return taken;
}

/** Takes back settings of git that name a program; `before`: what counts from now on. */
export function keepSettings(known: BeforeCommand, aside: string): { readonly taken: string[]; readonly before: BeforeCommand } {
  const { access, settings, redirections, gitFolders } = known;
  const asideOf = asideIn(aside);
  const { taken, added } = newLinks(known, asideOf);
  const next = new Map(settings);
  const ofTrees = gitFolders.flatMap(treeSettings).filter((file) => !settings.has(file));
  for (const [file, before] of [...settings, ...added, ...ofTrees.map((each): [string, null] => [each, null])]) {
    const place = path.relative(access.root, file);
    const { text, isPlain } = settingsIn(file);
    const why = isPlain ? addedPrograms(before, text).join('; ') : 'a link, a pipe or a huge file';
    if (why === '') {
      next.set(file, text);
      continue;
    }
    putAside(file, asideOf(place));
    if (before !== null) putBack(file, before);
    taken.push(`${place}: ${why} names a program that git would run`);
  }
  for (const file of gitFolders.flatMap(gitLinksIn).filter((each) => !known.gitLinks.has(each))) {
    putAside(file, asideOf(path.relative(access.root, file)));
    taken.push(`${path.relative(access.root, file)}: a link through which git would write elsewhere`);
  }
  for (const { pointer, isLost } of gitFolders.flatMap(lostTrees)) {
    putAside(pointer, asideOf(path.relative(access.root, pointer)));
    if (isLost) putBack(pointer, OWN_FOLDER);
    taken.push(`${path.relative(access.root, pointer)}: git would look for its settings elsewhere`);
  }
  for (const file of redirections.filter(isThere)) {
    putAside(file, asideOf(path.relative(access.root, file)));
    taken.push(`${path.relative(access.root, file)}: git would look for its settings elsewhere`);
  }
  return { taken, before: { ...known, settings: next } };
}

/** How git itself writes, in the folder of another work tree, where the settings of the whole are. */
const OWN_FOLDER = '../..\n';

/** Folders that git keeps for other work trees of the repository. */
const treeFolders = (gitFolder: string): string[] =>
  entriesIn(path.join(gitFolder, 'worktrees')).flatMap((entry) => (entry.isDirectory() ? [path.join(entry.parentPath, entry.name)] : []));

const treeSettings = (gitFolder: string): string[] => treeFolders(gitFolder).map((folder) => path.join(folder, 'config.worktree'));

/** Where git in another work tree would look for settings elsewhere: `isLost`, because its pointer leads there; otherwise because it is a repository itself. */
function lostTrees(gitFolder: string): { readonly pointer: string; readonly isLost: boolean }[] {
  return treeFolders(gitFolder).flatMap((folder) => {
    const pointer = path.join(folder, GIT_REDIRECTION);
    const { text, isPlain } = settingsIn(pointer);
    const isLost = !isPlain || (text !== null && text !== '' && path.resolve(folder, text.trim()) !== gitFolder);
    const own = path.join(folder, 'config');
    return [...(isLost ? [{ pointer, isLost }] : []), ...(isThere(own) ? [{ pointer: own, isLost: false }] : [])];
  });
}

/** In the places that git writes to by their names: its message, its heads, its logs. */
function gitLinksIn(gitFolder: string): string[] {
  const folders = [gitFolder, ...treeFolders(gitFolder)];
  const linksIn = (folder: string, isDeep: boolean): string[] =>
    entriesIn(folder).flatMap((entry) => {
      const place = path.join(folder, entry.name);
      if (entry.isSymbolicLink()) return [place];
      return isDeep && entry.isDirectory() ? linksIn(place, true) : [];
    });
  return folders.flatMap((folder) => [...linksIn(folder, false), ...linksIn(path.join(folder, 'logs'), true)]);
}

function entriesIn(folder: string): Dirent[] {
  try {
    return lstatSync(folder).isDirectory() ? readdirSync(folder, { withFileTypes: true }) : [];
  } catch {
    return [];
  }
}

/**
 * A repository that a command made and added to the index: git, asked for the status of the whole, runs what its settings name. One whose
 * settings are elsewhere is cut off from them: they may be the human's own.
 */
function newLinks({ access: { root }, settings, links }: BeforeCommand, asideOf: (place: string) => string) {
  const taken: string[] = [];
  const added: [string, null][] = [];
  for (const { pointer, settings: files } of linkedRepositories(root)) {
    const isOurs = files.every(isWithin(root));
    if (isOurs) added.push(...files.filter((file) => !settings.has(file)).map((file): [string, null] => [file, null]));
    if (isOurs || links.has(pointer)) continue;
    const place = path.relative(root, pointer);
    putAside(pointer, asideOf(place));
    taken.push(`${place}: leads git to settings elsewhere`);
  }
  return { taken, added };
}

const isWithin =
  (root: string) =>
  (file: string): boolean =>
    file.startsWith(`${root}/`);

const asideIn =
  (aside: string) =>
  (place: string): string =>
    path.join(aside, String(Date.now()), place.replaceAll('..', '_'));

function addedPrograms(before: string | null, now: string | null): string[] {
  if (now === null || now === before) return [];
  const known = new Set(namedPrograms(before ?? ''));
  return namedPrograms(now).filter((line) => !known.has(line));
}

/** Not read where reading would wait, or lead elsewhere. */
function settingsIn(file: string): { readonly text: string | null; readonly isPlain: boolean } {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found === undefined) return { text: null, isPlain: true };
  if (!found.isFile() || found.size > MAX_BYTES) return { text: null, isPlain: false };
  try {
    const handle = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      return { text: readFileSync(handle, 'utf8'), isPlain: true };
    } finally {
      closeSync(handle);
    }
  } catch {
    return { text: null, isPlain: false };
  }
}

const MAX_FILES = 200;

/**
 * What is governed in a folder where new files are possible, and was not there to be closed. A command may still run and replace folders
 * with links: each one is opened without following any, and entered by its handle.
 */
function takeGoverned(
  folder: string,
  place: string,
  closed: ReadonlySet<string>,
  asideOf: (place: string) => string,
  isWithin = false,
): string[] {
  const taken: string[] = [];
  const handle = openFolder(folder);
  if (handle === null) return [];
  try {
    const at = `/proc/self/fd/${handle}`;
    for (const entry of readdirSync(at, { withFileTypes: true })) {
      const inTree = place === '' ? entry.name : `${place}/${entry.name}`;
      if (taken.length >= MAX_FILES || inTree === '.git' || closed.has(inTree)) continue;
      const isGoverned = governanceRule(inTree) !== null;
      if (!isGoverned && !(isWithin && entry.isDirectory())) continue;
      if (entry.isDirectory()) {
        taken.push(...takeGoverned(`${at}/${entry.name}`, inTree, closed, asideOf, true));
        removeEmpty(`${at}/${entry.name}`);
        continue;
      }
      putAside(`${at}/${entry.name}`, asideOf(inTree));
      taken.push(inTree);
    }
  } finally {
    closeSync(handle);
  }
  return taken;
}

function openFolder(folder: string): number | null {
  try {
    return openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch {
    return null;
  }
}

/** A link goes as a link: what it leads to is not the command's. */
function putAside(file: string, target: string): void {
  mkdirSync(path.dirname(target), { recursive: true, mode: 0o700 });
  try {
    renameSync(file, target);
  } catch {
    // On another disk, or gone.
    if (lstatSync(file, { throwIfNoEntry: false })?.isFile() === true) copyFileSync(file, target);
    rmSync(file, { recursive: true, force: true });
  }
}

/** Never through a link that a running command puts in its place. */
function putBack(file: string, text: string): void {
  const next = `${file}.${randomUUID()}`;
  writeFileSync(next, text, { flag: 'wx' });
  renameSync(next, file);
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Something else is in it.
  }
}

const isThere = (file: string): boolean => lstatSync(file, { throwIfNoEntry: false }) !== undefined;
