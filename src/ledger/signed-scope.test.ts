import { expect, test } from 'vitest';
import { mayBeScopeOf } from './signed-scope.ts';

const SIGNED: readonly { readonly cwd?: string; readonly paths: readonly string[]; readonly scope: readonly string[] }[] = [
  { paths: ['src/auth'], scope: ['src/auth/**'] },
  { paths: ['src/auth/'], scope: ['src/auth/**'] },
  { paths: ['README.md', 'src/**/*.md'], scope: ['README.md', 'src/**/*.md'] },
  { paths: ['new'], scope: ['new', 'new/**'] },
  { paths: ['.'], scope: ['**'] },
  { paths: ['..'], cwd: '/home/me/repo/src', scope: ['**'] },
  { paths: ['auth', '*.ts'], cwd: '/home/me/repo/src', scope: ['src/auth/**', 'src/*.ts'] },
  { paths: ['../docs/./a.md'], cwd: '/home/me/repo/src', scope: ['docs/a.md'] },
  { paths: ['/home/me/repo/src'], scope: ['src/**'] },
  { paths: ['app/[id]'], scope: ['app/\\[id\\]/**'] },
  { paths: ['app/\\[id\\]/*.ts'], scope: ['app/\\[id\\]/*.ts'] },
  { paths: ['**/*.ts/'], scope: ['**/*.ts/**'] },
  { paths: ['repo/src'], cwd: '/home/me/repo', scope: ['repo/src/**'] },
  // A link to somewhere else in the work tree.
  { paths: ['current'], scope: ['releases/5/**'] },
  { paths: ['current/*.ts'], scope: ['releases/5/*.ts'] },
];

const OTHER: typeof SIGNED = [
  { paths: ['src/auth'], scope: ['src/**'] },
  { paths: ['src/auth'], scope: ['**'] },
  { paths: ['src/auth'], scope: ['src/auth/**', '**'] },
  { paths: ['src/auth'], scope: [] },
  { paths: ['src/auth'], scope: ['src/auth*/**'] },
  { paths: ['src/*.ts'], scope: ['src/*'] },
  { paths: ['src/*.ts'], scope: ['*.ts'] },
  { paths: ['src/*.ts'], scope: ['src/**/*.ts'] },
  { paths: ['auth'], cwd: '/home/me/repo/src', scope: ['src/**'] },
];

test.each(SIGNED)('$paths may have become $scope', ({ paths, scope, cwd = '/home/me/repo' }) => {
  expect(mayBeScopeOf(scope, cwd, paths)).toBe(true);
});

test.each(OTHER)('$paths never became $scope', ({ paths, scope, cwd = '/home/me/repo' }) => {
  expect(mayBeScopeOf(scope, cwd, paths)).toBe(false);
});

test('what was signed in another form explains no scope', () => {
  expect([
    mayBeScopeOf(['src/**'], undefined, ['src']),
    mayBeScopeOf(['src/**'], '/r', 'src'),
    mayBeScopeOf(['src/**'], '/r', [1]),
  ]).toEqual([false, false, false]);
});
