// Commands that are common enough to say why they are not SAFE. A command that no rule names is not SAFE either.

import type { NamedRule } from './rule.ts';

const words = (text: string): string[] => text.split(' ');
const mutating = (rule: Omit<NamedRule, 'level'>): NamedRule => ({ level: 'MUTATING', ...rule });

export const MUTATING_RULES: readonly NamedRule[] = [
  mutating({
    code: 'PACKAGE_INSTALL',
    commands: words('npm pnpm yarn bun'),
    when: { subcommands: words('install i ci add update upgrade up remove rm uninstall un dedupe prune rebuild link import') },
    message: 'with this command fetches packages and runs their scripts',
    matches: ['npm install', 'npm ci', 'npm i -D x', 'pnpm add x', 'yarn add x', 'npm --prefix a install'],
    rejects: ['npm test', 'npm run install', 'yarn build', 'npm install -g x'],
  }),
  mutating({
    code: 'PACKAGE_INSTALL',
    commands: words('pip pip3 uv poetry pipenv pdm composer bundle gem cargo go dotnet mix conda'),
    when: {
      subcommands: words('install sync add update remove uninstall download get fetch restore').concat([
        'pip install',
        'pip sync',
        'mod download',
        'mod tidy',
        'deps.get',
      ]),
    },
    message: 'with this command fetches packages and runs their scripts',
    matches: [
      'pip install -r requirements.txt',
      'uv sync',
      'uv pip install x',
      'poetry install',
      'cargo add x',
      'go mod download',
      'bundle install',
    ],
    rejects: ['cargo build', 'go test ./...', 'pip list'],
  }),
  mutating({
    code: 'LOCAL_REQUEST',
    commands: ['curl'],
    message: 'asks a program on this machine, which may do anything',
    matches: ['curl localhost:3000', 'curl -s http://127.0.0.1:8080/ | head'],
    rejects: ['curl x.test', 'echo curl'],
  }),
  mutating({
    code: 'LOCAL_REQUEST',
    commands: words('wget nc ncat netcat'),
    message: 'asks a program on this machine, which may do anything',
    matches: ['wget -qO- localhost:3000', 'nc -z localhost 80'],
    rejects: ['wget x.test', 'echo wget'],
  }),
  mutating({
    code: 'REMOTE_READ',
    commands: words('gh glab'),
    message: 'with this command reads from the forge that it is logged in to',
    matches: ['gh pr view 1', 'gh issue view 42'],
    rejects: ['gh pr create', 'echo gh'],
  }),
  mutating({
    code: 'REMOTE_READ',
    commands: ['git'],
    when: { subcommands: ['fetch', 'pull', 'ls-remote', 'remote update', 'remote show'] },
    message: 'with this command reads from a remote that is configured',
    matches: ['git fetch', 'git pull --rebase'],
    rejects: ['git fetch https://x.test/y', 'git push'],
  }),
  mutating({
    code: 'OPAQUE_CODE',
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
    rejects: ['ls make', 'npm publish', 'npm install'],
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
    code: 'REPOSITORY_PROGRAMS',
    commands: ['git'],
    when: {
      subcommands: words(
        'status diff log show blame ls-files grep describe cat-file ls-tree shortlog show-ref for-each-ref whatchanged rev-list check-ignore branch tag remote stash reflog rev-parse config worktree add commit merge rebase checkout switch restore reset rm mv apply am cherry-pick revert init notes',
      ),
    },
    message: 'with this command may write the index and run programs that the repository config names',
    matches: ['git status', 'git log --oneline', 'git diff', 'git -C x show', 'git ls-files', 'git add .', 'git commit -m x', 'git branch'],
    rejects: ['git rev-parse HEAD', 'git frobnicate', 'git push'],
  }),
];
