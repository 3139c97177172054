import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { gitRunsNoPrograms } from './git-programs.ts';

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
