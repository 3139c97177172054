import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { compileGlob } from './glob.ts';
import { escapeGlob } from '../protocol/index.ts';
import { scopeFromPath } from './scope-from-path.ts';
import { makeTree } from './tree.fixture.ts';

const project = { 'src/auth/login.ts': '', 'app/[id]/page.tsx': '', 'README.md': '' };

test('folders, files and globs become scopes', async () => {
  const root = makeTree(project);
  const scopes = async (cwd: string, ...args: string[]): Promise<string[]> =>
    Promise.all(args.map((argument) => scopeFromPath(root, argument, cwd)));
  expect(
    await scopes(root, 'src/auth', 'src/auth/', './src/auth/login.ts', 'src/*.ts', '**/*.md', '.', 'src/new/', 'src/new.ts', 'src/*/'),
  ).toEqual(['src/auth/**', 'src/auth/**', 'src/auth/login.ts', 'src/*.ts', '**/*.md', '**', 'src/new/**', 'src/new.ts', 'src/*/**']);
  expect(
    await scopes(join(root, 'src/auth'), 'login.ts', '*.ts', '../*.ts', '../../README.md', join(root, 'src'), join(root, 'src/*.ts')),
  ).toEqual(['src/auth/login.ts', 'src/auth/*.ts', 'src/*.ts', 'README.md', 'src/**', 'src/*.ts']);
});

test('a name with brackets that is really there means itself', async () => {
  const root = makeTree(project);
  expect(await scopeFromPath(root, 'app/[id]', root)).toBe('app/\\[id\\]/**');
  expect(await scopeFromPath(root, 'app/[id]/page.tsx', root)).toBe('app/\\[id\\]/page.tsx');
  expect(await scopeFromPath(root, 'app/\\[id\\]/*.tsx', root)).toBe('app/\\[id\\]/*.tsx');
  expect(await scopeFromPath(root, 'app/[ab]/page.tsx', root)).toBe('app/[ab]/page.tsx');
});

test('a link becomes the scope of the place that it leads to', async () => {
  const root = makeTree(project);
  symlinkSync('src/auth', join(root, 'here'));
  expect(await scopeFromPath(root, 'here', root)).toBe('src/auth/**');
  expect(await scopeFromPath(root, 'here/*.ts', root)).toBe('src/auth/*.ts');
});

verifies('I9', 'what leads outside the root is no scope', async () => {
  const root = makeTree(project);
  symlinkSync('/etc', join(root, 'out'));
  for (const argument of ['..', '../x', '/etc', '/', '/*', '../*.ts', 'out', 'out/*', '', 'src/*/../../..', '~/x']) {
    await expect(scopeFromPath(root, argument, root)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  }
  await expect(scopeFromPath(root, 'out/*', root)).rejects.toThrow('"out/*" cannot be a scope: it leads outside the work tree');
});

verifies('I9', 'an exclusion is refused with a sentence, and the whole root is a scope only if it is named', async () => {
  const root = makeTree(project);
  for (const argument of ['!src/secret/**', '!src/auth', '!*.ts'])
    await expect(scopeFromPath(root, argument, root)).rejects.toThrow('it begins with !, and a scope takes nothing away');
  for (const [argument, cwd] of [
    ['src/../**', '.'],
    ['src/..', '.'],
    ['src/../*', '.'],
    ['..', 'src'],
    ['../**', 'src'],
  ] as const)
    await expect(scopeFromPath(root, argument, join(root, cwd))).rejects.toThrow('it is the whole work tree by way of ..');
  expect([await scopeFromPath(root, '.', root), await scopeFromPath(root, '**', root), await scopeFromPath(root, root, root)]).toEqual([
    '**',
    '**',
    '**',
  ]);
  const odd = makeTree({ '!odd/a.ts': '' });
  expect(await scopeFromPath(odd, '!odd', odd)).toBe('\\!odd/**');
});

test('an escaped path covers itself and nothing next to it', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('a', '*', '?', '[', ']', '{', '}', '!', '(', '+', ',', '\\', '^', '-'), { minLength: 1, maxLength: 8 }),
      (characters) => {
        const path = characters.join('');
        const matches = compileGlob(escapeGlob(path));
        expect([matches(path), matches(`${path}a`), matches(`a${path}`)]).toEqual([true, false, false]);
      },
    ),
  );
});
