import { expect, test } from 'vitest';
import { git, makeTree } from '../../workspace/tree.fixture.ts';
import { ignoredBuildOutput } from './build-output.ts';

test('folders that .gitignore names and a build fills; never secrets, notes, or a folder with tracked files', async () => {
  const ignored = '# made\nbuild/\n/web/out\n.env\nnotes/\nnode_modules/\ndist\n*.log\n!build/keep\nobj/\nbuild\n../out\n';
  const root = makeTree({ '.gitignore': ignored, 'obj/mesh.txt': '', 'build/a.js': '' });
  git(root, 'init');
  git(root, 'add', '--force', 'obj/mesh.txt');
  expect(await ignoredBuildOutput(root)).toEqual(['**/build/**', 'web/out/**']);
  expect(await ignoredBuildOutput(makeTree())).toEqual([]);
});
