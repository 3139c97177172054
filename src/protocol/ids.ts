// Ids carry a prefix that says what they name, then 26 characters: time first, so that they sort by creation, then
// randomness. Only the server makes them; an id that arrives from outside is looked up, never trusted.

import { z } from 'zod';
import { ID_FORMS, type IdPrefix } from './id-forms.ts';

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

const idOf = (form: RegExp) => z.string().regex(form);

export const ActionId = idOf(ID_FORMS.action);
export const ApprovalId = idOf(ID_FORMS.approval);
export const ClaimId = idOf(ID_FORMS.claim);
export const GrantId = idOf(ID_FORMS.grant);
export const ReceiptId = idOf(ID_FORMS.receipt);
export const CommandRuleId = idOf(ID_FORMS.commandRule);
export const RunId = idOf(ID_FORMS.run);
export const SessionId = idOf(ID_FORMS.session);
export const StampId = idOf(ID_FORMS.stamp);
export const WorkspaceId = idOf(ID_FORMS.workspace);
export const ApproverKeyId = idOf(ID_FORMS.approverKey);
export const TaskId = idOf(ID_FORMS.task);
export const IntentId = idOf(ID_FORMS.intent);
export const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);
/** RFC 3339 in UTC, as `Date.toISOString` writes it. */
export const Instant = z.iso.datetime();

/** Ids that become parts of paths: of work, nodes, sessions, issues, runs, slots and recipes. */
export const PATH_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
export const PathId = z
  .string()
  .regex(PATH_ID, 'must start with a letter or digit and have only letters, digits, dot, underscore and hyphen, at most 64 characters');
