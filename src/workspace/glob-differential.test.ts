// Our matcher against minimatch, over the whole syntax that ours reads. What ours refuses is not compared.

import fc from 'fast-check';
import { Minimatch } from 'minimatch';
import { expect } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { Fault } from '../protocol/index.ts';
import { compileGlob } from './glob.ts';

/** The settings under which both mean the same: names that begin with a dot are nothing special, and there are no extended globs. */
const theirs = (pattern: string): Minimatch =>
  new Minimatch(pattern, { dot: true, noext: true, nonegate: true, nocomment: true, platform: 'linux', braceExpandMax: 10_000 });

function ours(pattern: string): ((path: string) => boolean) | null {
  try {
    return compileGlob(pattern);
  } catch (error) {
    if (error instanceof Fault) return null;
    throw error;
  }
}

const joined = (parts: fc.Arbitrary<string>, least: number, most: number): fc.Arbitrary<string> =>
  fc.array(parts, { minLength: least, maxLength: most }).map((all) => all.join(''));

const letter = fc.constantFrom('a', 'b', 'c', 'A', '.', '-', '_', ' ', 'é', '1', '+', '@', '(', ')', '|', '$');
const member = fc.constantFrom('a', 'b', 'c', 'A', '.', '-', '1', 'a-c', 'b-c', '1-3', 'A-Z', '\\]', '\\-', '\\a');
const set = fc.tuple(fc.constantFrom('', '!', '^'), joined(member, 1, 3)).map(([negation, members]) => `[${negation}${members}]`);
// Not a backslash itself: beside braces minimatch takes it away twice, and no path of ours has one.
const escaped = fc.constantFrom('\\*', '\\?', '\\[', '\\]', '\\{', '\\}', '\\a', '\\,', '\\!');
const wild = fc.constantFrom('*', '?', '**', '***');
const { name } = fc.letrec<{ name: string; part: string; brace: string }>((tie) => ({
  name: joined(tie('part'), 1, 4),
  part: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    { weight: 6, arbitrary: letter },
    { weight: 2, arbitrary: wild },
    { weight: 2, arbitrary: set },
    { weight: 1, arbitrary: escaped },
    { weight: 2, arbitrary: tie('brace') },
  ),
  brace: fc
    .array(fc.oneof({ weight: 4, arbitrary: tie('name') }, { weight: 1, arbitrary: fc.constantFrom('', 'a/b', '**', 'a/**', '*/c') }), {
      minLength: 2,
      maxLength: 3,
    })
    .map((parts) => `{${parts.join(',')}}`),
}));
const patterns = fc
  .array(fc.oneof({ weight: 4, arbitrary: name }, { weight: 1, arbitrary: fc.constant('**') }), { minLength: 1, maxLength: 4 })
  .map((names) => names.join('/'));

const someName = joined(
  fc.constantFrom('a', 'b', 'c', 'A', '.', '-', 'é', '1', '*', '[', ']', '{', '}', ',', '!', ' ', '+', '('),
  1,
  4,
).filter((each) => each !== '.' && each !== '..');
const somePath = fc.array(someName, { minLength: 1, maxLength: 5 }).map((names) => names.join('/'));

/** A path that the pattern might well cover: its own letters, with something in place of what is wild. */
const nearPath = (pattern: string): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom('a', 'b', 'c', 'ab', '.', 'a/b', ''), { minLength: 8, maxLength: 8 }).map((fillings) => {
    let next = 0;
    const fill = (): string => fillings[next++ % fillings.length] ?? '';
    return pattern
      .replaceAll(/\\(.)/g, '$1')
      .replaceAll(/\{([^{},]*)[^{}]*\}/g, '$1')
      .replaceAll(/\[[!^]?(.)[^\]]*\]/g, '$1')
      .replaceAll(/\*+|\?/g, fill);
  });

verifies('I9', 'a scope covers what minimatch says it covers', () => {
  let compared = 0;
  let covered = 0;
  fc.assert(
    fc.property(
      patterns.chain((pattern) =>
        fc.tuple(fc.constant(pattern), fc.array(fc.oneof(somePath, nearPath(pattern)), { minLength: 4, maxLength: 8 })),
      ),
      ([pattern, paths]) => {
        const matches = ours(pattern);
        if (!matches) return;
        const reference = theirs(pattern);
        for (const path of paths.filter((each) => !each.split('/').some((part) => ['', '.', '..'].includes(part)))) {
          const answer = matches(path);
          expect({ pattern, path, covered: answer }).toEqual({ pattern, path, covered: reference.match(path) });
          compared++;
          if (answer) covered++;
        }
      },
    ),
    { numRuns: 4000 },
  );
  // A generator that makes only refused patterns, or only paths that lie elsewhere, would show nothing.
  expect([compared > 5000, covered > 500]).toEqual([true, true]);
});

verifies('I9', 'a hostile pattern is refused, or decided in proportion to pattern times path', () => {
  const piece = fc.constantFrom('*', '?', '**', 'a', '*a', '[a-z]', '[!b]', '{a,*a}', '{*,**}', '/', '/**/', '\\a', '{', '}', '[', ',');
  const hostile = fc.tuple(
    fc.array(piece, { minLength: 1, maxLength: 6 }),
    fc.integer({ min: 1, max: 60 }),
    fc.array(piece, { maxLength: 3 }),
  );
  const deep = Array.from({ length: 40 }, () => 'a'.repeat(40)).join('/');
  fc.assert(
    fc.property(hostile, ([unit, times, tail]) => {
      const matches = ours(unit.join('').repeat(times) + tail.join(''));
      // A matcher with more than linear time would not finish this.
      if (matches)
        for (const path of ['a'.repeat(1000), `${'a'.repeat(1000)}b`, deep, `${deep}/b`]) expect(typeof matches(path)).toBe('boolean');
    }),
    { numRuns: 1000 },
  );
});
