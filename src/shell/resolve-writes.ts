// Where a command's writes go: each is resolved from the folder that the command runs in, and compared with root and scope. Pure: links are
// not followed here. The caller that reads the disk resolves real paths.

import { posix } from 'node:path';
import { governanceRule, inScope, NO_PATH_CONFIG, type PathConfig } from '../workspace/index.ts';
import type { WriteTarget } from './write-target.ts';
import { type Folder, resolveFrom } from './working-folder.ts';

export interface Place {
  /** Absolute. */
  readonly cwd: string;
  readonly root: string;
  /** The globs that the intent may change, relative to the root; null: no intent is known, so only the root is checked. */
  readonly scope: readonly string[] | null;
  /** The user's home, for `~`. Without it, `~` is some place outside the root. */
  readonly home?: string;
  /** Folders outside the root where temporary files may be written. One that holds the root itself does not count. */
  readonly scratch?: readonly string[];
  /** By the real path: links lead elsewhere, and another workspace is no scratch. Without it, the path as it is written counts. */
  readonly staysInScratch?: (path: string) => boolean;
  /** More derived files and companions. */
  readonly paths?: PathConfig;
  /** The intent grants the network. */
  readonly network?: boolean;
}

export interface Write {
  /** As it was written in the command. */
  readonly path: string;
  /** Relative to the root, absolute if outside; null when the text does not show it. */
  readonly resolved: string | null;
  /** Certainly this path. Otherwise it is a pattern, a folder in which names are not known, or depends on a `cd` that may fail. */
  readonly known: boolean;
  /** The very path is written as a file: neither a folder, nor something in it. */
  readonly exact?: true;
}

export interface PlacedWrite {
  readonly write: Write;
  /** Why it is outside, in words; null: it is inside, or that is unknown. */
  readonly outside: string | null;
}

/** Not files: output there is discarded. */
const NO_FILE = /^\/(?:dev\/(?:null|stdout|stderr|tty|zero|full|fd\/\d+)|proc\/self\/fd\/\d+)$/;
const WILD = /[*?[{]/;

/** The paths of the target: several for braces, none for devices that keep nothing. */
export function placeWrite(target: WriteTarget, folder: Folder, place: Place): PlacedWrite[] {
  const { path } = target;
  if (path.may !== undefined && !path.pattern && knownText(path, place.home, folder.path) === null)
    return path.may.flatMap((text) => placeOne({ ...target, path: oneOf(text) }, folder, place) ?? []).map(unsure);
  if (target.path.pattern) return alternatives(target).flatMap((each) => placeOne(each, folder, place) ?? []);
  const placed = placeOne(target, folder, place);
  return placed === null ? [] : [placed];
}

/** One of the texts that a word may become. */
function oneOf(text: string): WriteTarget['path'] {
  const wild = WILD.test(text);
  return { text, value: wild || text.startsWith('~') ? null : text, start: text, single: !wild, pattern: wild };
}

/** It may be another of them. */
const unsure = ({ write: { exact: _, ...write }, outside }: PlacedWrite): PlacedWrite => ({ write: { ...write, known: false }, outside });

function placeOne({ path, kind, entry }: WriteTarget, folder: Folder, place: Place): PlacedWrite | null {
  // The shell's end of a pipe.
  if (path.start.startsWith('/dev/fd/')) return null;
  const named = knownText(path, place.home, folder.path);
  if (named === null) return { write: { path: path.text, resolved: null, known: false }, outside: null };
  const pattern = path.value === null && WILD.test(named);
  const anchored = (named.startsWith('/') || named.startsWith('~')) && !HERE.test(path.text);
  if (folder.path === null && !anchored) return { write: { path: path.text, resolved: null, known: false }, outside: null };
  const absolute = named.startsWith('~') ? named : resolveFrom(folder.path ?? '/', named);
  if (NO_FILE.test(absolute)) return null;
  const relative = fromRoot(absolute, place.root);
  // A folder with a blank in its name, without quotes, is several words.
  const isSeveral = path.value === null && !path.single && HERE.test(path.text);
  const known = !pattern && !isSeveral && kind !== 'below' && (folder.certain || anchored);
  const write: Write = { path: path.text, resolved: relative ?? absolute, known, ...(known && kind === 'file' ? { exact: true } : {}) };
  if (relative === null) return { write, outside: isScratch(absolute, place) ? null : `writes ${absolute}, outside the workspace` };
  const open = pattern || kind === 'below';
  return { write, outside: outsideOfScope(open ? staticFolder(relative) : relative, open ? 'below' : kind, entry, place) };
}

const HOME = /^(?:~|\$HOME|\$\{HOME\})(?=\/|$)/;

/** The folder that the command runs in. */
const HERE = /^(?:\$PWD|\$\{PWD\})(?=\/|$)/;

/** Text that resolves: the exact value, one that begins with the user's folder or with this one, or a pattern. Null: variables. */
function knownText(path: WriteTarget['path'], home: string | undefined, here: string | null): string | null {
  if (path.value !== null) return path.value;
  if (HERE.test(path.text)) {
    const rest = path.text.replace(HERE, '');
    return here === null || /[$`]/.test(rest) ? null : here + rest;
  }
  if (path.pattern) return path.text;
  const rest = path.text.replace(HOME, '');
  if (/[$`]/.test(rest)) return null;
  if (rest !== path.text) return home === undefined ? `~${posix.normalize(rest || '/')}` : home + rest;
  return path.text.startsWith('~') ? path.text : null;
}

/** `{a,b}.ts` is two files. Other braces stay patterns. */
function alternatives(target: WriteTarget): readonly WriteTarget[] {
  const found = /^([^{}$`]*)\{([^{}$`]*,[^{}$`]*)\}([^{}$`]*)$/.exec(target.path.text);
  if (found === null || WILD.test(found[1]! + found[3]!)) return [target];
  return found[2]!.split(',').map((each) => {
    const text = found[1]! + each + found[3]!;
    const wild = WILD.test(text);
    return { ...target, path: { text, value: wild ? null : text, start: text, single: !wild, pattern: wild } };
  });
}

function fromRoot(absolute: string, root: string): string | null {
  if (absolute.startsWith('~')) return null;
  if (absolute === root) return '.';
  return absolute.startsWith(root === '/' ? root : `${root}/`) ? absolute.slice(root === '/' ? 1 : root.length + 1) : null;
}

export function isScratch(absolute: string, { scratch = [], staysInScratch, root }: Place): boolean {
  const holds = (folder: string, path: string): boolean => path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
  return scratch.some((folder) => holds(folder, absolute) && !holds(folder, `${root}/`)) && (staysInScratch?.(absolute) ?? true);
}

/** The folder of a pattern before its first wild name. */
function staticFolder(relative: string): string {
  const names = relative.split('/');
  const wild = names.findIndex((name) => WILD.test(name));
  return (wild < 0 ? names : names.slice(0, wild)).join('/') || '.';
}

function outsideOfScope(path: string, kind: WriteTarget['kind'], entry: string | undefined, place: Place): string | null {
  const inFolder = (name: string): string => (path === '.' ? name : `${path}/${name}`);
  const why = governanceRule(path) ?? (entry === undefined ? null : governanceRule(inFolder(entry)));
  if (why !== null) return `writes ${path}, which no scope covers: ${why}`;
  const { scope, paths = NO_PATH_CONFIG } = place;
  if (scope === null) return null;
  const candidates = [path];
  if (kind !== 'file') candidates.push(inFolder(entry ?? SOME_NAME));
  if (kind === 'tree') candidates.push(inFolder(SOME_NAME));
  if (candidates.some((candidate) => inScope(scope, candidate, paths) !== null)) return null;
  // Unknown names in it may be in scope, and making a folder above the scope writes no file.
  if ((kind === 'below' || kind === 'folder') && scope.some((glob) => leadsTo(path, glob))) return null;
  return `writes ${path}, outside the scope`;
}

const SOME_NAME = 'some-name';

/** The folder is above, or below, the glob's part without wildcards. */
function leadsTo(folder: string, glob: string): boolean {
  const begin = `${staticFolder(glob)}/`;
  const here = `${folder}/`;
  return folder === '.' || begin === './' || begin.startsWith(here) || here.startsWith(begin);
}
