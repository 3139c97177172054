import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { verifies } from '../../../test/verifies.ts';
import { openCodeIndex } from '../index.ts';
import { folder, openTree, write } from './tree.fixture.ts';

const git = (root: string, ...args: readonly string[]): void => void execFileSync('git', args, { cwd: root, stdio: 'pipe' });

verifies('G27', 'what git tracks is in, also where it is ignored by now; what is only ignored is not', async () => {
  const root = folder();
  git(root, 'init', '-q');
  write(root, {
    '.gitignore': '*.gen.ts\n/out/\n',
    '.git/info/exclude': 'mine.ts\n',
    'a.ts': 'export const a = 1;\n',
    'mine.ts': 'export const mine = 1;\n',
    'kept.gen.ts': 'export const kept = 1;\n',
    'lost.gen.ts': 'export const lost = 1;\n',
    'out/deep/kept.ts': 'export const deep = 1;\n',
    'out/deep/lost.ts': 'export const lost = 1;\n',
    'out/deep/.gitignore': '!lost.ts\n',
    'out/other/lost.ts': 'export const lost = 1;\n',
  });
  git(root, 'add', '-f', 'kept.gen.ts', 'out/deep/kept.ts', 'a.ts');
  const tree = openTree(root);
  await tree.ready();
  const programs = async () => (await tree.files()).map(({ path }) => path).filter((path) => path.endsWith('.ts'));
  expect(await programs()).toEqual(['a.ts', 'kept.gen.ts', 'out/deep/kept.ts']);
  write(root, { 'out/deep/kept.ts': 'export const renewed = 1;\n', 'out/deep/new.ts': 'export const lost = 1;\n' });
  await tree.refresh(['out/deep/kept.ts', 'out/deep/new.ts']);
  expect((await tree.definitions({ name: 'renewed' })).hits.map(({ path }) => path)).toEqual(['out/deep/kept.ts']);
  expect(await programs()).toEqual(['a.ts', 'kept.gen.ts', 'out/deep/kept.ts']);
  git(root, 'rm', '-q', '--cached', '-f', 'kept.gen.ts');
  await tree.refresh();
  expect(await programs()).toEqual(['a.ts', 'out/deep/kept.ts']);
});

verifies('G27', 'a work tree of its own goes by the index and the excludes of its repository', async () => {
  const main = folder();
  git(main, 'init', '-q');
  write(main, { '.gitignore': '*.gen.ts\n', 'kept.gen.ts': 'export const kept = 1;\n', '.git/info/exclude': 'mine.ts\n' });
  git(main, 'add', '-f', '.gitignore', 'kept.gen.ts');
  git(main, '-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'one');
  const root = join(folder(), 'second');
  git(main, 'worktree', 'add', '-q', root);
  write(root, { 'mine.ts': 'export const mine = 1;\n', 'lost.gen.ts': '' });
  const tree = openTree(root);
  await tree.ready();
  expect((await tree.files()).map(({ path }) => path)).toEqual(['.gitignore', 'kept.gen.ts']);
});

test('what the settings say is derived is left out, and comes back when they no longer say so', async () => {
  const root = folder();
  write(root, { 'a.ts': 'export const a = 1;\n', 'api/made.ts': 'export const made = 1;\n' });
  let derived: readonly string[] = ['api/**'];
  const index = openCodeIndex(undefined, { threads: 1, watch: true, pathsOf: async () => ({ derived, companions: {} }) });
  onTestFinished(() => index.close());
  const tree = index.tree(root);
  await tree.ready();
  const paths = async () => (await tree.files()).map(({ path }) => path);
  expect(await paths()).toEqual(['a.ts']);
  derived = [];
  await tree.refresh();
  expect(await paths()).toEqual(['a.ts', 'api/made.ts']);
  // Its folder is watched from then on.
  rmSync(join(root, 'api/made.ts'));
  write(root, { 'api/again.ts': 'export const again = 1;\n' });
  await expect.poll(paths, { timeout: 20_000 }).toEqual(['a.ts', 'api/again.ts']);
  derived = ['api/**'];
  await tree.refresh();
  expect(await paths()).toEqual(['a.ts']);
});
