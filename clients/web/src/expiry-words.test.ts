import { expect, test } from 'vitest';
import { expiryWords } from './expiry-words.ts';

const now = Date.parse('2026-03-01T12:00:00.000Z');
const at = (milliseconds: number) => new Date(now + milliseconds).toISOString();

test.each([
  [1_000, 'expires in 1 second'],
  [59_999, 'expires in 59 seconds'],
  [119_000, 'expires in 119 seconds'],
  [120_000, 'expires in 2 minutes'],
  [299_000, 'expires in 4 minutes'],
  [3_600_000, 'expires in 1 hour'],
  [3_660_000, 'expires in 1 hour 1 minute'],
  [86_400_000, 'expires in 24 hours'],
  [3 * 86_400_000, 'expires in 3 days'],
])('%i ms left reads "%s"', (left, words) => {
  expect(expiryWords(at(left), now).words).toBe(words);
});

test('the last minute is pressing', () => {
  expect(expiryWords(at(60_000), now)).toEqual({ words: 'expires in 60 seconds', pressing: false, over: false });
  expect(expiryWords(at(59_000), now)).toEqual({ words: 'expires in 59 seconds', pressing: true, over: false });
});

test('a time that has come, has passed or cannot be read is over', () => {
  const over = { words: 'expired', pressing: false, over: true };
  expect(expiryWords(at(999), now)).toEqual(over);
  expect(expiryWords(at(-5_000), now)).toEqual(over);
  expect(expiryWords('soon', now)).toEqual(over);
});
