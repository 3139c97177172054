import fc from 'fast-check';
import { RE2JS } from 're2js';
import { beforeAll, expect, test } from 'vitest';
import { lineMatcher, loadMatcherFor } from './line-matcher.ts';
import { requiredLiteral } from './required-literal.ts';
import { trigramsOf } from './trigrams.ts';

beforeAll(() => loadMatcherFor({ pattern: '.', regex: true }));

test('what a pattern needs is read out of it, and nothing that it does not', () => {
  const literals = [
    'function \\w+\\(',
    'a(?:bc)+defg',
    'colou?r',
    'ab*cd',
    'x|yz',
    '(?i)abc',
    '[a-z]+Error\\(',
    'foo{2}bar',
    '\\x41bc',
    'ab+c',
    'a\\.b',
  ].map((pattern) => [pattern, requiredLiteral(pattern)]);
  expect(literals).toEqual([
    ['function \\w+\\(', 'function '],
    ['a(?:bc)+defg', 'defg'],
    ['colou?r', 'colo'],
    ['ab*cd', 'cd'],
    ['x|yz', ''],
    ['(?i)abc', ''],
    ['[a-z]+Error\\(', 'Error('],
    ['foo{2}bar', 'bar'],
    ['\\x41bc', ''],
    ['ab+c', 'ab'],
    ['a\\.b', 'a.b'],
  ]);
});

const word = fc.constantFrom('a', 'b', 'ab', 'A', 'B', 'aB', '_', ' ', '.', '(', '1', 'é', 'É', 'ß', '\t', '😀', 'İ', 'K', 'ſ');
const line = fc.array(word, { maxLength: 12 }).map((parts) => parts.join(''));
const text = fc.array(line, { maxLength: 8 }).chain((lines) => fc.constantFrom('\n', '\r\n').map((end) => lines.join(end)));
const piece = fc.constantFrom(
  'a',
  'b',
  'ab',
  '.',
  '\\w',
  '[ab]',
  '[^a]',
  'a*',
  'b+',
  'a?',
  '(?:ab)*',
  '(a|b)',
  'a{2}',
  '\\.',
  '\\s',
  '^',
  '$',
  'é',
  '\\b',
);

/** Line by line, with nothing skipped. */
function slowly(content: string, matches: (line: string) => boolean): number[] {
  const lines = content === '' ? [] : content.split('\n');
  if (lines.length > 1 && lines.at(-1) === '') lines.pop();
  return lines.flatMap((each, at) => (matches(each.endsWith('\r') ? each.slice(0, -1) : each) ? [at + 1] : []));
}

test('patterns find the lines that RE2 finds without any short cut', () => {
  fc.assert(
    fc.property(text, fc.array(piece, { minLength: 1, maxLength: 5 }), fc.boolean(), (content, pieces, ignore_case) => {
      const pattern = pieces.join('');
      const compiled = RE2JS.compile(pattern, ignore_case ? RE2JS.CASE_INSENSITIVE : 0);
      const found = lineMatcher({ pattern, regex: true, ignore_case })
        .matches(content, 1000)
        .map((match) => match.line);
      expect(found).toEqual(slowly(content, (each) => compiled.matcher(each).find()));
    }),
    { numRuns: 2_000 },
  );
});

test('plain texts find the lines that hold them, and every one of those has their trigrams', () => {
  fc.assert(
    fc.property(
      text,
      line.filter((each) => each !== ''),
      (content, pattern) => {
        const found = lineMatcher({ pattern })
          .matches(content, 1000)
          .map((match) => match.line);
        expect(found).toEqual(slowly(content.replaceAll('\r\n', '\n'), (each) => each.includes(pattern)));
        if (found.length === 0) return;
        const there = new Set(trigramsOf(content));
        expect([...trigramsOf(pattern)].every((trigram) => there.has(trigram))).toBe(true);
      },
    ),
    { numRuns: 2_000 },
  );
});

test('ignoring case never loses a line to the trigrams', () => {
  fc.assert(
    fc.property(
      text,
      line.filter((each) => each !== ''),
      (content, pattern) => {
        const { literal, matches } = lineMatcher({ pattern, ignore_case: true });
        if (matches(content, 1).length === 0) return;
        const there = new Set(trigramsOf(content));
        expect([...trigramsOf(literal)].filter((trigram) => !there.has(trigram))).toEqual([]);
      },
    ),
    { numRuns: 2_000 },
  );
});
