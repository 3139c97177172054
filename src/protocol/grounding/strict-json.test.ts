// The strict reader against a second one: JSON.parse, and what JSON.parse lets pass.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { verifies } from '../../../test/verifies.ts';
import { readObjects, STRICT_JSON_MAX_BYTES, STRICT_JSON_MAX_DEPTH } from './index.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const isRead = (given: Uint8Array | string): boolean => 'objects' in readObjects(given);

/** Independent of the reader: JSON.parse decides the grammar, and its reviver shows each key with its text. */
function readBySecond(text: string): unknown {
  if (!text.isWellFormed() || bytes(text).length > STRICT_JSON_MAX_BYTES) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return depthOf(value) > STRICT_JSON_MAX_DEPTH || !isWellFormedDeep(value) || hasTwice(text) ? undefined : value;
}

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

const isWellFormedDeep = (value: unknown): boolean => {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, inner]) => key.isWellFormed() && isWellFormedDeep(inner));
};

/** By tokens: the text is known to be JSON. */
function hasTwice(text: string): boolean {
  const open: (Set<string> | null)[] = [];
  const tokens = text.match(/"(?:[^"\\]|\\.)*"\s*:?|[{}[\]]/gs) ?? [];
  for (const token of tokens) {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(null);
    else if (token === '}' || token === ']') open.pop();
    else if (token.endsWith(':')) {
      const key = JSON.parse(token.slice(0, -1).trim()) as string;
      const keys = open.at(-1)!;
      if (keys?.has(key)) return true;
      keys?.add(key);
    }
  }
  return false;
}

function compare(text: string): void {
  const second = readBySecond(text);
  for (const given of [text, bytes(text)]) {
    // Bytes of a half pair are replaced on the way, so the two texts differ there.
    if (typeof given !== 'string' && !text.isWellFormed()) continue;
    const read = readObjects(given);
    if ('objects' in read && read.objects.length > 1) expect(second).toBe(undefined);
    else expect('objects' in read ? read.objects[0] : undefined).toEqual(second);
  }
}

const RUNS = { numRuns: 3_000 };

verifies('C1', 'reads valid objects as JSON.parse does', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), fc.nat(3), (object, indent) =>
      compare(JSON.stringify(object, null, indent)),
    ),
    RUNS,
  );
});

verifies('C1', 'agrees with a second reader on objects that were damaged', () => {
  const alphabet = [
    ...Array.from('{}[]":,\\/ntu0123456789abcdefeE+-. \t\n\r'),
    '\u0000',
    '\u001f',
    '\u007f',
    '\u00a0',
    '\ufeff',
    '\ud800',
    '\udc00',
    '😀',
  ];
  const damaged = fc
    .tuple(
      fc.oneof(fc.dictionary(fc.constantFrom('a', 'b', '\\u0061', '__proto__', 'tool'), fc.jsonValue()), fc.jsonValue()),
      fc.array(fc.tuple(fc.nat(), fc.constantFrom('insert', 'delete', 'replace', 'double'), fc.constantFrom(...alphabet)), {
        maxLength: 4,
      }),
    )
    .map(([value, changes]) =>
      changes.reduce((text, [at, how, character]) => {
        const place = at % (text.length + 1);
        if (how === 'double') return text.slice(0, place) + text.slice(Math.max(0, place - 8));
        return text.slice(0, place) + (how === 'delete' ? '' : character) + text.slice(place + (how === 'insert' ? 0 : 1));
      }, JSON.stringify(value)),
    );
  fc.assert(fc.property(damaged, compare), { numRuns: 20_000 });
});

verifies('C1', 'agrees with a second reader on any text made of the signs of JSON', () => {
  const sign = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    '"',
    ':',
    ',',
    '\\',
    'a',
    '1',
    '-',
    '.',
    'e',
    ' ',
    '\n',
    'true',
    'null',
    '"a"',
    '"a":1',
    '\\u0061',
  );
  fc.assert(
    fc.property(fc.array(sign, { maxLength: 14 }), (signs) => compare(`{${signs.join('')}`)),
    { numRuns: 20_000 },
  );
});

verifies('C1', 'never throws for any bytes, and reads none that are not valid UTF-8', () => {
  const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), fc.boolean(), (random, isInString) => {
      const given = isInString ? new Uint8Array([...bytes('{"a":"'), ...random, ...bytes('"}')]) : random;
      let text: string | null = null;
      try {
        text = utf8.decode(given);
      } catch {
        // Not UTF-8.
      }
      expect(isRead(given)).toBe(text !== null && isRead(text));
    }),
    RUNS,
  );
});

const READ = [
  '{}',
  ' \t\r\n{"a":[1,-0.5e+3,null,true,"\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9 ```{"]}\n',
  '{"a":{},"A":1}',
  '{"😀":"\\ud83d\\ude00"}',
];
const REFUSED: Readonly<Record<string, string>> = {
  '': 'It does not begin with an object (at the end).',
  '[{}]': 'It does not begin with an object (at character 1).',
  '"{}"': 'It does not begin with an object (at character 1).',
  '\ufeff{}': 'It does not begin with an object (at character 1).',
  '\u00a0{}': 'It does not begin with an object (at character 1).',
  '```json\n{}\n```': 'It does not begin with an object (at character 1).',
  '{} done': 'There is text after the object (at character 4).',
  '{},{}': 'There is text after the object (at character 3).',
  '{"a":1,"\\u0061":2}': 'The key "a" is there twice (at character 16).',
  '{"a":{"b":1,"b":2}}': 'The key "b" is there twice (at character 16).',
  '{"__proto__":1,"__proto__":2}': 'The key "__proto__" is there twice (at character 27).',
  '{"a":"\\ud800"}': 'A string has half of a surrogate pair (at character 14).',
  '{"a":"\ud800"}': 'It is not valid UTF-8.',
  '{"a":"\n"}': 'A string has a control character that is not escaped (at character 7).',
  '{"a":"\\x41"}': 'A string has an unknown escape (at character 7).',
  "{'a':1}": 'A key in double quotes was expected (at character 2).',
  '{"a":1,}': 'A key in double quotes was expected (at character 8).',
  '{"a":01}': 'A comma or the end of the object was expected (at character 7).',
  '{"a":NaN}': 'A value was expected (at character 6).',
  '{"a":1': 'A comma or the end of the object was expected (at the end).',
  '{"a":"': 'A string does not end (at the end).',
  '{/**/}': 'A key in double quotes was expected (at character 2).',
};

test('says what is wrong and where', () => {
  expect(READ.filter((text) => !isRead(text))).toEqual([]);
  expect(Object.fromEntries(Object.keys(REFUSED).map((text) => [text, readObjects(text)]))).toEqual(
    Object.fromEntries(Object.entries(REFUSED).map(([text, problem]) => [text, { problem }])),
  );
});

test('reads several objects when the text is nothing else', () => {
  expect(readObjects('{"a":1} {"b":2}\n{}')).toEqual({ objects: [{ a: 1 }, { b: 2 }, {}] });
});

test('a key named __proto__ is data', () => {
  const read = readObjects('{"__proto__":{"tool":"x"}}');
  const [object] = 'objects' in read ? read.objects : [];
  expect(Object.getPrototypeOf(object)).toBe(Object.prototype);
  expect(Object.keys(object!)).toEqual(['__proto__']);
});

test('size and depth have limits, counted in bytes and levels', () => {
  const sized = (size: number, character: string) => `{"a":"${character.repeat((size - 8) / bytes(character).length)}"}`;
  expect([sized(STRICT_JSON_MAX_BYTES, 'x'), sized(STRICT_JSON_MAX_BYTES, 'é')].map(isRead)).toEqual([true, true]);
  expect([`${sized(STRICT_JSON_MAX_BYTES, 'x')} `, `${sized(STRICT_JSON_MAX_BYTES, 'é')} `].map(isRead)).toEqual([false, false]);
  expect(isRead(bytes(`${sized(STRICT_JSON_MAX_BYTES, 'é')} `))).toBe(false);
  const deep = (levels: number) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
  expect([deep(STRICT_JSON_MAX_DEPTH), deep(STRICT_JSON_MAX_DEPTH + 1)].map(isRead)).toEqual([true, false]);
  expect(isRead(`{"a":${'['.repeat(200_000)}`)).toBe(false);
});
