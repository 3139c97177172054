// Programs that run a command which stands among their own words: `npm exec -- CMD`, `uv run CMD`, `parallel CMD ::: a`, `nix-shell --run
// 'CMD'`. What such a command writes counts; the program itself is judged by its own rule as well.

import { type Argument, literal } from './words.ts';

interface Runner {
  readonly names: string;
  /** One of these words comes first; absent: none is needed. */
  readonly after?: string;
  /** Options whose value is shell text. */
  readonly text?: RegExp;
  /** Options with a value in the next word. */
  readonly values?: RegExp;
  /** Words between its options and the command. */
  readonly operands?: number;
  /** Only the text of an option is a command. */
  readonly onlyText?: true;
  /** It takes a `--` between the command and its arguments for itself. */
  readonly takesDashes?: true;
}

const PACKAGE = /^(?:-p|-w|-C|--package|--workspace|--prefix|--dir|--filter|--cwd)$/;
const RUNNERS: readonly Runner[] = [
  { names: 'npm pnpm yarn', after: 'exec x dlx', text: /^(?:-c|--call)$/, values: PACKAGE, takesDashes: true },
  { names: 'npx pnpx bunx', text: /^(?:-c|--call)$/, onlyText: true },
  { names: 'bun', after: 'x' },
  { names: 'uv', after: 'run', values: /^(?:-p|-m|--python|--with|--extra|--group|--project|--directory|--env-file|--package|--module)$/ },
  { names: 'poetry pipenv pdm hatch rye', after: 'run', values: /^(?:-C|-P|-p|--directory|--project)$/ },
  { names: 'bundle', after: 'exec' },
  { names: 'mise asdf', after: 'exec x', text: /^(?:-c|--command)$/ },
  { names: 'direnv', after: 'exec', operands: 1 },
  { names: 'nix-shell', text: /^(?:--run|--command)$/, onlyText: true },
  { names: 'flock script', text: /^-\w*c$|^--command$/, onlyText: true },
  {
    names: 'strace ltrace',
    values: /^-[aeEIoOpPsSuUbXlnw]$|^--(?:trace|output|user|env|signal|status|string-limit|attach)$/,
  },
  { names: 'systemd-run', values: /^-[HMupE]$|^--(?:unit|property|description|slice|uid|gid|nice|working-directory|setenv|on-\w+)$/ },
  { names: 'taskset chrt', operands: 1 },
  { names: 'flock', values: /^-[wE]$|^--(?:timeout|wait|conflict-exit-code)$/, operands: 1 },
  { names: 'valgrind dbus-run-session ssh-agent' },
  { names: 'unshare', values: /^-[SGRw]$/ },
  { names: 'xvfb-run', values: /^-[efnpsw]$/ },
  { names: 'entr' },
];

export interface InnerCommands {
  readonly words: readonly (readonly Argument[])[];
  readonly texts: readonly string[];
}

const NONE: InnerCommands = { words: [], texts: [] };

const byName = new Map<string, Runner[]>();
for (const runner of RUNNERS) for (const name of runner.names.split(' ')) byName.set(name, [...(byName.get(name) ?? []), runner]);

export function innerCommands(name: string, args: readonly Argument[]): InnerCommands {
  if (name === 'parallel') return { words: [], texts: textsOfParallel(args) };
  if (name === 'hyperfine') return { words: [], texts: args.flatMap(({ text }) => (/\s/.test(text) ? [text] : [])) };
  if (name === 'tmux') return { words: [], texts: textsOfTmux(args) };
  const runners = byName.get(name);
  if (runners === undefined) return NONE;
  const found = runners.map((runner) => innerOf(runner, args));
  return { words: found.flatMap(({ words }) => words), texts: found.flatMap(({ texts }) => texts) };
}

function innerOf(runner: Runner, args: readonly Argument[]): InnerCommands {
  let rest = args;
  if (runner.after !== undefined) {
    if (!runner.after.split(' ').includes(args[0]?.value ?? '')) return NONE;
    rest = args.slice(1);
  }
  const texts = runner.text === undefined ? [] : textsBehind(rest, runner.text);
  if (runner.onlyText === true || texts.length > 0) return { words: [], texts };
  let i = 0;
  for (; i < rest.length && rest[i]!.start.startsWith('-') && rest[i]!.value !== '--'; i++) if (runner.values?.test(rest[i]!.text)) i++;
  if (rest[i]?.value === '--') i++;
  const behind = rest.slice(i + (runner.operands ?? 0));
  const words = runner.takesDashes && behind[1]?.value === '--' ? [behind[0]!, ...behind.slice(2)] : behind;
  // `flock FILE -c TEXT` was read above.
  return words.length === 0 || words[0]!.start.startsWith('-') ? NONE : { words: [words], texts: [] };
}

const textsBehind = (args: readonly Argument[], option: RegExp): string[] =>
  args.flatMap(({ text }, i) => {
    if (option.test(text)) return args[i + 1]?.text ?? [];
    const [, name, value] = /^(--[\w-]+)=(.*)$/s.exec(text) ?? [];
    return name !== undefined && option.test(name) ? [value!] : [];
  });

const INPUTS = /^:::\+?$/;
const PARALLEL_VALUES =
  /^-[jnNIPLaDSJ]$|^--(?:jobs|joblog|results|delay|timeout|retries|max-\w+|arg-file|tmpdir|workdir|wd|halt|memfree|load)$/;

/** The command with each of the words behind `:::` in the place of `{}`, or at its end; without a command, these words are commands. */
function textsOfParallel(args: readonly Argument[]): string[] {
  const first = args.findIndex(({ text }) => INPUTS.test(text));
  if (first < 0) return [];
  const own = args.slice(0, first);
  let i = 0;
  for (; i < own.length && own[i]!.start.startsWith('-'); i++) if (PARALLEL_VALUES.test(own[i]!.text)) i++;
  const template = own
    .slice(i)
    .map(({ text }) => text)
    .join(' ');
  const inputs = args.slice(first + 1).flatMap(({ text }) => (text.startsWith(':::') ? [] : [text]));
  return inputs.slice(0, 16).map((input) => {
    if (template === '') return input;
    return /\{\d*\}/.test(template) ? template.replace(/\{\d*\}/g, input.replaceAll('$', '$$$$')) : `${template} ${input}`;
  });
}

/** A new session begins in this folder; other panes have their own. */
function textsOfTmux(args: readonly Argument[]): string[] {
  const isNew = args.some(({ value }) => value === 'new' || value === 'new-session');
  return isNew && !args.some(({ value }) => value === '-c') ? args.flatMap(({ text }) => (/\s/.test(text) ? [text] : [])) : [];
}

/** What a command whose name is in a variable may be, as words. */
export function spelledOut({ may = [] }: Argument, rest: readonly Argument[]): readonly (readonly Argument[])[] {
  const plain = may.filter((text) => /^[\w./+-]+(?:\s+[\w./:=@%+,-]+)*$/.test(text)).slice(0, 8);
  // A value of several words is among them as a whole and in its parts.
  const whole = plain.filter((text) => !plain.some((other) => other !== text && other.split(/\s+/).includes(text)));
  return whole.map((text) => [...text.split(/\s+/).map(literal), ...rest]);
}
