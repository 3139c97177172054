import fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { expect, test } from 'vitest';
import { editJson, withoutComments, withoutTrailingCommas } from './edit-json.ts';

/** The same value as different people write it. */
const spelling = fc.constantFrom<(value: unknown) => string>(
  (value) => JSON.stringify(value),
  (value) => JSON.stringify(value, null, 2),
  (value) => `${JSON.stringify(value, null, 3)}\n`,
  (value) => `${JSON.stringify(value, null, '\t')}\n\n`,
  (value) => `\n ${JSON.stringify(value, null, 4).replaceAll('\n', '\r\n')}\r\n`,
  (value) =>
    JSON.stringify(value, null, 1)
      .replaceAll('[\n', '[ ')
      .replaceAll(/,\n +(?=["\d])/g, ' , '),
);
const value = fc
  .jsonValue({ maxDepth: 3 })
  .map((found) => JSON.stringify(found))
  .filter((text) => !text.includes('__proto__'))
  .map((text): unknown => JSON.parse(text));
const record = fc.dictionary(
  fc.string().filter((key) => key !== '__proto__'),
  value,
  { maxKeys: 5, noNullPrototype: true },
);

test('the edited text means what was asked for', () => {
  fc.assert(
    fc.property(record, record, spelling, (before, after, spell) => {
      expect(JSON.parse(editJson(spell(before), after))).toEqual(after);
    }),
  );
});

test('what was added at the end and is taken out again leaves the text as it was', () => {
  fc.assert(
    fc.property(
      record,
      record,
      fc.array(value, { minLength: 1 }),
      fc.array(value, { minLength: 1 }),
      spelling,
      (before, more, list, longer, spell) => {
        const holder = { ...before, list, inner: { a: 1, list } };
        const text = spell(holder);
        const added = Object.fromEntries(Object.entries(more).map(([key, item]) => [`new ${key}`, item]));
        const wider = { ...holder, ...added, list: [...list, ...longer], inner: { ...holder.inner, ...added, list: [...list, ...longer] } };
        const edited = editJson(text, wider);
        expect(JSON.parse(edited)).toEqual(wider);
        expect(editJson(edited, holder)).toBe(text);
      },
    ),
  );
});

test('only what changes is rewritten', () => {
  const text = '{\n   "allow": ["a",  "b"],\r\n   "hooks" : { "Stop": [ {"x": 1} ] },\n   "last": 1e3\n}';
  expect(editJson(text, { allow: ['a', 'b', 'c'], hooks: { Stop: [{ x: 1 }, { y: [2] }] }, last: 1000 })).toBe(
    '{\n   "allow": ["a",  "b", "c"],\r\n   "hooks" : { "Stop": [ {"x": 1}, {"y":[2]} ] },\n   "last": 1e3\n}',
  );
  expect(editJson(text, { allow: ['b'], last: 1000 })).toBe('{\n   "allow": ["b"],\r\n   "last": 1e3\n}');
});

test('an empty object or list is opened as the rest of the text is written', () => {
  expect(editJson('{}', { a: { b: [1] } })).toBe('{\n  "a": {\n    "b": [\n      1\n    ]\n  }\n}');
  expect(editJson('{\n\t"a": []\n}\n', { a: [1] })).toBe('{\n\t"a": [\n\t\t1\n\t]\n}\n');
});

test('a key that is there twice does not make it another value', () => {
  expect(JSON.parse(editJson('{"a": 1, "a": 2, "b": 3}', { b: 4 }))).toEqual({ b: 4 });
  expect(JSON.parse(editJson('{"a": [1], "a": [2]}', { a: [2, 3] }))).toEqual({ a: [2, 3] });
});

/** Comments wherever a person may put them: behind the opening bracket, behind values and commas, before the closing one. */
const commented = (text: string, at: number): string => {
  let count = 0;
  return text.replaceAll(/"(?:[^"\\]|\\.)*"|[{,[]|\n *(?=[\]}])/g, (found) =>
    found.startsWith('"') || ++count % 4 !== at ? found : found.startsWith('\n') ? ` // ${count}, [${found}` : `${found} /* ${count} ] */`,
  );
};
const commentsIn = (text: string): string[] => text.match(/\/\/ \d+, \[|\/\* \d+ \] \*\//g) ?? [];

test('comments stay, and so does every byte when what was added is taken out again', () => {
  fc.assert(
    fc.property(record, record, fc.nat(3), spelling, (before, more, at, spell) => {
      const holder = { ...before, list: [1, { x: [] }], last: { a: 1 } };
      const text = commented(spell(holder), at);
      const added = Object.fromEntries(Object.entries(more).map(([key, item]) => [`new ${key}`, item]));
      const wider = { ...holder, list: [1, { x: [] }, 3], last: { a: 1, ...added }, ...added };
      const edited = editJson(text, wider);
      expect(parse(edited)).toEqual(wider);
      expect(commentsIn(edited)).toEqual(commentsIn(text));
      expect(editJson(edited, holder)).toBe(text);
    }),
  );
});

test('a comment stays on the line that it is about', () => {
  const text = '// mine\n{\n  // of a\n  "a": 1, // one\n  "list": [\n    "x" // ex\n  ] // the list\n}\n';
  const wider = editJson(text, { a: 1, list: ['x', 'y'], b: { c: 2 } });
  expect(wider).toBe(
    '// mine\n{\n  // of a\n  "a": 1, // one\n  "list": [\n    "x", // ex\n    "y"\n  ], // the list\n  "b": {\n    "c": 2\n  }\n}\n',
  );
  expect(editJson(wider, { a: 1, list: ['x'] })).toBe(text);
  expect(editJson(wider, { b: { c: 2 } })).toBe('// mine\n{\n  // of a\n   // one\n   // the list\n  "b": {\n    "c": 2\n  }\n}\n');
  expect(editJson('{ /* empty */ }', { a: [1] })).toBe('{ /* empty */\n  "a": [\n    1\n  ] }');
  expect(editJson('[1,2]', [1])).toBe('[1]');
});

test('a comma behind the last item stays, and is not written twice', () => {
  for (const [text, wider] of [
    ['{\n  "a": 1, // one\n}\n', '{\n  "a": 1, // one\n  "b": [\n    2\n  ],\n}\n'],
    ['{ "a": 1, }', '{ "a": 1, "b": [2], }'],
    ['{\n  "a": 1 /* x, */ ,\n}', '{\n  "a": 1 /* x, */ ,\n  "b": [\n    2\n  ],\n}'],
  ] as const) {
    expect(editJson(text, { a: 1, b: [2] })).toBe(wider);
    expect(editJson(wider, { a: 1 })).toBe(text);
    expect(JSON.parse(withoutTrailingCommas(withoutComments(wider)))).toEqual({ a: 1, b: [2] });
  }
  expect(editJson('{ "a": 1, }', {})).toBe('{}');
  expect(editJson('{ "a": 1, /* x */ }', {})).toBe('{  /* x */ }');
  expect(editJson('{ "a": 1, "b": 2, /* x */ }', { a: 1 })).toBe('{ "a": 1,  /* x */ }');
  expect(withoutTrailingCommas('{"a": ",]", "b": [1,\n], }')).toBe('{"a": ",]", "b": [1 \n]  }');
});
