// Git commands that only read if the repository's settings name no programs. They are not SAFE: git also writes its index, and settings can
// make it run anything. A caller that knows the settings may treat them as reading.

import type { CommandReading } from '../protocol/index.ts';
import { LIMITS } from './construct-rules.ts';

const ANY_ARGUMENTS = [
  ...[
    'status',
    'diff',
    'log',
    'show',
    'blame',
    'annotate',
    'ls-files',
    'ls-tree',
    'cat-file',
    'describe',
    'shortlog',
    'rev-list',
    'name-rev',
  ],
  ...[
    'show-ref',
    'for-each-ref',
    'merge-base',
    'diff-tree',
    'count-objects',
    'whatchanged',
    'check-ignore',
    'check-attr',
    'range-diff',
    'cherry',
  ],
  ...[
    'stash list',
    'stash show',
    'worktree list',
    'reflog show',
    'remote get-url',
    'config --get',
    'config --get-all',
    'config get',
    'notes show',
  ],
];
const EXACTLY = [
  'branch(?: (?:-a|-r|-v|-vv|-av|-avv|--all|--remotes|--list|--show-current|--verbose))*',
  'tag(?: (?:-l|--list))?',
  'remote(?: (?:-v|--verbose))?',
  'reflog',
  'config (?:-l|--list|list)',
];
/** For the other commands: what writes a file, opens a program, or contacts another machine. */
const MORE_THAN_LOOKING = /\s(?:--(?:output|open|ext|exec|upload|paginate|receive)|-O)/;
const LOOKS = new RegExp(`^git(?: --no-pager| -P)? (?:(?:${ANY_ARGUMENTS.join('|')})(?: [^]*)?|(?:${EXACTLY.join('|')}))$`);

/** Every part that is not SAFE is such a read-only git command. */
export const onlyReadsGit = ({ class: commandClass, reasons }: CommandReading): boolean =>
  commandClass === 'MUTATING' &&
  reasons.length > 0 &&
  reasons.length < LIMITS.reasons &&
  reasons.every(({ code, part }) => code === 'REPOSITORY_PROGRAMS' && isGitRead(part));

const isGitRead = (part: string): boolean =>
  part.length < LIMITS.partText && LOOKS.test(part.replaceAll(/\s+/g, ' ')) && !MORE_THAN_LOOKING.test(part);
