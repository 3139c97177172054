import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { companionOf, governanceRule, inScope, NO_PATH_CONFIG } from '../workspace/index.ts';
import { type CommandAccess, readOnlyAccess, mayWrite, watchedPlaces, writingAccess } from './access.ts';

const FILES = [
  ...[
    'package.json',
    'package-lock.json',
    'README.md',
    'src/a.ts',
    'src/b.css',
    'lib/c.ts',
    'lib/__snapshots__/c.ts.snap',
    'node_modules/x/y.js',
  ],
  ...[
    'packages/web/package.json',
    'packages/web/src/page.ts',
    'packages/web/dist/page.js',
    '.ai/config/repo.json',
    'src/.claude/settings.json',
  ],
];

function access(scope: readonly string[], files: readonly string[] = FILES): CommandAccess {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-access-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const file of files) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), file);
  }
  symlinkSync('/etc', join(root, 'link'));
  return writingAccess({ root, gitCommonDir: null, scope, paths: NO_PATH_CONFIG, files });
}

const of = (all: CommandAccess, ...paths: string[]) => Object.fromEntries(paths.map((path) => [path, mayWrite(all, path)]));

test('the folder that a glob names in plain words is writable, apart from governance files', () => {
  const all = access(['src/**/*.ts']);
  expect(
    of(all, 'src/a.ts', 'src/b.css', 'src/new/x.ts', 'lib/c.ts', 'README.md', 'src/.claude/settings.json', '.ai/config/repo.json'),
  ).toEqual({
    'src/a.ts': true,
    'src/b.css': true,
    'src/new/x.ts': true,
    'lib/c.ts': false,
    'README.md': false,
    'src/.claude/settings.json': false,
    '.ai/config/repo.json': false,
  });
  expect([[...all.whole], [...all.pinned]]).toEqual([['src'], ['src']]);
});

test('new things can be made beside a manifest, and lockfiles and derived folders can be written', () => {
  const all = access([]);
  expect(
    of(
      all,
      'dist/a.js',
      'node_modules/x/y.js',
      'package-lock.json',
      'package.json',
      'packages/web/dist/a.js',
      'packages/web/new',
      'packages/new',
    ),
  ).toEqual({
    'dist/a.js': true,
    'node_modules/x/y.js': true,
    'package-lock.json': true,
    'package.json': false,
    'packages/web/dist/a.js': true,
    'packages/web/new': true,
    'packages/new': false,
  });
});

test('of a single file its folder is open, and the others in it are closed', () => {
  const all = access(['lib/c.ts', 'docs/deep/new.md']);
  expect(of(all, 'lib/c.ts', 'lib/d.ts', 'lib/__snapshots__/c.ts.snap', 'docs/deep/new.md', 'src/a.ts')).toEqual({
    'lib/c.ts': true,
    'lib/d.ts': true,
    'lib/__snapshots__/c.ts.snap': true,
    'docs/deep/new.md': true,
    'src/a.ts': false,
  });
  expect(watchedPlaces(all)).toEqual(
    new Set(['package-lock.json', 'node_modules', 'link', 'lib/c.ts', 'lib/__snapshots__/c.ts.snap', 'packages/web/dist']),
  );
});

test('a scope of everything is looked at whole, and keeps governance files', () => {
  const all = access(['**']);
  expect([watchedPlaces(all), of(all, 'README.md', 'packages/new', '.ai/config/repo.json', 'src/.claude/x')]).toEqual([
    undefined,
    { 'README.md': true, 'packages/new': true, '.ai/config/repo.json': false, 'src/.claude/x': false },
  ]);
});

test('a folder with more in it than there are mounts is not opened; what may be written in it still can be', () => {
  const all = access(['package.json'], [...FILES, ...Array.from({ length: 400 }, (_, at) => `page-${at}.md`)]);
  expect(of(all, 'package.json', 'package-lock.json', 'node_modules/x', 'new.md', 'page-7.md')).toEqual({
    'package.json': true,
    'package-lock.json': true,
    'node_modules/x': true,
    'new.md': false,
    'page-7.md': false,
  });
  expect(all.closed.size).toBeLessThan(300);
});

test('what exists is writable exactly where the scope, or a folder that it names, covers it', () => {
  const name = fc.constantFrom('src', 'lib', 'a.ts', 'b', 'package.json', 'package-lock.json', '.claude', 'node_modules', 'x[1]');
  const file = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => `${names.join('/')}/f.ts`);
  const glob = fc
    .tuple(fc.array(name, { maxLength: 2 }), fc.constantFrom('**', '*.ts', 'f.ts', 'new/**'))
    .map(([names, end]) => [...names, end].join('/'));
  fc.assert(
    fc.property(fc.uniqueArray(file, { maxLength: 12 }), fc.array(glob, { maxLength: 3 }), (files, scope) => {
      const all = access(scope, files);
      for (const each of files) {
        const governed = governanceRule(each) !== null;
        const covered = inScope(scope, each, NO_PATH_CONFIG) !== null;
        const nearby =
          companionOf(each, NO_PATH_CONFIG) !== null || [...all.whole].some((folder) => folder === '' || each.startsWith(`${folder}/`));
        // A dependency folder inside a closed folder stays closed.
        if (mayWrite(all, each)) expect([each, !governed && (covered || nearby)]).toEqual([each, true]);
        else if (!governed && covered) expect([each, inScope(scope, each, NO_PATH_CONFIG)?.by]).toEqual([each, 'derived']);
      }
    }),
    { numRuns: 60 },
  );
});

test('a command that looks may write nothing', () => {
  const all = readOnlyAccess('/somewhere', '/somewhere/.git');
  expect([of(all, 'a', ''), all.beside, all.hidden]).toEqual([
    { a: false, '': false },
    [{ place: '/somewhere/.git', writable: false }],
    ['/somewhere/.ai/auth'],
  ]);
});
