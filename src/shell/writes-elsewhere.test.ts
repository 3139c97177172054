// Commands that first change the folder, or compute the names that they write.

import { describe, expect, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { readCommand } from './read-command.ts';

const PLACE = { cwd: '/tree', root: '/tree', scope: ['src/**'], home: '/home/me', scratch: ['/tmp'] };
const classesOf = (commands: readonly string[]) => commands.map((command) => `${readCommand(command, PLACE).class}  ${command}`);
const all = (commands: readonly string[], kind: string) => commands.map((command) => `${kind}  ${command}`);
const writesOf = (command: string) => readCommand(command, PLACE).writes.map(({ resolved, known }) => ({ resolved, known }));

const OUTSIDE = [
  ...[
    'env -C .. touch x',
    'env --chdir=/etc touch x',
    'env -iC .. touch x',
    'env -u A -C .. A=1 touch src/x',
    'env -C src env -C ../.. touch x',
  ],
  ...[
    "env -C .. sh -c 'touch x'",
    "env -C src sh -c 'touch ../x'",
    'timeout 5 env -C .. touch x',
    'env -C .. touch x*',
    "env -C src sh -c 'cd .. && touch x'",
  ],
  ...['git -C .. init', 'git -C .. -C other rm a', 'git -C src -C ../.. mv a b', 'git -C src -C /etc rm a'],
  ...[
    'touch $PWD/../x',
    'touch "$PWD"/../x',
    'echo x > "${PWD}/x"',
    'cd src && touch "$PWD/../x"',
    'cd $PWD/.. && touch x',
    'env -C src touch $PWD/x',
  ],
  ...['touch "$PWD"/../*', 'cp src/a "$PWD/.."'],
  ...['split a.txt', 'split -b 10m - /etc/x', 'split -d a.txt ../x', "split --filter='cat > ../y' a x", 'csplit -f ../x a 3', 'csplit a 3'],
  ...['mktemp -p ..', 'mktemp -p .. x.XXX', 'mktemp -d --tmpdir=/etc x.XXX', 'mktemp ../a.XXXX', 'mktemp -p docs'],
  ...[
    'ls | xargs -I{} touch ../{}',
    'ls | xargs -I % mv % /etc/%',
    'ls | xargs -i cp {} docs/{}',
    'ls | xargs --replace=@ mkdir -p ../@/x',
  ],
  ...['find src -exec cp {} ../{} ;'.replace(';', '\\;')],
];

const INSIDE = [
  ...[
    'env -C src touch x',
    'env -C .. touch /tree/src/x',
    "env -C src sh -c 'touch x'",
    'env -C .. touch "$PWD/src/x"',
    'env -C src/a env -C .. touch x',
  ],
  ...['git -C src mv a b', 'git -C .. -C tree/src rm a', 'git init', 'git -C src init'],
  ...['touch $PWD/src/x', 'echo x > "$PWD/src/y"', 'cd src && touch "$PWD/x"', 'touch "$PWD"/src/*', 'cd $PWD/src && touch x'],
  ...['split -l 10 a.txt src/part-', "split --filter='gzip > src/$FILE.gz' a x", 'csplit --prefix=src/x a 3', 'split a.txt /tmp/x'],
  ...[
    'mktemp',
    'mktemp -d',
    'mktemp -t a.XXX',
    'mktemp -p src x.XXX',
    'mktemp -u ../a.XXX',
    'mktemp /tmp/a.XXX',
    'mktemp -p "$TMPDIR" a.XXX',
    "mktemp -p '' a.XXX",
  ],
  ...['ls | xargs -I{} touch src/{}', 'ls src | xargs -I{} cp src/{} src/{}.bak', 'ls | xargs -I{} touch {}', 'ls | xargs -I{} cat ../{}'],
];

verifies('I12', 'a write in another folder is seen, whichever way the command goes there', () => {
  expect(classesOf(OUTSIDE)).toEqual(all(OUTSIDE, 'WRITES_OUTSIDE'));
});

verifies('I12', 'the same commands within the scope are ordinary work', () => {
  expect(classesOf(INSIDE)).toEqual(all(INSIDE, 'MUTATING'));
});

describe('what is known of it', () => {
  test('the very file, where the folder is certain', () => {
    expect([writesOf('env -C src touch x'), writesOf('echo x > "$PWD/src/y"')]).toEqual([
      [{ resolved: 'src/x', known: true }],
      [{ resolved: 'src/y', known: true }],
    ]);
  });

  test('only its folder, where a name is drawn or read', () => {
    expect([writesOf('mktemp -p src a.XXX'), writesOf('ls | xargs -I{} touch src/{}.x')]).toEqual([
      [{ resolved: 'src/a.*', known: false }],
      [{ resolved: 'src/*.x', known: false }],
    ]);
  });

  test('nothing certain without quotes, since a blank in the folder would make several words of it', () => {
    expect(writesOf('touch $PWD/src/x')).toEqual([{ resolved: 'src/x', known: false }]);
  });

  test('of pieces the first, and that there may be more', () => {
    expect(readCommand('split a src/x', PLACE)).toMatchObject({ writes: [{ resolved: 'src/xaa' }], writes_complete: false });
  });
});
