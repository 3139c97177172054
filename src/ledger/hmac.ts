// HMAC-SHA256 (RFC 2104) out of two plain hashes. Node's own makes an object for every text, which costs more than twice the hashing of a
// record, and every record has one.

import { createHmac, hash } from 'node:crypto';

const BLOCK_BYTES = 64;

/** A text that may be longer than this is left to Node: the making of an object no longer counts there. */
const MAX_BYTES = 64 * 1024;

/** 64 hex digits. */
export function hmacSha256(key: Buffer): (text: Uint8Array | string) => string {
  const block = Buffer.alloc(BLOCK_BYTES);
  (key.length > BLOCK_BYTES ? hash('sha256', key, 'buffer') : key).copy(block);
  // What is hashed, each behind its pad.
  const inner = Buffer.alloc(BLOCK_BYTES + MAX_BYTES);
  const outer = Buffer.alloc(BLOCK_BYTES + 32);
  for (const [at, byte] of block.entries()) {
    inner[at] = byte ^ 0x36;
    outer[at] = byte ^ 0x5c;
  }
  return (text) => {
    // A UTF-16 unit takes at most three bytes.
    if (text.length * 3 > MAX_BYTES) return createHmac('sha256', key).update(text).digest('hex');
    const length = typeof text === 'string' ? inner.write(text, BLOCK_BYTES) : text.length;
    if (typeof text !== 'string') inner.set(text, BLOCK_BYTES);
    outer.write(hash('sha256', inner.subarray(0, BLOCK_BYTES + length), 'hex'), BLOCK_BYTES, 'hex');
    return hash('sha256', outer, 'hex');
  };
}
