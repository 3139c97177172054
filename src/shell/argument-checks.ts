// Proofs for commands whose arguments are a small language of their own. Each returns what could not be proven, in words, or
// null when the arguments can neither write nor run anything.

import { readOptions } from './options.ts';
import type { Argument } from './words.ts';

export type ArgumentCheck = (args: readonly Argument[]) => string | null;

const INTEGER = /^[+-]?\d+$/;
export const NUMBER_COMPARISONS: ReadonlySet<string> = new Set(['-eq', '-ne', '-lt', '-le', '-gt', '-ge']);
export const TEXT_COMPARISONS: ReadonlySet<string> = new Set(['=', '==', '!=', '-nt', '-ot', '-ef']);
/** Not `-v` and `-R`: they evaluate a subscript, and a subscript can run a command. */
const UNARY_TESTS: ReadonlySet<string> = new Set(Array.from('abcdefghknprsuwxzGLNOS', (letter) => `-${letter}`));

/** Some shells evaluate what follows `-t`, so only a number is proven there. */
export const isHarmlessUnary = (operator: string, operand: Argument): boolean =>
  UNARY_TESTS.has(operator) || (operator === '-t' && isInteger(operand));

export const isInteger = (arg: Argument): boolean => arg.value !== null && INTEGER.test(arg.value);

/** `test` and `[` without the closing bracket: only forms that every shell reads alike. */
export const checkTest: ArgumentCheck = (args) => {
  const rest = args[0]?.value === '!' ? args.slice(1) : args;
  if (rest.some((arg) => !arg.single)) return 'an unquoted expansion may add operators to the test';
  const [first, second, third] = rest;
  if (rest.length <= 1) return null;
  if (rest.length === 2)
    return isHarmlessUnary(first!.value ?? '', second!) ? null : `${first!.text} is not a test that is known to be harmless`;
  const operator = second!.value ?? '';
  if (rest.length > 3) return 'only a single comparison can be proven; join several with && or ||';
  if (TEXT_COMPARISONS.has(operator)) return null;
  // Some shells evaluate the operands of a number comparison, and evaluation can run a command.
  if (NUMBER_COMPARISONS.has(operator))
    return isInteger(first!) && isInteger(third!) ? null : 'a number comparison of unknown values may run a command';
  return `${second!.text} is not a comparison that is known to be harmless`;
};

export const checkBracket: ArgumentCheck = (args) =>
  args.at(-1)?.value === ']' ? checkTest(args.slice(0, -1)) : 'the closing ] is missing';

/** `%n` and `-v` assign a variable; number formats are evaluated by some shells. */
export const checkPrintf: ArgumentCheck = (args) => {
  const [first, ...rest] = args;
  const [format, values] = first?.value === '--' ? [rest[0], rest.slice(1)] : [first, rest];
  if (format === undefined || format.value === null) return 'the format is not known';
  if (format.value.startsWith('-') && first?.value !== '--') return 'a format that begins with a dash is an option';
  for (const [conversion] of format.value.matchAll(/%[^%a-zA-Z]*(?:[a-zA-Z%]|$)/g)) {
    if (/^%(?:%|-?\d*(?:\.\d+)?[sbqc])$/.test(conversion)) continue;
    if (/^%[-0 +]?\d*[dxo]$/.test(conversion) && values.every(isInteger)) continue;
    return `the format ${conversion} is not known to be harmless`;
  }
  return null;
};

/** Printing lines by number, and plain substitution. The flags `e` and `w` and the commands behind them run and write. */
const SED_SCRIPT =
  /^(?:(?:\d+|\$)(?:,(?:\d+|\$|\+\d+))?[pdq]|\/[A-Za-z0-9_ #.*^-]*\/[pd]|s\/(?:[^/\\\n]|\\[^\n])*\/(?:[^/\\\n]|\\[^\n])*\/[gpI0-9]*)$/;

export const checkSed: ArgumentCheck = (args) => {
  const read = readOptions(args, {
    short: 'nErsz',
    shortWithValue: 'e',
    long: ['--quiet', '--silent', '--regexp-extended'],
    longWithValue: ['--expression'],
  });
  if (typeof read === 'string') return read;
  const given = read.options.filter((option) => option.value !== null).map((option) => option.value!);
  const scripts = given.length > 0 ? given : read.operands.slice(0, 1);
  if (scripts.length === 0) return 'there is no script';
  for (const script of scripts) {
    const commands =
      script.value === null ? [] : /^[\d,$+pdq; ]+$/.test(script.value) ? script.value.split(';').map((one) => one.trim()) : [script.value];
    if (commands.length === 0 || !commands.every((command) => SED_SCRIPT.test(command)))
      return `the script ${script.text} is not known to only print`;
  }
  return null;
};

/** A program that prints what it reads: nothing that writes, runs, loads or looks into the environment. */
export const checkAwk: ArgumentCheck = (args) => {
  const read = readOptions(args, { shortWithValue: 'F' });
  if (typeof read === 'string') return read;
  const program = read.operands[0]?.value ?? null;
  if (program === null) return 'the program is not known';
  if (read.options.some(({ value }) => value?.value === null)) return 'the separator is not known';
  if (args.some(({ text }) => /\/inet/.test(text))) return 'a file name may be a connection';
  const odd = /[|>@]|\b(?:system|getline|ENVIRON|ARGV|ARGC|SYMTAB|FUNCTAB|close|fflush|include|load|PROCINFO)\b/.exec(program);
  return odd === null ? null : `the program holds ${odd[0]}, which may write, run or open something`;
};

const FIND_FLAGS = new Set(
  '-H -L -P -depth -d -empty -not -and -or -a -o -print -print0 -ls -prune -quit -true -false -readable -writable -executable -mount -xdev -follow -daystart -noleaf -nouser -nogroup'.split(
    ' ',
  ),
);
const FIND_TESTS = new Set(
  '-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -xtype -size -mtime -mmin -atime -amin -ctime -cmin -newer -anewer -cnewer -newermt -maxdepth -mindepth -user -group -uid -gid -perm -links -inum -samefile -lname -ilname -fstype -printf'.split(
    ' ',
  ),
);

export const checkFind: ArgumentCheck = (args) => {
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]!;
    if (arg.value !== null && FIND_TESTS.has(arg.value)) {
      const operand = args[++i];
      if (operand === undefined || (!operand.single && (operand.start === '' || operand.start.startsWith('-'))))
        return `the value of ${arg.value} may become several arguments; quote it`;
      continue;
    }
    if (arg.start === '') return `${arg.text} may become an action such as -delete; begin it with ./`;
    if (arg.start.startsWith('-') && (arg.value === null || !FIND_FLAGS.has(arg.value))) return `${arg.text} is not known to be harmless`;
  }
  return null;
};

export const JQ_ENVIRONMENT = /\$ENV\b|(?<![.\w$-])env(?![\w:=/])/;

/** jq's `--arg NAME VALUE` takes two values; read as operands they are harmless too, so only the options need proof. */
export const checkJq: ArgumentCheck = (args) => {
  if (args.some(({ text }) => JQ_ENVIRONMENT.test(text))) return 'the program shows the environment';
  const read = readOptions(args, {
    short: 'crjasneSCMR',
    long: '--compact-output --raw-output --join-output --ascii-output --slurp --null-input --exit-status --sort-keys --color-output --monochrome-output --raw-input --tab --arg --argjson --slurpfile --rawfile --args --jsonargs --stream --seq'.split(
      ' ',
    ),
    longWithValue: ['--indent'],
  });
  if (typeof read === 'string') return read;
  return args.some(({ text }) => /\b(?:import|include)\b/.test(text)) ? 'the program may read other files' : null;
};

/** `date MMDDhhmm` sets the clock; only a format is an operand that reads. */
export const checkDate: ArgumentCheck = (args) => {
  const read = readOptions(args, {
    short: 'uR',
    shortWithValue: 'dr',
    exact: ['-I', '-Idate', '-Ihours', '-Iminutes', '-Iseconds', '-Ins'],
    long: ['--utc', '--universal', '--rfc-email', '--iso-8601'],
    longWithValue: ['--date', '--reference', '--iso-8601', '--rfc-3339'],
  });
  if (typeof read === 'string') return read;
  return read.operands.every((operand) => operand.single && operand.start.startsWith('+'))
    ? null
    : 'an operand that is not a +format sets the clock';
};

/** Which version a tool is, and nothing else. Not `-v`: for some tools it means verbose output during normal work. */
export const checkVersion: ArgumentCheck = (args) =>
  args.length === 1 && args[0]?.value === '--version' ? null : 'only asking for its version is proven';

// The git commands that are safe in an untrusted repository. Measured against a repository whose config named a helper wherever git allows
// one: status, diff, blame, grep, check-ignore and even ls-files run core.fsmonitor; status also rewrites the index and runs hooks; status
// and diff run clean filters; log, show, diff and blame run textconv, an external diff or gpg.program; any object lookup fetches it from a
// promisor remote by running remote.*.uploadpack. Options such as
// --no-ext-diff and --no-textconv close only some of these, so none of those commands is listed.
// Output to a terminal goes through core.pager or pager.<command>, and some agents give their shell a terminal: commands that
// page need --no-pager. Lists of branches and tags are sorted as the config says, which may look objects up.
const REV_PARSE = new Set(
  'HEAD --show-toplevel --show-prefix --show-cdup --git-dir --absolute-git-dir --git-common-dir --is-inside-work-tree --is-inside-git-dir --is-bare-repository --abbrev-ref --symbolic-full-name --short --verify --quiet -q'.split(
    ' ',
  ),
);
const WITHOUT_PAGER: readonly (readonly [command: string, words: ReadonlySet<string>])[] = [
  ['remote', new Set(['-v', '--verbose'])],
  ['config', new Set(['--list', '-l', '--show-origin', '--show-scope', '--name-only', '--local', '--global'])],
  ['worktree', new Set(['list', '--porcelain'])],
];

export const checkGit: ArgumentCheck = (args) => {
  let i = 0;
  let pages = true;
  for (; i < args.length; i++) {
    const value = args[i]!.value;
    if (value === '--no-pager' || value === '-P') pages = false;
    else if (value === '-C') {
      const directory = args[++i];
      if (directory === undefined || !directory.single || directory.start === '' || directory.start.startsWith('-'))
        return 'the directory after -C is not known';
    } else break;
  }
  const command = args[i]?.value ?? null;
  const rest = args.slice(i + 1);
  if (command === '--version' || command === 'version')
    return rest.length === 0 ? null : 'only git version without options is known to be harmless';
  const onlyOf = (words: ReadonlySet<string>) => rest.find((arg) => arg.value === null || !words.has(arg.value));
  if (command === 'rev-parse') {
    const odd = onlyOf(REV_PARSE);
    return odd === undefined ? null : `${odd.text} may make git look up an object, which can run a helper`;
  }
  if (command === 'branch' && rest.length === 1 && rest[0]!.value === '--show-current') return null;
  const listed = WITHOUT_PAGER.find(([name]) => name === command);
  if (listed === undefined) return 'this git command may run helpers that the repository config names';
  const odd = onlyOf(listed[1]);
  if (odd !== undefined) return `${odd.text} is not known to be harmless for git ${listed[0]}`;
  // Without a word that requests the list, config and worktree do other things.
  if (command === 'config' && !rest.some((arg) => arg.value === '--list' || arg.value === '-l'))
    return 'only git config --list is known to be harmless';
  if (command === 'worktree' && rest[0]?.value !== 'list') return 'only git worktree list is known to be harmless';
  return pages ? `on a terminal git ${listed[0]} runs the pager that the repository config names; use git --no-pager` : null;
};
