import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cypherStatements } from './cypher-statements.ts';

/** Any code units, halves of characters among them. */
const anyText = fc.array(fc.nat(0xffff), { maxLength: 40 }).map((units) => String.fromCharCode(...units));
const split = (text: string): readonly string[] => cypherStatements(text).map(({ text: statement, line }) => `${line}: ${statement}`);

test('statements end at a semicolon that is in no text, name or comment', () => {
  expect(
    split("MATCH (n) SET n.a = 'x;y', n.b = \"it's;\";\n// all; of them\nRETURN 1;\n\nMATCH (`odd;name`) /* a;\nb */ RETURN 2"),
  ).toEqual(["1: MATCH (n) SET n.a = 'x;y', n.b = \"it's;\"", '3: RETURN 1', '5: MATCH (`odd;name`)   RETURN 2']);
  expect(split("RETURN 'a\\';b'; RETURN 6 / 2;;\n;")).toEqual(["1: RETURN 'a\\';b'", '1: RETURN 6 / 2']);
  expect(split('// nothing\n')).toEqual([]);
});

test('fuzzed: nothing of a text is lost but comments and semicolons', () => {
  const piece = fc.constantFrom("'a;b'", '"c;d"', '`e;f`', ';', '\n', 'RETURN 1', ' ', '1/2');
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const kept = cypherStatements(pieces.join(' '))
        .map(({ text }) => text)
        .join('');
      const wanted = pieces.filter((each) => each !== ';').join('');
      expect(kept.replace(/\s+/g, '')).toBe(wanted.replace(/\s+/g, ''));
    }),
  );
  fc.assert(fc.property(anyText, (text) => void cypherStatements(text)));
});
