import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { gitOnlyLooksFrom, gitRunsNoPrograms } from './git-programs.ts';

function repository(): { readonly root: string; readonly git: (...args: string[]) => void } {
  const root = mkdtempSync(join(tmpdir(), 'countersign-git-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const git = (...args: string[]) => void execFileSync('git', args, { cwd: root, stdio: 'ignore' });
  git('init', '--quiet');
  return { root, git };
}

test('an ordinary repository names none, with remotes and branches', () => {
  const { root, git } = repository();
  git('remote', 'add', 'origin', 'https://example.test/pager.git');
  git('config', 'branch.main.remote', 'origin');
  git('config', 'user.name', 'Ada');
  git('config', 'core.autocrlf', 'input');
  expect(gitRunsNoPrograms(root)).toBe(true);
});

test.each([
  ['core.fsmonitor', './monitor.sh'],
  ['core.pager', './pager.sh'],
  ['diff.external', './diff.sh'],
  ['diff.pdf.textconv', './show.sh'],
  ['filter.x.clean', './clean.sh'],
  ['alias.st', '!./run.sh'],
  ['include.path', '../more'],
  ['gpg.program', './gpg.sh'],
  ['core.hooksPath', 'hooks'],
  ['remote.origin.uploadpack', './pack.sh'],
  ['remote.origin.promisor', 'true'],
  ['extensions.partialClone', 'origin'],
])('%s does', (key, value) => {
  const { root, git } = repository();
  git('config', key, value);
  expect(gitRunsNoPrograms(root)).toBe(false);
});

test('capitals, spaces and one-line sections hide nothing', () => {
  const { root } = repository();
  appendFileSync(join(root, '.git/config'), '[ ALIAS] st = !x\n');
  expect(gitRunsNoPrograms(root)).toBe(false);
  const other = repository();
  appendFileSync(join(other.root, '.git/config'), '[core] fsMonitor = x\n');
  expect(gitRunsNoPrograms(other.root)).toBe(false);
});

test('linked work trees share the settings and may have more of their own; without git nothing is certain', () => {
  const { root, git } = repository();
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '--allow-empty', '--message', 'x');
  const linked = `${root}-linked`;
  onTestFinished(() => rmSync(linked, { recursive: true, force: true }));
  git('worktree', 'add', '--quiet', linked);
  expect(gitRunsNoPrograms(linked)).toBe(true);
  git('config', 'core.fsmonitor', './x');
  expect(gitRunsNoPrograms(linked)).toBe(false);
  const plain = mkdtempSync(join(tmpdir(), 'countersign-git-'));
  onTestFinished(() => rmSync(plain, { recursive: true, force: true }));
  expect(gitRunsNoPrograms(plain)).toBe(false);
  writeFileSync(join(plain, '.git'), 'nonsense');
  expect(gitRunsNoPrograms(plain)).toBe(false);
});

verifies('I11', 'a nested, bare, linked or gitlinked repository that names programs is not looked into', () => {
  const { root, git } = repository();
  const commit = (...args: string[]) =>
    git(...args, '-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '--allow-empty', '--message', 'x');
  mkdirSync(join(root, 'src/plain'), { recursive: true });
  commit();
  expect([gitOnlyLooksFrom(root, root), gitOnlyLooksFrom(join(root, 'src/plain'), root)]).toEqual([true, true]);

  git('init', '--quiet', '--bare', 'src/bare');
  git('init', '--quiet', 'src/nested');
  const other = repository();
  symlinkSync(other.root, join(root, 'src/link'));
  for (const folder of ['src/bare', 'src/bare/refs', 'src/nested', 'src/link', '..', 'src/missing'])
    expect([folder, gitOnlyLooksFrom(join(root, folder), root)]).toEqual([folder, false]);

  commit('-C', 'src/nested');
  git('add', 'src/nested');
  expect(gitOnlyLooksFrom(root, root)).toBe(true);
  git('-C', 'src/nested', 'config', 'core.fsmonitor', './monitor.sh');
  expect(gitOnlyLooksFrom(root, root)).toBe(false);
});
