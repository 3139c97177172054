// Commands that only look, and a small tree for them to look at in a real shell.

import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A tree with names that a careless command would read as options. */
export function plant(root: string): void {
  mkdirSync(join(root, 'src'));
  writeFileSync(join(root, 'a.txt'), 'one\ntwo\ntouch pwned\n');
  writeFileSync(join(root, 'b.txt'), 'two\none\n');
  writeFileSync(join(root, 'a.json'), '{"a":[1,2]}\n');
  writeFileSync(join(root, 'src', 'c.ts'), 'export {};\n');
  symlinkSync('a.txt', join(root, 'link'));
  for (const name of ['-delete', '-o', '--output=pwned', '-v', '-i', 'a[$(touch pwned)]']) writeFileSync(join(root, name), '');
}

/** What a variable may hold. */
export const HOSTILE = ['a[$(touch pwned)]', '-v a[$(touch pwned)]', '-o pwned', '$(touch pwned)', '; touch pwned'];

/** Each only looks. */
export const SAFE_COMMANDS = [
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
