// Lines of a text that match. A pattern is matched in linear time (RE2), line by line, and only on lines that can match.

import type { RE2JS } from 're2js';
import { Fault } from '../../protocol/plain.ts';
import type { TextQuestion } from '../model.ts';
import { requiredLiteral } from './required-literal.ts';

export const PATTERN_MAX = 1_000;

let re2: typeof import('re2js') | null = null;

/** To be awaited before `lineMatcher` is called for a question: what matches patterns is large, and plain text needs none of it. */
export async function loadMatcherFor({ pattern, regex = false }: TextQuestion): Promise<void> {
  if (regex || !isFoldable(pattern)) re2 ??= await import('re2js');
}

export interface LineMatch {
  /** Counted from 1. */
  readonly line: number;
  readonly column: number;
  readonly start: number;
  /** Without its line feed. */
  readonly end: number;
}

export interface LineMatcher {
  /** What every matching text holds, as far as it is known; case does not count when it is ignored. */
  readonly literal: string;
  /** Up to `limit` lines. */
  readonly matches: (text: string, limit: number) => LineMatch[];
}

export function lineMatcher({ pattern, regex = false, ignore_case = false, whole_word = false }: TextQuestion): LineMatcher {
  if (pattern === '' || pattern.length > PATTERN_MAX)
    throw new Fault('BAD_REQUEST', `The pattern has to have 1 to ${PATTERN_MAX} characters`);
  if (!regex && pattern.includes('\n')) throw new Fault('BAD_REQUEST', 'The pattern has a line feed: lines are searched one by one');
  if (!regex && !ignore_case && !whole_word) return { literal: pattern, matches: (text, limit) => byIndex(text, pattern, limit) };
  if (!regex && isFoldable(pattern)) {
    const escaped = pattern.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
    const word = '[A-Za-z0-9_]';
    const source = whole_word ? `(?<!${word})${escaped}(?!${word})` : escaped;
    return { literal: pattern, matches: byExpression(new RegExp(source, ignore_case ? 'gi' : 'g')) };
  }
  if (re2 === null) throw new Error('the matcher of patterns is not loaded');
  const inner = regex ? pattern : re2.RE2JS.quote(pattern);
  const compiled = compile(re2, whole_word ? `(?:^|[^\\p{L}\\p{N}_])(?P<word>${inner})(?:$|[^\\p{L}\\p{N}_])` : inner, ignore_case);
  const literal = regex ? requiredLiteral(pattern) : pattern;
  const quick = literal !== '' && (!ignore_case || isFoldable(literal)) ? literal : '';
  return { literal: quick, matches: (text, limit) => byLines(text, compiled, quick, ignore_case, whole_word, limit) };
}

/** Letters without a case of their own in other alphabets: both engines fold these the same way. */
const isFoldable = (text: string): boolean => /^[\x20-\x7e\t]*$/.test(text);

function compile({ RE2JS, RE2JSException }: typeof import('re2js'), pattern: string, ignoreCase: boolean): RE2JS {
  try {
    return RE2JS.compile(pattern, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw new Fault('BAD_REQUEST', `The pattern cannot be read: ${error.message}`, {
      fix: 'Write it in the syntax of RE2, without look-around and back references, or search for plain text',
    });
  }
}

/** Counts lines as it goes. */
class Lines {
  readonly #text: string;
  #line = 1;
  #start = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Offsets have to rise. */
  at(offset: number): LineMatch {
    for (let feed = this.#text.indexOf('\n', this.#start); feed >= 0 && feed < offset; feed = this.#text.indexOf('\n', feed + 1)) {
      this.#line++;
      this.#start = feed + 1;
    }
    const feed = this.#text.indexOf('\n', offset);
    return { line: this.#line, column: offset - this.#start + 1, start: this.#start, end: feed < 0 ? this.#text.length : feed };
  }
}

function byIndex(text: string, pattern: string, limit: number): LineMatch[] {
  const found: LineMatch[] = [];
  const lines = new Lines(text);
  for (let at = text.indexOf(pattern); at >= 0 && found.length < limit;) {
    const match = lines.at(at);
    found.push(match);
    at = text.indexOf(pattern, match.end);
  }
  return found;
}

const byExpression =
  (expression: RegExp) =>
  (text: string, limit: number): LineMatch[] => {
    const found: LineMatch[] = [];
    const lines = new Lines(text);
    expression.lastIndex = 0;
    for (let match = expression.exec(text); match && found.length < limit; match = expression.exec(text)) {
      const line = lines.at(match.index);
      found.push(line);
      expression.lastIndex = line.end;
      if (line.end >= text.length) break;
    }
    return found;
  };

function byLines(text: string, compiled: RE2JS, literal: string, ignoreCase: boolean, wholeWord: boolean, limit: number): LineMatch[] {
  // An empty file has no lines.
  if (text === '') return [];
  const found: LineMatch[] = [];
  const lines = new Lines(text);
  const within = ignoreCase ? text.toLowerCase() : text;
  // Lower case of some letters is longer: offsets would not fit.
  const quick = within.length === text.length ? (ignoreCase ? literal.toLowerCase() : literal) : '';
  for (let at = 0; at <= text.length && found.length < limit;) {
    const next = quick === '' ? at : within.indexOf(quick, at);
    if (next < 0 || (next === text.length && text.endsWith('\n'))) break;
    const start = next === 0 ? 0 : text.lastIndexOf('\n', next - 1) + 1;
    const feed = text.indexOf('\n', next);
    const end = feed < 0 ? text.length : feed;
    const matcher = compiled.matcher(text.slice(start, text[end - 1] === '\r' && end > start ? end - 1 : end));
    if (matcher.find()) {
      const column = (wholeWord ? matcher.start('word') : matcher.start()) + 1;
      // Only lines that match are counted.
      found.push({ line: lines.at(start).line, column, start, end });
    }
    at = end + 1;
  }
  return found;
}
