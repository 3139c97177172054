// Templates that are plainly written, without Angular's compiler: it takes most of the time of reading a tree with Angular in it.
// Whatever is not surely understood is left to the compiler; only well-formed templates without errors are read here.
//
// INVARIANT: the rows are those that the compiler's tree gives, in the same order.

import type { TemplateRow, UseRow } from './template-rows.ts';
import { readAttributes, sortAttributes, type Sorted } from './template-attributes.ts';
import { NotPlain, parseExpression, tellUses } from './template-expression.ts';
import { blockParameters, type Block, loopExpression, readBlockStart, skipConditionalRest } from './template-blocks.ts';

/** Means something that is not read here, wherever it stands. */
const UNUSUAL = /[\\\r\0]|i18n|ngNonBindable|ngPreserveWhitespaces/;
const TAG = /<([a-z][a-z0-9]*(?:-[a-z0-9-]*)?)(?=[ \t\n/>])/y;
const FOREIGN_TAG = /<([a-zA-Z][a-zA-Z0-9-]*)(?=[ \t\n/>])/y;
const CLOSING = /<\/([a-zA-Z][a-zA-Z0-9-]*)[ \t\n]*>/y;
const DOCTYPE = /<!doctype[^>]*>/iy;
const LET = /@let[ \t\n]+([A-Za-z_$][\w$]*)[ \t\n]*=[ \t\n]*/y;
const ENTITY = /&(?:#|[A-Za-z0-9]+;)/;
const ENTITIES =
  /&(?!(?:nbsp|amp|lt|gt|quot|apos|copy|times|hellip|mdash|ndash|rarr|larr|bull|middot|#\d{1,5}|#[xX][0-9a-fA-F]{1,4});)(?:#|[A-Za-z0-9]+;)/;
const INSIDE_TAG = /<[A-Za-z/!?]/;

const VOID = new Set(['base', 'meta', 'area', 'embed', 'img', 'input', 'param', 'hr', 'br', 'source', 'track', 'wbr', 'col', 'link']);
/** Their content is no markup, up to their end. */
const RAW = new Map(['script', 'style', 'title', 'textarea'].map((name) => [name, new RegExp(`</${name}>`, 'gi')]));
/** The compiler leaves these out. */
const LEFT_OUT = new Set(['script', 'style']);
/** Of those that begin like Angular's own. */
const KNOWN = new Set(['ng-template', 'ng-content', 'ng-container']);
const CLOSES_PARAGRAPH = new Set(
  'address article aside blockquote div dl fieldset footer form h1 h2 h3 h4 h5 h6 header hgroup hr main nav ol p pre section table ul'.split(
    ' ',
  ),
);
/** What ends an element without its closing tag. */
const ENDS: Readonly<Record<string, readonly string[]>> = {
  thead: ['tbody', 'tfoot'],
  tbody: ['tbody', 'tfoot'],
  tfoot: ['tbody'],
  tr: ['tr'],
  td: ['td', 'th'],
  th: ['td', 'th'],
  li: ['li'],
  dt: ['dt', 'dd'],
  dd: ['dt', 'dd'],
  rb: ['rb', 'rt', 'rtc', 'rp'],
  rt: ['rb', 'rt', 'rtc', 'rp'],
  rtc: ['rb', 'rtc', 'rp'],
  rp: ['rb', 'rt', 'rtc', 'rp'],
  optgroup: ['optgroup'],
  option: ['option', 'optgroup'],
};

interface Open {
  /** An element's tag, or a block with its sign: `@if`. */
  readonly name: string;
  /** What rows inside are said to stand in. */
  readonly element: string | null;
  readonly isForeign: boolean;
  hasContent: boolean;
  hasDefault: boolean;
}

export interface PlainRows {
  readonly templates: TemplateRow[];
  readonly uses: UseRow[];
}

/** Null: the compiler has to be asked. */
export function readPlainTemplate(text: string, start: number, end: number): PlainRows | null {
  try {
    return new Markup(text, start, end).read();
  } catch (error) {
    if (error instanceof NotPlain) return null;
    throw error;
  }
}

class Markup {
  readonly #text: string;
  readonly #end: number;
  #at: number;
  readonly #open: Open[] = [];
  /** The block that ended last with nothing behind it: `@else` belongs to it. */
  #before = '';
  readonly #rows: PlainRows = { templates: [], uses: [] };
  #element: string | null = null;

  constructor(text: string, start: number, end: number) {
    this.#text = text;
    this.#at = start;
    this.#end = end;
    if (UNUSUAL.test(start === 0 && end === text.length ? text : text.slice(start, end))) throw new NotPlain();
  }

  read(): PlainRows {
    while (this.#at < this.#end) {
      const sign = this.#text[this.#at];
      if (sign === '<') this.#tag();
      else if (sign === '}') this.#endBlock();
      else if (sign !== '@' || !this.#block()) this.#content();
    }
    // An element may be left open, a block may not.
    if (this.#at > this.#end || this.#open.some(({ name }) => name.startsWith('@'))) throw new NotPlain();
    return this.#rows;
  }

  get #top(): Open | undefined {
    return this.#open.at(-1);
  }

  #matched(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found) this.#at = pattern.lastIndex;
    return found;
  }

  #tag(): void {
    const text = this.#text;
    if (text.startsWith('<!--', this.#at)) {
      const end = text.indexOf('-->', this.#at + 4);
      if (end < 0) throw new NotPlain();
      this.#at = end + 3;
    } else if (text.startsWith('</', this.#at)) {
      const name = this.#matched(CLOSING)?.[1];
      if (name === undefined || this.#open.pop()?.name !== name) throw new NotPlain();
      this.#leave();
    } else if (text.startsWith('<!', this.#at)) {
      if (!this.#matched(DOCTYPE)) throw new NotPlain();
    } else this.#startTag();
  }

  #leave(): void {
    this.#element = this.#top?.element ?? null;
    this.#before = '';
  }

  #startTag(): void {
    const start = this.#at;
    const parent = this.#top;
    const isInside = parent?.isForeign ?? false;
    const name = this.#matched(isInside ? FOREIGN_TAG : TAG)?.[1];
    if (name === undefined || name === 'foreignObject') throw new NotPlain();
    if (name.startsWith('ng-') && (isInside || !KNOWN.has(name))) throw new NotPlain();
    if (parent && (parent.name === '@switch' || closes(parent.name, name))) throw new NotPlain();
    if (parent) parent.hasContent = true;
    const isForeign = isInside || name === 'svg' || name === 'math';
    const { attributes, end, isClosed } = readAttributes(this.#text, this.#at, this.#end);
    this.#at = end;
    if (RAW.has(name)) {
      if (isInside || isClosed) throw new NotPlain();
      this.#skipRaw(name);
      if (LEFT_OUT.has(name)) return this.#leave();
    }
    if (name === 'link' && attributes.some((attribute) => attribute.name === 'rel')) throw new NotPlain();
    const isVoid = !isInside && VOID.has(name);
    if (isClosed && !isVoid && !isForeign && !name.includes('-')) throw new NotPlain();
    const inner = this.#elementRows(name, start, sortAttributes(this.#text, name, attributes), isForeign);
    if (isVoid || isClosed || RAW.has(name)) return this.#leave();
    this.#open.push({ name, element: inner, isForeign, hasContent: false, hasDefault: false });
    this.#element = inner;
    this.#before = '';
  }

  /** Behind its closing tag. */
  #skipRaw(name: string): void {
    const end = RAW.get(name)!;
    end.lastIndex = this.#at;
    if (!end.test(this.#text)) throw new NotPlain();
    const content = this.#text.slice(this.#at, end.lastIndex);
    // Names in a title or a text area are used.
    if (!LEFT_OUT.has(name) && /\{\{|&/.test(content)) throw new NotPlain();
    this.#at = end.lastIndex;
  }

  /** What its children stand in. */
  #elementRows(name: string, start: number, sorted: Sorted, isForeign: boolean): string | null {
    const { templateAttributes } = sorted;
    if (templateAttributes !== null && isForeign) throw new NotPlain();
    if (name === 'ng-content') {
      if (templateAttributes !== null) {
        this.#element = name;
        this.#bindings(templateAttributes);
      }
      if (sorted.inputs.length + sorted.outputs.length + sorted.references.length > 0) throw new NotPlain();
      this.#row('element', name, start);
      return this.#element;
    }
    this.#element = name;
    const isTemplate = name === 'ng-template';
    if (isTemplate || templateAttributes === null) this.#row('element', name, start);
    if (isTemplate && templateAttributes !== null) this.#bindings(templateAttributes);
    this.#attributes(sorted);
    if (!isTemplate && templateAttributes !== null) {
      this.#bindings(templateAttributes);
      this.#row('element', name, start);
    }
    for (const { name: reference, start: at, value } of sorted.references) this.#row('reference', reference, at, value);
    return name;
  }

  #attributes({ literal, inputs, outputs }: Sorted): void {
    for (const { name, start, value } of literal) {
      if (value !== null && ENTITIES.test(this.#text.slice(value[0], value[1]))) throw new NotPlain();
      this.#row('attribute', name, start, value);
    }
    for (const { name, start, value, expression, what } of inputs) {
      this.#row(what, name, start, value);
      if (expression === 'interpolated') this.#interpolations(value![0], value![1]);
      else if (expression) tellUses(expression, this);
    }
    for (const { name, start, value, expression } of outputs) {
      this.#row('output', name, start, value);
      if (expression !== null) tellUses(expression, this);
    }
  }

  #bindings({ literal, bound }: NonNullable<Sorted['templateAttributes']>): void {
    const what = (at: number): 'directive' | 'attribute' | 'input' => (this.#text[at - 1] === '*' ? 'directive' : 'input');
    for (const { name, at } of literal) this.#row(what(at) === 'directive' ? 'directive' : 'attribute', name, at);
    for (const { name, at, value } of bound) {
      this.#row(what(at), name, at, [value!.start, value!.end]);
      tellUses(value!, this);
    }
  }

  use(name: string, at: number, receiver: string | null): void {
    if (name !== '$event') this.#rows.uses.push({ name, at, receiver });
  }

  pipe(name: string, at: number): void {
    this.#row('pipe', name, at);
  }

  #row(what: TemplateRow['what'], name: string, at: number, value: readonly [number, number] | null = null): void {
    let from = value === null ? -1 : value[0];
    if (value !== null) while (from < value[1] && isBlank(this.#text.charCodeAt(from))) from++;
    this.#rows.templates.push({ what, name, at, start: from, end: value === null ? -1 : value[1], element: this.#element });
  }

  /** Up to the next tag or block. */
  #content(): void {
    const text = this.#text;
    const start = this.#at;
    let isBound = false;
    for (; this.#at < this.#end; this.#at++) {
      const sign = text[this.#at];
      if (sign === '<') {
        if (INSIDE_TAG.test(text.slice(this.#at, this.#at + 2))) break;
        throw new NotPlain();
      }
      if (sign === '}' || (sign === '@' && this.#isBlock())) break;
      if (sign === '{') {
        if (text[this.#at + 1] !== '{') throw new NotPlain();
        isBound = true;
        this.#at = endOfInterpolation(text, this.#at, this.#end) - 1;
      }
    }
    const content = text.slice(start, this.#at);
    if (content.trim() === '') return;
    const top = this.#top;
    this.#before = '';
    if (top?.name === '@switch' || (isBound ? ENTITY : ENTITIES).test(content)) throw new NotPlain();
    // The compiler drops the line feed, and counts without it.
    if (isBound && content.startsWith('\n') && top && !top.hasContent && /^(?:pre|listing|textarea)$/.test(top.name)) throw new NotPlain();
    if (top) top.hasContent = true;
    if (!isBound) return;
    let from = start;
    while (isBlank(text.charCodeAt(from))) from++;
    this.#row('text', '', from, [from, this.#at]);
    this.#interpolations(start, this.#at);
  }

  #interpolations(start: number, end: number): void {
    for (let at = this.#text.indexOf('{{', start); at >= 0 && at < end; at = this.#text.indexOf('{{', at)) {
      const close = endOfInterpolation(this.#text, at, end);
      const expression = parseExpression(this.#text, at + 2, close - 2);
      if (expression === null) throw new NotPlain();
      tellUses(expression, this);
      at = close;
    }
  }

  #isBlock(): boolean {
    return /^@(?:if|else|for|switch|case|default|empty|defer|placeholder|loading|boundary|error|content|let)/.test(
      this.#text.slice(this.#at, this.#at + 12),
    );
  }

  /** False: the sign is only a sign. */
  #block(): boolean {
    if (!this.#isBlock()) return false;
    const top = this.#top;
    if (this.#text.startsWith('@let', this.#at)) {
      if (top?.name === '@switch') throw new NotPlain();
      this.#let();
      return true;
    }
    const block = readBlockStart(this.#text, this.#at, this.#end);
    if (!isExpected(block, this.#before, top)) throw new NotPlain();
    if (top) top.hasContent = true;
    if (block.name === 'default') top!.hasDefault = true;
    this.#expressionOf(block);
    this.#at = block.end;
    this.#open.push({
      name: `@${block.name}`,
      element: this.#element,
      isForeign: top?.isForeign ?? false,
      hasContent: false,
      hasDefault: false,
    });
    this.#before = '';
    return true;
  }

  #let(): void {
    const found = this.#matched(LET);
    if (!found) throw new NotPlain();
    const end = endOfStatement(this.#text, this.#at, this.#end);
    const expression = parseExpression(this.#text, this.#at, end);
    if (expression === null) throw new NotPlain();
    tellUses(expression, this);
    this.#at = end + 1;
    this.#before = '';
  }

  #expressionOf(block: Block): void {
    const { name } = block;
    const parameters = block.inside === null ? [] : blockParameters(this.#text, block.inside);
    const [first, ...rest] = parameters;
    const isBare = name === 'else' || name === 'empty' || name === 'default';
    if (isBare !== (first === undefined)) throw new NotPlain();
    if (!first) return;
    if (name === 'if' || name === 'else if') skipConditionalRest(this.#text, rest);
    else if (name !== 'for' && rest.length > 0) throw new NotPlain();
    const [from, to] = name === 'for' ? loopExpression(this.#text, first, rest) : first;
    const expression = parseExpression(this.#text, from, to);
    if (expression === null) throw new NotPlain();
    tellUses(expression, this);
  }

  #endBlock(): void {
    const block = this.#open.pop();
    if (!block?.name.startsWith('@')) throw new NotPlain();
    this.#at++;
    this.#before = block.name;
  }
}

const isBlank = (unit: number): boolean => unit === 32 || unit === 10 || unit === 9 || unit === 13;

function closes(parent: string, child: string): boolean {
  return parent === 'p' ? CLOSES_PARAGRAPH.has(child) : (ENDS[parent]?.includes(child) ?? false);
}

function isExpected({ name }: Block, before: string, top: Open | undefined): boolean {
  if (name === 'case') return top?.name === '@switch';
  if (name === 'default') return top?.name === '@switch' && !top.hasDefault;
  if (top?.name === '@switch') return false;
  if (name === 'else' || name === 'else if') return before === '@if' || before === '@else if';
  return name !== 'empty' || before === '@for';
}

/** Behind its second closing brace. */
export function endOfInterpolation(text: string, start: number, end: number): number {
  let quote = '';
  for (let at = start + 2; at < end; at++) {
    const sign = text[at]!;
    if (sign === '<' && INSIDE_TAG.test(text.slice(at, at + 2))) break;
    if (quote === '') {
      if (sign === '}' && text[at + 1] === '}' && at + 2 <= end) return at + 2;
      if (sign === '`' || (sign === '/' && text[at + 1] === '/')) break;
      if (sign === "'" || sign === '"') quote = sign;
    } else if (sign === quote) quote = '';
  }
  throw new NotPlain();
}

/** At its semicolon. */
function endOfStatement(text: string, start: number, end: number): number {
  let quote = '';
  for (let at = start; at < end; at++) {
    const sign = text[at]!;
    if (quote !== '') quote = sign === quote ? '' : quote;
    else if (sign === ';') return at;
    else if (sign === "'" || sign === '"') quote = sign;
    else if (sign === '`') break;
  }
  throw new NotPlain();
}
