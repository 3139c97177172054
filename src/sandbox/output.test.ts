import fc from 'fast-check';
import { expect, test } from 'vitest';
import { KeptOutput } from './output.ts';

const HEAD = 16 * 1024;
const TAIL = 48 * 1024;

test('what fits is kept as it is, in whatever pieces it comes', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' }), { maxLength: 50 }), (pieces) => {
      const text = pieces.join('').toWellFormed();
      const output = new KeptOutput();
      for (const byte of Buffer.from(text)) output.add(Buffer.from([byte]));
      expect([output.text(), output.truncated]).toEqual([text, 0]);
    }),
    { numRuns: 50 },
  );
});

test('of more than that, head and tail are kept, and how much lies between is said', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40_000 }), fc.integer({ min: 0, max: 400_000 }), (piece, size) => {
      const all = Buffer.alloc(size, 'abcdefghij');
      const output = new KeptOutput();
      for (let at = 0; at < size; at += piece) output.add(all.subarray(at, at + piece));
      const left = Math.max(0, size - HEAD - TAIL);
      const kept =
        left === 0 ? all.toString() : `${all.subarray(0, HEAD).toString()}\n… ${left} bytes left out …\n${all.subarray(-TAIL).toString()}`;
      expect(output.truncated).toBe(left);
      expect(output.text() === kept).toBe(true);
    }),
    { numRuns: 50 },
  );
});
