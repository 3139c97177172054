// Commands that are common enough to say why they are not SAFE. A command that no rule names is not SAFE either.

import type { NamedRule } from './rule.ts';

const words = (text: string): string[] => text.split(' ');
const mutating = (rule: Omit<NamedRule, 'level'>): NamedRule => ({ level: 'MUTATING', ...rule });

export const MUTATING_RULES: readonly NamedRule[] = [
  mutating({
    code: 'INTERPRETER',
    commands: words(
      'python python2* python3* pypy* node nodejs deno bun perl ruby php lua luajit awk gawk mawk nawk Rscript osascript tclsh expect guile java groovy scala swift go cargo tsx ts-node vim vi ex ed emacs nano gdb lldb sqlite3 psql mysql',
    ),
    message: 'runs a program that cannot be read here',
    matches: ['python -c x', 'python3.12 a.py', 'node -e 1', "perl -e 'unlink a'", "awk 'BEGIN{system(1)}'", 'env node a.js'],
    rejects: ['ls python', 'echo node'],
  }),
  mutating({
    code: 'PROJECT_SCRIPT',
    commands: words(
      'npm pnpm yarn make gmake just task rake mvn gradle gradlew ninja cmake bazel tox nox pytest jest vitest mocha tsc eslint prettier composer bundle mix dotnet pip pip3 uv poetry pre-commit',
    ),
    message: 'runs scripts that come with the project or its packages',
    matches: ['npm run build', 'npm test', 'make', 'pytest -q', './gradlew build'],
    rejects: ['ls make', 'npm publish'],
  }),
  mutating({
    code: 'WRITES_FILES',
    commands: words(
      'cp mv ln touch mkdir mkfifo mknod tee install patch tar unzip zip gzip gunzip bzip2 xz zstd split csplit sponge chmod chown chgrp mktemp rsync base64 xxd iconv',
    ),
    message: 'writes files',
    matches: ['tee a.txt', 'cp a b', 'ls | tee out.txt', "tar xf a.tar --to-command='x'", 'chmod +x a'],
    rejects: ['ls cp', 'chmod -R 777 .'],
  }),
  mutating({
    code: 'RUNS_TEXT',
    commands: words(
      'source . alias unalias declare typeset local export readonly let read mapfile readarray unset shopt set enable hash bind complete getopts umask ulimit exit return',
    ),
    message: 'changes the shell itself, or runs text that is not seen here',
    matches: ['source a.sh', '. ./a.sh', "alias ls='rm'", "declare -i 'x=a[$(touch f)]'", 'let x=1', 'export PATH=.', 'read PATH'],
    rejects: ['ls source', 'echo let'],
  }),
  mutating({
    code: 'GIT_HELPERS',
    commands: ['git'],
    when: {
      subcommands: words(
        'status diff log show blame ls-files grep describe cat-file ls-tree shortlog show-ref for-each-ref whatchanged rev-list check-ignore',
      ),
    },
    message: 'with this command may rewrite the index or run helpers that the repository config names',
    matches: ['git status', 'git log --oneline', 'git diff', 'git -C x show', 'git ls-files'],
    rejects: ['git commit -m x', 'git rev-parse HEAD', 'git add log'],
  }),
];
