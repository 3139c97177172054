// Whether a value that is called a password, a secret or a token looks like one. Words, identifiers, placeholders, UUIDs and our own ids
// do not: code is full of `token: something`.

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const OWN_ID = /^[a-z]{3}_[0-9A-Z]{26}$/;
const SYMBOL = /[!@#%^&*+/~?=]/;

/** `strict`: code could be in this place too. */
export function looksRandom(value: string, strict: boolean): boolean {
  if (UUID.test(value) || OWN_ID.test(value)) return false;
  let letters = 0;
  let changes = 0;
  let last = -1;
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at);
    const isDigit = code >= 48 && code <= 57 ? 1 : 0;
    if ((code | 32) >= 97 && (code | 32) <= 122) letters++;
    if (last >= 0 && isDigit !== last) changes++;
    last = isDigit;
  }
  if (letters === 0 || changes === 0) return false;
  if (strict) return changes >= 4 || (value.length >= 20 && entropy(value) >= 4.2);
  return changes >= 2 || (value.length >= 16 && entropy(value) >= 3.5) || SYMBOL.test(value);
}

/** Bits a character. */
function entropy(value: string): number {
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}
