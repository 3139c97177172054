import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { STEP } from '../../test/step.ts';
import { hmacSha256 } from './hmac.ts';

const byNode = (key: Buffer, text: Uint8Array | string): string => createHmac('sha256', key).update(text).digest('hex');

test('it is the HMAC of any key and text, in bytes or in words', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.uint8Array())), (bytes, texts) => {
      const key = Buffer.from(bytes);
      const hmac = hmacSha256(key);
      expect(texts.map(hmac)).toEqual(texts.map((text) => byNode(key, text)));
    }),
  );
});

test('a key that fills a block, and one that does not fit into it', () => {
  for (const length of [0, 63, 64, 65, 200])
    expect(hmacSha256(Buffer.alloc(length, 5))('text')).toBe(byNode(Buffer.alloc(length, 5), 'text'));
});

test('a short text after a long one, and the longest one of each kind, leave nothing of the other behind', () => {
  const key = Buffer.alloc(32, 9);
  const hmac = hmacSha256(key);
  for (const length of [0, 21_845, 21_846, 65_536, Math.ceil(1_000_000 / STEP), 3, 0])
    for (const text of ['€'.repeat(length), Buffer.alloc(length, 7)]) expect(hmac(text)).toBe(byNode(key, text));
});
