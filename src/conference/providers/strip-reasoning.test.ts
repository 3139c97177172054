import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stripReasoning } from './strip-reasoning.ts';

test.each([
  ['plain text stays', 'Her eyes are grey.', 'Her eyes are grey.'],
  ['a block', '<think>hm</think>\n\nGrey.', 'Grey.'],
  ['a block in brackets', '[thinking]hm[/thinking] Grey.', 'Grey.'],
  ['in any case, with any of the names', '<REASONING>a</REASONING>x<Scratchpad>b</Scratchpad>y', 'xy'],
  ['a block in the middle', 'Grey <thought>or green?</thought>eyes.', 'Grey eyes.'],
  ['nested blocks', '<think>a<think>b</think>c</think>Grey.', 'Grey.'],
  ['an orphan closing tag', 'the user asks about eyes…</think>Grey.', 'Grey.'],
  ['several orphan closing tags', 'a</think>b</thinking>Grey.', 'Grey.'],
  ['an orphan closing tag after an answer that was none', 'Maybe green.</think>Grey.', 'Grey.'],
  ['a block that does not end', 'Grey.<think>but then', 'Grey.'],
  ['a tool call behind reasoning', '<think>{"tool":"x"}</think>{"tool":"y"}', '{"tool":"y"}'],
  ['other tags stay', 'Use <b>bold</b> and [1].', 'Use <b>bold</b> and [1].'],
])('%s', (_, text, stripped) => {
  expect(stripReasoning(text)).toBe(stripped);
});

test('no text has a tag left, and stripping again changes nothing', () => {
  const piece = fc.constantFrom('<think>', '</think>', '[thinking]', '[/thinking]', 'a', ' ', '<', '/', '\n');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const once = stripReasoning(pieces.join(''));
      return !/[<[]\/?think(?:ing)?[>\]]/.test(once) && stripReasoning(once) === once;
    }),
    { numRuns: 2_000 },
  );
});
