import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { excludeFromGit, removeExcludes } from './exclude.ts';
import { locateWorkspace } from './locate.ts';
import { git, makeTree } from './tree.fixture.ts';

const BEGIN = '# countersign begin: written by `countersign init`, removed by `countersign init --undo`';

test('the block is added once, extended, and taken out again without a trace', async () => {
  const root = makeTree({ '.orchestration/agent_trace.jsonl': '' });
  git(root, 'init');
  const path = join(root, '.git/info/exclude');
  writeFileSync(path, '# mine\n*.log\n');
  const workspace = await locateWorkspace(root);

  expect(await excludeFromGit(workspace, ['/.orchestration/agent_trace.jsonl'])).toBe(true);
  expect(await excludeFromGit(workspace, ['/.orchestration/agent_trace.jsonl'])).toBe(false);
  expect(git(root, 'status', '--porcelain')).toBe('');
  expect(await excludeFromGit(workspace, ['/.ai/tmp/'])).toBe(true);
  expect(readFileSync(path, 'utf8')).toBe(`# mine\n*.log\n${BEGIN}\n/.orchestration/agent_trace.jsonl\n/.ai/tmp/\n# countersign end\n`);

  writeFileSync(path, `${readFileSync(path, 'utf8')}later\n`);
  expect(await removeExcludes(workspace)).toBe(true);
  expect(await removeExcludes(workspace)).toBe(false);
  expect(readFileSync(path, 'utf8')).toBe('# mine\n*.log\nlater\n');
});

test('a missing file is made and removed again; a linked work tree uses the shared one', async () => {
  const root = makeTree({ 'main/x': '' });
  const main = join(root, 'main');
  git(main, 'init');
  git(main, 'add', '.');
  git(main, 'commit', '-m', 'one');
  git(main, 'worktree', 'add', '../side');
  rmSync(join(main, '.git/info'), { recursive: true });
  const side = await locateWorkspace(join(root, 'side'));
  expect(await excludeFromGit(side, ['view'])).toBe(true);
  writeFileSync(join(root, 'side/view'), '');
  expect(git(join(root, 'side'), 'status', '--porcelain')).toBe('');
  await removeExcludes(side);
  expect(existsSync(join(main, '.git/info/exclude'))).toBe(false);
});

test('without git there is nothing to do', async () => {
  const workspace = await locateWorkspace(makeTree());
  expect(await excludeFromGit(workspace, ['x'])).toBe(false);
  expect(await removeExcludes(workspace)).toBe(false);
});

test('a broken block, a link and a pattern of two lines are faults', async () => {
  const root = makeTree();
  git(root, 'init');
  const path = join(root, '.git/info/exclude');
  const workspace = await locateWorkspace(root);
  writeFileSync(path, `a\n${BEGIN}\nb\n`);
  await expect(excludeFromGit(workspace, ['x'])).rejects.toMatchObject({
    code: 'DOCUMENT_INVALID',
    message: `${path}:2: half of the block that countersign wrote is missing`,
  });
  await expect(excludeFromGit(workspace, ['x\ny'])).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  rmSync(path);
  symlinkSync(join(root, 'elsewhere'), path);
  await expect(excludeFromGit(workspace, ['x'])).rejects.toMatchObject({ code: 'DOCUMENT_INVALID' });
});
