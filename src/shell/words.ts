// What is known about the arguments that a word of the shell becomes.

import type { Word, WordPart } from 'unbash';

export interface Argument {
  /** The exact value, when the word becomes exactly this one argument; otherwise null. */
  readonly value: string | null;
  /** What every argument that comes out of the word begins with; empty when that is not known. */
  readonly start: string;
  /** The word becomes exactly one argument: no field splitting, no file names, no braces. */
  readonly single: boolean;
  /** Only file name patterns or braces keep the value from being known. */
  readonly pattern: boolean;
  /** The word without its quotes; expansions remain as written. */
  readonly text: string;
  /** The texts that it may become, as patterns; absent: only `text`. */
  readonly may?: readonly string[];
  /** What it may be besides, where another command prints or passes it. */
  readonly among?: readonly string[];
}

export function literal(value: string): Argument {
  return { value, start: value, single: true, pattern: false, text: value };
}

/** A word about which nothing is known, not even whether it is one argument. */
export const UNKNOWN = { value: null, start: '', single: false, pattern: false } as const;

/** The last name of a path; null where it is not known, or does not name an entry. */
export function lastName(path: Argument): string | null {
  const name = path.value?.replace(/\/+$/, '').split('/').at(-1);
  return name === undefined || name === '.' || name === '..' ? null : name;
}

/** `folder/name`, as far as the folder is known. */
export function within(folder: Argument, name: string): Argument {
  const joined = folder.text === '' ? name : `${folder.text.replace(/\/+$/, '')}/${name}`;
  return folder.value === null ? { ...folder, text: joined } : literal(joined);
}

interface Progress {
  start: string;
  /** Everything so far was literal. */
  exact: boolean;
  single: boolean;
  /** Anything but patterns was met. */
  expands: boolean;
  /** Unquoted expansion: later arguments may begin with anything. */
  splits: boolean;
}

export function readWord(word: Word): Argument {
  const progress: Progress = { start: '', exact: true, single: true, expands: false, splits: false };
  // An unquoted tilde becomes a directory, or stays a tilde; neither begins with a dash.
  if (word.text.startsWith('~')) {
    const rest = { ...progress };
    for (const part of word.parts ?? []) take(part, rest);
    return { value: null, start: rest.splits ? '' : '~', single: rest.single, pattern: false, text: word.value };
  }
  if (word.parts === undefined) return literal(word.value);
  for (const part of word.parts) take(part, progress);
  return {
    value: progress.exact ? progress.start : null,
    start: progress.splits ? '' : progress.start,
    single: progress.single,
    pattern: !progress.exact && !progress.expands,
    text: word.value,
  };
}

function take(part: WordPart, progress: Progress): void {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      if (progress.exact) progress.start += part.value;
      return;
    case 'DoubleQuoted':
    case 'LocaleString':
      for (const child of part.parts) {
        if (child.type === 'Literal') {
          if (progress.exact) progress.start += child.value;
          continue;
        }
        progress.exact = false;
        progress.expands = true;
        if (becomesSeveral(child)) split(progress);
      }
      return;
    case 'Glob':
    case 'ExtendedGlob':
      progress.exact = false;
      progress.single = false;
      return;
    case 'BraceExpansion':
      progress.exact = false;
      progress.single = false;
      for (const child of part.parts ?? []) if (isExpansion(child)) split(progress);
      return;
    case 'ProcessSubstitution':
      if (progress.exact && progress.start === '') progress.start = '/dev/fd/';
      progress.exact = false;
      progress.expands = true;
      return;
    case 'SimpleExpansion':
    case 'ParameterExpansion':
    case 'CommandExpansion':
    case 'ArithmeticExpansion':
      progress.exact = false;
      split(progress);
  }
}

function split(progress: Progress): void {
  progress.single = false;
  progress.expands = true;
  progress.splits = true;
}

/** `"$@"` and `"${a[@]}"` become several arguments although they are quoted. */
function becomesSeveral(part: WordPart): boolean {
  if (part.type === 'SimpleExpansion') return part.text === '$@';
  if (part.type !== 'ParameterExpansion') return false;
  return part.text.includes('@') || part.prefix === '!';
}

function isExpansion(part: WordPart): boolean {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
    case 'Glob':
      return false;
    default:
      return true;
  }
}
