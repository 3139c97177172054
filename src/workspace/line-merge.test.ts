import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { matchInOrder } from './line-match.ts';
import { mergeContents } from './line-merge.ts';

const bytes = (text: string) => Buffer.from(text);
const merged = (base: string, ours: string, theirs: string) => {
  const result = mergeContents(bytes(base), bytes(ours), bytes(theirs));
  return result === null ? null : Buffer.from(result).toString();
};
const texts = fc.array(fc.constantFrom('a\n', 'b\n', 'c\n', 'd\n', '\n', '}\n'), { maxLength: 12 }).map((lines) => lines.join(''));

describe('matching', () => {
  test('matches are equal and in order, and of equal contents complete', () => {
    const side = fc.array(fc.nat(6), { maxLength: 40 }).map((numbers) => Int32Array.from(numbers));
    fc.assert(
      fc.property(side, side, (a, b) => {
        const matched = [...matchInOrder(a, b)];
        const taken = matched.filter((at) => at >= 0);
        expect(taken).toEqual([...new Set(taken)].toSorted((x, y) => x - y));
        for (const [at, from] of matched.entries()) if (from >= 0) expect(a[from]).toBe(b[at]);
        expect([...matchInOrder(a, a)]).toEqual([...a.keys()]);
      }),
    );
  });
});

describe('merging', () => {
  test('changes of different lines are both kept', () => {
    expect(merged('1\n2\n3\n4\n5\n', '1\nzwei\n3\n4\n5\n', '1\n2\n3\n4\nfive\n')).toBe('1\nzwei\n3\n4\nfive\n');
  });
  test('a line that was taken away goes, and what was added elsewhere stays', () => {
    expect(merged('1\nagent\n2\n3\n', '1\nagent\n2\n3\nhuman\n', '1\n2\n3\n')).toBe('1\n2\n3\nhuman\n');
  });
  test('different changes of the same line cannot be merged', () => {
    expect(merged('1\n2\n3\n', '1\nzwei\n3\n', '1\ntwo\n3\n')).toBeNull();
  });
  test('the same change on both sides is made once', () => {
    expect(merged('1\n2\n3\n', '1\ntwo\n3\n', '1\ntwo\n3\n')).toBe('1\ntwo\n3\n');
  });
  test('bytes that are no text, and a missing last newline, survive', () => {
    const base = Buffer.from([0xff, 10, 65, 10, 66, 10, 67]);
    const theirs = Buffer.from([0xfe, 10, 65, 10, 66, 10, 67]);
    const ours = Buffer.from([0xff, 10, 65, 10, 66, 10, 68]);
    expect(mergeContents(base, ours, theirs)).toEqual(Buffer.from([0xfe, 10, 65, 10, 66, 10, 68]));
  });
  test('content with a NUL byte is not merged', () => {
    expect(merged('a\0\n', 'b\n', 'a\n')).toBeNull();
  });
  test('a side that changed nothing leaves the other as it is', () => {
    fc.assert(
      fc.property(texts, texts, (base, other) => {
        expect([merged(base, base, other), merged(base, other, base)]).toEqual([other, other]);
      }),
    );
  });
});
