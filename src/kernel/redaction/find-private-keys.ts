// Private keys in their armour, whole or cut off, also inside of JSON. Each character is read once.

export interface FoundSecret {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
}

const BEGIN = '-----BEGIN ';
const HEAD = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/y;
const TAIL = /-----END (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/y;
/** A shorter one is text about keys. */
const MIN_BODY_LENGTH = 64;

const BODY = new Uint8Array(128);
for (let code = 0; code < 128; code++) if (/[A-Za-z0-9+/=\s:,.()]/.test(String.fromCharCode(code))) BODY[code] = 1;

export function findPrivateKeys(text: string): FoundSecret[] {
  const found: FoundSecret[] = [];
  for (let start = text.indexOf(BEGIN); start >= 0;) {
    HEAD.lastIndex = start;
    let end = HEAD.test(text) ? HEAD.lastIndex : -1;
    if (end >= 0) {
      const body = end;
      end = bodyEnd(text, body);
      TAIL.lastIndex = end;
      const isLong = end - body >= MIN_BODY_LENGTH;
      if (TAIL.test(text)) end = TAIL.lastIndex;
      if (isLong) found.push({ start, end, kind: 'private-key' });
    }
    start = text.indexOf(BEGIN, Math.max(end, start + BEGIN.length));
  }
  return found;
}

function bodyEnd(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 128 && BODY[code] === 1) continue;
    // `\n` as JSON has it; a hyphen within a header's name.
    if (code === 92 && /[nr]/.test(text.charAt(at + 1))) at++;
    else if (!(code === 45 && text.charCodeAt(at + 1) !== 45)) break;
  }
  return at;
}
