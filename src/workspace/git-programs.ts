// Whether git would run programs that a repository's own settings name, for a read-only command: a file-system monitor, a diff driver, an
// alias. A person's settings outside the repository are theirs to trust.

import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { gitlinksIn, INDEX_MAX_BYTES } from './git-index.ts';

/** Sections and keys that name programs, or other files with settings. Whatever is not understood counts as naming one. Several sections may begin on one line. */
const SECTIONS =
  /(?:^|\])\s*\[\s*(?:alias|filter|include|includeif|diff\s*["]|diff\.|difftool|mergetool|merge\s*["]|merge\.|gpg|pager|interactive|credential|browser|man|guitool|sendemail|imap|instaweb|protocol)/im;
const KEYS =
  /(?:^|\])\s*(?:fsmonitor|pager|editor|external|textconv|command|cmd|sshcommand|hookspath|askpass|attributesfile|gitproxy|program|path|driver|clean|smudge|process|worktree|uploadpack|receivepack|vcs|promisor|partialclone|alternaterefscommand|packobjectshook|recentobjectshook|standalonetransferagent|authorsprog)\s*(?:=|$)/im;
/** The update of a submodule is a word, or a program behind a bang. */
const UPDATE = /(?:^|\])\s*update\s*=[\s"]*[!\\]/im;
const namesProgram = (text: string): boolean => SECTIONS.test(text) || KEYS.test(text) || UPDATE.test(text);

/**
 * True only if git, run in this folder, certainly takes the root's repository for its own, and neither that nor one that it links to names
 * a program. A folder can itself be a repository without a `.git`, and links lead elsewhere.
 */
export function gitOnlyLooksFrom(folder: string, root: string): boolean {
  try {
    const top = realpathSync(root);
    for (let at = realpathSync(folder); at !== top; at = dirname(at)) {
      if (!at.startsWith(top + sep) || existsSync(join(at, '.git')) || isBare(at)) return false;
    }
    return !isBare(top) && allRunNoPrograms(top, 0);
  } catch {
    return false;
  }
}

/** What git takes for a repository: it asks no more than this. */
const isBare = (folder: string): boolean => ['HEAD', 'objects', 'refs'].every((name) => existsSync(join(folder, name)));

const LINK_DEPTH = 4;

/** The status of a linked repository is asked by running git in it. */
function allRunNoPrograms(root: string, depth: number): boolean {
  if (depth > LINK_DEPTH || !gitRunsNoPrograms(root)) return false;
  const links = gitlinksOf(gitDirOf(join(root, '.git')));
  return links !== null && links.every((link) => !existsSync(join(root, link, '.git')) || allRunNoPrograms(join(root, link), depth + 1));
}

/** A repository that the index of another one links to. */
export interface LinkedRepository {
  /** Its `.git`, a folder or a file that names one. */
  readonly pointer: string;
  /** Files with its settings, which git reads when it is asked for the status of the whole. */
  readonly settings: readonly string[];
}

/** Those that are there, also in one another. What cannot be read has none. */
export function linkedRepositories(root: string, depth = 0): LinkedRepository[] {
  if (depth > LINK_DEPTH) return [];
  try {
    const links = gitlinksOf(gitDirOf(join(root, '.git'))) ?? [];
    return links.flatMap((link) => {
      const pointer = join(root, link, '.git');
      if (!existsSync(pointer)) return [];
      return [{ pointer, settings: settingsOf(pointer) }, ...linkedRepositories(join(root, link), depth + 1)];
    });
  } catch {
    return [];
  }
}

function settingsOf(pointer: string): string[] {
  const dir = gitDirOf(pointer);
  return [join(commonDirOf(dir), 'config'), join(dir, 'config.worktree')];
}

/** By index file: an index is large, and asked about before every look. */
const known = new Map<string, { readonly look: string; readonly links: readonly string[] | null }>();
const KNOWN_MAX = 50;

function gitlinksOf(dir: string): readonly string[] | null {
  const file = join(dir, 'index');
  if (!existsSync(file)) return [];
  const { mtimeNs, ctimeNs, size, ino } = statSync(file, { bigint: true });
  const look = `${mtimeNs} ${ctimeNs} ${size} ${ino}`;
  const last = known.get(file);
  if (last?.look === look) return last.links;
  const isLong = /^\s*objectformat\s*=\s*"?sha256/im.test(textOf(join(commonDirOf(dir), 'config')));
  const links = size > BigInt(INDEX_MAX_BYTES) ? null : gitlinksIn(readFileSync(file), isLong ? 32 : 20);
  if (known.size >= KNOWN_MAX) known.clear();
  known.set(file, { look, links });
  return links;
}

/** The lines of settings that name a program, or another file with settings, each with its section. */
export function namedPrograms(text: string): string[] {
  let section = '';
  return text.split('\n').flatMap((line) => {
    if (/^\s*\[/.test(line)) section = line.trim();
    const isNamed = namesProgram(line) || (namesProgram(section) && line.trim() !== '');
    return isNamed ? [line.trim() === section ? section : `${section} ${line.trim()}`] : [];
  });
}

/** True only if the repository's settings certainly name no program. Synchronous: settings are small, and this runs once a command. */
export function gitRunsNoPrograms(root: string): boolean {
  try {
    const dir = gitDirOf(join(root, '.git'));
    const common = commonDirOf(dir);
    return [join(common, 'config'), join(dir, 'config.worktree')].every((file) => !namesProgram(textOf(file)));
  } catch {
    return false;
  }
}

function gitDirOf(place: string): string {
  if (statSync(place).isDirectory()) return place;
  const [, target] = /^gitdir: (.+)$/m.exec(readFileSync(place, 'utf8')) ?? [];
  if (target === undefined) throw new Error(`${place} names no folder`);
  return resolve(place, '..', target);
}

function commonDirOf(dir: string): string {
  try {
    return resolve(dir, readFileSync(join(dir, 'commondir'), 'utf8').trim());
  } catch {
    return dir;
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}
