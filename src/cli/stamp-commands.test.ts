import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stampPieces } from './stamp-commands.ts';

const stamp = (found: number, id: string) =>
  `[COMPLIANCE] YES I HAVE SEARCHED, FOUND ${found} RELEVANT MEMORIES, BROUGHT THEM TO AGENT.\nstp_${id.padEnd(26, '0')} 0123456789abcdef0123`;

test('each stamp is a piece of its own, whole, in order', () => {
  const [a, b] = [stamp(1, 'A'), stamp(2, 'B')];
  const pieces = stampPieces(`before\n${a}\nbetween\n> ${b}\nafter`);
  expect(pieces).toEqual([`${a}\nbetween\n> `, `${b}\nafter`]);
});

test('a sentence without an id and an id without a sentence are pieces too', () => {
  const id = `stp_${'0'.repeat(26)}`;
  expect(stampPieces('[COMPLIANCE] YES')).toEqual(['[COMPLIANCE] YES']);
  expect(stampPieces(`see ${id}.`)).toEqual([`${id}.`]);
  expect(stampPieces(`[COMPLIANCE] a\n${id} 0\n${id} 1`)).toEqual([`[COMPLIANCE] a\n${id} 0\n${id} 1`, `${id} 1`]);
  expect(stampPieces('nothing of stp_ and COMPLIANCE')).toEqual([]);
});

test('whatever stands around them, no stamp is lost, and no piece is longer than may be asked about', () => {
  const noise = fc.string({ unit: 'binary', maxLength: 2_000 }).filter((text) => !text.includes('[COMPLIANCE]') && !text.includes('stp_'));
  fc.assert(
    fc.property(fc.array(fc.tuple(noise, fc.integer({ min: 0, max: 99 })), { maxLength: 6 }), noise, (parts, end) => {
      const stamps = parts.map(([, found], at) => stamp(found, String.fromCharCode(65 + at)));
      const text = parts.map(([before], at) => `${before}\n${stamps[at]}\n`).join('') + end;
      const pieces = stampPieces(text);
      expect(pieces.map((piece, at) => piece.startsWith(stamps[at] ?? '?'))).toEqual(stamps.map(() => true));
      expect(pieces.every((piece) => piece.length <= 600)).toBe(true);
    }),
    { numRuns: 50 },
  );
});
