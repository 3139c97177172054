// Which groups of three characters a text has. Letters are taken without their case and rare characters together with others, so
// that a group fits into 18 bits: a text without a group cannot match, a text with it may.

import { unitsOf } from './units.ts';

const CLASSES = 64;
const BLOCK = 128;
export const NO_CLASS = 255;
/** The class of every UTF-16 unit; a line feed has none, since nothing is searched for across lines. Made when it is first needed. */
let classOf: Uint8Array | null = null;

function classes(): Uint8Array {
  const table = new Uint8Array(65_536);
  // The Kelvin sign and the long s equal k and s when case is ignored.
  const folds: Readonly<Record<number, string>> = { 0x212a: 'k', 0x17f: 's', 0x130: 'i', 0x131: 'i' };
  const own = 'abcdefghijklmnopqrstuvwxyz0123456789_ .,:;(){}[]<>=-/\'"';
  for (let first = 0; first < table.length; first += BLOCK) {
    const folded = foldedBlock(first);
    for (let unit = first; unit < first + BLOCK; unit++)
      table[unit] = own.length + (folded.charCodeAt(unit - first) % (CLASSES - own.length));
  }
  for (let unit = 0; unit < 128; unit++) {
    const at = own.indexOf(String.fromCharCode(unit).toLowerCase());
    if (at >= 0) table[unit] = at;
  }
  table[9] = table[13] = own.indexOf(' ');
  for (const [unit, letter] of Object.entries(folds)) table[Number(unit)] = own.indexOf(letter);
  table[10] = NO_CLASS;
  return table;
}

/** The same unit for a letter in both cases, also where one of them is written with more characters. Many at once: threads wait for this. */
function foldedBlock(first: number): string {
  let all = '';
  for (let unit = first; unit < first + BLOCK; unit++) all += String.fromCharCode(unit);
  const whole = all.toUpperCase().toLowerCase();
  return whole.length === BLOCK ? whole : all.split('').map(folded).join('');
}

function folded(character: string): string {
  const upper = character.toUpperCase();
  return (upper.length === 1 ? upper : character).toLowerCase()[0]!;
}

/** How many there can be. */
export const TRIGRAMS = CLASSES ** 3;
/** A bit each, so that all of them stay near; none is set between two texts. */
const seen = new Int32Array(TRIGRAMS / 32);
let scratch = new Int32Array(4096);

/** Each once, in no order. */
export const trigramsOf = (text: string): Int32Array => trigramsIn(unitsOf(text));

export function trigramsIn(units: Uint16Array): Int32Array {
  const kinds = (classOf ??= classes());
  let count = 0;
  let key = 0;
  let run = 0;
  for (let at = 0; at < units.length; at++) {
    const kind = kinds[units[at]!]!;
    if (kind === NO_CLASS) {
      run = 0;
      continue;
    }
    key = ((key << 6) | kind) & 0x3ffff;
    if (++run < 3 || (seen[key >>> 5]! & (1 << (key & 31))) !== 0) continue;
    seen[key >>> 5]! |= 1 << (key & 31);
    if (count === scratch.length) {
      const larger = new Int32Array(2 * count);
      larger.set(scratch);
      scratch = larger;
    }
    scratch[count++] = key;
  }
  for (let at = 0; at < count; at++) seen[scratch[at]! >>> 5] = 0;
  return scratch.slice(0, count);
}
