import { expect, test } from 'vitest';
import { onlyReadsGit } from './git-reads.ts';
import { readCommand } from './read-command.ts';

const PLACE = { cwd: '/tree', root: '/tree', scope: ['src/**'] };
const looks = (command: string) => [command, onlyReadsGit(readCommand(command, PLACE))];

test.each([
  ...['git status', 'git status --short 2>&1 | head', 'git  status', 'git --no-pager log --oneline -5', 'git diff HEAD~1 -- src/a.ts'],
  ...[
    'git log -p --stat --author="A B"',
    'git show HEAD:src/a.ts',
    'git blame -L1,5 src/a.ts',
    'git branch -a',
    'git branch',
    'git tag -l',
  ],
  ...[
    'git remote -v',
    'git stash list',
    'git ls-files | wc -l',
    'git status && git diff',
    'cd src && git log',
    'git config --get user.name',
  ],
])('%s looks', (command) => {
  expect(looks(command)).toEqual([command, true]);
});

test.each([
  ...[
    'git commit -m x',
    'git add .',
    'git branch new',
    'git tag v1',
    'git remote add o u',
    'git stash',
    'git config a.b c',
    'git checkout x',
  ],
  ...[
    'git status && npm test',
    'git log --output=src/x',
    'git diff --ext-diff',
    'git log > src/log.txt',
    'git -c a.b=c status',
    'git push',
  ],
  ...[
    'git --exec-path=. status',
    'GIT_PAGER=x git log',
    'git show; rm -rf src',
    'git log $(touch x)',
    'git -p log',
    './git status',
    'git fetch',
  ],
  ...[
    'git diff --no-index -O x a b',
    'git stash drop',
    'git reflog expire --all',
    'git status & touch x',
    'ls',
    `git log ${'a'.repeat(400)}`,
  ],
])('%s does not only look', (command) => {
  expect(looks(command)).toEqual([command, false]);
});
