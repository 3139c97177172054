// Blocks of Angular templates: `@if (a; as b) {`, `@for (a of b; track c) {` and the like, as they are plainly written.

import { NotPlain, parseExpression } from './template-expression.ts';

export type Place = readonly [start: number, end: number];

export interface Block {
  readonly name: string;
  /** Between its parentheses. */
  readonly inside: Place | null;
  /** Behind its brace. */
  readonly end: number;
}

const START = /@(if|else[ \t]+if|else|for|empty|switch|case|default)[ \t\n]*(?=[({])/y;
const OPENING = /\)[ \t\n]*\{/y;
const ALIAS = /^as\s+[A-Za-z_$][\w$]*\s*$/;
const LOOP = /^([A-Za-z_$][\w$]*)\s+of\s+(?=[^\s(])/;
const TRACK = /^track\s+/;
const LET = /^let\s+([A-Za-z_$][\w$]*)\s*=\s*(\$(?:index|first|last|even|odd|count))\s*$/;

export function readBlockStart(text: string, start: number, end: number): Block {
  START.lastIndex = start;
  const found = START.exec(text);
  if (!found) throw new NotPlain();
  const name = found[1]!.replace(/\s+/, ' ');
  const at = START.lastIndex;
  if (text[at] === '{') return { name, inside: null, end: at + 1 };
  const close = closingParenthesis(text, at + 1, end);
  OPENING.lastIndex = close;
  if (!OPENING.test(text)) throw new NotPlain();
  return { name, inside: [at + 1, close], end: OPENING.lastIndex };
}

function closingParenthesis(text: string, start: number, end: number): number {
  let depth = 0;
  let quote = '';
  for (let at = start; at < end; at++) {
    const sign = text[at]!;
    if (quote !== '') quote = sign === quote ? '' : quote;
    else if (sign === '`') break;
    else if (sign === "'" || sign === '"') quote = sign;
    else if (sign === '(') depth++;
    else if (sign === ')' && depth-- === 0) return at;
  }
  throw new NotPlain();
}

/** Between semicolons, without the blanks before each. */
export function blockParameters(text: string, [start, end]: Place): readonly Place[] {
  const found: Place[] = [];
  let quote = '';
  let from = start;
  for (let at = start; at <= end; at++) {
    const sign = at === end ? ';' : text[at]!;
    if (quote !== '' && at < end) quote = sign === quote ? '' : quote;
    else if (sign === "'" || sign === '"') quote = sign;
    else if (sign === ';') {
      while (from < at && /[ \t\n]/.test(text[from]!)) from++;
      if (from < at) found.push([from, at]);
      from = at + 1;
    }
  }
  return found;
}

/** `as name` declares something, and uses nothing. */
export function skipConditionalRest(text: string, rest: readonly Place[]): void {
  if (rest.length > 1 || rest.some(([start, end]) => !ALIAS.test(text.slice(start, end)))) throw new NotPlain();
}

/** What is looped over. The compiler does not look into `track`, which only has to be right. */
export function loopExpression(text: string, [start, end]: Place, rest: readonly Place[]): Place {
  const loop = LOOP.exec(text.slice(start, end));
  if (!loop) throw new NotPlain();
  const names = new Set([loop[1]!]);
  let tracks = 0;
  for (const [from, to] of rest) {
    const written = text.slice(from, to);
    const declared = LET.exec(written)?.[1];
    const track = TRACK.exec(written);
    if (declared !== undefined) {
      if (names.has(declared) || declared.startsWith('$')) throw new NotPlain();
      names.add(declared);
    } else if (track) {
      tracks++;
      if (/\|(?!\|)/.test(written) || parseExpression(text, from + track[0].length, to) === null) throw new NotPlain();
    } else throw new NotPlain();
  }
  if (tracks !== 1 || loop[1]!.startsWith('$')) throw new NotPlain();
  return [start + loop[0].length, end];
}
