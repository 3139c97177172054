import fc from 'fast-check';
import { expect, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { compileGlob, coveringGlob, GLOB_LIMITS } from './glob.ts';

const cases: readonly [pattern: string, covered: readonly string[], left: readonly string[]][] = [
  ['src/**', ['src/a.ts', 'src/deep/er/b.ts', 'src/.env', 'src/.git/x'], ['src', 'src-evil/a.ts', 'SRC/a.ts', 'lib/src/a.ts', '']],
  ['**', ['a', '.env', 'a/b/c'], ['']],
  ['src/*.ts', ['src/a.ts', 'src/.ts'], ['src/deep/a.ts', 'src/a.tsx', 'a.ts']],
  ['**/*.md', ['a.md', 'docs/x/a.md'], ['a.mdx', 'docs/a.md/x']],
  ['a/**/b', ['a/b', 'a/x/y/b'], ['a/x/bb', 'ab']],
  ['src/?.ts', ['src/a.ts', 'src/\u{1f600}.ts'], ['src/ab.ts', 'src/.ts.ts']],
  ['[a-c][!x]', ['ab', 'c!'], ['ax', 'db', 'a', 'a/']],
  ['[]a-]x', [']x', '-x', 'ax'], ['bx']],
  ['[^a]', ['b'], ['a']],
  ['{src,lib}/{a,b}.ts', ['src/a.ts', 'lib/b.ts'], ['src/c.ts', '{src,lib}/a.ts']],
  ['a{,.test}.ts', ['a.ts', 'a.test.ts'], ['a.spec.ts']],
  ['{a,{b,c}d}', ['a', 'bd', 'cd'], ['ad', 'b']],
  ['app/\\[id\\]/\\*', ['app/[id]/*'], ['app/i/*', 'app/[id]/x']],
  ['app/(shop)/page.tsx', ['app/(shop)/page.tsx'], []],
  ['a**b', ['ab', 'axxb'], ['a/b']],
];

test('what each form covers and leaves', () => {
  for (const [pattern, covered, left] of cases) {
    const matches = compileGlob(pattern);
    expect([pattern, covered.filter((path) => !matches(path)), left.filter((path) => matches(path))]).toEqual([pattern, [], []]);
  }
});

test('an unclear pattern is refused with its reason', () => {
  const refused: Record<string, string> = {
    '': 'is empty',
    '/etc/**': 'is absolute; it has to be relative to the root',
    'C:/x': 'is absolute; it has to be relative to the root',
    'src/../x': 'has .. in it',
    './src': 'has . in it',
    'src//x': 'has an empty name between two slashes',
    'src/': 'ends with a slash; a folder and all below it is written with /** at the end',
    '!src/**': 'begins with !; a scope says what is covered and takes nothing away',
    'src/!(a)': 'has !( in it; extended globs are not read',
    'src/[a': 'opens a [ that is never closed in the same name',
    'src/[a/b]': 'opens a [ that is never closed in the same name',
    'src/[z-a]': 'has a range that runs backwards',
    'src/[[:alpha:]]': 'has a class such as [:alpha:] in it; write the letters out',
    'src/{a,b': 'opens a { that is never closed',
    'src/${a,b}': 'has ${ in it, which shells take for a variable',
    'src/{a}': 'has braces without a comma between them',
    'src/a\\': 'ends in a backslash or has one before a slash',
    'src/\ud800': 'is not valid unicode',
  };
  for (const [pattern, why] of Object.entries(refused)) {
    expect(() => compileGlob(pattern)).toThrow(
      expect.objectContaining({ code: 'BAD_REQUEST', message: `The glob ${JSON.stringify(pattern)} ${why}` }),
    );
  }
  expect(() => compileGlob('a'.repeat(GLOB_LIMITS.characters + 1))).toThrow('is longer than 1024 characters');
  expect(() => compileGlob('a/'.repeat(GLOB_LIMITS.segments) + 'b')).toThrow('has more than 64 names');
  expect(() => compileGlob('{a,b}'.repeat(9))).toThrow('has more than 256 alternatives');
  expect(() => compileGlob('{a,b}'.repeat(200))).toThrow('has more than 256 alternatives');
});

verifies('I9', 'composed and decomposed unicode are one path to a scope, case is not', () => {
  expect(compileGlob('caf\u00e9/**')('cafe\u0301/x')).toBe(true);
  expect(compileGlob('cafe\u0301/**')('caf\u00e9/x')).toBe(true);
  expect(compileGlob('?')('e\u0301')).toBe(true);
  expect(compileGlob('src/**')('Src/x')).toBe(false);
});

verifies('I9', 'patterns made to blow up are decided in few steps', () => {
  const names = Array.from({ length: 100 }, () => 'a').join('/');
  // A matcher that retries every star would not finish in a lifetime.
  expect(compileGlob('*a'.repeat(40) + 'b')('a'.repeat(200))).toBe(false);
  expect(compileGlob('**/a/'.repeat(30) + 'b')(names)).toBe(false);
  expect(compileGlob('{*a,*b}'.repeat(8) + 'c')('ab'.repeat(100))).toBe(false);
  expect(compileGlob('**/*a*a*a*a*a*a*a*a*b')(Array.from({ length: 20 }, () => 'a'.repeat(200)).join('/'))).toBe(false);
});

test('coveringGlob names the first that covers', () => {
  expect(coveringGlob(['docs/**', 'src/**', '**'], 'src/a.ts')).toBe('src/**');
  expect(coveringGlob(['docs/**'], 'src/a.ts')).toBe(null);
  expect(coveringGlob([], 'src/a.ts')).toBe(null);
});

/** The meaning of a glob, by brute force. */
function naive(pattern: string, path: string): boolean {
  const name = (glob: string, text: string): boolean => {
    if (glob === '') return text === '';
    if (glob.startsWith('*')) return name(glob.slice(1), text) || (text !== '' && name(glob, text.slice(1)));
    if (text === '') return false;
    const set = /^\[(!?)(.)-(.)\]/.exec(glob);
    if (set) return (set[2]! <= text[0]! && text[0]! <= set[3]!) !== (set[1] === '!') && name(glob.slice(set[0].length), text.slice(1));
    return (glob[0] === '?' || glob[0] === text[0]) && name(glob.slice(1), text.slice(1));
  };
  const names = (globs: readonly string[], texts: readonly string[]): boolean => {
    if (globs.length === 0) return texts.length === 0;
    if (globs[0] === '**')
      return globs.length === 1 ? texts.length > 0 : names(globs.slice(1), texts) || (texts.length > 0 && names(globs, texts.slice(1)));
    return texts.length > 0 && name(globs[0]!, texts[0]!) && names(globs.slice(1), texts.slice(1));
  };
  const brace = /\{([^{}]*)\}/.exec(pattern);
  if (brace) return brace[1]!.split(',').some((part) => naive(pattern.replace(brace[0], part), path));
  return names(pattern.split('/'), path.split('/'));
}

const part = fc.constantFrom('a', 'b', 'c', '?', '*', '[a-b]', '[!a-b]', '{a,bc}', '{b,*c}');
const segment = fc.oneof(
  { weight: 4, arbitrary: fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('')) },
  { weight: 1, arbitrary: fc.constant('**') },
);
const patterns = fc
  .array(segment, { minLength: 1, maxLength: 5 })
  .map((segments) => segments.join('/'))
  .filter((pattern) => pattern.split('{').length <= 8);
const pathsOf = (letters: string) =>
  fc
    .array(
      fc.array(fc.constantFrom(...letters.split('')), { minLength: 1, maxLength: 5 }).map((name) => name.join('')),
      { minLength: 1, maxLength: 5 },
    )
    .map((names) => names.join('/'));

test('agrees with a reference that tries everything', () => {
  fc.assert(
    fc.property(patterns, pathsOf('abc.'), (pattern, path) => {
      expect(compileGlob(pattern)(path)).toBe(naive(pattern, path));
    }),
    { numRuns: 5000 },
  );
});
