import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { changedRanges } from './changes.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text);
const sha = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');
const split = (text: string): string[] => text.split(/(?<=\n)/).filter((line) => line !== '');

verifies('I4', 'ranges are the new lines, 1-based and inclusive, hashed with their newlines', () => {
  expect(changedRanges(bytes('a\nb\nc\nd\n'), bytes('a\nB\nc\nd\ne\nf'))).toEqual([
    { start_line: 2, end_line: 2, sha256: sha('B\n') },
    { start_line: 5, end_line: 6, sha256: sha('e\nf') },
  ]);
});

test('a new file is one range, an empty one has none', () => {
  expect(changedRanges(null, bytes('a\nb\n'))).toEqual([{ start_line: 1, end_line: 2, sha256: sha('a\nb\n') }]);
  expect(changedRanges(null, bytes(''))).toEqual([]);
});

test('deleted, binary, unchanged and merely shortened files have no ranges', () => {
  expect(changedRanges(bytes('a\n'), null)).toEqual([]);
  expect(changedRanges(bytes('a\n'), bytes('a\0b\n'))).toEqual([]);
  expect(changedRanges(bytes('a\nb\n'), bytes('a\nb\n'))).toEqual([]);
  expect(changedRanges(bytes('a\nb\nc\n'), bytes('a\nc\n'))).toEqual([]);
});

test('line ends count: CRLF for LF and a missing last newline are changes', () => {
  expect(changedRanges(bytes('a\nb\n'), bytes('a\r\nb\n'))).toEqual([{ start_line: 1, end_line: 1, sha256: sha('a\r\n') }]);
  expect(changedRanges(bytes('a\nb\n'), bytes('a\nb'))).toEqual([{ start_line: 2, end_line: 2, sha256: sha('b') }]);
});

test('bytes that are no valid text stay different from each other', () => {
  expect(changedRanges(Uint8Array.of(0xff, 10), Uint8Array.of(0xfe, 10))).toEqual([
    { start_line: 1, end_line: 1, sha256: sha(Uint8Array.of(0xfe, 10)) },
  ]);
});

function lcsLength(a: readonly string[], b: readonly string[]): number {
  let row = Array.from({ length: b.length + 1 }, () => 0);
  for (const line of a) {
    const next = [0];
    for (const [j, other] of b.entries()) next.push(line === other ? row[j]! + 1 : Math.max(row[j + 1]!, next[j]!));
    row = next;
  }
  return row.at(-1) ?? 0;
}

function isSubsequence(part: readonly string[], whole: readonly string[]): boolean {
  let at = 0;
  for (const line of whole) if (at < part.length && part[at] === line) at++;
  return at === part.length;
}

/** Returns how many lines the ranges cover. */
function check(before: string, after: string): number {
  const [old, now] = [split(before), split(after)];
  const ranges = changedRanges(bytes(before), bytes(after));
  const covered = new Set(
    ranges.flatMap(({ start_line, end_line }) => Array.from({ length: end_line - start_line + 1 }, (_, index) => start_line + index)),
  );
  expect(
    isSubsequence(
      now.filter((_, index) => !covered.has(index + 1)),
      old,
    ),
  ).toBe(true);
  expect(ranges.map(({ sha256 }) => sha256)).toEqual(
    ranges.map(({ start_line, end_line }) => sha(now.slice(start_line - 1, end_line).join(''))),
  );
  for (const [index, range] of ranges.entries()) expect(range.start_line).toBeGreaterThan((ranges[index - 1]?.end_line ?? -1) + 1);
  return covered.size;
}

const text = fc.array(fc.constantFrom('a', 'b', 'c', 'd', '', 'é'), { maxLength: 30 }).map((lines) => lines.join('\n'));

test('ranges cover exactly the lines that a longest common subsequence leaves over', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      expect(check(before, after)).toBe(split(after).length - lcsLength(split(before), split(after)));
    }),
    { numRuns: 3000 },
  );
});

test('large files: scattered edits stay exact, a shuffle falls back to the changed middle', () => {
  const lines = Array.from({ length: 20_000 }, (_, index) => `line ${index % 5000}`);
  const edited = lines.map((line, index) => (index % 1000 === 7 ? `${line} edited` : line));
  expect(
    changedRanges(bytes(lines.join('\n')), bytes(edited.join('\n'))).map(({ start_line, end_line }) => [start_line, end_line]),
  ).toEqual(Array.from({ length: 20 }, (_, index) => [index * 1000 + 8, index * 1000 + 8]));
  expect(check(lines.join('\n'), edited.join('\n'))).toBe(20);
  // In the other order: every line is known, and finding the few that could stay would take too long.
  expect(check(lines.join('\n'), ['first', ...lines.toReversed(), 'last'].join('\n'))).toBe(20_002);
  const rewritten = lines.map((line) => `new ${line}`);
  expect(changedRanges(bytes(lines.join('\n')), bytes(rewritten.join('\n')))).toEqual([
    { start_line: 1, end_line: 20_000, sha256: sha(rewritten.join('\n')) },
  ]);
});
