import { expect, test } from 'vitest';
import { makeCheck, makeCitation, makeClaim } from './claims.fixture.ts';
import { mayOverlap, pathInside } from './inside.ts';

test('a claim is inside by what it cites, what it checks and what it is about', () => {
  const globs = ['src/auth/**'];
  expect(pathInside(makeClaim({ citations: [makeCitation('src/auth/login.ts', 1, 'x')] }), globs)).toBe('cites src/auth/login.ts');
  expect(pathInside(makeClaim({ checks: [makeCheck({ type: 'file_exists', path: 'src/auth/a.ts' })] }), globs)).toBe(
    'is checked in src/auth/a.ts',
  );
  expect(pathInside(makeClaim({ scope: ['src/**'] }), globs)).toBe('is about src/**');
  expect(pathInside(makeClaim({ scope: ['docs/**'], citations: [makeCitation('docs/a.md', 1, 'x')] }), globs)).toBeNull();
  expect(pathInside(makeClaim(), globs)).toBeNull();
  expect(pathInside(makeClaim({ scope: ['src/**'] }), [])).toBeNull();
});

test('globs overlap when their fixed folders lie on one way', () => {
  const pairs: readonly (readonly [string, string, boolean])[] = [
    ['src/**', 'src/auth/*.ts', true],
    ['src/auth/login.ts', 'src/auth/login.ts', true],
    ['src/auth', 'src/auth/login.ts', false],
    ['src/auth/**', 'src/billing/**', false],
    ['**', 'docs/a.md', true],
  ];
  expect(pairs.map(([a, b]) => [a, b, mayOverlap(a, b)])).toEqual(pairs);
  expect(pairs.map(([a, b]) => [a, b, mayOverlap(b, a)])).toEqual(pairs);
});
