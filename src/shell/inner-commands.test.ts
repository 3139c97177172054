// Commands inside other commands: what they write counts where it is written out.

import { expect } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { readCommand } from './read-command.ts';

const PLACE = { cwd: '/tree', root: '/tree', scope: ['src/**'], home: '/home/me', scratch: ['/tmp'] };
const classOf = (command: string) => readCommand(command, PLACE).class;

/** What another program, an alias, a function or a variable runs is read where it is written out. */
const INNER = [
  't=touch; $t infra/f',
  'alias w=touch; w infra/f',
  "shopt -s expand_aliases; alias w='touch infra/f'; w",
  'f(){ touch "$1"; }; f infra/f',
  'f(){ touch infra/f; }; f',
  "npx -c 'touch infra/f'",
  "npx --call='touch infra/f'",
  "npm exec -c 'touch infra/f'",
  'npm exec -- touch infra/f',
  'npm exec touch -- infra/f',
  'pnpm exec touch infra/f',
  'yarn exec touch infra/f',
  'parallel touch ::: infra/f',
  "parallel 'touch {}' ::: infra/f",
  'parallel -j2 cp README.md ::: infra/f',
  'xargs touch <<< infra/f',
  'xargs -I{} cp README.md {} <<< infra/f',
  'echo infra/f | xargs touch',
  "script -c 'touch infra/f' /dev/null",
  "script -qec 'touch infra/f' log",
  'strace touch infra/f',
  'strace -f -e trace=file cp README.md infra/f',
  'ltrace cp README.md infra/f',
  'systemd-run touch infra/f',
  'systemd-run --user --wait cp README.md infra/f',
  "expect -c 'spawn touch infra/f'",
  'pip download -d infra requests',
  'cargo install --root infra ripgrep',
  'docker cp c:/x infra/f',
  "sqlite3 src/x.db '.output infra/f' 'select 1'",
  "sqlite3 src/x.db '.once infra/f'",
  'eslint --fix infra',
  'npx eslint --fix infra',
  'flock src/lock touch infra/f',
  'taskset 0x1 touch infra/f',
  "tmux new -d 'touch infra/f'",
  "hyperfine 'touch infra/f'",
  'valgrind touch infra/f',
  'chrt 1 touch infra/f',
  'unshare -r touch infra/f',
  'ssh-agent touch infra/f',
  'xvfb-run touch infra/f',
  'entr touch infra/f',
  'uv run touch infra/f',
  'poetry run touch infra/f',
  'bundle exec touch infra/f',
  "nix-shell --run 'touch infra/f'",
  'direnv exec . touch infra/f',
  'mise exec -- touch infra/f',
  'ruff check --fix infra',
  "printf '%s\\n' infra/f | xargs touch",
];

verifies('I12', 'a write out of scope is refused inside a command that another program, a variable, an alias or a function runs', () => {
  expect(INNER.filter((command) => classOf(command) !== 'WRITES_OUTSIDE')).toEqual([]);
});

verifies('I12', 'the same in scope is not refused, and neither is a name that another program only reads', () => {
  const inScope = INNER.map((command) => command.replaceAll(/\binfra\b/g, 'src').replace(/ log$/, ' src/log'));
  const ordinary = [
    "alias ll='cd infra'; ll; touch src/x",
    'eslint --fix .',
    'eslint --fix src',
    'eslint src',
    'npx eslint . --fix --ext .ts',
    'ruff check --fix',
    'docker cp src/x c:/y',
    'alias g=git; g status',
    'f(){ echo "$1"; }; f infra/x',
    'run(){ echo "+ $*"; "$@"; }; run npm test',
    'for t in a b; do npm test -- $t; done',
    'T=src/x.ts; cat $T && touch $T',
    'CMD="npx vitest run"; $CMD tests/x.test.ts',
    'echo infra | sed s/infra/src/ | xargs touch',
    'echo src/a.ts | xargs touch',
    'parallel npx eslint ::: infra/a.ts lib/b.ts',
    "parallel -j4 'node {}' ::: tools/a.js",
    'uv run pytest tests/x.py',
    'npm exec -- jest tests/x.test.ts',
    'npm exec eslint -- --fix .',
    'pnpm exec prettier -- --write .',
    'poetry run python tools/gen.py',
    'cat files.txt | parallel prettier --check',
    "hyperfine 'node tools/a.js' 'cat infra/f'",
    "tmux new -d 'npm run dev'",
    "sqlite3 src/x.db '.dump' > src/out.sql",
  ];
  expect([...inScope, ...ordinary].filter((command) => classOf(command) === 'WRITES_OUTSIDE')).toEqual([]);
});
