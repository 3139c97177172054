import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { locateWorkspace } from './locate.ts';
import { headRevision } from './revision.ts';
import { git, makeTree } from './tree.fixture.ts';

const revisionIn = async (dir: string): Promise<string | null> => headRevision((await locateWorkspace(dir)).root);

function repository(): string {
  const root = makeTree({ 'main/x': 'x' });
  const main = join(root, 'main');
  git(main, 'init');
  git(main, 'add', '.');
  git(main, 'commit', '-m', 'one');
  return main;
}

test('a plain folder and a branch without a commit have no revision', async () => {
  const root = makeTree({ 'plain/': '', 'unborn/': '' });
  git(join(root, 'unborn'), 'init');
  expect(await revisionIn(join(root, 'plain'))).toBe(null);
  expect(await revisionIn(join(root, 'unborn'))).toBe(null);
});

verifies('I4', 'the revision is what git says: on a branch, detached, packed, and in a linked work tree', async () => {
  const main = repository();
  expect(await revisionIn(main)).toBe(git(main, 'rev-parse', 'HEAD'));

  git(main, 'pack-refs', '--all');
  expect(await revisionIn(main)).toBe(git(main, 'rev-parse', 'HEAD'));

  git(main, 'worktree', 'add', '-b', 'topic/side', '../side');
  const side = join(main, '../side');
  git(side, 'commit', '--allow-empty', '-m', 'two');
  expect(await revisionIn(side)).toBe(git(side, 'rev-parse', 'HEAD'));
  expect(await revisionIn(side)).not.toBe(await revisionIn(main));

  git(side, 'checkout', '--detach', 'main');
  expect(await revisionIn(side)).toBe(git(main, 'rev-parse', 'main'));
});

test('a HEAD that names a file elsewhere, runs in a circle or is a FIFO gives no revision and does not hang', async () => {
  const main = repository();
  const head = join(main, '.git/HEAD');
  const workspace = await locateWorkspace(main);
  writeFileSync(join(main, 'planted'), 'a'.repeat(40));
  writeFileSync(head, 'ref: refs/../../planted\n');
  expect(await headRevision(workspace.root)).toBe(null);
  writeFileSync(join(main, '.git/refs/heads/loop'), 'ref: refs/heads/loop\n');
  writeFileSync(head, 'ref: refs/heads/loop\n');
  expect(await headRevision(workspace.root)).toBe(null);
  rmSync(head);
  execFileSync('mkfifo', [head]);
  expect(await headRevision(workspace.root)).toBe(null);
});
