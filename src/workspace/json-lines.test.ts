import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJsonWithLines } from './json-lines.ts';

test('the line of every key, and of the nearest that exists', () => {
  const { value, lineOf } = parseJsonWithLines('x.json', '{\n "a": {\n  "b": [1,\n   2]\n },\n "c":\n null\n}\n');
  expect(value).toEqual({ a: { b: [1, 2] }, c: null });
  expect([['a'], ['a', 'b'], ['a', 'b', 1], ['c'], ['a', 'x', 'y'], []].map((path) => lineOf(path))).toEqual([2, 3, 4, 6, 2, 1]);
});

test('what is not JSON is a fault with file and line', () => {
  const bad: Record<string, string> = {
    '': '1: expected a value, but the file ends',
    '{\n"a": 1,\n}': '3: expected a key in double quotes (a comma before a closing brace is not JSON)',
    '{\n"a"\n1}': '3: expected a colon, found "1"',
    '{"a": 1\n "b": 2}': '2: expected a comma or }, found "\\""',
    '[1,\n': '2: expected a value, but the file ends',
    '[1': '1: expected a comma or ], but the file ends',
    '{\n // no\n}': '2: expected a key in double quotes (a comma before a closing brace is not JSON)',
    '"a\nb"': '1: expected text in double quotes that ends on the same line',
    '01': '1: expected the end of the file, found "1"',
    '\n\nx': '3: expected a value, found "x"',
    '{"a": 1,\n"a": 2}': '2: the key "a" is there twice',
    '{"__proto__": {}}': '1: the key "__proto__" is not allowed',
    [`${'['.repeat(70)}`]: '1: is nested deeper than 64 levels',
  };
  for (const [text, message] of Object.entries(bad)) {
    expect(() => parseJsonWithLines('x.json', text)).toThrow(
      expect.objectContaining({ code: 'DOCUMENT_INVALID', message: `x.json:${message}` }),
    );
  }
});

test('reads what JSON.parse reads', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), fc.boolean(), (text, pretty) => {
      const value: unknown = JSON.parse(text);
      const again = pretty ? JSON.stringify(value, null, 2) : text;
      fc.pre(!text.includes('__proto__'));
      expect(parseJsonWithLines('x.json', again).value).toEqual(value);
    }),
  );
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test('refuses what JSON.parse refuses', () => {
  fc.assert(
    fc.property(
      fc.json({ maxDepth: 2 }),
      fc.nat(),
      fc.constantFrom('"', '{', '}', '[', ']', ',', ':', '\\', '1', '-', '.', 'e', ' ', '\n', 'n', '\u0001'),
      (text, place, character) => {
        const at = place % (text.length + 1);
        const broken = text.slice(0, at) + character + text.slice(at);
        fc.pre(!broken.includes('__proto__'));
        fc.pre(!isJson(broken));
        expect(() => parseJsonWithLines('x.json', broken)).toThrow(expect.objectContaining({ code: 'DOCUMENT_INVALID' }));
      },
    ),
    { numRuns: 1000 },
  );
});
