// What bash really does with commands that are called SAFE: it runs them in a small tree, which must not change.

import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { readCommand } from './read-command.ts';
import { runForReal } from './real-shell.fixture.ts';
import { SYNTAX } from './syntax.fixture.ts';

const SHELLS = ['bash', 'dash'].filter((shell) => existsSync(`/bin/${shell}`) || existsSync(`/usr/bin/${shell}`));

/** A tree with names that a careless command would read as options. */
function plant(root: string): void {
  mkdirSync(join(root, 'src'));
  writeFileSync(join(root, 'a.txt'), 'one\ntwo\ntouch pwned\n');
  writeFileSync(join(root, 'b.txt'), 'two\none\n');
  writeFileSync(join(root, 'a.json'), '{"a":[1,2]}\n');
  writeFileSync(join(root, 'src', 'c.ts'), 'export {};\n');
  symlinkSync('a.txt', join(root, 'link'));
  for (const name of ['-delete', '-o', '--output=pwned', '-v', '-i', 'a[$(touch pwned)]']) writeFileSync(join(root, name), '');
}

const HOSTILE = ['a[$(touch pwned)]', '-v a[$(touch pwned)]', '-o pwned', '$(touch pwned)', '; touch pwned'];

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
  'git --no-pager worktree list',
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
