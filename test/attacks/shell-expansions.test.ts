// `$(…)`, backticks, `${x@P}`, `[[ -v 'a[$(…)]' ]]`, `printf -v`, `let`, `declare`: judged by what runs inside, and unprovable is not safe.

import { describe, expect, test } from 'vitest';
import { readCommand } from '../../src/shell/index.ts';
import { verifies } from '../verifies.ts';

const PLACE = { cwd: '/tree', root: '/tree', scope: ['src/**'] };
const classesOf = (commands: readonly string[]) => commands.map((command) => [command, readCommand(command, PLACE).class]);

const AROUND: readonly ((inner: string) => string)[] = [
  (inner) => `echo $(${inner})`,
  (inner) => `echo "$(${inner})"`,
  (inner) => `echo \`${inner}\``,
  (inner) => `echo $(echo $(${inner}))`,
  (inner) => `cat <(${inner})`,
  (inner) => `ls > >(${inner})`,
  (inner) => `echo \${x:-$(${inner})}`,
  (inner) => `x=$(${inner})`,
  (inner) => `cat <<E\n$(${inner})\nE`,
  (inner) => `cat <<< "$(${inner})"`,
  (inner) => `for f in $(${inner}); do ls; done`,
  (inner) => `[[ -n $(${inner}) ]]`,
  (inner) => `echo $(( $(${inner}) ))`,
];

describe('what runs inside an expansion', () => {
  verifies('I11', 'is judged as if it stood alone', () => {
    const wrong = AROUND.flatMap((around) => [
      ...classesOf([around('rm -rf src')]).filter(([, found]) => found !== 'DESTRUCTIVE'),
      ...classesOf([around('touch ../x')]).filter(([, found]) => found !== 'WRITES_OUTSIDE'),
    ]);
    expect(wrong).toEqual([]);
  });

  test('is safe where it is proven to only read', () => {
    expect(classesOf(['echo "$(cat a.txt)"', 'diff <(ls a) <(ls b)', "cat <<'E'\n$(rm a)\nE"]).map(([, found]) => found)).toEqual([
      'SAFE',
      'SAFE',
      'SAFE',
    ]);
  });
});

verifies('I11', 'what assigns or evaluates is never SAFE', () => {
  const commands = [
    'echo ${x@P}',
    'echo ${x:=1}',
    'echo ${!x}',
    'echo ${a[x]}',
    'echo $((x))',
    'echo ${x:y:1}',
    "[[ -v 'a[$(touch f)]' ]]",
    '[[ $x -eq 1 ]]',
    "test -v 'a[$(touch f)]'",
    "[ -v 'a[$(touch f)]' ]",
    "printf -v 'a[$(touch f)]' x",
    'printf -v PATH .',
    'printf "$format"',
    'let x=1',
    "let 'x=a[$(touch f)]'",
    "declare -i 'x=a[$(touch f)]'",
    'declare -n x=PATH',
    'typeset x=1',
    'local x=1',
    'readonly PATH=.',
    'export PATH=.',
    'read x',
    'mapfile x',
    '((x))',
    '$x',
    '"$(echo rm)" a',
    'r$y -rf src',
    '~/x',
  ];
  expect(classesOf(commands).filter(([, found]) => found === 'SAFE')).toEqual([]);
});
