// What git ignores, from the text of .gitignore files. Git is not started.
//
// INVARIANT: matching takes time in proportion to pattern times name: only the last star of a name is ever tried again, and only
// the last `**` of a path.

/** `rules` of the files above a path, the outermost first: the last pattern that matches decides. */
export interface IgnoreRules {
  /** The folder that the file lies in, relative to the root; `''` is the root. */
  readonly folder: string;
  readonly patterns: readonly IgnorePattern[];
  /** Without the patterns for folders: there are far more files than folders to check. */
  readonly forFiles: readonly IgnorePattern[];
}

interface IgnorePattern {
  readonly negated: boolean;
  readonly foldersOnly: boolean;
  /** Compared with the name alone, at every depth; otherwise with the path from the folder. */
  readonly anywhere: boolean;
  /** The first segment if it has no wildcards, else null: comparing it settles nearly every path. */
  readonly first: string | null;
  readonly segments: readonly Segment[];
}

type Segment = 'globstar' | { readonly literal: string } | readonly Token[];
type Token = 'star' | { readonly accepts: (character: string) => boolean };

/** Git compares bytes: a letter with an accent is two characters to `?`. */
const bytesOf = (text: string): string => (/^[\x00-\x7f]*$/.test(text) ? text : Buffer.from(text).toString('latin1'));

export function parseIgnore(text: string, folder: string): IgnoreRules {
  const patterns = bytesOf(text)
    .replace(/^\xef\xbb\xbf/, '')
    .split('\n')
    .flatMap(parseLine);
  return { folder, patterns, forFiles: patterns.filter(({ foldersOnly }) => !foldersOnly) };
}

function parseLine(given: string): readonly IgnorePattern[] {
  let line = given.replace(/\r$/, '');
  if (line === '' || line.startsWith('#')) return [];
  line = withoutTrailingSpaces(line);
  const negated = line.startsWith('!');
  if (negated) line = line.slice(1);
  // A trailing slash makes it about folders; git takes off one.
  const foldersOnly = line.endsWith('/');
  if (foldersOnly) line = line.slice(0, -1);
  if (line === '') return [];
  const anywhere = !line.includes('/');
  const names = (line.startsWith('/') ? line.slice(1) : line).split('/');
  const segments = names.map(parseSegment);
  // A pattern that cannot be read matches nothing.
  if (segments.includes(null)) return [];
  const [first] = segments;
  const literal = typeof first === 'object' && first !== null && 'literal' in first ? first.literal : null;
  return [{ negated, foldersOnly, anywhere, first: literal, segments: segments as readonly Segment[] }];
}

/** Spaces count only after a backslash. */
function withoutTrailingSpaces(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === ' ') {
    let slashes = 0;
    while (line[end - 2 - slashes] === '\\') slashes++;
    if (slashes % 2 === 1) break;
    end--;
  }
  return line.slice(0, end);
}

function parseSegment(name: string): Segment | null {
  if (/^\*{2,}$/.test(name)) return 'globstar';
  if (!/[*?[\\]/.test(name)) return { literal: name };
  const tokens: Token[] = [];
  const characters = name.split('');
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at]!;
    if (character === '*') {
      if (tokens.at(-1) !== 'star') tokens.push('star');
    } else if (character === '?') tokens.push({ accepts: () => true });
    else if (character === '\\') {
      const next = characters[++at];
      if (next === undefined) return null;
      tokens.push({ accepts: (other) => other === next });
    } else if (character === '[') {
      const parsed = parseClass(characters, at);
      if (parsed === null) return null;
      tokens.push({ accepts: parsed.accepts });
      at = parsed.end;
    } else tokens.push({ accepts: (other) => other === character });
  }
  return tokens;
}

const CLASSES: Readonly<Record<string, RegExp>> = {
  alnum: /[A-Za-z0-9]/,
  alpha: /[A-Za-z]/,
  blank: /[ \t]/,
  cntrl: /[\x00-\x1f\x7f]/,
  digit: /[0-9]/,
  graph: /[\x21-\x7e]/,
  lower: /[a-z]/,
  print: /[\x20-\x7e]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /[\s\v]/,
  upper: /[A-Z]/,
  xdigit: /[0-9A-Fa-f]/,
};

/** `[a-z]`, `[!a]`, `[[:digit:]]`; null when it does not end. */
function parseClass(characters: readonly string[], start: number): { accepts: (character: string) => boolean; end: number } | null {
  let at = start + 1;
  const isNegated = characters[at] === '!' || characters[at] === '^';
  if (isNegated) at++;
  const tests: ((character: string) => boolean)[] = [];
  let previous: string | null = null;
  for (let first = true; first || characters[at] !== ']'; first = false, at++) {
    let character = characters[at];
    if (character === undefined) return null;
    if (character === '[' && characters[at + 1] === ':') {
      const end = characters.indexOf(']', at + 2);
      if (end < 0) return null;
      if (characters[end - 1] === ':' && end - 1 > at + 1) {
        const known = CLASSES[characters.slice(at + 2, end - 1).join('')];
        if (!known) return null;
        tests.push((other) => known.test(other));
        at = end;
        previous = null;
        continue;
      }
    }
    if (character === '-' && previous !== null && characters[at + 1] !== undefined && characters[at + 1] !== ']') {
      let last = characters[++at]!;
      if (last === '\\') {
        last = characters[++at]!;
        if (last === undefined) return null;
      }
      const from = previous;
      tests.push((other) => from <= other && other <= last);
      previous = null;
      continue;
    }
    if (character === '\\') {
      character = characters[++at];
      if (character === undefined) return null;
    }
    const one = character;
    tests.push((other) => other === one);
    previous = one;
  }
  return { accepts: (character) => tests.some((test) => test(character)) !== isNegated, end: at };
}

/** Of a path whose folders above are not ignored. */
export function isIgnored(rules: readonly IgnoreRules[], given: string, isFolder: boolean): boolean {
  const path = bytesOf(given);
  const name = path.slice(path.lastIndexOf('/') + 1);
  for (let at = rules.length - 1; at >= 0; at--) {
    const { folder, patterns, forFiles } = rules[at]!;
    const start = folder === '' ? 0 : bytesOf(folder).length + 1;
    let names: readonly string[] | null = null;
    const asked = isFolder ? patterns : forFiles;
    for (let last = asked.length - 1; last >= 0; last--) {
      const { segments, anywhere, first, negated } = asked[last]!;
      if (first !== null && (anywhere ? first !== name : !path.startsWith(first, start))) continue;
      if (!anywhere) names ??= path.slice(start).split('/');
      if (anywhere ? matchesName(segments[0]!, name) : matchesPath(segments, names!)) return !negated;
    }
  }
  return false;
}

function matchesPath(segments: readonly Segment[], names: readonly string[]): boolean {
  let segment = 0;
  let name = 0;
  let star = -1;
  let retry = 0;
  while (name < names.length) {
    const current = segments[segment];
    if (current === 'globstar') {
      // At the end it means everything inside, and never the folder itself.
      if (segment === segments.length - 1) return true;
      star = segment++;
      retry = name;
    } else if (current !== undefined && matchesName(current, names[name]!)) {
      segment++;
      name++;
    } else if (star >= 0) {
      segment = star + 1;
      name = ++retry;
    } else return false;
  }
  return segment === segments.length;
}

function matchesName(segment: Segment, name: string): boolean {
  if (segment === 'globstar') return true;
  if ('literal' in segment) return segment.literal === name;
  const characters = name;
  let token = 0;
  let at = 0;
  let star = -1;
  let retry = 0;
  while (at < characters.length) {
    const current = segment[token];
    if (current === 'star') {
      star = token++;
      retry = at;
    } else if (current !== undefined && current.accepts(characters[at]!)) {
      token++;
      at++;
    } else if (star >= 0) {
      token = star + 1;
      at = ++retry;
    } else return false;
  }
  while (segment[token] === 'star') token++;
  return token === segment.length;
}
