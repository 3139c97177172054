// Judges one simple command by its arguments: what it is, what it runs, and whether what is left is proven.

import { CONSTRUCT_RULES, type ConstructCode, LIMITS } from './construct-rules.ts';
import { DESTRUCTIVE_RULES, OPTIONS_BEFORE_SUBCOMMAND } from './destructive-rules.ts';
import { MUTATING_RULES } from './mutating-rules.ts';
import { readOption, readOptions } from './options.ts';
import type { Condition, Level, NamedRule, SafeRule, WrapperRule } from './rule.ts';
import { SAFE_RULES } from './safe-rules.ts';
import { type Argument, literal } from './words.ts';
import { SHELLS, WRAPPER_RULES } from './wrapper-rules.ts';

export interface Finding {
  readonly level: Level;
  readonly code: string;
  readonly message: string;
}

/** What a simple command comes to: its own findings, and shell text that it runs. Nothing of either: SAFE. */
export interface Judgement {
  readonly findings: Finding[];
  /** `onlyWorst`: the text may not be a script at all, so only what is DESTRUCTIVE in it counts. */
  readonly scripts: { readonly text: string; readonly onlyWorst: boolean }[];
}

const safeRules = byName(SAFE_RULES);
const wrapperRules = byName(WRAPPER_RULES);
const destructiveRules = rulesFor(DESTRUCTIVE_RULES);
const mutatingRules = rulesFor(MUTATING_RULES);

/** How many words after a possible command count as its arguments; without a bound, a long text takes quadratic time. */
const SCAN_REACH = 64;

function byName<R extends { readonly commands: readonly string[] }>(rules: readonly R[]): ReadonlyMap<string, R> {
  return new Map(rules.flatMap((rule) => rule.commands.map((name) => [name, rule] as const)));
}

/** The rules that name a command, in their order. */
function rulesFor(rules: readonly NamedRule[]): (name: string) => readonly NamedRule[] {
  const exact = Map.groupBy(
    rules.flatMap((rule) => rule.commands.map((command) => ({ command, rule }))),
    ({ command }) => command,
  );
  const beginnings = rules.flatMap((rule) =>
    rule.commands.filter((command) => command.endsWith('*')).map((command) => ({ beginning: command.slice(0, -1), rule })),
  );
  return (name) =>
    exact.get(name)?.map(({ rule }) => rule) ?? beginnings.filter(({ beginning }) => name.startsWith(beginning)).map(({ rule }) => rule);
}

export function findingOf(code: ConstructCode, detail: string): Finding {
  const rule = CONSTRUCT_RULES[code];
  return { level: rule.level, code, message: rule.message(detail) };
}

/** `stdin` is the text of the command's here-documents, which a shell would run. */
export function judgeArguments(args: readonly Argument[], stdin: readonly string[]): Judgement {
  const judgement: Judgement = { findings: [], scripts: [] };
  judge(args, stdin, judgement, 0);
  return judgement;
}

function judge(args: readonly Argument[], stdin: readonly string[], judgement: Judgement, depth: number): void {
  if (depth > LIMITS.depth) {
    judgement.findings.push(findingOf('TOO_DEEP', ''));
    return;
  }
  const [command, ...rest] = args;
  if (command === undefined || command.value === null) {
    judgement.findings.push(findingOf('NAME_NOT_LITERAL', command?.text ?? ''));
    return;
  }
  const name = command.value.slice(command.value.lastIndexOf('/') + 1);
  const destructive = destructiveRules(name).find((rule) => holds(rule.when, rest));
  if (destructive !== undefined) judgement.findings.push(named(destructive, name));

  const wrapper = wrapperRules.get(name);
  if (wrapper !== undefined) judgeWrapper(wrapper, name, command.value, rest, stdin, judgement, depth);
  else if (SHELLS.has(name)) judgeShell(name, rest, stdin, judgement);
  else if (!judgeActions(name, rest, judgement, depth) && destructive === undefined) judgePlain(name, command.value, rest, judgement);
}

/** No wrapper, nothing destructive: SAFE if a rule proves it. Only a bare name is looked up; `./ls` may be anything. */
function judgePlain(name: string, written: string, rest: readonly Argument[], judgement: Judgement): void {
  const safe = safeRules.get(written);
  const problem = safe === undefined ? null : unproven(safe, rest);
  if (safe !== undefined && problem === null) return;
  const mutating = mutatingRules(name).find((rule) => holds(rule.when, rest));
  if (mutating !== undefined) judgement.findings.push(named(mutating, name));
  else if (problem !== null) judgement.findings.push(findingOf('UNPROVEN_ARGUMENT', `${name}: ${problem}`));
  else judgement.findings.push(findingOf('UNKNOWN_COMMAND', written));
}

function unproven(rule: SafeRule, args: readonly Argument[]): string | null {
  if (rule.proof === 'any') return null;
  if (typeof rule.proof === 'function') return rule.proof(args);
  const read = readOptions(args, rule.proof);
  if (typeof read === 'string') return read;
  const { maxOperands } = rule.proof;
  if (maxOperands === undefined) return null;
  if (read.operands.length > maxOperands) return `${read.operands[maxOperands]!.text} would be written`;
  return read.operands.every((operand) => operand.single) ? null : 'the number of operands is not known, and one more would be written';
}

function judgeWrapper(
  rule: WrapperRule,
  name: string,
  written: string,
  args: readonly Argument[],
  stdin: readonly string[],
  judgement: Judgement,
  depth: number,
): void {
  const before = judgement.findings.length;
  // `command -v` looks a name up and runs nothing.
  if (name === 'command' && (args[0]?.value === '-v' || args[0]?.value === '-V')) return;
  const start = rule.runs === 'anywhere' ? null : innerStart(rule, args);
  if (start === null) {
    scan(args, judgement);
    for (const text of stdin) judgement.scripts.push({ text, onlyWorst: true });
  } else if (start < args.length) {
    if (rule.runs === 'script') {
      judgement.scripts.push({
        text: args
          .slice(start)
          .map((arg) => arg.text)
          .join(' '),
        onlyWorst: false,
      });
    } else judge(args.slice(start), stdin, judgement, depth + 1);
    const operand = rule.operand === undefined ? undefined : args[start - 1];
    if (operand !== undefined && (operand.value === null || !rule.operand!.test(operand.value))) {
      judgement.findings.push(findingOf('UNPROVEN_ARGUMENT', `${name}: ${operand.text} is not of the expected form`));
    }
  } else judgement.findings.push(findingOf('UNKNOWN_COMMAND', written));
  const transparent = rule.transparent === true && start !== null && written === name;
  if (!transparent && judgement.findings.length === before) judgement.findings.push(findingOf('RUNS_ANOTHER_COMMAND', name));
}

/** Where the inner command begins, or null when an option is not known and so any word may begin it. */
function innerStart(rule: WrapperRule, args: readonly Argument[]): number | null {
  let i = 0;
  for (; i < args.length; i++) {
    const arg = args[i]!;
    if (arg.value === '--') {
      i++;
      break;
    }
    if (!arg.start.startsWith('-') || arg.value === '-') break;
    const option = readOption(arg, rule.options ?? {});
    if (option === null) return null;
    if (option.needsValue) i++;
  }
  if (rule.assignments === true) while (i < args.length && /^[A-Za-z_]\w*=/.test(args[i]!.start)) i++;
  return rule.operand === undefined ? i : i + 1;
}

/** Text that is no proper command: whatever of it could be a command and would be DESTRUCTIVE. */
export function scanText(text: string): Finding[] {
  const judgement: Judgement = { findings: [], scripts: [] };
  scan(
    text
      .replace(/['"\\]/g, '')
      .split(/[\s;&|<>(){}`$]+/)
      .map(literal),
    judgement,
  );
  return judgement.findings;
}

/** Any of the words may be the command, or a script: only what is DESTRUCTIVE then is believed. */
function scan(args: readonly Argument[], judgement: Judgement): void {
  for (const [i, arg] of args.entries()) {
    if (/\s/.test(arg.text)) judgement.scripts.push({ text: arg.text.replace(/^-{1,2}[\w-]+=/, ''), onlyWorst: true });
    if (arg.value === null) continue;
    const name = arg.value.slice(arg.value.lastIndexOf('/') + 1);
    const rule = destructiveRules(name).find((candidate) => holds(candidate.when, args.slice(i + 1, i + 1 + SCAN_REACH)));
    if (rule !== undefined) judgement.findings.push(named(rule, name));
  }
}

function judgeShell(name: string, args: readonly Argument[], stdin: readonly string[], judgement: Judgement): void {
  let takesScript = false;
  let i = 0;
  for (; i < args.length; i++) {
    const text = args[i]!.start;
    if (text === '--' || text === '-') {
      i++;
      break;
    }
    if (!/^[-+]/.test(text)) break;
    if (text === '--rcfile' || text === '--init-file' || /^[-+][A-Za-z]*[oO]$/.test(text)) i++;
    if (/^-[A-Za-z]*c/.test(text)) takesScript = true;
  }
  const script = args[i];
  if (takesScript && script !== undefined) judgement.scripts.push({ text: script.text, onlyWorst: false });
  for (const text of stdin) judgement.scripts.push({ text, onlyWorst: false });
  const seen = takesScript && script !== undefined && script.value !== null;
  judgement.findings.push(findingOf(seen ? 'RUNS_ANOTHER_COMMAND' : 'UNSEEN_SCRIPT', name));
}

const ACTIONS: ReadonlySet<string> = new Set(['-exec', '-execdir', '-ok', '-okdir', '-x', '-X', '--exec', '--exec-batch']);

/** `find -exec` and its like: what they run is judged, and they are never SAFE. */
function judgeActions(name: string, args: readonly Argument[], judgement: Judgement, depth: number): boolean {
  if (!['find', 'fd', 'fdfind', 'bfs'].includes(name)) return false;
  let found = false;
  for (let i = 0; i < args.length; i++) {
    if (!ACTIONS.has(args[i]!.value ?? '')) continue;
    found = true;
    const end = args.findIndex((arg, at) => at > i && (arg.value === ';' || arg.value === '+'));
    const before = judgement.findings.length;
    judge(args.slice(i + 1, end === -1 ? args.length : end), [], judgement, depth + 1);
    if (judgement.findings.length === before) judgement.findings.push(findingOf('RUNS_ANOTHER_COMMAND', name));
    // Without an end the rest was the inner command's, with all the actions in it.
    i = end === -1 ? args.length : end;
  }
  return found;
}

const named = (rule: NamedRule, name: string): Finding => ({ level: rule.level, code: rule.code, message: `${name} ${rule.message}` });

function holds(condition: Condition | undefined, args: readonly Argument[]): boolean {
  if (condition === undefined) return true;
  const { subcommands, options, words, without, form } = condition;
  if (subcommands !== undefined && !subcommands.some((subcommand) => beginsWith(args, subcommand.split(' ')))) return false;
  if (options !== undefined && !options.some((option) => hasOption(args, option))) return false;
  if (without?.some((option) => hasOption(args, option)) === true) return false;
  if (words !== undefined && !args.some((arg) => arg.value !== null && words.includes(arg.value))) return false;
  return form === undefined || args.some((arg) => form.test(arg.text));
}

function beginsWith(args: readonly Argument[], subcommand: readonly string[]): boolean {
  const operands: Argument[] = [];
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]!;
    if (!arg.start.startsWith('-')) operands.push(arg);
    else if (operands.length === 0 && OPTIONS_BEFORE_SUBCOMMAND.has(arg.start)) i++;
  }
  let at = 0;
  return subcommand.every((word) => (word.startsWith('-') ? hasOption(args, word) : operands[at++]?.value === word));
}

function hasOption(args: readonly Argument[], option: string): boolean {
  if (!option.startsWith('--')) return args.some((arg) => /^-[A-Za-z0-9]/.test(arg.start) && arg.start.includes(option.slice(1)));
  return args.some((arg) => {
    const name = arg.start.split('=', 1)[0]!;
    return name.startsWith('--') && name.length > 3 && option.startsWith(name);
  });
}
