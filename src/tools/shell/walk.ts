// Walks the syntax tree and collects what is not SAFE. Every command is visited, also after a part that decided already:
// the person who approves sees all of it.

import { parse } from 'unbash';
import type { Assignment, Command, CommandNode, CompoundList, ParsedScript, Pipeline, AndOr, Redirection, Statement, Word } from 'unbash';
import { LIMITS, type ConstructCode } from './construct-rules.ts';
import { findUnreadText, isExact, isExactBody, isExactRedirect, type Span } from './exact-text.ts';
import { type Finding, findingOf, judgeArguments } from './judge-arguments.ts';
import { type ExpansionSink, isHarmlessTest, readArithmetic, readExpansions } from './read-expansion.ts';
import { type Argument, readWord } from './words.ts';

/** Names that no shell and no program gives a meaning to. `path` is one that zsh does. */
const LOOP_VARIABLE = /^(?:[a-z]|file|dir|name|item|line|word|ext|pkg|num|key|ref|branch|commit|test|module)$/;

export interface PartFinding extends Finding {
  /** The source text that it is about. */
  readonly part: string;
}

export class Walk {
  parts = 0;
  #depth = 0;
  #source: string;
  /** What has been read of the script that is being visited. */
  #spans: Span[] = [];
  readonly #findings: PartFinding[];

  constructor(source: string, findings: PartFinding[]) {
    this.#source = source;
    this.#findings = findings;
  }

  /** A script: the whole command, or what runs inside an expansion. */
  script(script: ParsedScript, region: Span): void {
    // A script between escaped backticks was decoded, and its positions are those of the decoded text.
    const source = script.source ?? this.#source;
    const outer = this.#spans;
    this.#spans = [];
    this.#within(source, () => {
      for (const error of script.errors ?? []) this.#add('PARSE_ERROR', error.message, source.slice(Math.max(0, error.pos - 20)));
      for (const statement of script.commands) this.#statement(statement);
      const unread = findUnreadText(source, script.source === undefined ? region : { pos: 0, end: source.length }, this.#spans);
      if (unread !== null) this.#add('MISREAD', '', unread);
    });
    this.#spans = outer;
  }

  readonly #sink: ExpansionSink = {
    script: (script, region) => this.script(script, region),
    unproven: (text) => this.#add('UNPROVEN_EXPANSION', text, text),
  };

  #within(source: string, visit: () => void): void {
    if (this.#depth >= LIMITS.depth) {
      this.#add('TOO_DEEP', '', source);
      return;
    }
    const outer = this.#source;
    this.#source = source;
    this.#depth++;
    visit();
    this.#depth--;
    this.#source = outer;
  }

  #text(node: Span): string {
    return this.#source.slice(node.pos, node.end);
  }

  #add(code: ConstructCode, detail: string, part: string): void {
    this.#findings.push({ ...findingOf(code, detail), part });
  }

  #statement(statement: Statement): void {
    if (statement.background === true) this.#add('BACKGROUND', '', this.#text(statement));
    this.#pipelineOrList(statement.command);
  }

  #pipelineOrList(node: CommandNode | Pipeline | AndOr): void {
    if (node.type !== 'Pipeline' && node.type !== 'AndOr') return this.#command(node);
    if (node.commands.length === 0) this.#add('PARSE_ERROR', 'nothing follows', this.#text(node));
    for (const command of node.commands) this.#pipelineOrList(command);
  }

  #list(list: CompoundList): void {
    this.#within(this.#source, () => {
      for (const statement of list.commands) this.#statement(statement);
    });
  }

  #command(node: CommandNode): void {
    switch (node.type) {
      case 'Command':
        return this.#simple(node);
      case 'Redirected':
        for (const redirect of node.redirects) this.#redirect(redirect);
        return this.#command(node.command);
      case 'Subshell':
      case 'BraceGroup':
        return this.#list(node.body);
      case 'If':
        for (const branch of [node, ...node.elif]) {
          this.#list(branch.clause);
          this.#list(branch.then);
        }
        if (node.else !== undefined) this.#list(node.else);
        return;
      case 'While':
        this.#list(node.clause);
        return this.#list(node.body);
      case 'For':
      case 'Select':
        if (node.type === 'Select') this.#add('MENU', '', this.#text(node));
        else if (!LOOP_VARIABLE.test(node.name.text)) this.#add('LOOP_VARIABLE', node.name.text, this.#text(node));
        for (const word of [node.name, ...(node.wordlist ?? [])]) this.#word(word);
        return this.#list(node.body);
      case 'Case':
        this.#word(node.word);
        for (const item of node.items) {
          for (const pattern of item.pattern) this.#word(pattern);
          this.#list(item.body);
        }
        return;
      case 'TestCommand': {
        this.parts++;
        this.#spans.push(node);
        const text = this.#text(node);
        // A shell without [[ takes these characters for pipes, redirects and lists.
        const harmless = isHarmlessTest(node.expression, this.#sink) && !/[|&;<>()`\n]/.test(text);
        if (!harmless) this.#add('UNPROVEN_TEST', text, text);
        return;
      }
      case 'ArithmeticCommand':
        this.parts++;
        this.#spans.push(node);
        this.#add('ARITHMETIC_COMMAND', '', this.#text(node));
        return readArithmetic(node.expression, this.#sink);
      case 'ArithmeticFor':
        this.#add('ARITHMETIC_COMMAND', '', this.#text(node));
        for (const expression of [node.initialize, node.test, node.update]) readArithmetic(expression, this.#sink);
        return this.#list(node.body);
      case 'Function':
        this.#add('DEFINES_FUNCTION', node.name.text, this.#text(node));
        return this.#body(node.body);
      case 'Coproc':
        this.#add('BACKGROUND', '', this.#text(node));
        return this.#body(node.body);
    }
  }

  #body(body: CommandNode | CompoundList): void {
    if (body.type === 'CompoundList') this.#list(body);
    else this.#within(this.#source, () => this.#command(body));
  }

  #simple(node: Command): void {
    this.parts++;
    for (const prefix of node.prefix) if (prefix.type === 'Assignment') this.#assignment(prefix);
    for (const redirect of node.redirects) this.#redirect(redirect);
    if (node.name === undefined) return;
    const args: Argument[] = [this.#word(node.name)];
    for (const arg of node.args) {
      if (arg.type === 'Word') args.push(this.#word(arg));
      else {
        this.#assignment(arg);
        args.push({ value: null, start: `${arg.name}=`, single: true, text: arg.text });
      }
    }
    const part = this.#text(node);
    const { findings, scripts } = judgeArguments(args, heredocTexts(node.redirects));
    for (const finding of findings) this.#findings.push({ ...finding, part });
    for (const { text, onlyWorst } of scripts) this.#nested(text, onlyWorst);
  }

  /** Text that a command hands to a shell. */
  #nested(text: string, onlyWorst: boolean): void {
    const before = this.#findings.length;
    this.#within(text, () => this.script(parse(text), { pos: 0, end: text.length }));
    if (!onlyWorst) return;
    const worst = this.#findings.splice(before).filter((finding) => finding.level === 'DESTRUCTIVE');
    this.#findings.push(...worst);
  }

  #word(word: Word): Argument {
    this.#spans.push(word);
    return this.#wordWithin(word);
  }

  /** A word whose place is part of a span that is counted already. */
  #wordWithin(word: Word): Argument {
    if (this.#text(word) !== word.text || !isExact(word)) this.#add('MISREAD', '', word.text);
    readExpansions(word, this.#sink);
    return readWord(word);
  }

  #assignment(assignment: Assignment): void {
    this.#spans.push(assignment);
    this.#add('ASSIGNMENT', assignment.name, assignment.text);
    if (assignment.index !== undefined) readExpansions(assignment.index, this.#sink);
    const words = assignment.value.type === 'Word' ? [assignment.value] : assignment.value.elements;
    for (const word of words) readExpansions(word, this.#sink);
  }

  #redirect(redirect: Redirection): void {
    const part = this.#text(redirect);
    this.#spans.push(redirect);
    if (redirect.type === 'HereDoc') {
      const { body, closing } = redirect;
      if (closing === undefined) this.#add('UNCLOSED_HEREDOC', '', part);
      else this.#spans.push({ pos: body.pos, end: closing.end });
      if (redirect.delimiter?.quoted !== true && !isExactBody(body)) this.#add('MISREAD', '', body.text);
      return readExpansions(body, this.#sink);
    }
    if (redirect.target === undefined) return this.#add('PARSE_ERROR', 'a redirect without a target', part);
    if (!isExactRedirect(redirect, part)) this.#add('MISREAD', '', part);
    const target = this.#wordWithin(redirect.target);
    const writes = redirect.operator !== '<' && redirect.operator !== '<&' && redirect.operator !== '<<<';
    if (/^\/dev\/(?:tcp|udp)\//.test(target.start)) return this.#add('NETWORK', target.text, part);
    if (redirect.descriptor?.type === 'FileDescriptorVariable') {
      // `{PATH}>file` sets a variable to the number of the descriptor.
      return this.#add(writes ? 'WRITES_FILE' : 'UNPROVEN_REDIRECT', `${target.text} and sets ${redirect.descriptor.name}`, part);
    }
    switch (redirect.operator) {
      case '<<<':
        return;
      case '<&':
      case '>&':
        if (target.value !== null && /^(?:\d+|-)$/.test(target.value)) return;
        return this.#add(writes ? 'WRITES_FILE' : 'UNPROVEN_REDIRECT', target.text, part);
      case '<':
        // An unknown name may turn out to be /dev/tcp/…, which the shell connects to.
        if (target.value === null && !/^(?:[^/]|\/dev\/fd\/)/.test(target.start)) this.#add('UNPROVEN_REDIRECT', target.text, part);
        return;
      default:
        if (redirect.operator === '<>' || target.value !== '/dev/null') this.#add('WRITES_FILE', target.text, part);
    }
  }
}

function heredocTexts(redirects: readonly Redirection[]): string[] {
  return redirects.flatMap((redirect) => {
    if (redirect.type === 'HereDoc') return [redirect.body.text];
    return redirect.type === 'HereString' && redirect.target !== undefined ? [redirect.target.value] : [];
  });
}
