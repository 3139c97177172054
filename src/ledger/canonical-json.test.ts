import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from './canonical-json.ts';

test('names are sorted by UTF-16 units, numbers and strings have one form', () => {
  const value = {
    '\u20ac': 1,
    '\r': 2,
    '1': 3,
    '\u{1f600}': 4,
    '\ufb33': 5,
    a: [1e21, 1e-7, -0, 4.5, 'A\u000a"\\/'],
    '\u0080': null,
    ö: true,
  };
  expect(canonicalJson(value)).toBe(
    '{"\\r":2,"1":3,"a":[1e+21,1e-7,0,4.5,"A\\n\\"\\\\/"],"\u0080":null,"ö":true,"\u20ac":1,"\u{1f600}":4,"\ufb33":5}',
  );
});

test('what JSON cannot carry is refused, with its place', () => {
  const nested: { self?: unknown } = {};
  nested.self = nested;
  const cases: readonly (readonly [unknown, string])[] = [
    [undefined, '$: undefined has no canonical JSON'],
    [{ a: [0, 1, 2, { b: undefined }] }, '$.a[3].b: undefined has no canonical JSON'],
    [[NaN], '$[0]: NaN has no canonical JSON'],
    [{ 'a b': -Infinity }, '$["a b"]: -Infinity has no canonical JSON'],
    [{ a: 1n }, '$.a: a bigint has no canonical JSON'],
    [{ a: () => 1 }, '$.a: a function has no canonical JSON'],
    [[Symbol('s')], '$[0]: a symbol has no canonical JSON'],
    [{ a: 'x\ud800y' }, '$.a: a string with a lone surrogate has no canonical JSON'],
    [{ '\udc00': 1 }, '$["\\udc00"]: a name with a lone surrogate has no canonical JSON'],
    [Array(1), '$[0]: undefined has no canonical JSON'],
    [{ at: new Date(0) }, '$.at: an object of class Date has no canonical JSON'],
    [[new Map()], '$[0]: an object of class Map has no canonical JSON'],
  ];
  for (const [value, message] of cases) expect(() => canonicalJson(value)).toThrow(message);
  expect(() => canonicalJson(nested)).toThrow('nested deeper than 500');
  const deep = (levels: number): unknown => (levels === 0 ? [] : [deep(levels - 1)]);
  expect(canonicalJson(deep(500))).toBe(`${'['.repeat(501)}${']'.repeat(501)}`);
  expect(() => canonicalJson(deep(501))).toThrow(`$${'[0]'.repeat(501)}: a value nested deeper than 500 has no canonical JSON`);
});

test('a value survives the way through its text, and the text is the same for any order of names', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      fc.pre(JSON.stringify(value).isWellFormed());
      const text = canonicalJson(value);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(canonicalJson(JSON.parse(text, (_, inner: unknown) => reversed(inner)))).toBe(text);
    }),
  );
});

test('an order of our own is the order of the published implementation, for names that objects put elsewhere as well', () => {
  const names = fc.oneof(
    fc.constantFrom('10', '9', '01', '-1', '__proto__', 'constructor', 'toJSON', '', '\u{1f600}', '\ufb33'),
    fc.string(),
  );
  const { value: values } = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 4 }, fc.string(), fc.double({ noNaN: true, noDefaultInfinity: true }), tie('list'), tie('object')),
    list: fc.array(tie('value')),
    object: fc.array(fc.tuple(names, tie('value'))).map((entries) => Object.fromEntries(entries)),
  }));
  fc.assert(
    fc.property(values, (value) => {
      expect(canonicalJson(value)).toBe(canonicalize(value));
    }),
  );
});

function reversed(value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toReversed());
}
