import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withBlock, withoutBlock } from './instructions-block.ts';

const FILE = 'x.md';
const BLOCK = '<!-- countersign:begin (written by countersign init; edit outside of it) -->\none\ntwo\n<!-- countersign:end -->';

test('a block stands behind what people wrote, is replaced in its place, and is taken out whole', () => {
  expect(withBlock(FILE, null, 'one\ntwo\n')).toBe(`${BLOCK}\n`);
  expect(withBlock(FILE, '# Ours\n', 'one\ntwo')).toBe(`# Ours\n\n${BLOCK}\n`);
  expect(withBlock(FILE, `before\n${BLOCK.replace('one', 'old')}\nafter\n`, 'one\ntwo')).toBe(`before\n${BLOCK}\nafter\n`);
  expect(withoutBlock(FILE, `before\n${BLOCK}\nafter\n`)).toBe('before\nafter\n');
  expect(withoutBlock(FILE, `${BLOCK}\n`)).toBe(null);
  expect(withoutBlock(FILE, '# Ours\n')).toBe('# Ours\n');
});

test('whatever a file held, putting the block in and taking it out again leaves it as it was', () => {
  const piece = fc.constantFrom('a', '\n', '\r\n', '\n\n', ' ', '# Ours', '\ufeff', '<!-- x -->', '\r');
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 12 }), (pieces) => {
      const text = pieces.join('');
      const put = withBlock(FILE, text, 'one\ntwo');
      expect(withBlock(FILE, put, 'one\ntwo')).toBe(put);
      expect(withoutBlock(FILE, put)).toBe(text);
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  ['<!-- countersign:begin -->\n', 1],
  ['a\n<!-- countersign:end -->\n', 2],
  ['<!-- countersign:end -->\n<!-- countersign:begin -->\n', 2],
  [`${BLOCK}\n${BLOCK}\n`, 8],
])('marks that are no pair are named by their line: %j', (text, line) => {
  const fault = expect.objectContaining({ code: 'DOCUMENT_INVALID', message: expect.stringContaining(`${FILE}:${line}: `) });
  expect(() => withBlock(FILE, text, 'x')).toThrow(fault);
  expect(() => withoutBlock(FILE, text)).toThrow(fault);
});
