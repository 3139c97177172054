// Where secrets are in a text: found by their form, by their names, and by being values that the daemon holds. One pass over
// the characters finds the few places worth a closer look; each look is bounded, so the whole is linear.

import { type FoundSecret, findPrivateKeys } from './find-private-keys.ts';
import { looksRandom } from './looks-random.ts';
import { TOKEN_FORMS } from './token-forms.ts';

/** Values that the daemon itself holds, with what they are. */
export type HeldValues = ReadonlyMap<string, string>;

/** In shorter texts a secret cannot be distinguished from a word. */
export const MIN_TEXT_LENGTH = 12;
const MIN_RUN_LENGTH = 16;
const MIN_VALUE_LENGTH = 8;
const MAX_VALUE_LENGTH = 1_024;
const MAX_FLAG_LENGTH = 32;
const MIN_WEBHOOK_LENGTH = 20;
const HYPHEN = 45;
const SLASH = 47;
const COLON = 58;
const BACKSLASH = 92;
const LETTER_U = 117;

const RUN = 1;
const DIGIT = 2;
/** Not of a hexadecimal number or a UUID. */
const BEYOND_HEX = 4;
const JOINT = 8;
const TABLE = new Uint8Array(128);
for (let code = 0; code < 128; code++) {
  const character = String.fromCharCode(code);
  if (/[A-Za-z0-9_.-]/.test(character)) TABLE[code]! |= RUN;
  if (/[0-9]/.test(character)) TABLE[code]! |= DIGIT;
  if (/[G-Zg-z_]/.test(character)) TABLE[code]! |= BEYOND_HEX;
  if (character === ':' || character === '=') TABLE[code]! |= JOINT;
}

const TOKENS = new RegExp(TOKEN_FORMS.map(({ form }) => `(${form})`).join('|'), 'g');
const WEBHOOK = /(?:hooks\.slack\.com\/(?:services|workflows)\/[A-Z0-9/]*|discord(?:app)?\.com\/api\/webhooks\/\d+\/)$/;
const TELEGRAM_CHARACTERS = 35;
const TELEGRAM_KEY = /^AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])/;
const TELEGRAM = /(?<!\d)\d{8,10}:$/;
const SCHEME = /(?:bearer|basic|token) $/i;
/** A name ends like this when its value is secret. */
const NAME =
  /(?:passw(?:or)?d|passwort|passphrase|pwd|secret|token|(?:api|access|account|auth|private|secret|signing|encryption|master|shared)[_.-]?key|credentials?|(?:^|[_.-])pass|(?:^|[_.-])sig|connection[_.-]?string)$/i;
const FLAG = /^--?(?:password|passwd|pass|token|secret|api-key|apikey|access-key|auth-token)$/i;
const USER_INFO = /\/\/[^\s/:@"'`<>\\]{0,128}:([^\s/@"'`<>\\]{3,256})@/y;
const PLACEHOLDER = /^(?:\$|\{|<|%|\*|\.\.\.|\[redacted:|pass(?:word|wd)?$|pwd$|secret$|token$|x+$|changeme$|example$)/i;

/** In order of their places; none overlaps another. */
export function findSecrets(text: string, held: HeldValues): readonly FoundSecret[] {
  const found: FoundSecret[] = [];
  for (const [value, kind] of held)
    if (value.length <= text.length)
      for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + value.length))
        found.push({ start: at, end: at + value.length, kind });
  if (text.includes('PRIVATE KEY')) found.push(...findPrivateKeys(text));

  let start = -1;
  let seen = 0;
  const { length } = text;
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at);
    const is = code < 128 ? TABLE[code]! : 0;
    if ((is & RUN) !== 0) {
      if (start < 0) {
        if (text.charCodeAt(at - 1) === BACKSLASH) {
          // An escape is not part of the text after it: texts often contain JSON.
          at += code === LETTER_U ? 4 : 0;
          continue;
        }
        start = at;
      }
      seen |= is;
      continue;
    }
    if (start >= 0) {
      if (at - start >= MIN_RUN_LENGTH) scanRun(text, start, at, seen, found);
      if (code === 32 && text.charCodeAt(start) === HYPHEN) scanFlag(text, start, at, found);
      start = -1;
      seen = 0;
    }
    if ((is & JOINT) !== 0) scanJoint(text, at, found);
  }
  if (start >= 0 && length - start >= MIN_RUN_LENGTH) scanRun(text, start, length, seen, found);
  return found.length === 0 ? found : apart(found);
}

/** A run of letters, digits, `_`, `.` and `-`. Digests and UUIDs do not count as secrets. */
function scanRun(text: string, start: number, end: number, seen: number, found: FoundSecret[]): void {
  if ((seen & BEYOND_HEX) === 0) return;
  const before = text.charCodeAt(start - 1);
  if (before === SLASH && end - start >= MIN_WEBHOOK_LENGTH && WEBHOOK.test(text.slice(Math.max(0, start - 100), start)))
    found.push({ start, end, kind: 'webhook' });
  if ((seen & DIGIT) === 0 && !text.startsWith('hf_', start)) return;
  const run = text.slice(start, end);
  TOKENS.lastIndex = 0;
  for (let match = TOKENS.exec(run); match; match = TOKENS.exec(run)) {
    const form = match.findIndex((group, index) => index > 0 && group !== undefined) - 1;
    found.push({ start: start + match.index, end: start + match.index + match[0].length, kind: TOKEN_FORMS[form]!.kind });
  }
  if (before === COLON) {
    if (TELEGRAM_KEY.test(run) && TELEGRAM.test(text.slice(Math.max(0, start - 12), start)))
      found.push({ start, end: start + TELEGRAM_CHARACTERS, kind: 'telegram-token' });
  } else if (before === 32 && SCHEME.test(text.slice(Math.max(0, start - 7), start)) && looksRandom(run, true)) {
    found.push({ start, end: valueEnd(text, start, ''), kind: 'credential' });
  }
}

/** `name = value`, `"name": "value"`, `//user:password@host`. */
function scanJoint(text: string, at: number, found: FoundSecret[]): void {
  if (text.charCodeAt(at) === COLON && text.charCodeAt(at + 1) === SLASH) {
    USER_INFO.lastIndex = at + 1;
    const match = USER_INFO.exec(text);
    if (match && !PLACEHOLDER.test(match[1]!)) {
      const end = at + 1 + match[0].length - 1;
      found.push({ start: end - match[1]!.length, end, kind: 'url-password' });
    }
    return;
  }
  let left = at - 1;
  while (left > at - 4 && text.charCodeAt(left) === 32) left--;
  const isSpaced = left < at - 1;
  if (isQuote(text.charCodeAt(left))) left--;
  if (text.charCodeAt(left) === 92) left--;
  const last = text.charCodeAt(left) | 32;
  // The last letters that a name may have: d, e, g, n, s, t, y.
  if (last !== 100 && last !== 103 && last !== 110 && last !== 115 && last !== 116 && last !== 121) return;
  const name = text.slice(Math.max(0, left - 40), left + 1);
  if (!NAME.test(name)) return;
  let right = at + 1;
  while (right < at + 4 && (text.charCodeAt(right) === 61 || text.charCodeAt(right) === 62)) right++;
  scanValue(text, right, isSpaced || text.charCodeAt(at) === COLON, found);
}

/** `--password value`. */
function scanFlag(text: string, start: number, end: number, found: FoundSecret[]): void {
  if (end - start < MAX_FLAG_LENGTH && FLAG.test(text.slice(start, end))) scanValue(text, end, false, found);
}

function scanValue(text: string, from: number, couldBeCode: boolean, found: FoundSecret[]): void {
  let start = from;
  while (start < from + 4 && text.charCodeAt(start) === 32) start++;
  if (text.charCodeAt(start) === 92) start++;
  const quote = isQuote(text.charCodeAt(start)) ? text[start++]! : '';
  const end = valueEnd(text, start, quote);
  if (end - start < MIN_VALUE_LENGTH) return;
  const value = text.slice(start, end);
  if (PLACEHOLDER.test(value)) return;
  const isCall = quote === '' && /[([]/.test(text.charAt(end));
  if (!isCall && looksRandom(value, quote === '' && couldBeCode)) found.push({ start, end, kind: 'secret' });
}

function valueEnd(text: string, start: number, quote: string): number {
  const limit = Math.min(text.length, start + MAX_VALUE_LENGTH);
  for (let at = start; at < limit; at++) {
    const code = text.charCodeAt(at);
    if (code <= 32 || code > 126 || isQuote(code) || code === 92) return at;
    // , ; & ( ) < > [ ] { | }
    if (quote === '' && (code === 44 || code === 59 || code === 38 || code === 40 || code === 41 || code === 60 || code === 62)) return at;
    if (quote === '' && (code === 91 || code === 93 || code === 123 || code === 124 || code === 125)) return at;
  }
  return limit;
}

const isQuote = (code: number): boolean => code === 34 || code === 39 || code === 96;

/** What overlaps becomes one: the first to begin gives the kind. */
function apart(found: readonly FoundSecret[]): readonly FoundSecret[] {
  const sorted = found.toSorted((a, b) => a.start - b.start || b.end - a.end);
  const kept: FoundSecret[] = [];
  for (const each of sorted) {
    const last = kept.at(-1);
    if (!last || each.start >= last.end) kept.push(each);
    else if (each.end > last.end) kept[kept.length - 1] = { ...last, end: each.end };
  }
  return kept;
}
