// Finds words that name a place where secrets are kept, also through a pattern.

import { compileGlob } from '../workspace/index.ts';
import { ONLY_NAMES, PATTERN_FIRST, SECRET_RULES, SECRET_VARIABLE } from './secret-rules.ts';
import type { Argument } from './words.ts';
import type { WriteTarget } from './write-target.ts';

/** A quick check for nearly all words, which name nothing secret. */
const ANY_SECRET = new RegExp(SECRET_RULES.map(({ names }) => names.source).join('|'), 'i');

/** What the text names that is secret, completing "reads …"; null when nothing. */
export function secretIn(text: string): string | null {
  if (ANY_SECRET.test(text)) {
    const rule = SECRET_RULES.find(({ names }) => names.test(text));
    if (rule !== undefined) return rule.what;
  }
  return /[*?[]/.test(text) && text.length < 200 ? secretBehind(text) : null;
}

/** `~/.s?h/id*` names no key, and reads one. A star alone does not match a name that begins with a dot. */
function secretBehind(pattern: string): string | null {
  if (!/^[\w.~/*?[\]!-]+$/.test(pattern)) return null;
  const names = pattern.split('/');
  const candidates = SAMPLES.filter((sample) => mayStandFor(names, sample.names));
  if (candidates.length === 0) return null;
  let matches: (path: string) => boolean;
  try {
    matches = compileGlob(pattern.replace(/^\//, ''));
  } catch {
    return null;
  }
  return candidates.find(({ path }) => matches(path))?.what ?? null;
}

const SAMPLES = SECRET_RULES.flatMap(({ what, samples = [] }) =>
  samples.map((sample) => ({ what, path: sample.replace(/^\//, ''), names: sample.split('/') })),
);

/** Both begin at the same place, and dots are literal: comparing that is much faster than compiling the pattern. */
function mayStandFor(pattern: readonly string[], sample: readonly string[]): boolean {
  if ((pattern[0] === '') !== (sample[0] === '') || (pattern[0] === '~') !== (sample[0] === '~')) return false;
  if (pattern.length !== sample.length && !pattern.includes('**')) return false;
  return sample.every((name, i) => !name.startsWith('.') || (pattern[i] ?? '').startsWith('.'));
}

/** The same for the arguments of a command; `written` are those that it only writes. */
export function secretAmong(command: string, args: readonly Argument[], written: readonly WriteTarget[]): string | null {
  let pattern = PATTERN_FIRST.has(command) && !args.some((arg) => /^-(?:[a-zA-Z]*[ef]|-(?:regexp|file|expression))/.test(arg.start));
  const onlyNames = ONLY_NAMES.has(command);
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]!;
    const variable = arg.value === null ? SECRET_VARIABLE.exec(arg.text) : null;
    if (variable !== null && command !== 'test' && command !== '[') return `the variable ${variable[0].replace(/[${]/g, '')}`;
    if (onlyNames) continue;
    if (pattern && !arg.start.startsWith('-')) {
      pattern = false;
      continue;
    }
    // A settings file passed to a program is used, not printed.
    if (arg.start.startsWith('--env-file') || args[i - 1]?.value === '--env-file') continue;
    const secret = secretIn(arg.text);
    if (secret !== null && !written.some(({ path }) => path === arg)) return secret;
  }
  return null;
}
