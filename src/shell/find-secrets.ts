// Finds words that name a place where secrets are kept: as they are written, as the shell will see them, from the folder that the command
// runs in, and through a pattern.

import { posix } from 'node:path';
import { compileGlob } from '../workspace/index.ts';
import { GATES_FOLDER, ONLY_NAMES, PATTERN_FIRST, SECRET_RULES, SECRET_VARIABLE } from './secret-rules.ts';
import type { Argument } from './words.ts';
import { resolveFrom } from './working-folder.ts';
import type { WriteTarget } from './write-target.ts';

/** Where a command runs: the folder, and the person's home. Null: not known. */
export interface Where {
  readonly folder: string | null;
  readonly home: string | null;
}

export const NOWHERE: Where = { folder: null, home: null };

/** A quick check for nearly all words, which name nothing secret. */
const ANY_SECRET = new RegExp(SECRET_RULES.map(({ names }) => names.source).join('|'), 'i');

/** What the text names that is secret, completing "reads …"; null when nothing. */
export function secretIn(text: string, where: Where): string | null {
  for (const each of new Set([text, ...placesOf(text, where)])) {
    const found = secretNamed(each);
    if (found !== null) return found;
  }
  return null;
}

/** The same of several texts that one word may become. */
export function secretAt(texts: readonly string[], where: Where): string | null {
  for (const text of texts) {
    const found = secretIn(text, where);
    if (found !== null) return found;
  }
  return null;
}

function secretNamed(text: string): string | null {
  if (ANY_SECRET.test(text)) {
    const rule = SECRET_RULES.find(({ names }) => names.test(text));
    if (rule !== undefined) return rule.what;
  }
  return /[*?[]/.test(text) && text.length < 200 ? secretBehind(text) : null;
}

/** The same path without detours, from the root or from the home. */
function placesOf(text: string, { folder, home }: Where): string[] {
  const path = /^(?:-{1,2}[\w-]+=|[\w-]+=|@)?(.+)$/s.exec(text)?.[1] ?? '';
  if (path === '' || path.length > 400 || /[\s'"]/.test(path)) return [];
  const named = path.replace(/^(?:\$HOME|\$\{HOME\})(?=\/|$)/, '~');
  if (/^~(?:\/|$)/.test(named)) return [resolveFrom(named, '.')];
  if (folder === null && !named.startsWith('/')) return /\/\/|\/\./.test(named) ? [posix.normalize(named)] : [];
  const absolute = resolveFrom(folder ?? '/', named);
  const isAtHome = home !== null && (absolute === home || absolute.startsWith(`${home}/`));
  return isAtHome ? [`~${absolute.slice(home.length)}`] : [absolute];
}

/** `~/.s?h/id*` names no key, and reads one. A star alone does not match a name that begins with a dot. */
function secretBehind(pattern: string): string | null {
  if (!/^[\w.~/*?[\]!-]+$/.test(pattern)) return null;
  const names = pattern.split('/').filter((name) => name !== '');
  for (const { what, names: secret } of SAMPLES) {
    const last = names.slice(-secret.length);
    if (
      last.length === secret.length &&
      last.some((name) => /[*?[]/.test(name)) &&
      secret.every((name, i) => mayBe(last[i]!, name, secret.length === 1))
    )
      return what;
  }
  return null;
}

const SAMPLES = SECRET_RULES.flatMap(({ what, samples = [] }) => samples.map((sample) => ({ what, names: sample.split('/') })));

/** A name alone, without a dot, needs more than a wildcard to be meant: `cat *` does not ask for a key. */
function mayBe(pattern: string, name: string, alone: boolean): boolean {
  if (!/[*?[]/.test(pattern)) return pattern === name;
  if (name.startsWith('.') !== (pattern.startsWith('.') || pattern.startsWith('[.'))) return false;
  if (alone && !name.startsWith('.') && pattern.replaceAll(/[*?]|\[[^\]]*\]?/g, '').length < 2) return false;
  // Before compiling: nearly all patterns end otherwise.
  const [, end] = /([\w.-]*)$/.exec(pattern) ?? [];
  if (end !== undefined && end !== '' && !name.endsWith(end)) return false;
  try {
    return compileGlob(pattern.replace(/^\[\.\]/, '.'))(name);
  } catch {
    return true;
  }
}

/** Programs that read all that lies below a folder. */
const READS_BELOW: Readonly<Record<string, RegExp>> = {
  grep: /^-[a-zA-Z]*[rR]|^--(?:dereference-)?recursive/,
  egrep: /^-[a-zA-Z]*[rR]/,
  fgrep: /^-[a-zA-Z]*[rR]/,
  cp: /^-[a-zA-Z]*[rRa]|^--(?:recursive|archive)/,
  diff: /^-[a-zA-Z]*r|^--recursive/,
  zip: /^-[a-zA-Z]*r|^--recurse/,
  rsync: /^-[a-zA-Z]*[ra]|^--(?:recursive|archive)/,
  scp: /^-[a-zA-Z]*r/,
  rg: /(?:)/,
  ag: /(?:)/,
  ack: /(?:)/,
  tar: /(?:)/,
};
/** Everybody's homes, and this one's; the settings in it. */
const ABOVE_SECRETS = /^(?:~|~\/\.config|~\/\.local(?:\/share)?|\/|\/root|\/home|\/home\/[^/]+|\/Users(?:\/[^/]+)?|\/run|\/proc)$/;

/** The same for the arguments of a command; `written` are those that it only writes. */
export function secretAmong(command: string, args: readonly Argument[], written: readonly WriteTarget[], where: Where): string | null {
  let pattern = PATTERN_FIRST.has(command) && !args.some((arg) => /^-(?:[a-zA-Z]*[ef]|-(?:regexp|file|expression))/.test(arg.start));
  const onlyNames = ONLY_NAMES.has(command);
  const below = READS_BELOW[command];
  const readsBelow = below !== undefined && args.some(({ start }) => below.test(start));
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]!;
    const variable = arg.value === null ? SECRET_VARIABLE.exec(arg.text) : null;
    if (variable !== null && command !== 'test' && command !== '[') return `the variable ${variable[0].replace(/[${]/g, '')}`;
    // From there on a plain name is enough.
    if (GATES_FOLDER.test(arg.text) && (command === 'cd' || command === 'pushd')) return secretIn(arg.text, where);
    if (onlyNames) continue;
    if (pattern && !arg.start.startsWith('-')) {
      pattern = false;
      const read = command === 'jq' ? secretAt(importsOf(arg.text), where) : null;
      if (read !== null) return read;
      continue;
    }
    // A settings file passed to a program is used, not printed.
    if (arg.start.startsWith('--env-file') || args[i - 1]?.value === '--env-file') continue;
    if (written.some(({ path }) => path === arg)) continue;
    for (const text of [arg.text, ...(arg.may ?? []), ...(arg.among ?? [])]) {
      const secret = secretIn(text, where);
      if (secret !== null) return secret;
      if (readsBelow && [text, ...placesOf(text, where)].some((place) => ABOVE_SECRETS.test(place))) return BELOW;
    }
  }
  return null;
}

/** jq opens `x.json` for `import "x" as $data`. */
const importsOf = (program: string): string[] =>
  [...program.matchAll(/\b(?:import|include)\s*\\?"([^"\\]+)/g)].flatMap(({ 1: name = '' }) => [name, `${name}.json`]);

const BELOW = 'secrets that lie below this folder';
