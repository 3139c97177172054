import { expect, test } from 'vitest';
import { shortHash, shortId } from './short-id.ts';
import { clockTime } from './time-words.ts';

// Built from local parts, so that the words are the same in every zone.
const local = (day: number, hour: number, minute: number, second: number) => new Date(2026, 2, day, hour, minute, second);

test('a time of today is a clock time to the second', () => {
  expect(clockTime(local(5, 9, 4, 7).toISOString(), local(5, 23, 0, 0))).toBe('09:04:07');
});

test('a time of another day names the day and drops the seconds', () => {
  expect(clockTime(local(4, 9, 4, 7).toISOString(), local(5, 0, 0, 1))).toBe('4 Mar 09:04');
});

test('ids keep their prefix and their end, documents’ ids stay whole, hashes keep their beginning', () => {
  expect(shortId('rcp_01JQZZZZZZZZZZZZZZZZABCDEF')).toBe('rcp_…ABCDEF');
  expect(shortId('INT-7')).toBe('INT-7');
  expect(shortHash('ab12cd34'.repeat(8))).toBe('ab12cd34…');
});
