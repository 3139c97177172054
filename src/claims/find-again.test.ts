import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeCitation } from './claims.fixture.ts';
import { findAgain } from './find-again.ts';

const cited = (line: number, text: string) => makeCitation('a.ts', line, text);

test('lines that stayed are found where they were', () => {
  expect(findAgain(['first line', 'second line', 'third line'], cited(2, 'second line'))).toBe(2);
});

test('a block that moved is found, and of several the nearest', () => {
  const block = ['const limit = 5;', '}'];
  const lines = [...block, ...Array<string>(10).fill('filler line'), ...block, 'end of file'];
  expect(findAgain(lines, cited(9, block.join('\n')))).toBe(13);
  expect(findAgain(lines, cited(4, block.join('\n')))).toBe(1);
  expect(findAgain(lines, cited(40, block.join('\n')))).toBe(13);
});

test('what says too little is not taken for the same when it is elsewhere', () => {
  expect(findAgain(['function a() {', '}', 'changed();'], cited(3, '}'))).toBeNull();
  expect(findAgain(['x', '}'], cited(2, '}'))).toBe(2);
});

test('a block longer than the file is gone', () => {
  expect(findAgain(['one line of text'], cited(1, 'one line of text\nanother'))).toBeNull();
  expect(findAgain([], cited(1, 'one line of text'))).toBeNull();
});

test('a long citation that is nowhere in a long file ends the search at its bound', () => {
  const lines = Array.from({ length: 200_000 }, (_, at) => `line number ${at}`);
  expect(findAgain(lines, { ...cited(1000, 'gone'), end_line: 3000 })).toBeNull();
  const far = makeCitation('a.ts', 1, lines.slice(3000, 3100).join('\n'));
  expect(findAgain(lines, far)).toBe(3001);
});

test('whatever is put before a block, it is found again', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 30 }),
      fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 30 }),
      fc.integer({ min: 1, max: 60 }),
      (before, after, was) => {
        const block = ['the cited line', 'b'];
        expect(findAgain([...before, ...block, ...after], cited(was, block.join('\n')))).toBe(before.length + 1);
      },
    ),
    { numRuns: 200 },
  );
});
