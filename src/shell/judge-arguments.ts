// Judges one simple command by its arguments: what it is, what it runs, what it writes, and whether what is left is proven.

import { checkVersion, JQ_ENVIRONMENT } from './argument-checks.ts';
import { ArgumentFacts } from './condition.ts';
import { LIMITS, PROXY } from './construct-rules.ts';
import { DESTRUCTIVE_RULES } from './destructive-rules.ts';
import { secretAmong, NOWHERE } from './find-secrets.ts';
import { fed, filled, foundNames } from './filled-words.ts';
import { findWrites } from './find-writes.ts';
import { DECODER, readText } from './command-text.ts';
import { innerCommands, spelledOut } from './inner-commands.ts';
import { folderAt, folderOfEnv, loseFolder, moveFolder } from './inner-folder.ts';
import { emptyJudgement, findingByRule, findingOf, type Finding, type Judgement } from './judgement.ts';
import { conventionalOutputs, mayBeWritten } from './output-options.ts';
import { MUTATING_RULES } from './mutating-rules.ts';
import { readOption, readOptions } from './options.ts';
import type { SafeRule, WrapperRule } from './rule.ts';
import { firstRule, rulesByName } from './rules-by-name.ts';
import { SAFE_RULES } from './safe-rules.ts';
import { type Argument, literal } from './words.ts';
import { SHELLS, WRAPPER_RULES } from './wrapper-rules.ts';
import type { WriteTarget } from './write-target.ts';

const safeRules = rulesByName(SAFE_RULES);
const wrapperRules = rulesByName(WRAPPER_RULES);
const destructiveRule = firstRule(DESTRUCTIVE_RULES);
const destructiveRules = rulesByName(DESTRUCTIVE_RULES);
const mutatingRule = firstRule(MUTATING_RULES);

/** How many words after a possible command count as its arguments; without a bound, a long text takes quadratic time. */
const SCAN_REACH = 64;
const CHANGES_FOLDER: ReadonlySet<string> = new Set(['cd', 'pushd', 'popd']);
/** Unseen text may contain a cd. */
const LOSES_FOLDER: ReadonlySet<string> = new Set(['source', '.', 'alias', 'trap', 'enable']);

const NOTHING_WRITTEN: readonly WriteTarget[] = [];

interface Around extends Pick<Judgement, 'brief' | 'where' | 'piped' | 'said' | 'decoded'> {
  /** The text of the command's here-documents, which a shell would run. */
  readonly stdin: readonly string[];
}

export function judgeArguments(args: readonly Argument[], { stdin, ...around }: Around): Judgement {
  const judgement = emptyJudgement(around);
  judge(args, stdin, judgement, 0);
  return judgement;
}

function judge(args: readonly Argument[], stdin: readonly string[], judgement: Judgement, depth: number): void {
  const command = args[0];
  if (depth > LIMITS.depth || command === undefined || command.value === null) {
    judgement.findings.push(depth > LIMITS.depth ? findingOf('TOO_DEEP', '') : findingOf('NAME_NOT_LITERAL', command?.text ?? ''));
    if (depth <= LIMITS.depth && command !== undefined)
      for (const inner of spelledOut(command, args.slice(1))) judge(inner, stdin, judgement, depth + 1);
    judgement.opaque = true;
    judgement.folder = 'lost';
    return;
  }
  const name = command.value.slice(command.value.lastIndexOf('/') + 1);
  const rest = args.slice(1);
  const facts = new ArgumentFacts(rest);
  const destructive = destructiveRule(name, facts);
  if (destructive !== undefined) judgement.findings.push(findingByRule(destructive, name));

  const wrapper = wrapperRules(name)[0];
  if (wrapper !== undefined) judgeWrapper(wrapper, name, command.value, rest, stdin, judgement, depth);
  else if (SHELLS.has(name)) judgeShell(name, rest, stdin, judgement);
  else {
    const runs = judgeActions(name, rest, judgement, depth);
    judgePlain(name, command.value, facts, stdin, judgement, runs || destructive !== undefined);
  }
  judgeInnerCommands(name, rest, judgement, depth);
}

/** INVARIANT: it only adds to what the program's own rule says. */
function judgeInnerCommands(name: string, rest: readonly Argument[], judgement: Judgement, depth: number): void {
  const { words, texts } = innerCommands(name, rest);
  const { folder } = judgement;
  for (const inner of words) judge(inner, [], judgement, depth + 1);
  judgement.folder = folder;
  if (words.length > 0) judgement.opaque = true;
  for (const text of texts) judgement.scripts.push({ text, onlyWorst: true, where: 'apart' });
}

/** No wrapper: SAFE if a rule proves it. Only a bare name is looked up; `./ls` may be anything. */
function judgePlain(
  name: string,
  written: string,
  facts: ArgumentFacts,
  stdin: readonly string[],
  judgement: Judgement,
  decided: boolean,
): void {
  const rest = facts.args;
  if (CHANGES_FOLDER.has(written)) judgement.folder = { command: written, args: rest };
  else if (LOSES_FOLDER.has(written)) judgement.folder = 'lost';
  const safe = judgement.brief ? undefined : safeRules(written)[0];
  const problem = safe === undefined ? null : unproven(safe, rest);
  const proven = safe !== undefined && problem === null && !decided;
  const found = proven ? null : findWrites(name, facts);
  const text = proven ? null : readText(name, rest, stdin, judgement.decoded);
  const targets = [...(found?.targets ?? NOTHING_WRITTEN), ...(text?.writes ?? NOTHING_WRITTEN)];
  if (!proven && found?.complete !== true) {
    const known = new Set(targets.map(({ path }) => path.text));
    if (name !== 'curl' && name !== 'wget') targets.push(...conventionalOutputs(name, rest).filter(({ path }) => !known.has(path.text)));
    // Rules know better what of the arguments is written, and programs that mostly read are known too.
    const isReader = safe !== undefined && safe.proof !== checkVersion;
    if (found === null && !isReader && !judgement.brief) judgement.mentions.push(...mayBeWritten(name, rest, text !== null));
  }
  judgement.writes.push(...targets);
  for (const each of [...(found?.scripts ?? []), ...(text?.scripts ?? [])])
    judgement.scripts.push({ text: each, onlyWorst: true, where: 'apart' });
  const secret = secretAmong(name, rest, found?.targets ?? NOTHING_WRITTEN, judgement.where);
  if (secret !== null) judgement.findings.push(findingOf('READS_SECRET', secret));
  if (proven) return;
  if (text !== null) judgement.findings.push(...text.findings);
  if ((found?.complete !== true && found?.named !== true) || text !== null) judgement.opaque = true;
  else if (found.complete !== true) judgement.unsure = true;
  if (decided || judgement.brief) return;

  const mutating = mutatingRule(name, facts);
  if (mutating !== undefined) judgement.findings.push(findingByRule(mutating, name));
  if (targets.length > 0) judgement.findings.push(writesFiles(name, [...new Set(targets.map(({ path }) => path.text))].join(', ')));
  else if (mutating !== undefined) return;
  else if ((name === 'printenv' && rest.length === 0) || (name === 'jq' && rest.some(({ text }) => JQ_ENVIRONMENT.test(text))))
    judgement.findings.push(findingOf('SHOWS_ENVIRONMENT', name));
  else if (problem !== null) judgement.findings.push(findingOf('UNPROVEN_ARGUMENT', `${name}: ${problem}`));
  else judgement.findings.push(found === null ? findingOf('UNKNOWN_COMMAND', written) : mayWrite(name));
}

const mayWrite = (name: string): Finding => ({ level: 'MUTATING', code: 'WRITES_FILES', message: `${name} may write files` });
const writesFiles = (name: string, what: string): Finding => ({
  level: 'MUTATING',
  code: 'WRITES_FILES',
  message: `${name} writes ${what}`,
});

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
  const own = findWrites(name, new ArgumentFacts(args));
  if (own !== null) judgement.writes.push(...own.targets);
  const start = rule.runs === 'anywhere' ? null : innerStart(rule, args);
  // It hands on what a file says: `xargs -a .env`, `parallel -a .env`.
  const read =
    rule.feeds || name === 'parallel' ? secretAmong(name, args.slice(0, start ?? args.length), NOTHING_WRITTEN, judgement.where) : null;
  if (read !== null) judgement.findings.push(findingOf('READS_SECRET', read));
  if (start === null) {
    judgement.opaque = true;
    scanWords(args, judgement);
    for (const text of stdin) judgement.scripts.push({ text, onlyWorst: true, where: 'elsewhere' });
  } else if (start < args.length) {
    const own = args.slice(0, start);
    const inner = rule.feeds === true ? fed(own, args.slice(start), judgement.piped, judgement.said) : args.slice(start);
    if (rule.runs === 'script') {
      const text = (rule.firstOnly === true ? inner.slice(0, 1) : inner).map((arg) => arg.text).join(' ');
      judgement.scripts.push({ text, onlyWorst: false, where: name === 'eval' ? 'here' : 'apart' });
      if (DECODER.test(text)) judgement.findings.push(findingOf('RUNS_DECODED', name));
    } else judgeInner(name, own, inner, stdin, judgement, depth);
    const operand = rule.operand === undefined ? undefined : own.at(-1);
    if (operand !== undefined && (operand.value === null || !rule.operand!.test(operand.value)))
      judgement.findings.push(findingOf('UNPROVEN_ARGUMENT', `${name}: ${operand.text} is not of the expected form`));
  } else {
    judgement.opaque ||= name !== 'env';
    judgement.findings.push(name === 'env' ? findingOf('SHOWS_ENVIRONMENT', name) : findingOf('UNKNOWN_COMMAND', written));
  }
  const transparent = rule.transparent === true && start !== null && written === name;
  if (!transparent && judgement.findings.length === before) judgement.findings.push(findingOf('RUNS_ANOTHER_COMMAND', name));
}

function judgeInner(
  name: string,
  own: readonly Argument[],
  inner: readonly Argument[],
  stdin: readonly string[],
  judgement: Judgement,
  depth: number,
): void {
  const [writes, scripts] = [judgement.writes.length, judgement.scripts.length];
  const { where } = judgement;
  const moved = name === 'env' ? folderOfEnv(own) : null;
  if (moved !== null) judgement.where = { ...where, folder: folderAt(where, moved) };
  judge(inner, stdin, judgement, depth + 1);
  judgement.where = where;
  // Only these run a builtin of this shell; elsewhere cd is another program, if it exists.
  if (name !== 'command' && name !== 'builtin') judgement.folder = judgement.folder === 'lost' ? 'lost' : null;
  for (const { start, text } of own) if (PROXY.test(start)) judgement.findings.push(findingOf('NETWORK', text));
  // A variable such as PATH changes what runs; nohup may write nohup.out.
  if (name === 'nohup' || own.some(({ start }) => /^[A-Za-z_]\w*=/.test(start))) judgement.opaque = true;
  if (name === 'env') {
    if (moved !== null) moveFolder(judgement, moved, writes, scripts);
    return;
  }
  if (!own.some(({ start }) => /^(?:-[CDR]|--ch(?:dir|root))/.test(start))) return;
  loseFolder(judgement, writes, scripts);
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

/** Text that is not a valid command: every part of it that could be a DESTRUCTIVE command. */
export function scanText(text: string): Finding[] {
  const judgement = emptyJudgement({ brief: true, where: NOWHERE, piped: [], said: [], decoded: false });
  scanWords(
    text
      .replace(/['"\\]/g, '')
      .split(/[\s;&|<>(){}`$]+/)
      .map(literal),
    judgement,
  );
  return judgement.findings;
}

/** Any of the words may be the command, or a script: only DESTRUCTIVE findings count. */
function scanWords(args: readonly Argument[], judgement: Judgement): void {
  for (const [i, arg] of args.entries()) {
    if (/\s/.test(arg.text)) judgement.scripts.push({ text: arg.text.replace(/^-{1,2}[\w-]+=/, ''), onlyWorst: true, where: 'elsewhere' });
    if (arg.value === null) continue;
    const name = arg.value.slice(arg.value.lastIndexOf('/') + 1);
    const rule =
      destructiveRules(name).length > 0 ? destructiveRule(name, new ArgumentFacts(args.slice(i + 1, i + 1 + SCAN_REACH))) : undefined;
    if (rule !== undefined) judgement.findings.push(findingByRule(rule, name));
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
  if (takesScript && script !== undefined) judgement.scripts.push({ text: script.text, onlyWorst: false, where: 'apart' });
  for (const text of stdin) judgement.scripts.push({ text, onlyWorst: false, where: 'apart' });
  const seen = takesScript && script !== undefined && script.value !== null;
  const isPiped = !takesScript && (script === undefined || /^(?:-|\/dev\/stdin)$/.test(script.text));
  if ((isPiped && judgement.decoded) || (script !== undefined && script.value === null && DECODER.test(script.text)))
    judgement.findings.push(findingOf('RUNS_DECODED', name));
  if (!seen) judgement.opaque = true;
  judgement.findings.push(findingOf(seen ? 'RUNS_ANOTHER_COMMAND' : 'UNSEEN_SCRIPT', name));
}

const TAKES_ACTIONS: ReadonlySet<string> = new Set(['find', 'fd', 'fdfind', 'bfs']);
const ACTIONS: ReadonlySet<string> = new Set(['-exec', '-execdir', '-ok', '-okdir', '-x', '-X', '--exec', '--exec-batch']);

/** `find -exec` and its like: what they run is judged, and they are never SAFE. */
function judgeActions(name: string, args: readonly Argument[], judgement: Judgement, depth: number): boolean {
  if (!TAKES_ACTIONS.has(name)) return false;
  let found = false;
  for (let i = 0; i < args.length; i++) {
    if (!ACTIONS.has(args[i]!.value ?? '')) continue;
    found = true;
    const end = args.findIndex((arg, at) => at > i && (arg.value === ';' || arg.value === '+'));
    const before = judgement.findings.length;
    const [writes, scripts] = [judgement.writes.length, judgement.scripts.length];
    judge(filled(args.slice(i + 1, end === -1 ? args.length : end), '{}', foundNames(name, args)), [], judgement, depth + 1);
    judgement.folder = null;
    if (args[i]!.value!.endsWith('dir')) loseFolder(judgement, writes, scripts);
    if (judgement.findings.length === before) judgement.findings.push(findingOf('RUNS_ANOTHER_COMMAND', name));
    // Without an end, the rest belonged to the inner command, with all actions in it.
    i = end === -1 ? args.length : end;
  }
  return found;
}
