// Expressions of Angular templates: which names they use, in the order in which the compiler comes to them. What is not plainly
// one of the few forms below is not guessed at: `NotPlain` is thrown, and the compiler is asked.
//
// INVARIANT: what is accepted here is accepted by the compiler, and gives the same names at the same places.

export class NotPlain extends Error {}

/** `start` and `end` are places in the text. */
export interface Expression {
  readonly kind: 'read' | 'safe' | 'this' | 'keyed' | 'kept' | 'pipe' | 'other';
  readonly start: number;
  readonly end: number;
  /** Of `read`, `safe` and `pipe`. */
  readonly name: string;
  readonly at: number;
  /** In the order in which they are visited; the first of a `read` is what it is read from, if that is written down. */
  readonly parts: readonly Expression[];
}

/** Part of `*name="…"`. */
export interface Binding {
  readonly name: string;
  readonly at: number;
  readonly value: Expression | null;
}

export interface ExpressionListener {
  use(name: string, at: number, receiver: string | null): void;
  pipe(name: string, at: number): void;
}

/** What a two-way binding may be bound to. */
export function isAssignable({ kind, parts }: Expression): boolean {
  if (kind === 'this') return false;
  for (let [from] = parts; from !== undefined; [from] = from.parts)
    if (from.kind !== 'read' && from.kind !== 'keyed' && from.kind !== 'kept' && from.kind !== 'this') return false;
  return kind === 'read' || kind === 'keyed';
}

/** What stands in front is met before what it is made from, as the compiler does it. */
export function tellUses(expression: Expression, to: ExpressionListener): void {
  const { kind, name, at, parts } = expression;
  if (kind === 'pipe') {
    to.pipe(name, at);
    to.use(name, at, null);
  } else if (kind === 'read' || kind === 'safe') {
    const [from] = parts;
    to.use(name, at, from === undefined || from.kind === 'this' ? 'this' : from.kind === 'read' ? from.name : '');
  }
  for (const part of parts) tellUses(part, to);
}

const TOKEN =
  /[\x00-\x20]*(?:([A-Za-z_$][A-Za-z0-9_$]*)|(\d+(?:\.\d+)?)(?![\w.$])|('[^'\\]*'|"[^"\\]*")|(===|!==|==|!=|<=|>=|&&|\|\||\?\?|\?\.|\+=|-=|=>|[-+*/%<>!?.,:;=()[\]{}|]))/y;
const OPERATORS = new Set(['===', '!==', '==', '!=', '<', '>', '<=', '>=', '&&', '||', '??', '+', '-', '*', '/', '%', 'in', 'instanceof']);
const ASSIGNMENTS = new Set(['=', '+=', '-=']);
const LITERALS = new Set(['null', 'undefined', 'true', 'false']);
const KEYWORDS = new Set(['var', 'let', 'as', 'if', 'else', 'in', 'instanceof', 'typeof', 'void', 'this', ...LITERALS]);
const DEPTH_MAX = 100;

/** An action may assign and have several parts, and knows no pipes. Null: there is nothing. */
export function parseExpression(text: string, start: number, end: number, isAction = false): Expression | null {
  return new Reader(text, start, end, isAction).whole();
}

/** `let a of all; trackBy: b`: what is bound, without what is declared. */
export function parseBindings(text: string, start: number, end: number, key: string, keyAt: number): readonly Binding[] {
  return new Reader(text, start, end, false).bindings(key, keyAt);
}

class Reader {
  readonly #text: string;
  readonly #end: number;
  readonly #isAction: boolean;
  #kind: 'name' | 'number' | 'text' | 'sign' | 'end' = 'end';
  #token = '';
  #start = 0;
  /** Where the next token is looked for, and where the one before ended. */
  #next: number;
  #last = 0;
  #depth = 0;

  constructor(text: string, start: number, end: number, isAction: boolean) {
    this.#text = text;
    this.#next = start;
    this.#end = end;
    this.#isAction = isAction;
    this.#advance();
  }

  #advance(): void {
    this.#last = this.#next;
    TOKEN.lastIndex = this.#next;
    const found = TOKEN.exec(this.#text);
    if (found === null || TOKEN.lastIndex > this.#end) {
      for (let at = this.#next; at < this.#end; at++) if (this.#text.charCodeAt(at) > 32) throw new NotPlain();
      this.#kind = 'end';
      this.#token = '';
      this.#start = this.#next;
      return;
    }
    this.#next = TOKEN.lastIndex;
    const [, name, number, quoted, sign] = found;
    this.#kind = name !== undefined ? 'name' : number !== undefined ? 'number' : quoted !== undefined ? 'text' : 'sign';
    this.#token = (name ?? number ?? quoted ?? sign)!;
    this.#start = this.#next - this.#token.length;
  }

  #isAtEnd(): boolean {
    return this.#kind === 'end';
  }

  #is(sign: string): boolean {
    return this.#kind === 'sign' && this.#token === sign;
  }

  #take(sign: string): boolean {
    if (!this.#is(sign)) return false;
    this.#advance();
    return true;
  }

  #expect(sign: string): void {
    if (!this.#take(sign)) throw new NotPlain();
  }

  #name(): string {
    if (this.#kind !== 'name') throw new NotPlain();
    const name = this.#token;
    this.#advance();
    return name;
  }

  #made(kind: Expression['kind'], start: number, parts: readonly Expression[], name = '', at = -1): Expression {
    return { kind, start, end: this.#last, name, at, parts };
  }

  whole(): Expression | null {
    const start = this.#start;
    const parts: Expression[] = [];
    while (!this.#isAtEnd()) {
      parts.push(this.#pipe());
      if (this.#isAction && this.#is(';')) while (this.#take(';'));
      else if (!this.#isAtEnd()) throw new NotPlain();
    }
    return parts.length === 0 ? null : parts.length === 1 ? parts[0]! : this.#made('other', start, parts);
  }

  #pipe(): Expression {
    if (++this.#depth > DEPTH_MAX) throw new NotPlain();
    const start = this.#start;
    let found = this.#conditional();
    while (this.#is('|')) {
      if (this.#isAction) throw new NotPlain();
      this.#advance();
      const at = this.#start;
      const name = this.#name();
      const parts = [found];
      while (this.#take(':')) parts.push(this.#conditional());
      found = this.#made('pipe', start, parts, name, at);
    }
    this.#depth--;
    return found;
  }

  #conditional(): Expression {
    const start = this.#start;
    const condition = this.#operands();
    if (!this.#take('?')) return condition;
    const yes = this.#pipe();
    this.#expect(':');
    const no = this.#pipe();
    return this.#made('other', start, [condition, yes, no]);
  }

  /** Which operator binds closer says nothing about the names, and their order. */
  #operands(): Expression {
    const start = this.#start;
    const first = this.#operand();
    if (!OPERATORS.has(this.#token)) return first;
    const parts = [first];
    while (OPERATORS.has(this.#token)) {
      this.#advance();
      if (this.#is('*')) throw new NotPlain();
      parts.push(this.#operand());
    }
    return this.#made('other', start, parts);
  }

  #operand(): Expression {
    const start = this.#start;
    if (++this.#depth > DEPTH_MAX) throw new NotPlain();
    const isPrefixed = this.#take('!') || this.#take('-') || this.#take('+') || this.#takeName('typeof') || this.#takeName('void');
    const found = isPrefixed ? this.#made('other', start, [this.#operand()]) : this.#chain();
    this.#depth--;
    return found;
  }

  #takeName(name: string): boolean {
    if (this.#kind !== 'name' || this.#token !== name) return false;
    this.#advance();
    return true;
  }

  #chain(): Expression {
    const start = this.#start;
    let found = this.#primary();
    for (;;) {
      if (this.#take('.')) found = this.#member(start, [found], 'read');
      else if (this.#take('?.')) {
        if (this.#take('(')) found = this.#call(start, found);
        else if (this.#take('[')) found = this.#key(start, found, 'other');
        else found = this.#member(start, [found], 'safe');
      } else if (this.#take('[')) found = this.#key(start, found, 'keyed');
      else if (this.#take('(')) found = this.#call(start, found);
      else if (this.#take('!')) found = this.#made('kept', start, [found]);
      else return found;
    }
  }

  #primary(): Expression {
    const start = this.#start;
    if (this.#kind === 'number' || this.#kind === 'text') {
      this.#advance();
      return this.#made('other', start, []);
    }
    if (this.#kind === 'name') {
      if (!KEYWORDS.has(this.#token)) return this.#member(start, [], 'read');
      const isThis = this.#token === 'this';
      if (!isThis && !LITERALS.has(this.#token)) throw new NotPlain();
      this.#advance();
      return this.#made(isThis ? 'this' : 'other', start, []);
    }
    if (this.#take('(')) {
      const inner = this.#pipe();
      this.#expect(')');
      return this.#made('other', start, [inner]);
    }
    if (this.#take('[')) {
      const parts: Expression[] = [];
      do {
        if (this.#is(']')) break;
        parts.push(this.#pipe());
      } while (this.#take(','));
      this.#expect(']');
      return this.#made('other', start, parts);
    }
    this.#expect('{');
    return this.#made('other', start, this.#properties());
  }

  #properties(): readonly Expression[] {
    const values: Expression[] = [];
    while (!this.#take('}')) {
      const start = this.#start;
      const isQuoted = this.#kind === 'text';
      const name = this.#token;
      if (isQuoted) this.#advance();
      else this.#name();
      if (this.#take(':')) values.push(this.#pipe());
      else if (isQuoted) throw new NotPlain();
      else values.push(this.#made('read', start, [], name, start));
      if (!this.#take(',') && !this.#is('}')) throw new NotPlain();
    }
    return values;
  }

  #member(start: number, from: readonly Expression[], kind: 'read' | 'safe'): Expression {
    const at = this.#start;
    const name = this.#name();
    return this.#assigned(start, this.#made(kind, start, from, name, at), kind === 'read');
  }

  #key(start: number, from: Expression, kind: 'keyed' | 'other'): Expression {
    const key = this.#pipe();
    this.#expect(']');
    return this.#assigned(start, this.#made(kind, start, [from, key]), kind === 'keyed');
  }

  #assigned(start: number, target: Expression, isAllowed: boolean): Expression {
    if (this.#kind !== 'sign' || !ASSIGNMENTS.has(this.#token)) return target;
    if (!isAllowed || !this.#isAction) throw new NotPlain();
    this.#advance();
    return this.#made('other', start, [target, this.#conditional()]);
  }

  #call(start: number, called: Expression): Expression {
    const parts = [called];
    if (!this.#is(')'))
      do parts.push(this.#pipe());
      while (this.#take(','));
    this.#expect(')');
    return this.#made('other', start, parts);
  }

  bindings(key: string, keyAt: number): readonly Binding[] {
    const found = [this.#binding(key, keyAt)];
    while (this.#kind !== 'end') {
      if (this.#takeName('let')) {
        this.#word();
        if (this.#take('=')) this.#word();
      } else {
        const at = this.#start;
        const name = this.#word();
        if (!this.#takeAlias()) found.push(this.#binding(key + name[0]!.toUpperCase() + name.slice(1), at));
      }
      this.#separate();
    }
    return found;
  }

  #binding(name: string, at: number): Binding {
    this.#take(':');
    const isNone = this.#kind === 'end' || (this.#kind === 'name' && (this.#token === 'as' || this.#token === 'let'));
    const value = isNone ? null : this.#pipe();
    if (!this.#takeAlias()) this.#separate();
    return { name, at, value };
  }

  #takeAlias(): boolean {
    if (!this.#takeName('as')) return false;
    this.#word();
    this.#separate();
    return true;
  }

  #word(): string {
    let name = this.#name();
    while (this.#take('-')) name += `-${this.#name()}`;
    return name;
  }

  #separate(): void {
    if (!this.#take(';')) this.#take(',');
  }
}
