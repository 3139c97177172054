// The walk over a tree that is indexed. It follows no link and enters nothing that is derived, ignored by git or hidden from agents.
// It runs in the index's own thread and may take its time.

import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type IgnoreRules,
  isHidden,
  isIgnored,
  NO_PATH_CONFIG,
  parseIgnore,
  pathClass,
  type Visibility,
  TrackedFiles,
} from '../../workspace/plain.ts';
import { type Stamp, stampOf } from './stamp.ts';

export interface Walked {
  readonly files: Map<string, Stamp>;
  readonly folders: string[];
  /** There are more files than the index takes. */
  readonly isCut: boolean;
}

export const FILES_MAX = 200_000;
/** Inside of a folder that is ignored: only what is tracked is left, whatever its own .gitignore says. */
const EVERYTHING = parseIgnore('*', '');

/** What is left out of a tree, for every caller. */
export class TreeRules {
  readonly #root: string;
  readonly #visibility: Visibility;
  readonly #tracked: TrackedFiles;
  readonly #above: IgnoreRules[] = [];

  static async read(root: string, visibility: Visibility): Promise<TreeRules> {
    return new TreeRules(root, visibility, await TrackedFiles.at(root));
  }

  private constructor(root: string, visibility: Visibility, tracked: TrackedFiles) {
    this.#root = root;
    this.#visibility = visibility;
    this.#tracked = tracked;
    const excluded = tracked.excludeFile === null ? null : readText(tracked.excludeFile);
    if (excluded !== null) this.#above.push(parseIgnore(excluded, ''));
  }

  /** The rules for the entries of a folder, given those of the folder above. */
  rulesIn(folder: string, above: readonly IgnoreRules[] | null, hasFile = true): readonly IgnoreRules[] {
    const rules = above ?? this.#above;
    if (rules.at(-1) === EVERYTHING) return rules;
    if (folder !== '' && isIgnored(rules, folder, true)) return [...rules, EVERYTHING];
    const text = hasFile ? readText(join(this.#root, folder, '.gitignore')) : null;
    return text === null ? rules : [...rules, parseIgnore(text, folder)];
  }

  isLeftOut(path: string, name: string, isFolder: boolean, rules: readonly IgnoreRules[]): boolean {
    if (name === '.git') return true;
    const { only, ...config } = this.#visibility.paths ?? NO_PATH_CONFIG;
    // The folder of a file was asked about before: without globs, its name says the rest.
    const asked = isFolder ? `${path}/_` : config.derived.length > 0 ? path : name;
    if (pathClass(asked, config) === 'derived') return true;
    // Deeper in a folder there may be files that it covers.
    if (only && !isFolder && pathClass(path, { ...config, only }) === 'derived') return true;
    return (isIgnored(rules, path, isFolder) && !this.#isTracked(path, isFolder)) || isHidden(this.#root, path, this.#visibility);
  }

  #isTracked(path: string, isFolder: boolean): boolean {
    return isFolder ? this.#tracked.hasBelow(path) : this.#tracked.has(path);
  }
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

/** Below a folder; `''` is everything. */
export function walkTree(root: string, rules: TreeRules, under = ''): Walked {
  const files = new Map<string, Stamp>();
  const folders: string[] = [];
  const above = rulesAbove(rules, under);
  if (above === null) return { files, folders, isCut: false };
  const pending: { readonly folder: string; readonly above: readonly IgnoreRules[] | null }[] = [{ folder: under, above }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { folder } = next;
    let entries;
    try {
      entries = readdirSync(folder === '' ? root : `${root}/${folder}`, { withFileTypes: true });
    } catch {
      continue;
    }
    folders.push(folder);
    const here = rules.rulesIn(
      folder,
      next.above,
      entries.some(({ name }) => name === '.gitignore'),
    );
    const prefix = folder === '' ? '' : `${folder}/`;
    for (const entry of entries) {
      const path = prefix + entry.name;
      const isFolder = entry.isDirectory();
      if ((!isFolder && !entry.isFile()) || rules.isLeftOut(path, entry.name, isFolder, here)) continue;
      if (isFolder) {
        pending.push({ folder: path, above: here });
        continue;
      }
      if (files.size >= FILES_MAX) return { files, folders, isCut: true };
      const stats = lstatSync(`${root}/${path}`, { throwIfNoEntry: false });
      if (stats?.isFile()) files.set(path, stampOf(stats));
    }
  }
  return { files, folders, isCut: false };
}

/** The rules that apply above a folder; null when the folder itself is left out. */
function rulesAbove(rules: TreeRules, under: string): readonly IgnoreRules[] | null {
  if (under === '') return rules.rulesIn('', null, false);
  let above = rules.rulesIn('', null);
  const names = under.split('/');
  for (const [at, name] of names.entries()) {
    const path = names.slice(0, at + 1).join('/');
    if (rules.isLeftOut(path, name, true, above)) return null;
    if (at < names.length - 1) above = rules.rulesIn(path, above);
  }
  return above;
}

/** One path that may have changed: a file, a folder that has to be walked, or nothing that counts. */
export function stampAt(root: string, rules: TreeRules, path: string): Stamp | 'folder' | null {
  const slash = path.lastIndexOf('/');
  const folder = slash < 0 ? '' : path.slice(0, slash);
  const above = folder === '' ? rules.rulesIn('', null, false) : rulesAbove(rules, folder);
  if (above === null) return null;
  const stats = lstatSync(`${root}/${path}`, { throwIfNoEntry: false });
  if (!stats || (!stats.isFile() && !stats.isDirectory())) return null;
  if (rules.isLeftOut(path, path.slice(slash + 1), stats.isDirectory(), rules.rulesIn(folder, above))) return null;
  return stats.isDirectory() ? 'folder' : stampOf(stats);
}
