import fc from 'fast-check';
import { expect, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { cutToBytes, readable, resultText } from './tool-output.ts';

test('an output is text that can be quoted as it is', () => {
  expect(readable({ path: 'a.md', lines: ['"Stay," she said.'], text: 'one\ntwo', none: [], more: [{ line: 3, said: 'x' }] })).toBe(
    '\npath: a.md\nlines: \n  - "Stay," she said.\ntext: \none\ntwo\nnone: (none)\nmore: \n  - line: 3\n    said: x',
  );
});

verifies('C4', 'an output over the limit is cut at a character, and says of what it is a part', async () => {
  const cut = cutToBytes('äöü', 3);
  expect(cut).toEqual({ text: 'ä', bytes: 6, shown: 2 });
  expect(resultText({ tool: 'file_reader', receiptId: 'rcp_1', status: 'done', sha256: 'f00', cut })).toBe(
    [
      'TOOL_RESULT file_reader (done)',
      'receipt_id: rcp_1',
      'sha256: f00',
      '<<<DATA f00',
      'ä',
      'DATA f00>>>',
      'The output was cut: 2 of 6 bytes are shown.',
    ].join('\n'),
  );
});

test('a cut text is a beginning of the whole, within the limit, for every text and limit', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat(50), (text, most) => {
      const { text: part, shown } = cutToBytes(text, most);
      return text.startsWith(part) && Buffer.byteLength(part) === shown && shown <= Math.max(most, 0);
    }),
  );
});
