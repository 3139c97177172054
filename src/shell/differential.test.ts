// What bash really does with commands that are called SAFE: it runs them in a small tree, which must not change.

import { existsSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { readCommand } from './read-command.ts';
import { runForReal } from './real-shell.fixture.ts';
import { HOSTILE, plant, SAFE_COMMANDS } from './safe-commands.fixture.ts';
import { SYNTAX } from './syntax.fixture.ts';

const SHELLS = ['bash', 'dash'].filter((shell) => existsSync(`/bin/${shell}`) || existsSync(`/usr/bin/${shell}`));

const WRITING_COMMANDS = [
  'touch pwned',
  'echo a > pwned',
  '> pwned',
  'echo a >> a.txt',
  'cp a.txt pwned',
  'ln -s a.txt pwned',
  'mkdir pwned',
  'mv a.txt pwned',
  'chmod 600 a.txt',
  'tee pwned < a.txt',
  'sort -o pwned a.txt',
  'uniq a.txt pwned',
  'find . -fprint pwned',
  "sed -n 'w pwned' a.txt",
  'sed -i s/one/two/ a.txt',
  'rm a.txt',
  'find . -name a.txt -delete',
  'echo $(touch pwned)',
  'cat <(touch pwned)',
  'dd if=a.txt of=pwned',
  'truncate -s 0 a.txt',
  "bash -c 'touch pwned'",
  'eval touch pwned',
  'echo pwned | xargs touch',
  'echo $((x))',
  '[[ -v $x ]]',
  'cat <(ls)# > pwned',
  'sort [-]-output* a.txt',
  "printf -v 'a[$(touch pwned)]' x",
  'for x in a; do echo b > pwned; done',
  'echo ${y:=$(touch pwned)}',
  'f() { touch pwned; }; f',
  'cat <<E\n$(touch pwned)\nE',
];

/** Texts in which pieces of commands meet pieces of syntax. */
const PIECES = [
  ...SAFE_COMMANDS.slice(0, 40),
  'touch pwned',
  '>pwned',
  'echo a >pwned',
  ...SYNTAX,
  'x=',
  '$x',
  '-v',
  "'a[$(touch pwned)]'",
  '@P',
  '!',
  "$'",
  '*',
  '-o',
  'sort',
  'find .',
  '-exec',
  'printf',
  '%n',
  'test',
  '[',
  ']',
  '-eq',
  'sed',
  "'w pwned'",
  'uniq',
  'command',
  'timeout 1',
  'time',
  'eval',
  '2>&1',
  '<(',
  '>(',
  '1>(',
  '$((',
  '--',
  'for f in a; do',
  'done',
  'E',
];
const text = fc
  .array(fc.tuple(fc.constantFrom(...PIECES), fc.constantFrom(' ', ' ', '')), { minLength: 2, maxLength: 8 })
  .map((pieces) => pieces.flat().join(''));
const numRuns = Number(process.env['COUNTERSIGN_RUNS'] ?? 150);
const calledSafe = fc.sample(
  text.filter((command) => readCommand(command).class === 'SAFE'),
  { numRuns },
);

const STDIN = 'touch pwned\n';
const looking = [...SAFE_COMMANDS, ...calledSafe].flatMap((command, i) =>
  SHELLS.map((shell) => ({ command, shell, value: HOSTILE[i % HOSTILE.length]!, stdin: STDIN })),
);
const writing = WRITING_COMMANDS.map((command) => ({ command, value: 'a[$(touch pwned)]', stdin: STDIN }));
const runs = runForReal([...looking, ...writing], plant);

describe.skipIf(runs === null)('against real shells', () => {
  verifies('I11', 'commands that are called SAFE change nothing', () => {
    expect(SAFE_COMMANDS.filter((command) => readCommand(command).class !== 'SAFE')).toEqual([]);
    expect(runs!.slice(0, looking.length).filter(({ changed }) => changed.length > 0)).toEqual([]);
  });

  verifies('I11', 'commands that do change something are not called SAFE', () => {
    const changing = runs!.slice(looking.length);
    expect(changing.filter(({ changed }) => changed.length === 0)).toEqual([]);
    expect(changing.filter(({ command }) => readCommand(command).class === 'SAFE')).toEqual([]);
  });
});
