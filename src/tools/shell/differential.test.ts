// What bash really does with the commands that are called SAFE: it runs them in a small tree, which must stay as it was.

import { spawnSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect } from 'vitest';
import { verifies } from '../../../test/verifies.ts';
import { readCommand } from './read-command.ts';
import { SYNTAX } from './syntax.fixture.ts';

const SHELLS = ['bash', 'dash'].filter((shell) => existsSync(`/bin/${shell}`) || existsSync(`/usr/bin/${shell}`));
const scratch = mkdtempSync(join(tmpdir(), 'shell-reader-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

let tree = '';
beforeEach(() => {
  tree = plant();
});

/** A tree with names that turn into options where a command lets them. */
function plant(): string {
  const root = mkdtempSync(join(scratch, 'tree-'));
  mkdirSync(join(root, 'src'));
  writeFileSync(join(root, 'a.txt'), 'one\ntwo\ntouch pwned\n');
  writeFileSync(join(root, 'b.txt'), 'two\none\n');
  writeFileSync(join(root, 'a.json'), '{"a":[1,2]}\n');
  writeFileSync(join(root, 'src', 'c.ts'), 'export {};\n');
  symlinkSync('a.txt', join(root, 'link'));
  for (const name of ['-delete', '-o', '--output=pwned', '-v', '-i', 'a[$(touch pwned)]']) writeFileSync(join(root, name), '');
  return root;
}

/** Names, modes and bytes of everything in the tree. */
function picture(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((name) => {
      const stat = lstatSync(join(root, name));
      const bytes = stat.isSymbolicLink() ? readlinkSync(join(root, name)) : stat.isFile() ? readFileSync(join(root, name), 'latin1') : '';
      return `${name} ${stat.mode.toString(8)} ${bytes}`;
    })
    .sort();
}

const HOSTILE = ['a[$(touch pwned)]', '-v a[$(touch pwned)]', '-o pwned', '$(touch pwned)', '; touch pwned'];

function run(shell: string, command: string, value: string): void {
  spawnSync(
    '/usr/bin/env',
    ['-i', 'PATH=/usr/bin:/bin', `HOME=${scratch}`, `TMPDIR=${scratch}`, `x=${value}`, `f=${value}`, shell, '-c', command, 'sh', value],
    {
      cwd: tree,
      timeout: 5000,
      input: 'touch pwned\n',
      stdio: ['pipe', 'ignore', 'ignore'],
    },
  );
}

/** Runs the command in each shell; says in which one the tree changed. */
function changedBy(command: string, value: string): string[] {
  return SHELLS.filter((shell) => {
    const before = picture(tree);
    run(shell, command, value);
    const after = picture(tree);
    if (after.join('\n') === before.join('\n')) return false;
    tree = plant();
    return true;
  });
}

const SAFE_COMMANDS = [
  'ls -la',
  'ls *',
  'ls $x',
  'cat a.txt b.txt',
  'cat "$x"',
  'cat -- *',
  'head -n 1 a.txt',
  'tail -n +2 a.txt',
  'wc -l < a.txt',
  'wc *',
  'pwd',
  'echo $x',
  'echo "$x" `pwd`',
  'echo *',
  "printf '%s\\n' $x",
  'printf \'%5s|%%\\n\' "$x"',
  'true && false || pwd',
  'test -f a.txt',
  'test "$x" = "$f"',
  '[ -n "$x" ] && ls',
  '[ ! -e "$x" ]',
  '[[ -f a.txt ]]',
  '[[ $x == a* ]]',
  'grep -rn one .',
  'grep -c one -- *',
  'grep --include=*.txt -r one ./',
  'find . -name "$x"',
  "find . -type f -name '*.txt' -print0",
  'find ./* -maxdepth 0',
  'sort a.txt',
  'sort -rn -k 1 -- *',
  'sort a.txt | uniq -c',
  'uniq b.txt',
  'cut -d: -f1 a.txt',
  'tr a-z A-Z < a.txt',
  'diff a.txt b.txt',
  'diff -u <(sort a.txt) <(sort b.txt)',
  'stat a.txt',
  'file ./*',
  'du -s .',
  'df .',
  'date -u +%s',
  "date -d '1 day ago' +%F",
  'which ls',
  'type ls',
  'uname -a',
  'whoami',
  'id',
  'basename src/c.ts .ts',
  'dirname src/c.ts',
  'realpath link',
  'readlink link',
  'seq 1 3',
  'sleep 0',
  'nl a.txt',
  'comm a.txt b.txt',
  'sha256sum a.txt',
  'sha256sum *',
  "jq -r '.a[]' a.json",
  "sed -n '1,2p' a.txt",
  "sed -E 's/(one)/\\1 two/g' ./*.txt",
  "sed '/^one/d' a.txt",
  'git --version',
  'git rev-parse --show-toplevel',
  'git --no-pager branch -a',
  'cd src && ls',
  'for f in *; do cat "$f"; done',
  'for f in $x; do echo $f; done',
  'if [ -d src ]; then ls src; else pwd; fi',
  'case "$x" in a*) ls;; *) pwd;; esac',
  'while false; do ls; done',
  '( cd src; ls ) 2>&1',
  '{ ls; pwd; } > /dev/null',
  'ls 2>/dev/null | head -n 1',
  'cat <<E\n$x $(pwd)\nE',
  "cat <<'E'\n$(touch pwned)\nE",
  'cat <<< "$x"',
  'echo ${x:-a} ${#x} ${x%a} ${x/a/b} "${x@Q}"',
  'echo $((1 + 2)) {a,b} ~',
  'time ls',
  '! ls',
  'timeout 5 ls',
  'command -v ls',
  'ls # ; touch pwned',
  'echo "a # b" \\# c',
  'ls \\\n -l',
  'echo "$(cat < a.txt)"',
  'tac a.txt | rev | fold -w 3 | paste - -',
];

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

describe('against real shells', () => {
  verifies('I11', 'commands that are called SAFE change nothing', () => {
    const wrong = SAFE_COMMANDS.flatMap((command, i) => {
      const reading = readCommand(command);
      return reading.class === 'SAFE'
        ? changedBy(command, HOSTILE[i % HOSTILE.length]!).map((shell) => `${command} changed the tree in ${shell}`)
        : [`${command} is ${JSON.stringify(reading)}`];
    });
    expect(wrong).toEqual([]);
  });

  verifies('I11', 'commands that do change something are not called SAFE', () => {
    const wrong = WRITING_COMMANDS.flatMap((command) => {
      if (readCommand(command).class === 'SAFE') return [`${command} is SAFE`];
      const before = picture(tree);
      run(SHELLS[0]!, command, 'a[$(touch pwned)]');
      const changed = picture(tree).join('\n') !== before.join('\n');
      tree = plant();
      return changed ? [] : [`${command} changed nothing, so it shows nothing`];
    });
    expect(wrong).toEqual([]);
  });

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
  verifies('I11', 'random texts that are called SAFE change nothing', () => {
    const text = fc
      .array(fc.tuple(fc.constantFrom(...PIECES), fc.constantFrom(' ', ' ', '')), { minLength: 2, maxLength: 8 })
      .map((pieces) => pieces.flat().join(''));
    const value = fc.constantFrom(...HOSTILE);
    const property = fc.property(
      text.filter((command) => readCommand(command).class === 'SAFE'),
      value,
      (command, hostile) => {
        expect([command, changedBy(command, hostile)]).toEqual([command, []]);
      },
    );
    fc.assert(property, { numRuns: 150 });
  });
});
