// Walks the syntax tree and collects what is not SAFE. Every command is visited, also after a part that decided already:
// the person who approves sees all of it.

import { parse } from 'unbash';
import type { AndOr, Assignment, Command, CommandNode, CompoundList, ParsedScript, Pipeline, Redirection, Statement, Word } from 'unbash';
import { CONSTRUCT_RULES, LIMITS, type ConstructCode, PROXY, WRITES_SEEN } from './construct-rules.ts';
import { findUnreadText, isExact, isExactBody, isExactRedirect, type Span } from './exact-text.ts';
import { secretAt, type Where } from './find-secrets.ts';
import { Definitions } from './definitions.ts';
import { judgeArguments } from './judge-arguments.ts';
import type { Finding, RunText } from './judgement.ts';
import { type Place, placeWrite, type Write } from './resolve-writes.ts';
import { governanceRule } from '../workspace/index.ts';
import { Milder } from './milder.ts';
import { type ExpansionSink, isHarmlessTest, readArithmetic, readExpansions } from './read-expansion.ts';
import { NOTHING_PIPED, type Piped, pipedThrough, wordsOf } from './piped.ts';
import {
  CHANGES_FOLDER,
  endsShell,
  heredocTexts,
  isGuarded,
  LOOP_VARIABLE,
  PLAIN_DELIMITER,
  PLAIN_PATTERN,
  PLAIN_WORD,
} from './statement-shapes.ts';
import { Variables } from './variables.ts';
import { type Argument, literal, readWord, UNKNOWN } from './words.ts';
import { resolveFrom, WorkingFolder } from './working-folder.ts';
import type { WriteTarget } from './write-target.ts';

/** Variables whose value a program runs. */
const RUN_LATER = /^(?:GIT_\w*(?:EDITOR|PAGER|COMMAND|ASKPASS|DIFF|SSH)|EDITOR|VISUAL|PAGER|MANPAGER|BROWSER|LESSOPEN|PROMPT_COMMAND)$/;

const NO_TEXT: readonly string[] = [];

export interface PartFinding extends Finding {
  /** The source text of the finding. */
  readonly part: string;
}

export class Walk {
  parts = 0;
  /** There are too many parts, and the rest was not read. */
  get stopped(): boolean {
    return this.parts > LIMITS.readParts;
  }
  #depth = 0;
  #source: string;
  /** What has been read of the script that is being visited. */
  #spans: Span[] = [];
  readonly #findings: PartFinding[];
  readonly #place: Place | null;
  readonly #folder: WorkingFolder;
  readonly #variables: Variables;
  readonly #definitions = new Definitions();
  /** The body of a function is being read for a call of it. */
  #calls = false;
  /** What comes from the commands before this one in its pipe. */
  #pipe: Piped = NOTHING_PIPED;
  readonly writes: Write[] = [];
  /** Places that its words may name, from the folder that it runs in; patterns among them. */
  readonly named = new Set<string>();
  /** The list of writes is complete. */
  complete = true;

  constructor(source: string, findings: PartFinding[], place: Place | null) {
    this.#source = source;
    this.#findings = findings;
    this.#place = place;
    this.#folder = new WorkingFolder(place?.cwd ?? null, place?.home ?? null);
    this.#variables = new Variables(source, place?.scratch);
  }

  /** A script: the whole command, or what runs inside an expansion. */
  script(script: ParsedScript, region: Span): void {
    // A script between escaped backticks was decoded, and its positions are those of the decoded text.
    const source = script.source ?? this.#source;
    const outer = this.#spans;
    this.#spans = [];
    this.#within(source, () => {
      for (const error of script.errors ?? []) this.#add('PARSE_ERROR', error.message, source.slice(Math.max(0, error.pos - 20)));
      this.#statements(script.commands);
      if (this.stopped) return;
      const unread = findUnreadText(source, script.source === undefined ? region : { pos: 0, end: source.length }, this.#spans);
      if (unread !== null) this.#add('MISREAD', '', unread);
    });
    this.#spans = outer;
  }

  readonly #sink: ExpansionSink = {
    script: (script, region) => this.#folder.apart(() => this.script(script, region)),
    unproven: (text) => {
      this.#add('UNPROVEN_EXPANSION', text, text);
      // `${ cd x; }` runs in this shell.
      if (CHANGES_FOLDER.test(text)) this.#folder.lose();
    },
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

  /** Already not SAFE, with too many reasons: only worse ones are searched. */
  get #brief(): boolean {
    return this.parts > LIMITS.parts;
  }

  get #where(): Where {
    return { folder: this.#folder.now.path, home: this.#place?.home ?? null };
  }

  #text(node: Span): string {
    return this.#source.slice(node.pos, node.end);
  }

  #add(code: ConstructCode, detail: string, part: string): void {
    const { level, message } = CONSTRUCT_RULES[code];
    if (!WRITES_SEEN.has(code)) this.complete = false;
    if (level !== 'MUTATING' || !this.#brief) this.#findings.push({ level, code, message: message(detail), part });
  }

  /** True when the writes are known and allowed by the intent. */
  #write(target: WriteTarget, part: string): boolean {
    if (this.#place === null) return false;
    let governed = this.#place.scope !== null;
    for (const { write, outside } of placeWrite(target, this.#folder.now, this.#place)) {
      if (!write.known || outside !== null) governed = false;
      if (!write.known) this.complete = false;
      if (this.writes.length < LIMITS.writes) this.writes.push(write);
      else this.complete = false;
      if (outside !== null) this.#add('WRITES_OUTSIDE', outside, part);
    }
    return governed;
  }

  #statements(statements: readonly Statement[]): void {
    for (const statement of statements) {
      if (this.stopped) return;
      const before = this.#folder.now;
      this.#statement(statement);
      if (!isGuarded(statement)) this.#folder.doubt(before);
    }
  }

  #statement(statement: Statement): void {
    if (statement.background !== true) return this.#pipelineOrList(statement.command);
    this.#add('BACKGROUND', '', this.#text(statement));
    this.#folder.apart(() => this.#pipelineOrList(statement.command));
  }

  #pipelineOrList(node: CommandNode | Pipeline | AndOr): void {
    if (node.type !== 'Pipeline' && node.type !== 'AndOr') return this.#command(node);
    if (node.commands.length === 0) this.#add('PARSE_ERROR', 'nothing follows', this.#text(node));
    if (node.type === 'AndOr') return this.#andOr(node);
    if (node.commands.length === 1) return this.#pipelineOrList(node.commands[0]!);
    // Each part has a shell of its own, except that some shells run the last one themselves.
    const outer = this.#pipe;
    for (const command of node.commands) {
      const before = this.#folder.now;
      this.#pipelineOrList(command);
      if (this.#folder.now !== before) this.#folder.lose();
      this.#pipe = pipedThrough(this.#pipe, command, this.#text(command), this.#variables.guesses);
    }
    this.#pipe = outer;
  }

  /** What follows `||` runs in the folder from before the part that failed. */
  #andOr(node: AndOr): void {
    let before = this.#folder.now;
    for (const [i, command] of node.commands.entries()) {
      if (node.operators[i - 1] !== '||') {
        before = this.#folder.now;
        this.#pipelineOrList(command);
        continue;
      }
      const after = this.#folder.now;
      this.#folder.restore(i === 1 ? before : { ...after, certain: after === before && after.certain });
      this.#pipelineOrList(command);
      if (endsShell(command) && this.#folder.now === before) this.#folder.restore(after);
      else if (after !== before || this.#folder.now !== before) this.#folder.lose();
    }
  }

  #list(list: CompoundList): void {
    this.#within(this.#source, () => this.#statements(list.commands));
  }

  /** A body that may run any number of times, or later. */
  #repeated(node: Span, visit: () => void): void {
    this.#folder.branch(() => {
      if (CHANGES_FOLDER.test(this.#text(node))) this.#folder.lose();
      visit();
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
        return this.#folder.apart(() => this.#list(node.body));
      case 'BraceGroup':
        return this.#list(node.body);
      case 'If':
        for (const branch of [node, ...node.elif]) {
          this.#list(branch.clause);
          this.#folder.branch(() => this.#list(branch.then));
        }
        if (node.else !== undefined) this.#folder.branch(() => this.#list(node.else!));
        return;
      case 'While':
        return this.#repeated(node, () => {
          this.#list(node.clause);
          this.#list(node.body);
        });
      case 'For':
      case 'Select':
        if (node.type === 'Select') this.#add('MENU', '', this.#text(node));
        else if (!LOOP_VARIABLE.test(node.name.text)) this.#add('LOOP_VARIABLE', node.name.text, this.#text(node));
        for (const word of [node.name, ...(node.wordlist ?? [])]) this.#word(word);
        this.#variables.loop(node.name.text, node.wordlist ?? []);
        return this.#repeated(node, () => this.#list(node.body));
      case 'Case':
        this.#word(node.word);
        for (const item of node.items) {
          for (const pattern of item.pattern) this.#word(pattern);
          this.#folder.branch(() => this.#list(item.body));
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
        return this.#repeated(node, () => this.#list(node.body));
      case 'Function':
        this.#add('DEFINES_FUNCTION', node.name.text, this.#text(node));
        this.#definitions.define(node.name.text, this.#text(node.body));
        return this.#repeated(node, () => this.#body(node.body));
      case 'Coproc':
        this.#add('BACKGROUND', '', this.#text(node));
        return this.#folder.apart(() => this.#body(node.body));
    }
  }

  #body(body: CommandNode | CompoundList): void {
    if (body.type === 'CompoundList') this.#list(body);
    else this.#within(this.#source, () => this.#command(body));
  }

  #simple(node: Command): void {
    this.parts++;
    if (this.stopped) return;
    const { redirects } = node;
    for (const prefix of node.prefix) if (prefix.type === 'Assignment') this.#assignment(prefix);
    for (const redirect of redirects) this.#redirect(redirect);
    if (node.name === undefined) return;
    const args: Argument[] = [this.#word(node.name)];
    for (const arg of node.args) {
      if (arg.type === 'Word') args.push(this.#word(arg));
      else {
        this.#assignment(arg);
        args.push({ ...UNKNOWN, start: `${arg.name}=`, single: true, text: arg.text });
      }
    }
    for (const arg of args.slice(1)) this.#name(arg);
    const part = this.#text(node);
    const own = redirects.length === 0 ? NO_TEXT : heredocTexts(redirects);
    const { findings, scripts, writes, mentions, opaque, unsure, folder } = judgeArguments(args, {
      ...{ brief: this.#brief, where: this.#where, piped: this.#pipe.words, decoded: this.#pipe.decoded },
      said: own.length === 0 ? this.#pipe.said : wordsOf(own),
      stdin: own.length === 0 ? this.#pipe.texts : own,
    });
    for (const path of mentions) this.#mention(path, part);
    // An option that is not seen may make it more.
    const seen = writes.length > 0 && !opaque;
    let governed = seen;
    for (const target of writes) governed = this.#write(target, part) && governed;
    const milder = new Milder(seen ? writes : [], governed, this.#folder.now, this.#place);
    for (const finding of findings) {
      const message = milder.messageOf(finding);
      const { level, code } = finding;
      this.#findings.push(message === null ? { level, code, message: finding.message, part } : { level: 'MUTATING', code, message, part });
    }
    if (opaque || unsure) this.complete = false;
    for (const script of scripts) this.#nested(script);
    const isRead = this.#defined(node, part);
    if (folder === 'lost' && !isRead) this.#folder.lose();
    else if (folder !== null && folder !== 'lost') this.#folder.change(folder.command, folder.args);
  }

  /** Aliases and functions of this very text, with the arguments of the call. True: it defines aliases, and all of them were read. */
  #defined({ name, args }: Command, part: string): boolean {
    const called = name?.value ?? '';
    if (called === 'alias') return args.map((arg) => this.#definitions.alias(arg.type === 'Word' ? arg.value : arg.text)).every(Boolean);
    if (this.#calls) return false;
    const aliased = this.#definitions.aliased(called, part.slice(part.indexOf(called) + called.length));
    const body = this.#definitions.bodyOf(called);
    this.#calls = true;
    if (aliased !== null) {
      this.#nested({ text: aliased, onlyWorst: true, where: 'apart' });
      if (CHANGES_FOLDER.test(aliased)) this.#folder.lose();
    }
    if (body !== null && args.length > 0) {
      const words = args.flatMap((arg) => (arg.type === 'Word' ? [arg] : []));
      for (const [i, word] of words.entries()) for (const key of [`${i + 1}`, '@', '*']) this.#variables.loop(key, [word]);
      this.#nested({ text: body, onlyWorst: true, where: 'apart' });
    }
    this.#calls = false;
    return false;
  }

  /** A file of the gate's that a program without a rule is given: nothing says that it only reads it. */
  #mention(path: Argument, part: string): void {
    if (this.#place === null) return;
    for (const { write } of placeWrite({ path, kind: 'file' }, this.#folder.now, this.#place)) {
      const why = write.resolved === null || /^[/~]/.test(write.resolved) ? null : governanceRule(write.resolved);
      if (why !== null) this.#add('WRITES_OUTSIDE', `may write ${write.resolved}, which no scope covers: ${why}`, part);
    }
  }

  #name(arg: Argument): void {
    if (this.named.size >= LIMITS.named) return;
    const { folder, home } = this.#where;
    const isMoved = folder !== this.#place?.cwd;
    for (const text of [...(arg.may ?? [arg.text]), ...(arg.among ?? [])]) {
      const path = text.replace(/^(?:-{1,2}[\w-]+=|[\w-]+=|@)/, '').replace(/^~(?=\/|$)/, home ?? '~');
      if (path === '' || /^-|[\s'"$`]/.test(path) || !(isMoved || arg.may !== undefined || path.includes('/'))) continue;
      if (folder !== null || path.startsWith('/')) this.named.add(resolveFrom(folder ?? '/', path));
    }
  }

  /** Text that a command hands to a shell. */
  #nested({ text, onlyWorst, where, folder }: RunText): void {
    const before = this.#findings.length;
    const visit = (): void => {
      if (where === 'elsewhere') this.#folder.lose();
      else if (folder !== undefined) this.#folder.change('cd', [folder]);
      this.#within(text, () => this.script(parse(text), { pos: 0, end: text.length }));
    };
    if (where === 'here') visit();
    else this.#folder.apart(visit);
    if (!onlyWorst) return;
    this.complete = false;
    const worst = this.#findings.splice(before).filter((finding) => finding.level !== 'MUTATING');
    this.#findings.push(...worst);
  }

  #word(word: Word): Argument {
    this.#spans.push(word);
    return this.#wordWithin(word);
  }

  /** A word whose place is part of a span that is counted already. */
  #wordWithin(word: Word): Argument {
    // Nearly all words: nothing in them needs reading, or could be read differently.
    if (this.#source.startsWith(word.text, word.pos) && word.pos + word.text.length === word.end) {
      if (PLAIN_WORD.test(word.text)) return literal(word.text);
      if (PLAIN_PATTERN.test(word.text))
        return { value: null, start: word.text.slice(0, word.text.search(/[*?]/)), single: false, pattern: true, text: word.text };
    }
    if (this.#text(word) !== word.text || !isExact(word)) this.#add('MISREAD', '', word.text);
    readExpansions(word, this.#sink);
    const read = readWord(word);
    const filled = this.#variables.filled(word, read);
    if (filled === null) this.#add('UNPROVEN_EXPANSION', word.text, word.text);
    return filled ?? read;
  }

  #assignment(assignment: Assignment): void {
    this.#spans.push(assignment);
    this.#add('ASSIGNMENT', assignment.name, assignment.text);
    if (/^(?:HOME|CDPATH|PWD|OLDPWD)$/.test(assignment.name)) this.#folder.lose();
    if (PROXY.test(assignment.text)) this.#add('NETWORK', assignment.text, assignment.text);
    if (assignment.index !== undefined) readExpansions(assignment.index, this.#sink);
    const words = assignment.value.type === 'Word' ? [assignment.value] : assignment.value.elements;
    for (const word of words) readExpansions(word, this.#sink);
    this.#variables.assign(assignment);
    const { value } = assignment;
    if (RUN_LATER.test(assignment.name) && value.type === 'Word') this.#nested({ text: value.value, onlyWorst: true, where: 'apart' });
  }

  #redirect(redirect: Redirection): void {
    const part = this.#text(redirect);
    this.#spans.push(redirect);
    if (redirect.type === 'HereDoc') {
      const { body, closing } = redirect;
      if (closing === undefined) this.#add('UNCLOSED_HEREDOC', '', part);
      else this.#spans.push({ pos: body.pos, end: closing.end });
      // Shells disagree about where such a text ends, and run what follows.
      if (!PLAIN_DELIMITER.test(redirect.delimiter?.text ?? '')) this.#add('MISREAD', '', part);
      if (redirect.delimiter?.quoted !== true && !isExactBody(body)) this.#add('MISREAD', '', body.text);
      return readExpansions(body, this.#sink);
    }
    if (redirect.target === undefined) return this.#add('PARSE_ERROR', 'a redirect without a target', part);
    if (!isExactRedirect(redirect, part)) this.#add('MISREAD', '', part);
    const target = this.#wordWithin(redirect.target);
    this.#name(target);
    const writes = redirect.operator !== '<' && redirect.operator !== '<&' && redirect.operator !== '<<<';
    if (/^\/dev\/(?:tcp|udp)\//.test(target.start)) return this.#add('NETWORK', target.text, part);
    if (writes && !(redirect.operator === '>&' && /^(?:\d+|-)$/.test(target.value ?? '')))
      this.#write({ path: target, kind: 'file' }, part);
    const secret =
      writes || redirect.operator === '<<<' ? null : secretAt([target.text, ...(target.may ?? []), ...(target.among ?? [])], this.#where);
    if (secret !== null) this.#add('READS_SECRET', secret, part);
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
