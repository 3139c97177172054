// The globs of scopes. `*` and `?` stay within one name, `**` spans names, `[a-z]`, `[!a]` and `{a,b}` are read as shells do,
// a backslash takes the next character as it is. A leading dot is nothing special: a scope is about where a file lies.
// Both sides are compared in unicode's composed form (NFC).
//
// INVARIANT: matching takes time in proportion to pattern times path, whatever the pattern: only the last star is ever tried
// again. A pattern that could be read in two ways is refused and never guessed.

import { Fault, SCOPE_LIMITS } from '../protocol/plain.ts';

export const GLOB_LIMITS = { characters: SCOPE_LIMITS.characters, segments: 64, alternatives: 256 } as const;

type Token = { readonly kind: 'one'; readonly accepts: (character: string) => boolean } | { readonly kind: 'star' };
/** One name of the path, or `**`. Most names in scopes have nothing wild in them and are compared whole. */
type Segment = { readonly literal: string } | readonly Token[] | 'globstar';

export function compileGlob(pattern: string): (path: string) => boolean {
  const refuse = refusalOf(pattern);
  if (pattern.length > GLOB_LIMITS.characters) refuse(`is longer than ${GLOB_LIMITS.characters} characters`);
  if (!pattern.isWellFormed()) refuse('is not valid unicode');
  const alternatives = expandBraces(pattern.normalize('NFC'), refuse).map((alternative) => compileSegments(alternative, refuse));
  return (path) => {
    const names = path.normalize('NFC').split('/');
    return alternatives.some((segments) => matchSegments(segments, names));
  };
}

/** The first of the globs that covers the path. */
export function coveringGlob(globs: readonly string[], path: string): string | null {
  return globs.find((glob) => compiled(glob)(path)) ?? null;
}

const cache = new Map<string, (path: string) => boolean>();
const CACHE_MAX = 1000;

function compiled(glob: string): (path: string) => boolean {
  const known = cache.get(glob);
  if (known) return known;
  const matcher = compileGlob(glob);
  if (cache.size >= CACHE_MAX) cache.clear();
  cache.set(glob, matcher);
  return matcher;
}

type Refuse = (why: string) => never;

const refusalOf =
  (pattern: string): Refuse =>
  (why) => {
    const shown = pattern.length > 80 ? `${pattern.slice(0, 80)}…` : pattern;
    throw new Fault('BAD_REQUEST', `The glob ${JSON.stringify(shown)} ${why}`, {
      fix: 'Write paths relative to the root, such as src/auth/** or src/*.ts; put a backslash before a character that is meant as itself',
    });
  };

/** `a{b,c}` → `ab`, `ac`; nested ones too. */
function expandBraces(pattern: string, refuse: Refuse): string[] {
  const open = findUnescaped(pattern, '{', 0);
  if (open < 0) return [pattern];
  if (pattern[open - 1] === '$') return refuse('has ${ in it, which shells take for a variable');

  const parts: string[] = [];
  let depth = 0;
  let start = open + 1;
  for (let at = open; ; at++) {
    const character = pattern[at];
    if (character === undefined) return refuse('opens a { that is never closed');
    if (character === '\\') at++;
    else if (character === '{') depth++;
    else if (character === ',' && depth === 1) {
      parts.push(pattern.slice(start, at));
      start = at + 1;
    } else if (character === '}' && --depth === 0) {
      if (parts.length === 0) return refuse('has braces without a comma between them');
      parts.push(pattern.slice(start, at));
      const before = pattern.slice(0, open);
      const heads = parts.flatMap((part) => expandBraces(part, refuse));
      const tails = expandBraces(pattern.slice(at + 1), refuse);
      if (heads.length * tails.length > GLOB_LIMITS.alternatives) return refuse(`has more than ${GLOB_LIMITS.alternatives} alternatives`);
      return heads.flatMap((head) => tails.map((tail) => before + head + tail));
    }
  }
}

function findUnescaped(text: string, wanted: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === wanted) return at;
  }
  return -1;
}

function compileSegments(pattern: string, refuse: Refuse): Segment[] {
  if (pattern === '') return refuse('is empty');
  if (pattern.startsWith('/') || /^[A-Za-z]:[\\/]/.test(pattern)) return refuse('is absolute; it has to be relative to the root');
  if (pattern.startsWith('!')) return refuse('begins with !; a scope says what is covered and takes nothing away');
  const names = pattern.split('/');
  if (names.length > GLOB_LIMITS.segments) return refuse(`has more than ${GLOB_LIMITS.segments} names`);
  if (names.at(-1) === '') return refuse('ends with a slash; a folder and all below it is written with /** at the end');

  const segments = names.map((name): Segment => {
    if (name === '') return refuse('has an empty name between two slashes');
    if (name === '.' || name === '..') return refuse(`has ${name} in it`);
    if (name === '**') return 'globstar';
    return /^[\w. -]+$/.test(name) ? { literal: name } : compileName(name, refuse);
  });
  // `src/**` is what lies below src: at least one name, so that src itself is not covered.
  if (segments.at(-1) === 'globstar') segments.push([{ kind: 'star' }]);
  return segments;
}

function compileName(name: string, refuse: Refuse): Token[] {
  const characters = Array.from(name);
  const tokens: Token[] = [];
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] ?? '';
    if ('?*+@!'.includes(character) && characters[at + 1] === '(') return refuse(`has ${character}( in it; extended globs are not read`);
    if (character === '*') {
      if (tokens.at(-1)?.kind !== 'star') tokens.push({ kind: 'star' });
    } else if (character === '?') {
      tokens.push({ kind: 'one', accepts: () => true });
    } else if (character === '[') {
      const set = readSet(characters, at, refuse);
      tokens.push({ kind: 'one', accepts: set.accepts });
      at = set.end;
    } else {
      if (character === '\\') at++;
      const literal = characters[at] ?? refuse('ends in a backslash or has one before a slash');
      tokens.push({ kind: 'one', accepts: (other) => other === literal });
    }
  }
  return tokens;
}

/** `[a-z_]`, `[!a]`, `[^a]`; a `]` that comes first and a `-` at an end mean themselves. `end` is the place of the closing bracket. */
function readSet(characters: readonly string[], start: number, refuse: Refuse): { accepts: (character: string) => boolean; end: number } {
  let at = start + 1;
  const negated = characters[at] === '!' || characters[at] === '^';
  if (negated) at++;
  const ranges: [number, number][] = [];
  const take = (): number => {
    if (characters[at] === '[' && ':.='.includes(characters[at + 1] ?? ' '))
      return refuse('has a class such as [:alpha:] in it; write the letters out');
    if (characters[at] === '\\') at++;
    const point = characters[at++]?.codePointAt(0);
    return point ?? refuse('opens a [ that is never closed in the same name');
  };
  for (const first = at; at === first || characters[at] !== ']';) {
    const low = take();
    let high = low;
    if (characters[at] === '-' && characters[at + 1] !== undefined && characters[at + 1] !== ']') {
      at++;
      high = take();
      if (high < low) return refuse(`has a range that runs backwards`);
    }
    ranges.push([low, high]);
  }
  return {
    accepts: (character) => {
      const point = character.codePointAt(0) ?? -1;
      return ranges.some(([low, high]) => low <= point && point <= high) !== negated;
    },
    end: at,
  };
}

const matchSegments = (segments: readonly Segment[], names: readonly string[]): boolean =>
  matchSequence(
    segments,
    names,
    (segment) => segment === 'globstar',
    (segment, name) =>
      segment !== 'globstar' && name !== '' && ('literal' in segment ? segment.literal === name : matchName(segment, name)),
  );

const matchName = (tokens: readonly Token[], name: string): boolean =>
  matchSequence(
    tokens,
    Array.from(name),
    (token) => token.kind === 'star',
    (token, character) => token.kind === 'one' && token.accepts(character),
  );

/** Matches wildcards against items: characters in a name, or names in a path. A wildcard matches any number of items. */
function matchSequence<P, T>(
  parts: readonly P[],
  things: readonly T[],
  isWild: (part: P) => boolean,
  accepts: (part: P, thing: T) => boolean,
): boolean {
  let part = 0;
  let thing = 0;
  let wild = -1;
  let resume = 0;
  while (thing < things.length) {
    const current = parts[part];
    if (current !== undefined && isWild(current)) {
      wild = part++;
      resume = thing;
    } else if (current !== undefined && accepts(current, things[thing] as T)) {
      part++;
      thing++;
    } else if (wild >= 0) {
      // The last wildcard takes one more item. Earlier ones need no retry: they matched as early as possible.
      part = wild + 1;
      thing = ++resume;
    } else return false;
  }
  return parts.slice(part).every(isWild);
}
