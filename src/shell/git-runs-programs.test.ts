// A repository's config can name programs that git runs. This repository names one wherever git allows it.

import { spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { readCommand } from './read-command.ts';
import { findWalls } from './real-shell.fixture.ts';
import { SAFE_RULES } from './safe-rules.ts';

const scratch = mkdtempSync(join(tmpdir(), 'git-helpers-'));
const root = join(scratch, 'work');
const marker = join(scratch, 'ran');
const helper = join(scratch, 'helper.sh');
const ABSENT = '1'.repeat(40);

const walls = findWalls(scratch);

function run(command: string): void {
  const [bwrap, ...rest] = walls!;
  const env = ['--setenv', 'PATH', '/usr/bin:/bin', '--setenv', 'HOME', scratch, '--chdir', root];
  spawnSync(bwrap!, [...rest, ...env, 'bash', '-c', command], { timeout: 10_000, stdio: 'ignore' });
}

beforeAll(() => {
  if (walls === null) return;
  mkdirSync(join(root, 'sub'), { recursive: true });
  writeFileSync(helper, `#!/bin/sh\necho ran >> '${marker}'\n`);
  chmodSync(helper, 0o755);
  writeFileSync(join(root, 'a.txt'), 'one\n');
  run('git init -q . && git -c user.name=a -c user.email=a@x.test add . && git -c user.name=a -c user.email=a@x.test commit -qm one');
  const keys = [
    'core.pager',
    'core.fsmonitor',
    'diff.external',
    'diff.x.textconv',
    'diff.x.command',
    'filter.x.clean',
    'filter.x.smudge',
    'gpg.program',
    'core.sshCommand',
    'core.editor',
    'core.askPass',
    'credential.helper',
    'remote.origin.uploadpack',
    'pager.branch',
    'pager.tag',
    'pager.remote',
    'pager.config',
    'pager.rev-parse',
    'pager.version',
    'pager.worktree',
  ];
  const settings = [
    ...keys.map((key) => [key, helper]),
    ['log.showSignature', 'true'],
    ['core.hooksPath', join(scratch, 'hooks')],
    ['remote.origin.url', root],
    ['remote.origin.promisor', 'true'],
    ['extensions.partialClone', 'origin'],
    ['core.repositoryformatversion', '1'],
  ];
  run(settings.map(([key, value]) => `git config ${key} '${value}'`).join(' && '));
  mkdirSync(join(scratch, 'hooks'));
  for (const hook of ['post-index-change', 'post-checkout', 'reference-transaction'])
    writeFileSync(join(scratch, 'hooks', hook), readFileSync(helper), { mode: 0o755 });
  appendFileSync(join(root, '.git', 'info', 'attributes'), '* diff=x filter=x\n');
  writeFileSync(join(root, '.git', 'refs', 'tags', 'absent'), `${ABSENT}\n`);
  appendFileSync(join(root, 'a.txt'), 'two\n');
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

function ranHelper(command: string): boolean {
  rmSync(marker, { force: true });
  const index = readFileSync(join(root, '.git', 'index'));
  run(command);
  return existsSync(marker) || !readFileSync(join(root, '.git', 'index')).equals(index);
}

describe.skipIf(walls === null)('git, in a repository that names programs', () => {
  verifies('I11', 'git commands that are called SAFE run no helper and leave the index alone', () => {
    const rule = SAFE_RULES.find(({ commands }) => commands.includes('git'));
    const more = [
      'git rev-parse --short HEAD',
      'git rev-parse --abbrev-ref HEAD',
      'git --no-pager config --list',
      'git --no-pager worktree list',
      'git -P remote -v',
    ];
    const commands = [...rule!.matches, ...more];
    expect(commands.filter((command) => readCommand(command).class !== 'SAFE')).toEqual([]);
    expect(commands.filter(ranHelper)).toEqual([]);
  });

  verifies('I11', 'git commands that do run a helper, or write the index, are not called SAFE', () => {
    const commands = [
      'git status',
      'git diff',
      'git diff --no-ext-diff --no-textconv',
      'git ls-files',
      'git blame a.txt',
      'git grep one',
      `git rev-parse ${ABSENT}^{commit}`,
      `git cat-file -p ${ABSENT}`,
      `git --no-pager log --no-show-signature ${ABSENT}`,
      'git show-ref',
    ];
    expect(commands.filter((command) => !ranHelper(command))).toEqual([]);
    expect(commands.filter((command) => readCommand(command).class === 'SAFE')).toEqual([]);
  });
});
