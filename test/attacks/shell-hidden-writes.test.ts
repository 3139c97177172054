// An environment prefix, `git -c`, and options and operands that write or run: seen as such, with the path that is written.

import { describe, expect, test } from 'vitest';
import { readCommand } from '../../src/shell/index.ts';
import { verifies } from '../verifies.ts';

const PLACE = { cwd: '/tree', root: '/tree', scope: ['**'] };

/** Each with what it writes, as far as its text shows. */
const WRITES: readonly (readonly [command: string, ...paths: string[]])[] = [
  ['sed -i s/a/b/ x', 'x'],
  ['sed --in-place=.bak s/a/b/ x', 'x', 'x.bak'],
  ["sed -n 'w x' a", 'x'],
  ["sed 's/a/b/w x' a", 'x'],
  ['cat a | tee x', 'x'],
  ['cat a | tee -a x y', 'x', 'y'],
  ['dd if=a of=x', 'x'],
  ['uniq a x', 'x'],
  ['sort -o x a', 'x'],
  ['sort a --output=x', 'x'],
  ['find . -fprint x', 'x'],
  ['find . -fprintf x %p', 'x'],
  ['awk \'{print > "x"}\' a', 'x'],
  ['cp a x', 'x'],
  ['git diff --output=x', 'x'],
  ['curl -o x y.test', 'x'],
  ['wget -O x y.test', 'x'],
  ['> x', 'x'],
  ['>x ls', 'x'],
  ['ls >x -la', 'x'],
  ['ls -la >> x', 'x'],
  ['ls 2>x', 'x'],
  ['ls &>x', 'x'],
  ['ls >|x', 'x'],
  ['ls <>x', 'x'],
  ['ls >& x', 'x'],
  ['{ ls; } > x', 'x'],
  ['for f in a; do ls; done > x', 'x'],
  ['if ls > x; then pwd; fi', 'x'],
  ['bash -c "ls > x"', 'x'],
  ['env A=1 tee x', 'x'],
  ['sudo tee x', 'x'],
  ['cd d && touch x', 'd/x'],
];

describe('a write that hides in a command that seems to read', () => {
  verifies('I12', 'is seen with its path', () => {
    const found = WRITES.map(([command]) => [command, ...readCommand(command, PLACE).writes.flatMap(({ resolved }) => resolved ?? [])]);
    expect(found).toEqual(WRITES);
    expect(WRITES.filter(([command]) => readCommand(command).class === 'SAFE')).toEqual([]);
  });

  verifies('I12', 'is WRITES_OUTSIDE where the path is out of scope', () => {
    const place = { ...PLACE, scope: ['src/**'] };
    expect(WRITES.filter(([command]) => readCommand(command, place).class !== 'WRITES_OUTSIDE')).toEqual([]);
  });
});

describe('a program that hides in a command that seems to read', () => {
  test.for([
    [
      'an environment prefix',
      ['PATH=. ls', 'LD_PRELOAD=./x.so ls', 'GIT_EXTERNAL_DIFF=./x git rev-parse HEAD', 'IFS=/ ls', 'PAGER=./x git --version'],
    ],
    [
      'a setting of git',
      ['git -c core.pager=./x branch -a', 'git --exec-path=. version', 'git -c alias.x=!sh x', 'git --config-env=core.pager=X log'],
    ],
    ['find', ['find . -exec cat {} +', 'find . -execdir cat {} +', 'find . -ok cat {} +']],
    ['an option', ['rg --pre ./x a', 'tar xf a.tar --to-command=./x', 'sort --compress-program=./x a', 'rg --hostname-bin=./x a']],
    ['a command of sed', ["sed '1e id' a", "sed 's/a/id/e' a", 'sed -f x.sed a']],
  ] as const)('%s: not SAFE', ([, commands]) => {
    expect(commands.filter((command) => readCommand(command).class === 'SAFE')).toEqual([]);
  });

  verifies('I11', 'find that deletes is DESTRUCTIVE', () => {
    expect(
      ['find . -delete', 'find . -exec rm {} +', 'find . -name x -execdir rm {} ";"'].map((command) => readCommand(command).class),
    ).toEqual(['DESTRUCTIVE', 'DESTRUCTIVE', 'DESTRUCTIVE']);
  });
});
