// Whether a rule's condition matches the arguments of a command. Conditions are compiled once, and facts about the arguments are gathered
// once for all of them: many rules are about git, and each git command would be examined dozens of times.

import type { Condition } from './rule.ts';
import type { Argument } from './words.ts';

/** Options before a subcommand whose value is the next word. */
const OPTIONS_BEFORE_SUBCOMMAND: ReadonlySet<string> = new Set(
  '-C -c --git-dir --work-tree --namespace --config-env --super-prefix -H --host --context --config -l --log-level --prefix -w --workspace --cwd --dir --filter -F'.split(
    ' ',
  ),
);

interface Gathered {
  /** The values of the words that are not options; null where unknown. */
  readonly operands: readonly (string | null)[];
  /** Single-dash words, without the dash. */
  readonly letters: readonly string[];
  /** Double-dash words, without their values. */
  readonly longs: readonly string[];
}

/** Facts about the arguments that conditions use; not gathered for commands without a condition. */
export class ArgumentFacts {
  readonly args: readonly Argument[];
  #gathered: Gathered | null = null;

  constructor(args: readonly Argument[]) {
    this.args = args;
  }

  get operands(): readonly (string | null)[] {
    return (this.#gathered ??= gather(this.args)).operands;
  }

  /** A single letter also within a cluster, a long option also abbreviated. */
  hasOption(option: string): boolean {
    const { letters, longs } = (this.#gathered ??= gather(this.args));
    if (option.startsWith('--')) return longs.some((name) => name.length > 3 && option.startsWith(name));
    const letter = option.slice(1);
    return letters.some((cluster) => cluster.includes(letter));
  }
}

function gather(args: readonly Argument[]): Gathered {
  const operands: (string | null)[] = [];
  const letters: string[] = [];
  const longs: string[] = [];
  let isValue = false;
  for (const { start, value } of args) {
    const dashes = start.startsWith('--') ? 2 : start.startsWith('-') ? 1 : 0;
    if (dashes === 2) longs.push(start.split('=', 1)[0]!);
    else if (dashes === 1 && /^-[A-Za-z0-9]/.test(start)) letters.push(start.slice(1));
    if (isValue) isValue = false;
    else if (dashes === 0) operands.push(value);
    else isValue = operands.length === 0 && OPTIONS_BEFORE_SUBCOMMAND.has(start);
  }
  return { operands, letters, longs };
}

export type Test = (facts: ArgumentFacts) => boolean;

export function compileCondition({ subcommands, options, words, without, form, notOnly, unless }: Condition): Test {
  const tests: Test[] = [];
  if (subcommands !== undefined) tests.push(beginsWithOne(subcommands));
  if (options !== undefined) tests.push((facts) => options.some((option) => facts.hasOption(option)));
  if (without !== undefined) tests.push((facts) => !without.some((option) => facts.hasOption(option)));
  if (words !== undefined) tests.push(({ args }) => args.some(({ value }) => value !== null && words.includes(value)));
  if (form !== undefined) tests.push(({ args }) => args.some(({ text }) => form.test(text)));
  if (notOnly !== undefined) tests.push(({ args }) => args.length === 0 || !args.every(({ text }) => notOnly.test(text)));
  if (unless !== undefined) tests.push(({ args }) => !unless(args));
  return (facts) => tests.every((test) => test(facts));
}

function beginsWithOne(subcommands: readonly string[]): Test {
  const byFirst = Map.groupBy(
    subcommands.map((subcommand) => subcommand.split(' ')),
    ([first]) => first!,
  );
  return (facts) => {
    const candidates = byFirst.get(facts.operands[0] ?? '');
    return candidates !== undefined && candidates.some((words) => continues(words, facts));
  };
}

/** Options may come anywhere among the words. */
function continues(words: readonly string[], facts: ArgumentFacts): boolean {
  let at = 0;
  return words.every((word) => (word.startsWith('-') ? facts.hasOption(word) : facts.operands[at++] === word));
}
