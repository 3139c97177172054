// What a workspace installed and built, in a copy of it: packages are linked one by one, build output is copied. Neither is governed, and
// most checks need both.

import { constants, cpSync, lstatSync, mkdirSync, readdirSync, readlinkSync, realpathSync, rmSync, statSync, symlinkSync } from 'node:fs';
import path from 'node:path';

/** Folders of programs beside the packages. */
const ENVIRONMENTS = ['.venv', 'venv'];
/** Caches that tools keep beside the packages: each copy has its own. */
const OWN_CACHES = new Set(['.cache', '.vite', '.vitest', '.tmp']);
/** Where packages of one workspace find each other's code. */
const BUILT = ['dist', 'build', 'out'];
const MAX_BUILT_FILES = 2_000;

export class InstalledParts {
  private readonly root: string;
  private readonly dir: string;
  /** Build output that was copied, and when it was made. */
  private readonly built = new Map<string, number>();

  constructor(root: string, dir: string) {
    this.root = root;
    this.dir = dir;
  }

  /** Links and copies what is installed beside each of these files that is a manifest. Returns the folders that the links lead to. */
  update(files: Iterable<string>): string[] {
    const linked: string[] = [];
    for (const file of files) {
      if (path.posix.basename(file) !== 'package.json') continue;
      const folder = path.dirname(file);
      const modules = path.join(this.root, folder, 'node_modules');
      if (linkModules(modules, path.join(this.dir, folder, 'node_modules'))) linked.push(modules, realpathSync(modules));
      for (const name of BUILT) this.copyBuilt(path.join(folder, name));
    }
    for (const name of ENVIRONMENTS) {
      const from = path.join(this.root, name);
      if (!isFolder(from)) continue;
      relink(from, path.join(this.dir, name));
      linked.push(from);
    }
    return linked;
  }

  private copyBuilt(folder: string): void {
    const from = path.join(this.root, folder);
    const to = path.join(this.dir, folder);
    if (!isFolder(from)) return;
    const madeAt = statSync(from).mtimeMs;
    // A folder with such a name may hold sources; those are in the copy already.
    const isThere = lstatSync(to, { throwIfNoEntry: false }) !== undefined;
    if (isThere && (!this.built.has(folder) || this.built.get(folder) === madeAt)) return;
    if (readdirSync(from, { recursive: true }).length > MAX_BUILT_FILES) return;
    rmSync(to, { recursive: true, force: true });
    cpSync(from, to, { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE });
    this.built.set(folder, madeAt);
  }
}

const isFolder = (place: string): boolean => lstatSync(place, { throwIfNoEntry: false })?.isDirectory() === true;

/** A folder of links, so that tools that write beside the packages do not write into the tree. False when nothing is installed. */
function linkModules(from: string, to: string): boolean {
  if (!statSync(from, { throwIfNoEntry: false })?.isDirectory()) return false;
  if (!isFolder(to)) {
    rmSync(to, { recursive: true, force: true });
    mkdirSync(to, { recursive: true });
  }
  const names = new Set(readdirSync(from).filter((name) => !OWN_CACHES.has(name)));
  for (const name of readdirSync(to))
    if (!names.has(name) && !OWN_CACHES.has(name)) rmSync(path.join(to, name), { recursive: true, force: true });
  for (const name of names) {
    const source = path.join(from, name);
    // A scope is a folder of packages, of which some may be links into the workspace itself.
    if (name.startsWith('@')) linkModules(source, path.join(to, name));
    else relink(source, path.join(to, name));
  }
  return true;
}

/** A relative link stays relative: a package of the workspace is then the copy's own. */
function relink(from: string, to: string): void {
  const text = lstatSync(from).isSymbolicLink() ? readlinkSync(from) : '';
  const target = text !== '' && !path.isAbsolute(text) ? text : from;
  const there = lstatSync(to, { throwIfNoEntry: false });
  if (there?.isSymbolicLink() && readlinkSync(to) === target) return;
  if (there) rmSync(to, { recursive: true, force: true });
  symlinkSync(target, to);
}
