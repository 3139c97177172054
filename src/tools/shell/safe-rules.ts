// The commands that are known to only read. Proven for the GNU, BSD and busybox versions; whatever is in doubt is left out.

import { checkBracket, checkDate, checkFind, checkGit, checkJq, checkPrintf, checkSed, checkTest } from './argument-checks.ts';
import type { SafeRule } from './rule.ts';

const words = (text: string): string[] => text.split(' ');

export const SAFE_RULES: readonly SafeRule[] = [
  {
    commands: words('ls cat head tail tac wc nl cut tr comm cmp paste fold expand rev od du df stat'),
    proof: 'any',
    matches: ['ls -la *.ts', 'cat $file', 'head -n 5 a.txt', 'wc -l < a.txt', 'tail -n +2 "$x" | cut -d: -f1 | tr a-z A-Z'],
    rejects: ['ls > list.txt', './ls', 'cat a.txt >> b.txt', 'PAGER=x cat a.txt'],
  },
  {
    commands: words('pwd cd echo true false : basename dirname realpath readlink seq sleep which type uname whoami id groups nproc arch'),
    proof: 'any',
    matches: ['pwd', 'cd src && ls', 'echo $HOME *', 'true', 'seq 1 3', 'type ls'],
    rejects: ['echo x > f', 'echo $(touch f)', 'sleep 1 &', 'hostname evil'],
  },
  {
    commands: words('md5sum sha1sum sha256sum sha512sum cksum'),
    proof: 'any',
    matches: ['sha256sum a.txt', 'cat a.txt | sha256sum'],
    rejects: ['sha256sum a.txt > a.sum'],
  },
  {
    commands: ['printf'],
    proof: checkPrintf,
    matches: ["printf '%s\\n' a b", 'printf \'%5.2s %%\' "$x"', "printf '%d\\n' 12", 'printf -- "%s" a'],
    rejects: ['printf -v PATH .', "printf '%n' x", 'printf "$format" a', "printf '%d' 'a[$(touch f)]'", "printf '%*s' 3 x"],
  },
  {
    commands: ['test'],
    proof: checkTest,
    matches: ['test -f a.txt', 'test "$a" = "$b"', 'test ! -d src', 'test 3 -gt 2', 'test -t 1'],
    rejects: ["test -v 'a[$(touch f)]'", 'test $x', 'test "$op" "$y"', 'test "$n" -gt 2', 'test -f a -o -v b'],
  },
  {
    commands: ['['],
    proof: checkBracket,
    matches: ['[ -f a.txt ]', '[ "$a" != b ] && ls', '[ ! -e x ] || pwd'],
    rejects: ["[ -v 'a[$(touch f)]' ]", '[ $x ]', '[ -f a.txt', '[ "$n" -eq 1 ]'],
  },
  {
    commands: ['grep'],
    proof: {
      short: 'abcEFGhHiIlLnoPqrRsvwxyz',
      shortWithValue: 'ABCdDefm',
      long: words(
        '--ignore-case --invert-match --count --line-number --files-with-matches --files-without-match --recursive --dereference-recursive --word-regexp --line-regexp --only-matching --quiet --silent --no-messages --extended-regexp --fixed-strings --basic-regexp --perl-regexp --with-filename --no-filename --text --color --null --line-buffered',
      ),
      longWithValue: words(
        '--include --exclude --exclude-dir --exclude-from --color --colour --regexp --file --max-count --after-context --before-context --context --binary-files --directories',
      ),
      count: true,
    },
    matches: [
      'grep -rn foo src',
      'grep -E "a|b" -- *.ts',
      'grep --include=*.ts -r x .',
      'grep -3 foo a.txt',
      'grep -c -- "$x" a.txt || grep -e foo ./*',
    ],
    rejects: ['grep foo *', 'grep $x a.txt', 'grep "$x" a.txt', 'grep --filter=x foo', 'grep --save-config=f foo', 'grep -e -- --pager=x'],
  },
  {
    commands: ['rg'],
    proof: {
      short: 'abcFHhiIlLnNoPpqsSuUvwx.0',
      shortWithValue: 'ABCdEegjmMTtr',
      long: words(
        '--files --hidden --no-ignore --ignore-case --smart-case --case-sensitive --fixed-strings --word-regexp --line-number --no-line-number --count --count-matches --files-with-matches --files-without-match --only-matching --multiline --no-heading --heading --with-filename --no-filename --json --stats --trim --pcre2 --invert-match --quiet --column --vimgrep --no-config --null --type-list --no-messages --sort-files',
      ),
      longWithValue: words(
        '--glob --iglob --type --type-not --max-count --max-depth --context --after-context --before-context --color --colors --sort --sortr --regexp --replace --threads --max-columns --encoding --max-filesize',
      ),
    },
    matches: ['rg -n foo src', "rg --files -g '*.ts'", 'rg -i --type ts "a b"', 'rg -A 3 foo ./*'],
    rejects: ['rg --pre ./x foo', 'rg --pre=./x foo', 'rg --hostname-bin ./x foo', 'rg -z foo', 'rg foo *', 'rg --search-zip foo'],
  },
  {
    commands: ['find'],
    proof: checkFind,
    matches: [
      "find . -name '*.ts'",
      'find src -type f -mtime -7 -print0',
      'find . \\( -name a -o -name "$b" \\) -prune',
      'find ./"$d" -maxdepth 1',
    ],
    rejects: [
      'find . -delete',
      'find . -exec cat {} \\;',
      'find . -fprint f',
      'find . -fls f',
      'find . -ok cat {} \\;',
      'find "$d"',
      'find *',
      'find . -name *',
      'find . -execdir cat {} +',
      'find . -fprintf f %p',
    ],
  },
  {
    commands: ['sort'],
    proof: {
      short: 'bdfghiMnRrVcCmsuz',
      shortWithValue: 'kt',
      long: words(
        '--reverse --numeric-sort --unique --human-numeric-sort --version-sort --ignore-case --ignore-leading-blanks --stable --check --zero-terminated --general-numeric-sort --month-sort',
      ),
      longWithValue: words('--key --field-separator'),
    },
    matches: ['sort a.txt', 'sort -nrk2 -t , a.txt', 'sort --reverse -u', 'du -s ./* | sort -h'],
    rejects: [
      'sort -o a.txt a.txt',
      'sort a.txt -oa.txt',
      'sort --output=f a.txt',
      'sort --outp=f a.txt',
      'sort -T . a.txt',
      'sort --compress-program=./x a.txt',
      'sort -t -- -o f',
      'sort *',
      'sort -no f a',
    ],
  },
  {
    commands: ['uniq'],
    proof: {
      short: 'cdDuiz',
      shortWithValue: 'fsw',
      long: words('--count --repeated --unique --ignore-case --zero-terminated'),
      longWithValue: words('--skip-fields --skip-chars --check-chars'),
      maxOperands: 1,
    },
    matches: ['uniq', 'uniq -c a.txt', 'sort a.txt | uniq -f 1'],
    rejects: ['uniq in out', 'uniq -c in out', 'uniq -- $x', 'uniq ./*', 'uniq {a,b}'],
  },
  {
    commands: ['diff'],
    proof: {
      short: 'uqsrNiwbBEacy',
      shortWithValue: 'UCWx',
      long: words(
        '--brief --recursive --new-file --ignore-case --ignore-all-space --ignore-space-change --ignore-blank-lines --text --side-by-side --suppress-common-lines --unified --color',
      ),
      longWithValue: words('--unified --context --width --exclude --color --label'),
    },
    matches: ['diff -u a.txt b.txt', 'diff -rq src dist', 'diff --unified=0 <(ls a) <(ls b)'],
    rejects: ['diff -l a b', 'diff --paginate a b', 'diff $x', 'diff <(touch f) b'],
  },
  {
    commands: ['file'],
    proof: { short: 'bihkLN0r', long: words('--brief --mime --mime-type --mime-encoding --dereference --no-dereference --keep-going') },
    matches: ['file a.txt', 'file -bi ./*'],
    rejects: ['file -C -m magic', 'file -p a.txt', 'file -z a.gz', 'file *'],
  },
  {
    commands: ['date'],
    proof: checkDate,
    matches: ['date', 'date -u +%s', "date -d '1 day ago' +%F", 'date -Iseconds'],
    rejects: ['date -s 12:00', 'date 01010000', 'date --set=12:00', 'date $x', 'date -us 12:00'],
  },
  {
    commands: ['sed'],
    proof: checkSed,
    matches: ["sed -n '1,20p' a.txt", "sed 's/a/b/g' a.txt", "sed -n '5p;7p' a.txt", "sed -E -e 's/(a)/\\1/' a.txt", "sed '/^#/d' a.txt"],
    rejects: [
      'sed -i s/a/b/ a.txt',
      "sed 's/a/b/w f' a.txt",
      "sed 's/a/touch f/e' a.txt",
      "sed 'w f' a.txt",
      "sed '1e touch f' a.txt",
      "sed -n '1w f' a.txt",
      'sed "s/a/$x/" a.txt',
      'sed -f s.sed a.txt',
      "sed -n '1,5p' *",
      'sed -ni 1p a.txt',
      'sed -e"s/a/$x/" a.txt',
    ],
  },
  {
    commands: ['jq'],
    proof: checkJq,
    matches: ["jq -r '.a[]' a.json", 'jq --arg k v .', 'cat a.json | jq . -c'],
    rejects: ['jq -i . a.json', 'jq "$f"', 'jq . *.json'],
  },
  {
    commands: ['git'],
    proof: checkGit,
    matches: [
      'git rev-parse HEAD',
      'git -C sub rev-parse --show-toplevel',
      'git branch --show-current',
      'git --no-pager branch -a',
      'git --no-pager remote -v',
      'git --version',
    ],
    rejects: [
      'git status',
      'git log',
      'git --no-pager log',
      'git diff --no-ext-diff --no-textconv',
      'git show',
      'git blame a.txt',
      'git ls-files',
      'git branch',
      'git branch new',
      'git --no-pager branch new',
      'git -c core.pager=./x branch --show-current',
      'git --exec-path=. version',
      'git rev-parse HEAD^{tree}',
      'git --no-pager config user.name x',
      'git st',
    ],
  },
];
