// Which parts of a work tree a command may write. The scope's globs become the folders that they name without wildcards; what tools write
// beside their manifests (dependencies, build output, lockfiles) is writable too; git may commit. Everything else that exists is closed.
//
// A folder in which new files may be created is open itself. Everything in it that is outside the scope is closed, one by one. Open folders
// are mounted one by one as well: a mount cannot be renamed, so a closed entry cannot be moved away with its folder.
//
// INVARIANT: what is not closed is judged again, exactly, when the command has ended. Being writable grants nothing.

import { type Dirent, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { companionOf, governanceRule, inScope, isDerivedFolder, MANIFESTS, type PathConfig } from '../workspace/index.ts';

export interface CommandAccess {
  readonly root: string;
  /** Folders that are writable; '' is the root. */
  readonly open: ReadonlySet<string>;
  /** Of these: writable with all that is in them, apart from what is closed; a file where its folder is not open. */
  readonly whole: ReadonlySet<string>;
  /** Files and folders that are not. */
  readonly closed: ReadonlySet<string>;
  /** Writable folders that cannot be renamed, because something closed is in them. */
  readonly pinned: ReadonlySet<string>;
  /** Folders whose content must not be read. */
  readonly hidden: readonly string[];
  /** Absolute paths of git's folders, inside the tree or not. */
  readonly beside: readonly { readonly place: string; readonly writable: boolean }[];
}

export interface AccessRequest {
  readonly root: string;
  /** Where git keeps what all work trees share; null: no git here. */
  readonly gitCommonDir: string | null;
  readonly scope: readonly string[];
  readonly paths: PathConfig;
  /** Governed files as they are known. */
  readonly files: Iterable<string>;
  /** Git's settings are writable: without it a branch loses what it tracks. The caller compares them afterwards. */
  readonly gitSettings?: 'open';
}

/** For a read-only command: nothing in the tree is writable. */
export function readOnlyAccess(root: string, gitCommonDir: string | null): CommandAccess {
  const beside = gitCommonDir === null ? [] : [{ place: gitCommonDir, writable: false }];
  const none: ReadonlySet<string> = new Set();
  return { root, open: none, whole: none, closed: none, pinned: none, hidden: hiddenIn(root), beside };
}

/** Each costs a mount. Past this limit no further folder is opened; existing files in scope stay writable. */
const MAX_CLOSED = 300;
const MAX_PACKAGES = 50;

export function writingAccess({ root, gitCommonDir, scope, paths, files, gitSettings }: AccessRequest): CommandAccess {
  const whole = new Set<string>();
  const open = new Set<string>(['']);
  for (const glob of scope) {
    const { folder, isPattern } = plainPartOf(glob);
    if (isPattern && isFolder(root, folder)) whole.add(folder);
    else open.add(nearestFolder(root, isPattern ? folder : parentOf(glob)));
  }
  const governance = new Set<string>();
  const folders = new Set<string>();
  let packages = 0;
  for (const file of files) {
    if (MANIFESTS.has(path.posix.basename(file)) && packages++ < MAX_PACKAGES) open.add(parentOf(file));
    folders.add(parentOf(file));
    const kept = governedPart(file);
    if (kept !== null) governance.add(kept);
  }

  const isBelowWhole = (place: string): boolean => selfAndAbove(place).some((each) => whole.has(each));
  const closed = new Set<string>([...governance].filter((place) => existsSync(path.join(root, place))));
  const judge = (folder: string): void => {
    if (!isFolder(root, folder) || governanceRule(folder) !== null) {
      open.delete(folder);
      return;
    }
    const shut: string[] = [];
    const writable: string[] = [];
    for (const entry of entriesOf(root, folder)) {
      const place = folder === '' ? entry.name : `${folder}/${entry.name}`;
      // Git's own folder has its own walls. The target of a link is not in this folder.
      if (place === '.git' || entry.isSymbolicLink()) continue;
      if (governanceRule(place) !== null) shut.push(place);
      else if (open.has(place) || isBelowWhole(place)) continue;
      else if (isWritable(place, entry, { scope, paths })) writable.push(place);
      else if (entry.name === '__snapshots__' && entry.isDirectory()) open.add(place);
      else shut.push(place);
    }
    if (closed.size + shut.length <= MAX_CLOSED) for (const place of shut) closed.add(place);
    else {
      open.delete(folder);
      for (const place of writable) whole.add(place);
    }
  };
  // Grows during the loop.
  for (const folder of open) if (!isBelowWhole(folder)) judge(folder);
  for (const folder of whole) for (const nested of entriesOf(root, folder)) closeGoverned(folder, nested, closed);
  // A repository inside this one, or a submodule.
  for (const folder of folders) {
    if (folder !== '' && isBelowWhole(folder) && existsSync(path.join(root, folder, '.git'))) closed.add(`${folder}/.git`);
  }
  for (const folder of [...open]) if (isBelowWhole(folder)) open.delete(folder);
  const pinned = new Set([...closed].flatMap((place) => selfAndAbove(parentOf(place)).filter((each) => each !== '' && isBelowWhole(each))));
  const beside = gitPlaces(
    root,
    gitCommonDir,
    gitSettings === 'open' ? GIT_CLOSED.filter((name) => !GIT_SETTINGS.includes(name)) : GIT_CLOSED,
  );
  return { root, open: new Set([...open, ...whole]), whole, closed, pinned, hidden: hiddenIn(root), beside };
}

export function mayWrite({ open, whole, closed }: CommandAccess, place: string): boolean {
  for (const each of selfAndAbove(place).toReversed()) {
    if (closed.has(each)) return false;
    if (whole.has(each) || (each !== '' && open.has(parentOf(each)))) return true;
  }
  return false;
}

/** What to scan before and after: everything that may have changed. Undefined: the whole tree. */
export function watchedPlaces(access: CommandAccess): Set<string> | undefined {
  if (access.whole.has('')) return undefined;
  const places = new Set(access.whole);
  for (const folder of access.open) {
    if (access.whole.has(folder)) continue;
    for (const { name } of entriesOf(access.root, folder)) {
      const place = folder === '' ? name : `${folder}/${name}`;
      if (!access.closed.has(place) && !access.open.has(place)) places.add(place);
    }
  }
  return places;
}

/** A lockfile is rewritten by tools that change nothing in it: it is open, and taken back where its manifest is not in scope. */
function isWritable(place: string, entry: Dirent, { scope, paths }: Pick<AccessRequest, 'scope' | 'paths'>): boolean {
  if (entry.isDirectory()) return isDerivedFolder(place, paths);
  return inScope(scope, place, paths) !== null || companionOf(place, paths) !== null;
}

function closeGoverned(folder: string, { name }: Dirent, closed: Set<string>): void {
  const place = folder === '' ? name : `${folder}/${name}`;
  if (place !== '.git' && governanceRule(place) !== null) closed.add(place);
}

/** The part of a path that a rule of governance names, with all that is below it. */
function governedPart(place: string): string | null {
  return selfAndAbove(place).find((each) => each !== '' && each !== '.git' && governanceRule(each) !== null) ?? null;
}

function plainPartOf(glob: string): { folder: string; isPattern: boolean } {
  const special = glob.search(/[*?[{\\!]/);
  if (special < 0) return { folder: glob, isPattern: false };
  const plain = glob.slice(0, special);
  return { folder: plain.slice(0, Math.max(0, plain.lastIndexOf('/'))), isPattern: true };
}

function nearestFolder(root: string, folder: string): string {
  return selfAndAbove(folder).findLast((each) => isFolder(root, each)) ?? '';
}

/** From the root down to the place itself. */
function selfAndAbove(place: string): string[] {
  if (place === '') return [''];
  const names = place.split('/');
  return ['', ...names.map((_, at) => names.slice(0, at + 1).join('/'))];
}

const parentOf = (place: string): string => place.slice(0, Math.max(0, place.lastIndexOf('/')));

/** No link on the way: a mount would follow it. */
const isFolder = (root: string, folder: string): boolean =>
  selfAndAbove(folder).every((each) => lstatSync(path.join(root, each), { throwIfNoEntry: false })?.isDirectory() === true);

function entriesOf(root: string, folder: string): Dirent[] {
  try {
    return readdirSync(path.join(root, folder), { withFileTypes: true });
  } catch {
    return [];
  }
}

const hiddenIn = (root: string): string[] => [path.join(root, '.ai/auth')];

/** In git's folder: what decides which programs git runs, and where git looks for them. */
const GIT_CLOSED = ['hooks', 'config', 'config.worktree', 'info', 'modules', 'gitdir', 'commondir'];
export const GIT_SETTINGS = ['config', 'config.worktree'];
/** An ordinary repository does not have it. With it, git looks for hooks elsewhere. */
export const GIT_REDIRECTION = 'commondir';

function gitPlaces(root: string, commonDir: string | null, closed: readonly string[]): CommandAccess['beside'] {
  if (commonDir === null) return [];
  const own = path.join(root, '.git');
  // Creates what has to exist before it can be closed.
  if (!existsSync(path.join(commonDir, 'hooks'))) mkdirSync(path.join(commonDir, 'hooks'));
  const walled = (folder: string) => [
    { place: folder, writable: true },
    ...closed.map((name) => ({ place: path.join(folder, name), writable: false })),
  ];
  if (lstatSync(own, { throwIfNoEntry: false })?.isDirectory()) return walled(commonDir);
  const linked = linkedGitDir(own);
  return [
    ...walled(commonDir),
    { place: own, writable: false },
    { place: path.join(commonDir, 'worktrees'), writable: false },
    ...(linked?.startsWith(`${commonDir}/worktrees/`) ? walled(linked) : []),
  ];
}

function linkedGitDir(pointer: string): string | null {
  try {
    const target = /^gitdir: (?<place>[^\r\n]+)/.exec(readFileSync(pointer, 'utf8'))?.groups?.['place'];
    return target === undefined ? null : realpathSync(path.resolve(path.dirname(pointer), target));
  } catch {
    return null;
  }
}
