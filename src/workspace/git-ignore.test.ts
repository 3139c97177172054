import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { type IgnoreRules, isIgnored, parseIgnore } from './git-ignore.ts';

/** As a walk asks: a folder that is ignored is not entered. */
function ignoredByUs(files: Readonly<Record<string, string>>, path: string): boolean {
  const names = path.split('/');
  const rules: IgnoreRules[] = [];
  for (let depth = 0; depth < names.length; depth++) {
    const folder = names.slice(0, depth).join('/');
    const text = files[folder === '' ? '.gitignore' : `${folder}/.gitignore`];
    if (text !== undefined) rules.push(parseIgnore(text, folder));
    if (isIgnored(rules, names.slice(0, depth + 1).join('/'), depth < names.length - 1)) return true;
  }
  return false;
}

function repository(): string {
  const root = mkdtempSync(join(tmpdir(), 'git-ignore-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  execFileSync('git', ['init', '-q', root]);
  return root;
}

/** Git's own answer for files that are there. */
function ignoredByGit(root: string, paths: readonly string[]): ReadonlySet<string> {
  // It ends with 1 when nothing is ignored.
  const { stdout } = spawnSync(
    'git',
    ['-C', root, '-c', 'core.excludesFile=/dev/null', 'check-ignore', '--no-index', '--stdin', '-z', '-v', '-n'],
    {
      input: paths.map((path) => `${path}\0`).join(''),
    },
  );
  const found = new Set<string>();
  const parts = stdout.toString().split('\0');
  for (let at = 0; at + 3 < parts.length; at += 4) if (parts[at + 2] !== '' && !parts[at + 2]!.startsWith('!')) found.add(parts[at + 3]!);
  return found;
}

const PATHS = [
  'a', 'b', 'ab', 'aab', 'a.log', 'b.log', 'x/a', 'x/b', 'x/a.log', 'x/y/a', 'x/y/b', 'x/y/z/a', 'x/y/z/b.log', 'y/x/a', 'y/a/b', 'dist/a', 'dist/b/a', 'x/dist/a', '#a', '!a', 'a b', 'é', 'x/[a]', '-', 'x/A',
]; // prettier-ignore

function place(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

/** `a` is a file in some of the paths and a folder in others: those that can be there together. */
const placed = PATHS.filter((path) => !PATHS.some((other) => other.startsWith(`${path}/`)));

test('the forms that people write mean what git takes them for', () => {
  const files = {
    '.gitignore': '# comment\n*.log\n!b.log\n/dist/\nx/y/\n\\#a\n\\!a\na\\ b  \n**/z\n[[:upper:]]\n',
    'x/.gitignore': '!a.log\nb\n/dist\n',
  };
  const root = repository();
  place(root, Object.fromEntries(placed.map((path) => [path, ''])));
  place(root, files);
  expect(placed.filter((path) => ignoredByUs(files, path))).toEqual([...ignoredByGit(root, placed)]);
});

verifies('G27', 'what is ignored is what git ignores', () => {
  const root = repository();
  place(root, Object.fromEntries(placed.map((path) => [path, ''])));
  // Not `a**`: git takes the stars for a `**` of their own when no wildcard precedes them, and otherwise for one star.
  const part = fc.constantFrom(
    'a',
    'b',
    'x',
    'y',
    'z',
    'dist',
    '*',
    '**',
    '?',
    '*.log',
    '[ab]',
    '[!a]',
    '[a-z]',
    '[[:alpha:]]',
    'a*',
    '*b',
    '\\a',
    'A',
    '***',
    '[]a]',
    '[^b]',
  );
  const line = fc
    .tuple(
      fc.constantFrom('', '!', '/', '!/', '**/'),
      fc.array(part, { minLength: 1, maxLength: 3 }),
      fc.constantFrom('', '/', '/**', ' ', '\\ ', '/*'),
    )
    .map(([before, parts, after]) => `${before}${parts.join('/')}${after}`);
  const text = fc.array(line, { minLength: 1, maxLength: 5 }).map((lines) => `${lines.join('\n')}\n`);
  fc.assert(
    fc.property(text, fc.option(text, { nil: '' }), fc.option(text, { nil: '' }), (top, inner, deep) => {
      const files = { '.gitignore': top, 'x/.gitignore': inner, 'x/y/.gitignore': deep };
      place(root, files);
      const byGit = ignoredByGit(root, placed);
      expect(placed.filter((path) => ignoredByUs(files, path))).toEqual(placed.filter((path) => byGit.has(path)));
    }),
    { numRuns: 150 },
  );
});
