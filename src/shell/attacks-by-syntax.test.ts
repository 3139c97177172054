// Attacks that hide a command in the syntax around it. Each list is one kind of attack.

import { describe, expect, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { readCommand } from './read-command.ts';

const read = (commands: readonly string[]) => commands.map((command) => [command, readCommand(command).class]);
const all = (commands: readonly string[], expected: string) => commands.map((command) => [command, expected]);
/** The commands that are SAFE although they must not be. */
const safe = (commands: readonly string[]) => commands.filter((command) => readCommand(command).class === 'SAFE');

describe('danger after another part', () => {
  const afterOthers = [
    'ls; rm -rf src',
    'ls && rm a',
    'false || rm a',
    'ls\nrm a',
    'ls | rm a',
    'ls & rm a',
    'if ls; then rm a; fi',
    'for f in *; do rm "$f"; done',
    'case x in x) rm a;; esac',
    '( ls; ( rm a ) )',
    '! rm a',
    'time rm a',
    'while rm a; do ls; done',
    'ls # \nrm a',
    "ls #'\nrm a #'",
    'ls \\\n; rm a',
    '{ ls; rm a; }',
  ];
  verifies('I11', 'danger after ;, && or a newline is found', () => {
    expect(read(afterOthers)).toEqual(all(afterOthers, 'DESTRUCTIVE'));
  });

  verifies('I11', 'danger as the 51st part is found, and so many parts are never SAFE', () => {
    expect(readCommand(`${'ls;'.repeat(50)}rm a`)).toEqual({
      class: 'DESTRUCTIVE',
      reasons: [
        { code: 'DELETES', part: 'rm a', message: 'rm deletes files and cannot be undone' },
        { code: 'TOO_MANY_PARTS', part: `${'ls;'.repeat(50)}rm a`.slice(0, 200), message: 'has 51 parts, more than 50' },
      ],
    });
    expect(readCommand('ls;'.repeat(50))).toEqual({ class: 'SAFE', reasons: [] });
    expect(readCommand('ls;'.repeat(51)).class).toBe('MUTATING');
  });

  verifies('I11', 'every part that is not SAFE has its reason, the strictest first', () => {
    expect(readCommand('ls; touch a; cat b && rm c > log')).toEqual({
      class: 'DESTRUCTIVE',
      reasons: [
        { code: 'DELETES', part: 'rm c > log', message: 'rm deletes files and cannot be undone' },
        { code: 'WRITES_FILES', part: 'touch a', message: 'touch writes a' },
        { code: 'WRITES_FILE', part: '> log', message: 'writes to log' },
      ],
    });
  });

  verifies('I11', 'padding does not hide danger: long commands are read, longer ones are held for a person', () => {
    const padding = (bytes: number) => `cat <<'E'\n${'x'.repeat(bytes)}\nE\n`;
    expect(readCommand(padding(8000)).class).toBe('SAFE');
    expect(readCommand(padding(9000)).class).toBe('MUTATING');
    expect(readCommand(`${padding(9000)}rm a`).class).toBe('DESTRUCTIVE');
    expect(readCommand(padding(40_000)).class).toBe('DESTRUCTIVE');
    expect(readCommand(`${'( '.repeat(30)}rm a${' )'.repeat(30)}`).class).toBe('DESTRUCTIVE');
  });
});

describe('code inside expansions', () => {
  const runsDeletion = [
    'echo $(rm a)',
    'echo "$(rm a)"',
    'echo `rm a`',
    'echo "`rm a`"',
    'cat <(rm a)',
    'cat >(rm a)',
    'echo ${x:-$(rm a)}',
    'echo ${x/$(rm a)/b}',
    'echo $(( $(rm a) ))',
    'cat <<E\n$(rm a)\nE',
    'cat <<< "$(rm a)"',
    'ls > "$(rm a)"',
    'a=$(rm a)',
    'a=(1 $(rm a))',
    'echo {a,$(rm a)}',
    'echo `echo \\`rm a\\``',
    '[[ -f $(rm a) ]]',
    '((a[$(rm a)]))',
    'echo ${a[$(rm a)]}',
    'case $(rm a) in x) ls;; esac',
    'for f in $(rm a); do ls; done',
    'declare "x=$(rm a)"',
    'echo $(echo $(echo $(rm a)))',
    'echo "${x:+`rm a`}"',
    'cat <<E\n$(rm a)',
    'cat <(cat <<E\n$(rm a)\nE)',
  ];
  verifies('I11', '$(…) and backticks are judged by what runs inside', () => {
    expect(read(runsDeletion)).toEqual(all(runsDeletion, 'DESTRUCTIVE'));
    const harmless = [
      'echo $(ls)',
      'echo "`pwd`"',
      'diff <(ls a) <(ls b)',
      'cat <<E\n$(pwd) $x\nE',
      'echo ${x:-$(pwd)}',
      'cat <<< "$(ls)"',
    ];
    expect(read(harmless)).toEqual(all(harmless, 'SAFE'));
  });

  verifies('I11', '${x@P}, [[ -v ]], printf -v, let and declare are unprovable, so not SAFE', () => {
    const commands = [
      'echo ${x@P}',
      'echo "${x@P}"',
      'echo ${x@A}',
      "[[ -v 'a[$(id)]' ]]",
      '[[ -v x ]]',
      '[[ $x -eq 0 ]]',
      "[[ 'a[$(id)]' -gt 1 ]]",
      "test -v 'a[$(id)]'",
      "[ -v 'a[$(id)]' ]",
      "printf -v 'a[$(id)]' x",
      "printf '%n' 'a[$(id)]'",
      "let 'a[$(id)]=1'",
      "declare -i 'x=a[$(id)]'",
      'declare -n r=PATH',
      "echo $((a['$(id)']))",
      'echo $((x))',
      'echo ${x:y}',
      'echo ${a[x]}',
      'echo ${!x}',
      'echo ${x:=y}',
      'echo ${x=y}',
      'echo $[x]',
      'echo ${x@}',
      'echo "${x:offset:2}"',
      '((x))',
      'read x',
      'mapfile -C id x',
      'local x',
      'export x',
      'unset x',
      'for ((;;)); do ls; done',
    ];
    expect(safe(commands)).toEqual([]);
  });
});

describe('characters that hide or reorder', () => {
  const commands = [
    'ls\r',
    'ls\r\nrm a',
    'ls \u0000',
    'ls \u001b[2K',
    'ls \u0008\u0008',
    'echo \u202ecba',
    'echo \u2066a\u2069',
    'l\u200bs',
    'ls\u200d',
    'ls \ufeff',
    '\ufeffls',
    'ls \u00ad',
    'ls\u00a0-l',
    'echo \u2028 ls',
    'ls \u{e0020}',
    'ls \u007f',
    'ls \u0085',
    'ls # \u202e',
    "echo '\u202e'",
    'ls \ud83d',
  ];
  verifies('I11', 'control characters, CR, bidi and zero-width are reported and never SAFE', () => {
    const missed = commands.filter((command) => {
      const reading = readCommand(command);
      return reading.class === 'SAFE' || !reading.reasons.some((reason) => reason.code === 'CONTROL_CHARACTERS');
    });
    expect(missed).toEqual([]);
  });

  test('the reason names the characters, because they cannot be shown', () => {
    expect(readCommand('ls \u202e\u200b')).toEqual({
      class: 'DESTRUCTIVE',
      reasons: [
        {
          code: 'CONTROL_CHARACTERS',
          part: 'ls \u202e\u200b',
          message: 'contains characters that are not seen or that reorder the text: U+202E, U+200B',
        },
      ],
    });
  });
});

describe('texts that shells read differently', () => {
  verifies('I11', 'danger in a text that the grammar cannot read is still found', () => {
    const commands = ['ls | ! rm a', 'cat <(ls)#; rm a', 'ls )\nrm a', 'cat 1>(rm a)', "ls ;; r''m a", 'ls foo(rm a)', '{ ls; \\rm a'];
    expect(read(commands)).toEqual(all(commands, 'DESTRUCTIVE'));
  });

  verifies('I11', 'what another shell, or the grammar, would read otherwise is not SAFE', () => {
    const commands = [
      "echo $'\\'; rm a; #'",
      '[[ a > b ]]',
      '[[ a =~ x|rm ]]',
      '[[ a || rm ]]',
      '((a>b))',
      'ls *(e:id:)',
      'ls foo(e:id:)',
      'echo ${(e)x}',
      'cat =(id)',
      'echo $[1>2]',
      'cat <(ls)# > f',
      'cat 1>(touch f)',
      'echo ${ ls; }',
      'echo ${|ls;}',
      'echo "${x:-\'}" "}"',
      'ls !(a)',
      'cat <<E',
      'echo "a',
      "echo 'a",
      'ls )',
      'ls ;; ls',
      'echo `ls',
    ];
    expect(safe(commands)).toEqual([]);
  });
});
