import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { NO_PATH_CONFIG } from '../workspace/index.ts';
import { writingAccess } from './access.ts';
import { lookBefore, takeBack } from './settle-walls.ts';

function makeTree() {
  const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'countersign-settle-')));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const root = path.join(base, 'repo');
  const put = (file: string, text: string) => {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  };
  put('.git/config', '[core]\n\tbare = false\n[alias]\n\tst = status\n');
  for (const file of ['src/a.ts', '.claude/settings.json', '.ai/config/repo.json', '.orchestration/x']) put(file, '');
  const files = ['src/a.ts', '.claude/settings.json'];
  const access = writingAccess({
    ...{ root, gitCommonDir: path.join(root, '.git'), scope: ['src/**'], paths: NO_PATH_CONFIG, files },
    gitSettings: 'open',
  });
  return {
    root,
    put,
    before: lookBefore(access),
    aside: path.join(base, 'aside'),
    text: (file: string) => readFileSync(path.join(root, file), 'utf8'),
  };
}

verifies('N20', 'git settings that name no program stay; those that do are taken back whole, and kept aside', () => {
  const { put, before, aside, text } = makeTree();
  const config = text('.git/config');
  put('.git/config', `${config}[branch "x"]\n\tremote = origin\n[user]\n\tname = Zoe\n`);
  expect(takeBack(before, aside)).toEqual([]);
  expect(text('.git/config')).toContain('remote = origin');
  const programs = [
    '[core]\n\tfsmonitor = /tmp/x\n',
    '[core]\n\thooksPath = /tmp/x\n',
    '[alias]\n\tpull = !x\n',
    '[filter "a"]\n\tclean = x\n',
    '[include]\n\tpath = /tmp/x\n',
    '[user][include]\n\tpath = /tmp/x\n',
    '[user] [alias]\n\tpush = !x\n',
    '[protocol "ext"]\n\tallow = always\n',
    '[submodule "a"]\n\tupdate = "!x"\n',
    '[submodule "a"]\n\tupdate = \\\n!x\n',
    '[merge.a]\n\tdriver = x\n',
    '[trailer "a"]\n\tcmd = x\n',
    '[gc]\n\trecentObjectsHook = x\n',
    '[sendemail]\n\ttoCmd = x\n',
  ];
  for (const added of programs) {
    put('.git/config', config + added);
    expect(takeBack(before, aside)).toEqual([expect.stringMatching(/^\.git\/config: .* names a program that git would run$/)]);
    expect(text('.git/config')).toBe(config);
  }
  expect(readdirSync(aside).length).toBeGreaterThan(0);
});

verifies('N20', 'a new file that decides what agents may do is taken back; other new files stay to be reported', () => {
  const { root, put, before, aside } = makeTree();
  for (const file of [
    '.mcp.json',
    '.cursor/hooks.json',
    '.vscode/tasks.json',
    '.github/hooks/x.json',
    '.github/workflows/ci.yml',
    'notes.md',
    'dist/a.js',
  ])
    put(file, 'x');
  const taken = takeBack(before, aside).map((line) => line.split(':')[0]);
  expect(new Set(taken)).toEqual(new Set(['.cursor/hooks.json', '.github/hooks/x.json', '.mcp.json', '.vscode/tasks.json']));
  const isThere = (file: string) => existsSync(path.join(root, file));
  expect(['.mcp.json', '.cursor', '.github/workflows/ci.yml', 'notes.md', 'dist/a.js', '.claude/settings.json'].map(isThere)).toEqual([
    false,
    false,
    true,
    true,
    true,
    true,
  ]);
});

verifies('N20', 'a link in the place of git settings is replaced, and what it leads to stays', () => {
  const { root, before, aside, text } = makeTree();
  const outside = path.join(root, '../outside');
  const config = text('.git/config');
  writeFileSync(outside, '[alias]\n\tx = !y\n');
  rmSync(path.join(root, '.git/config'));
  symlinkSync(outside, path.join(root, '.git/config'));
  expect(takeBack(before, aside)).toEqual([expect.stringContaining('.git/config: ')]);
  expect([readFileSync(outside, 'utf8'), text('.git/config')]).toEqual(['[alias]\n\tx = !y\n', config]);
  expect(lstatSync(path.join(root, '.git/config')).isSymbolicLink()).toBe(false);
});

verifies('N20', 'a link with a governed name is removed itself, and not what it leads to', () => {
  const { root, before, aside } = makeTree();
  const outside = path.join(root, '../outside');
  mkdirSync(outside);
  writeFileSync(path.join(outside, 'kept'), 'kept');
  for (const name of ['.cursor', '.vscode']) symlinkSync(outside, path.join(root, name));
  expect(takeBack(before, aside).map((line) => line.split(':')[0])).toEqual(['.cursor', '.vscode']);
  expect([readdirSync(outside), existsSync(path.join(root, '.cursor'))]).toEqual([['kept'], false]);
});

verifies('N20', 'a file by which git looks for its settings elsewhere is taken back', () => {
  const { root, put, before, aside } = makeTree();
  put('.git/commondir', '../src/evil\n');
  expect(takeBack(before, aside)).toEqual([expect.stringMatching(/^\.git\/commondir: /)]);
  expect(existsSync(path.join(root, '.git/commondir'))).toBe(false);
});

verifies('N20', 'a pipe, a folder or a huge file in the place of settings stops nothing', () => {
  const { root, put, before, aside, text } = makeTree();
  const config = text('.git/config');
  const file = path.join(root, '.git/config');
  const odd = [() => execFileSync('mkfifo', [file]), () => mkdirSync(file), () => execFileSync('truncate', ['-s', '3G', file])];
  for (const make of odd) {
    rmSync(file);
    make();
    expect(takeBack(before, aside)).toHaveLength(1);
    expect(text('.git/config')).toBe(config);
  }
  execFileSync('mkfifo', [path.join(root, '.mcp.json')]);
  put('.vscode/tasks.json', '{}');
  expect(takeBack(before, aside).map((line) => line.split(':')[0])).toEqual(['.mcp.json', '.vscode/tasks.json']);
});

verifies('N20', 'a repository in the scope that was added to the index names no program that the human’s git would run', () => {
  const { root, put, before, aside } = makeTree();
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  rmSync(path.join(root, '.git'), { recursive: true });
  git('init', '-q');
  const sign = path.join(root, 'src/RAN');
  put('src/monitor', `#!/bin/sh\ntouch ${sign}\n`);
  const commit = ['-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'x', '--allow-empty'];
  for (const name of ['inner', 'inner/deep', 'away']) {
    git('init', '-q', `src/${name}`);
    git('-C', `src/${name}`, ...commit);
  }
  git('-C', 'src/inner', '-c', 'advice.addEmbeddedRepo=false', 'add', 'deep');
  git('-c', 'advice.addEmbeddedRepo=false', 'add', 'src/inner', 'src/away');
  for (const name of ['inner', 'inner/deep']) git('-C', `src/${name}`, 'config', 'core.fsmonitor', `sh ${root}/src/monitor`);
  // Another repository of the human, with settings that name programs: they stay.
  const other = path.join(root, '../other');
  git('init', '-q', other);
  git('-C', other, 'config', 'core.fsmonitor', `sh ${root}/src/monitor`);
  rmSync(path.join(root, 'src/away/.git'), { recursive: true });
  put('src/away/.git', `gitdir: ${other}/.git\n`);
  expect(takeBack(before, aside)).toEqual([
    'src/away/.git: leads git to settings elsewhere',
    expect.stringMatching(/^src\/inner\/.git\/config: .*fsmonitor/),
    expect.stringMatching(/^src\/inner\/deep\/.git\/config: .*fsmonitor/),
  ]);
  git('status', '--porcelain');
  expect(existsSync(sign)).toBe(false);
  expect(readFileSync(path.join(other, '.git/config'), 'utf8')).toContain('fsmonitor');
  expect(takeBack(before, aside)).toEqual([]);
});

verifies('N20', 'another work tree of the repository reads the same settings as before, and names no program', () => {
  const { root, put, aside, text } = makeTree();
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  rmSync(path.join(root, '.git'), { recursive: true });
  git('init', '-q');
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'x', '--allow-empty');
  git('config', 'extensions.worktreeConfig', 'true');
  git('worktree', 'add', '-q', '../other');
  const access = writingAccess({
    ...{ root, gitCommonDir: path.join(root, '.git'), scope: ['src/**'], paths: NO_PATH_CONFIG, files: ['src/a.ts'] },
    gitSettings: 'open',
  });
  const before = lookBefore(access);
  const sign = path.join(root, 'src/RAN');
  const program = `[core]\n\trepositoryformatversion = 0\n\tfsmonitor = touch ${sign}\n`;
  const ways: Record<string, () => void> = {
    'worktrees/other/commondir': () => {
      execFileSync('cp', ['-r', '.git', 'src/evil'], { cwd: root });
      put('src/evil/config', program);
      put('.git/worktrees/other/commondir', `${root}/src/evil\n`);
    },
    'worktrees/other/config.worktree': () => put('.git/worktrees/other/config.worktree', program),
    'worktrees/other/config': () => put('.git/worktrees/other/config', program),
    'worktrees/new/config.worktree': () => {
      git('worktree', 'add', '-q', 'src/new');
      put('.git/worktrees/new/config.worktree', program);
    },
  };
  for (const [place, attack] of Object.entries(ways)) {
    attack();
    expect(takeBack(before, aside)).toEqual([expect.stringContaining(`.git/${place}: `)]);
    git('-C', '../other', 'status');
    expect(existsSync(sign)).toBe(false);
  }
  expect(text('.git/worktrees/other/commondir')).toBe('../..\n');
  git('worktree', 'remove', '--force', 'src/new');
  expect(takeBack(before, aside)).toEqual([]);
});

verifies('N20', 'git does not write through a link that a command left in its folder', () => {
  const { root, aside } = makeTree();
  const git = (...args: string[]) => execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: root });
  rmSync(path.join(root, '.git'), { recursive: true });
  git('init', '-q');
  git('commit', '-qm', 'x', '--allow-empty');
  const outside = path.join(root, '../outside');
  writeFileSync(outside, 'kept');
  // One that was there stays.
  symlinkSync(outside, path.join(root, '.git/human'));
  const access = writingAccess({
    ...{ root, gitCommonDir: path.join(root, '.git'), scope: ['src/**'], paths: NO_PATH_CONFIG, files: ['src/a.ts'] },
    gitSettings: 'open',
  });
  const before = lookBefore(access);
  for (const file of ['COMMIT_EDITMSG', 'logs/HEAD', 'logs/refs/heads/next']) {
    rmSync(path.join(root, '.git', file), { force: true });
    symlinkSync(outside, path.join(root, '.git', file));
  }
  expect(takeBack(before, aside).map((line) => line.split(':')[0])).toEqual([
    '.git/COMMIT_EDITMSG',
    '.git/logs/HEAD',
    '.git/logs/refs/heads/next',
  ]);
  git('checkout', '-qb', 'next');
  git('commit', '-qm', 'over', '--allow-empty');
  expect([readFileSync(outside, 'utf8'), existsSync(path.join(root, '.git/human'))]).toEqual(['kept', true]);
});
