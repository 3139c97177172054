import { expect, test } from 'vitest';
import { countLines, countMarks, makeVisible, visibleText } from './make-visible.ts';

test('plain text is one piece, untouched', () => {
  expect(makeVisible('rm -rf build && echo "ärger 日本"', 'kept')).toEqual([{ kind: 'text', text: 'rm -rf build && echo "ärger 日本"' }]);
});

test('a right-to-left override becomes a mark in its place', () => {
  expect(makeVisible('cat a\u202Etxt.exe', 'kept')).toEqual([
    { kind: 'text', text: 'cat a' },
    { kind: 'mark', text: '⟦U+202E⟧', name: 'right-to-left override' },
    { kind: 'text', text: 'txt.exe' },
  ]);
});

test.each([
  ['escape sequences', 'a\u001b[2Kb', 'a⟦U+001B⟧[2Kb'],
  ['a carriage return that would overwrite the line', 'rm x\recho', 'rm x⟦U+000D⟧echo'],
  ['zero-width characters', 'a\u200bb\u200dc\ufeffd\u2060', 'a⟦U+200B⟧b⟦U+200D⟧c⟦U+FEFF⟧d⟦U+2060⟧'],
  ['bidi isolates', '\u2066x\u2069', '⟦U+2066⟧x⟦U+2069⟧'],
  ['spaces that are no spaces', 'a\u00a0b\u3000c\u2800d', 'a⟦U+00A0⟧b⟦U+3000⟧c⟦U+2800⟧d'],
  ['tag characters beyond the first plane', 'a\u{e0041}b', 'a⟦U+E0041⟧b'],
  ['fillers and variation selectors', '\u3164\ufe0f', '⟦U+3164⟧⟦U+FE0F⟧'],
  ['half a surrogate pair', 'a\ud800b', 'a⟦U+D800⟧b'],
  ['the bell and delete', '\u0007\u007f', '⟦U+0007⟧⟦U+007F⟧'],
])('%s are shown', (_what, text, shown) => {
  expect(visibleText(text, 'kept')).toBe(shown);
});

test('line feeds and tabs lay out a block and are marked on a single line', () => {
  expect(visibleText('a\n\tb', 'kept')).toBe('a\n\tb');
  expect(visibleText('a\n\tb', 'marked')).toBe('a⟦U+000A⟧⟦U+0009⟧b');
});

test('padding that pushes text out of sight is described by its length; ordinary indents and gaps are not', () => {
  expect(makeVisible(`ls${' '.repeat(300)}; rm -rf ~\n${' \n'.repeat(40)}x`, 'kept')).toEqual([
    { kind: 'text', text: 'ls' },
    { kind: 'mark', text: '⟦300 spaces⟧', name: 'padding' },
    { kind: 'text', text: '; rm -rf ~\n' },
    { kind: 'mark', text: '⟦40 empty lines⟧', name: 'padding' },
    { kind: 'text', text: '\nx' },
  ]);
  expect(visibleText(`a${'\t'.repeat(9)}b`, 'kept')).toBe('a⟦9 tabs⟧b');
  expect(visibleText(`a${' '.repeat(8)}b${' '.repeat(7)}c`, 'marked')).toBe(`a⟦8 spaces⟧b${' '.repeat(7)}c`);
  const indented = `if x:\n${' '.repeat(24)}y\n\n\n\nz`;
  expect(makeVisible(indented, 'kept')).toEqual([{ kind: 'text', text: indented }]);
});

test('text that already looks like a mark stays text, so that it cannot pass for one', () => {
  expect(makeVisible('⟦U+202E⟧', 'kept')).toEqual([{ kind: 'text', text: '⟦U+202E⟧' }]);
});

test('marks and lines are counted', () => {
  expect(countMarks('a\u202eb\u200b\n', 'kept')).toBe(2);
  expect([countLines(''), countLines('a'), countLines('a\n'), countLines('a\nb'), countLines('a\n\n')]).toEqual([1, 1, 1, 2, 2]);
});
