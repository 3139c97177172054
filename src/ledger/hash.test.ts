import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { leafHash, MerkleFrontier, sha256Hex } from './hash.ts';
import { MerkleSpan } from './merkle-span.ts';

const sha256 = (...parts: readonly Uint8Array[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** RFC 6962, section 2.1, word for word: split at the largest power of two below the count. */
function naiveRoot(lines: readonly Uint8Array[]): Buffer {
  if (lines.length === 0) return sha256();
  if (lines.length === 1) return sha256(Uint8Array.of(0), sha256(lines[0] as Uint8Array));
  let split = 1;
  while (split * 2 < lines.length) split *= 2;
  return sha256(Uint8Array.of(1), naiveRoot(lines.slice(0, split)), naiveRoot(lines.slice(split)));
}

test('the SHA-256 of text is that of its UTF-8', () => {
  expect([sha256Hex('abc'), sha256Hex(Buffer.from('ö')) === sha256Hex('ö')]).toEqual([
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    true,
  ]);
});

test('the frontier has the root of the naive tree at every size, also when it is put away in between', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 70 }), fc.nat(70), (lines, pause) => {
      let frontier = new MerkleFrontier();
      expect(frontier.root()).toBe(naiveRoot([]).toString('hex'));
      for (const [i, line] of lines.entries()) {
        if (i === pause) frontier = new MerkleFrontier(structuredClone(frontier.data()));
        frontier.append(leafHash(sha256Hex(line)));
        expect(frontier.root()).toBe(naiveRoot(lines.slice(0, i + 1)).toString('hex'));
      }
      expect(frontier.size).toBe(lines.length);
    }),
  );
});

test('leaves that were put together apart from those before them have the same root', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(40), { minLength: 1, maxLength: 6 }), (counts) => {
      const whole = new MerkleFrontier();
      const joined = new MerkleFrontier();
      for (const count of counts) {
        const span = new MerkleSpan(joined.size);
        for (let at = 0; at < count; at++) {
          const leaf = leafHash(sha256Hex(`line ${whole.size}`));
          whole.append(leaf);
          span.append(leaf);
        }
        for (const { digest, level } of span.nodes) joined.append(digest, level);
      }
      expect(joined.data()).toEqual(whole.data());
    }),
  );
});

test('a clone grows by itself', () => {
  const frontier = new MerkleFrontier();
  frontier.append(leafHash(sha256Hex('a')));
  const before = frontier.data();
  const clone = frontier.clone();
  clone.append(leafHash(sha256Hex('b')));
  expect([frontier.data(), clone.root()]).toEqual([before, naiveRoot([Buffer.from('a'), Buffer.from('b')]).toString('hex')]);
});
