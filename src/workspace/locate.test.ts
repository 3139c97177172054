import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { WorkspaceId } from '../protocol/index.ts';
import { locateWorkspace } from './locate.ts';
import { git, makeTree } from './tree.fixture.ts';

test('a plain folder is its own workspace, with the same id every time and through every name', async () => {
  const root = makeTree({ 'a/b/': '' });
  symlinkSync(join(root, 'a'), join(root, 'link'));
  const found = await locateWorkspace(join(root, 'a'));
  expect(found).toEqual({ id: found.id, root: join(root, 'a'), gitCommonDir: null });
  expect(WorkspaceId.parse(found.id)).toBe(found.id);
  expect(await locateWorkspace(join(root, 'link'))).toEqual(found);
  expect((await locateWorkspace(join(root, 'a/b'))).id).not.toBe(found.id);
});

test('a folder inside a repository belongs to the work tree', async () => {
  const root = makeTree({ 'src/deep/x.ts': '' });
  git(root, 'init');
  const found = await locateWorkspace(join(root, 'src/deep'));
  expect(found).toEqual({ id: found.id, root, gitCommonDir: join(root, '.git') });
});

test('linked work trees are roots of one workspace', async () => {
  const root = makeTree({ 'main/x': 'x' });
  const main = join(root, 'main');
  git(main, 'init');
  git(main, 'add', '.');
  git(main, 'commit', '-m', 'one');
  git(main, 'worktree', 'add', '../side');
  const [first, second] = [await locateWorkspace(main), await locateWorkspace(join(root, 'side'))];
  expect(second).toEqual({ id: first.id, root: join(root, 'side'), gitCommonDir: join(main, '.git') });
});

test('a submodule or separate git directory is found through the pointer file', async () => {
  const root = makeTree({ 'work/': '' });
  git(join(root, 'work'), 'init', '--separate-git-dir', '../elsewhere');
  const found = await locateWorkspace(join(root, 'work'));
  expect(found).toEqual({ id: found.id, root: join(root, 'work'), gitCommonDir: join(root, 'elsewhere') });
});

test('an empty .git folder is passed by, and a pointer that leads nowhere is a fault', async () => {
  const root = makeTree({ 'a/.git/': '' });
  expect((await locateWorkspace(join(root, 'a'))).gitCommonDir).toBe(null);
  rmSync(join(root, 'a/.git'), { recursive: true });
  writeFileSync(join(root, 'a/.git'), 'gitdir: /nowhere/at/all\n');
  await expect(locateWorkspace(join(root, 'a'))).rejects.toMatchObject({
    code: 'DOCUMENT_INVALID',
    message: `${join(root, 'a/.git')}:1: does not lead to a git directory`,
  });
});

test('a missing folder and a file are faults with a fix', async () => {
  const root = makeTree({ file: '' });
  await expect(locateWorkspace(join(root, 'none'))).rejects.toMatchObject({
    code: 'NOT_FOUND',
    fix: 'Name a folder that exists, or run the command inside one',
  });
  await expect(locateWorkspace(join(root, 'file'))).rejects.toMatchObject({
    code: 'NOT_FOUND',
    message: `"${join(root, 'file')}" is not a folder`,
  });
});

test("nothing that a repository's config names is run", async () => {
  const root = makeTree();
  git(root, 'init');
  const trap = join(root, 'trap');
  writeFileSync(join(root, 'run.sh'), `#!/bin/sh\ntouch ${trap}\n`, { mode: 0o755 });
  git(root, 'config', 'core.fsmonitor', join(root, 'run.sh'));
  mkdirSync(join(root, 'src'));
  await locateWorkspace(join(root, 'src'));
  expect(existsSync(trap)).toBe(false);
});
