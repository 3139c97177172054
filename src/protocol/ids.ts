// Ids carry a prefix that says what they name, then 26 characters: time first, so that they sort by creation, then
// randomness. Only the server makes them; an id that arrives from outside is looked up, never trusted.

import { z } from 'zod';

export type IdPrefix = 'act' | 'apr' | 'clm' | 'grt' | 'rcp' | 'rul' | 'ses' | 'stp' | 'wsp';

/** Crockford's alphabet: no I, L, O or U, so that an id read aloud or copied by hand survives. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The base-32 text of the first `length × 5` bits of `bytes`. */
export function base32(bytes: Uint8Array, length: number): string {
  let text = '';
  let buffer = 0;
  let bits = 0;
  for (const byte of bytes) {
    buffer = (buffer << 8) | byte;
    bits += 8;
    while (bits >= 5 && text.length < length) {
      bits -= 5;
      text += ALPHABET[(buffer >>> bits) & 31];
    }
    buffer &= (1 << bits) - 1;
  }
  return text;
}

const RANDOM_BYTES = 10;

// Asking the system costs ten times what the rest of an id does, so it is asked for many at once.
const random = new Uint8Array(RANDOM_BYTES * 100);
let spent = random.length;

function randomTen(): Uint8Array {
  if (spent === random.length) {
    globalThis.crypto.getRandomValues(random);
    spent = 0;
  }
  spent += RANDOM_BYTES;
  return random.subarray(spent - RANDOM_BYTES, spent);
}

export function newId<P extends IdPrefix>(prefix: P): `${P}_${string}` {
  let time = Date.now();
  let head = '';
  for (let i = 0; i < 10; i++) {
    head = ALPHABET[time % 32] + head;
    time = Math.floor(time / 32);
  }
  return `${prefix}_${head}${base32(randomTen(), 16)}`;
}

const idOf = (prefix: IdPrefix) => z.string().regex(new RegExp(`^${prefix}_[0-9A-HJKMNP-TV-Z]{26}$`));

export const ActionId = idOf('act');
export const ApprovalId = idOf('apr');
export const ClaimId = idOf('clm');
export const GrantId = idOf('grt');
export const ReceiptId = idOf('rcp');
export const CommandRuleId = idOf('rul');
export const SessionId = idOf('ses');
export const StampId = idOf('stp');
export const WorkspaceId = idOf('wsp');
/** Made from the public key, so that nobody can give a key another's name. */
export const ApproverKeyId = z.string().regex(/^apk_[0-9a-f]{32}$/);
/** Made from what the task says, so that it stays the same when the line moves. */
export const TaskId = z.string().regex(/^tsk_[0-9A-HJKMNP-TV-Z]{10}$/);
/** Intents are named by humans' documents, so they keep the documents' form. */
export const IntentId = z.string().regex(/^[A-Z][A-Z0-9]*-[0-9]{1,9}$/);
export const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);
/** RFC 3339 in UTC, as `Date.toISOString` writes it. */
export const Instant = z.iso.datetime();
