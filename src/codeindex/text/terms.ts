// A text as ranking sees it: names of code are taken whole and apart, words without their endings.

import { unitsOf } from './units.ts';

const TOKEN = /[A-Za-z_$][A-Za-z0-9_$]*|[^\x00-\x7f]+/g;
const PART = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\x00-\x7f]+/g;
const MAX_TERM_LENGTH = 64;
const REMEMBERED_MAX = 100_000;

/** How often a term occurs in a file's path, in the names that it defines and in its text, packed into one number. */
export const FIELD_BITS = { path: 0, names: 8, body: 16 } as const;
export const FIELD_MAX = { path: 0xff, names: 0xff, body: 0x7fff } as const;

const remembered = new Map<string, readonly string[]>();

/** What a word or a name is looked up by. */
export function termsOf(token: string): readonly string[] {
  const known = remembered.get(token);
  if (known) return known;
  if (remembered.size >= REMEMBERED_MAX) remembered.clear();
  const terms = split(token.length > MAX_TERM_LENGTH ? token.slice(0, MAX_TERM_LENGTH) : token);
  remembered.set(token, terms);
  return terms;
}

function split(token: string): readonly string[] {
  const parts = (token.match(PART) ?? []).map((part) => part.toLowerCase());
  const terms = new Set(parts.filter((part) => part.length > 1).map(stem));
  if (parts.length > 1) terms.add(wholeName(parts));
  return [...terms];
}

/** The sign keeps whole names apart from words. */
const wholeName = (parts: readonly string[]): string => `=${parts.join('')}`;

/** Endings that say nothing about what a word means; the rest is short enough to meet its relatives. */
export function stem(word: string): string {
  if (word.length <= 3) return word;
  let base = word;
  if (base.endsWith('ies') && base.length > 4) base = `${base.slice(0, -3)}y`;
  else if (/(?:s|x|z|ch|sh)es$/.test(base) && base.length > 4) base = base.slice(0, -2);
  else if (base.endsWith('s') && !/(?:ss|us|is)$/.test(base)) base = base.slice(0, -1);
  for (const ending of ['ations', 'ation', 'ments', 'ment', 'ings', 'ing', 'ers', 'ed', 'er', 'or', 'ly']) {
    if (base.endsWith(ending) && base.length - ending.length >= 3) {
      base = base.slice(0, -ending.length);
      break;
    }
  }
  // `mapping` and `map`, `parse` and `parsing`.
  if (base.length > 3 && base.at(-1) === base.at(-2) && !/[ls]$/.test(base)) base = base.slice(0, -1);
  return base.length > 3 && base.endsWith('e') ? base.slice(0, -1) : base;
}

export const tokensOf = (text: string): readonly string[] => text.match(TOKEN) ?? [];

const HASH_START = 0x811c9dc5 | 0;
const HASH_PRIME = 0x01000193;

/** Not 0 for letters, digits, `_`, `$` and everything that is not ASCII. */
const WORD_UNITS = new Uint8Array(65_536).fill(1);
for (let unit = 0; unit < 128; unit++) if (!/[A-Za-z0-9_$]/.test(String.fromCharCode(unit))) WORD_UNITS[unit] = 0;

/** Beyond this a thread begins a new list of words with its next batch: a tree of generated names does not fill its memory. */
const WORDS_MAX = 300_000;

/** The words that a thread has met, each taken apart once for all batches, and found by its units from then on. */
class Vocabulary {
  readonly terms: string[] = [];
  /** The terms of each word. */
  readonly expanded: (readonly number[])[] = [];
  readonly #termNumbers = new Map<string, number>();
  /** Of parts of words as they are written, with -1 for those that say nothing: there are far fewer than words. */
  readonly #partNumbers = new Map<string, number>();
  readonly #wordsOf = new Map<string, readonly number[]>();
  /** Numbers of words plus one, by their hash. */
  #slots = new Int32Array(1 << 16);
  #hashes = new Int32Array(1 << 12);
  #starts = new Int32Array(1 << 12);
  #units = new Uint16Array(1 << 16);

  get size(): number {
    return this.expanded.length;
  }

  /** The words of a path or a name. */
  wordsOf(text: string): readonly number[] {
    let words = this.#wordsOf.get(text);
    if (!words) this.#wordsOf.set(text, (words = tokensOf(text).map((word) => this.numberOf(word))));
    return words;
  }

  numberOf(word: string): number {
    const units = unitsOf(word);
    let hash = HASH_START;
    for (let at = 0; at < units.length; at++) hash = Math.imul(hash ^ units[at]!, HASH_PRIME);
    return this.numberAt(units, 0, units.length, hash);
  }

  /** Without cutting the word out of its text: nearly every word is known, and there are millions of them. */
  numberAt(units: Uint16Array, start: number, end: number, hash: number): number {
    const mask = this.#slots.length - 1;
    const length = end - start;
    for (let slot = (hash ^ (hash >>> 15)) & mask; ; slot = (slot + 1) & mask) {
      const number = this.#slots[slot]! - 1;
      if (number < 0) return this.#add(units, start, end, hash, slot);
      const from = this.#starts[number]!;
      if (this.#hashes[number] !== hash || this.#starts[number + 1]! - from !== length) continue;
      let same = 0;
      while (same < length && this.#units[from + same] === units[start + same]) same++;
      if (same === length) return number;
    }
  }

  #add(units: Uint16Array, start: number, end: number, hash: number, slot: number): number {
    const number = this.expanded.length;
    const from = this.#starts[number]!;
    while (from + end - start > this.#units.length) this.#units = grown(this.#units);
    if (number + 2 > this.#starts.length) {
      this.#starts = grown(this.#starts);
      this.#hashes = grown(this.#hashes);
    }
    const word = units.subarray(start, end);
    this.#units.set(word, from);
    this.#starts[number + 1] = from + end - start;
    this.#hashes[number] = hash;
    const text = Buffer.from(word.buffer, word.byteOffset, word.byteLength).toString('utf16le');
    this.expanded.push(this.#expand(text.length > MAX_TERM_LENGTH ? text.slice(0, MAX_TERM_LENGTH) : text));
    this.#slots[slot] = number + 1;
    if (2 * this.expanded.length > this.#slots.length) this.#growSlots();
    return number;
  }

  /** As `split` does it. */
  #expand(text: string): readonly number[] {
    const parts = text.match(PART) ?? [];
    const numbers: number[] = [];
    for (const part of parts) {
      const number = this.#partNumbers.get(part) ?? this.#addPart(part);
      if (number >= 0 && !numbers.includes(number)) numbers.push(number);
    }
    if (parts.length > 1) numbers.push(this.#termNumber(wholeName(parts.map((part) => part.toLowerCase()))));
    return numbers;
  }

  #addPart(part: string): number {
    const lower = part.toLowerCase();
    const number = lower.length > 1 ? this.#termNumber(stem(lower)) : -1;
    this.#partNumbers.set(part, number);
    return number;
  }

  #growSlots(): void {
    this.#slots = new Int32Array(2 * this.#slots.length);
    const mask = this.#slots.length - 1;
    for (let number = 0; number < this.expanded.length; number++) {
      const hash = this.#hashes[number]!;
      let slot = (hash ^ (hash >>> 15)) & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = number + 1;
    }
  }

  #termNumber(term: string): number {
    let number = this.#termNumbers.get(term);
    if (number === undefined) {
      number = this.terms.length;
      this.#termNumbers.set(term, number);
      this.terms.push(term);
    }
    return number;
  }
}

let latest = new Vocabulary();

export interface TermPostings {
  /** In their order. */
  readonly terms: readonly string[];
  /** Where the postings of each term begin, and of all where they end. */
  readonly starts: Int32Array;
  readonly files: Uint16Array;
  readonly counts: Int32Array;
}

/** The terms of a batch of files. */
export class TermCollector {
  readonly #words: Vocabulary;
  /** Term, file and counts of each posting; files rise. */
  #postings = new Int32Array(1 << 14);
  #used = 0;
  #wordCounts = new Int32Array(0);
  #packed = new Int32Array(0);

  constructor() {
    if (latest.size > WORDS_MAX) latest = new Vocabulary();
    this.#words = latest;
  }

  /** How many words the text has. */
  add(file: number, path: string, names: readonly string[], units: Uint16Array): number {
    const touched: number[] = [];
    for (const word of this.#words.wordsOf(path)) this.#count(word, FIELD_BITS.path, 1, FIELD_MAX.path, touched);
    for (const name of names)
      for (const word of this.#words.wordsOf(name)) this.#count(word, FIELD_BITS.names, 1, FIELD_MAX.names, touched);
    const met: number[] = [];
    const words = this.#countWords(units, met);
    for (const number of met) {
      this.#count(number, FIELD_BITS.body, this.#wordCounts[number]!, FIELD_MAX.body, touched);
      this.#wordCounts[number] = 0;
    }
    while (this.#used + 3 * touched.length > this.#postings.length) this.#postings = grown(this.#postings);
    for (const term of touched) {
      this.#postings[this.#used++] = term;
      this.#postings[this.#used++] = file;
      this.#postings[this.#used++] = this.#packed[term]!;
      this.#packed[term] = 0;
    }
    return words;
  }

  #countWords(units: Uint16Array, met: number[]): number {
    let words = 0;
    let start = -1;
    let hash = HASH_START;
    for (let at = 0; at <= units.length; at++) {
      const unit = at < units.length ? units[at]! : 0;
      if (WORD_UNITS[unit] !== 0) {
        if (start < 0) start = at;
        hash = Math.imul(hash ^ unit, HASH_PRIME);
      } else if (start >= 0) {
        const first = units[start]!;
        // Numbers say nothing.
        if (first < 48 || first > 57) {
          words++;
          const number = this.#words.numberAt(units, start, at, hash);
          while (number >= this.#wordCounts.length) this.#wordCounts = grown(this.#wordCounts);
          if (this.#wordCounts[number]!++ === 0) met.push(number);
        }
        start = -1;
        hash = HASH_START;
      }
    }
    return words;
  }

  #count(word: number, bits: number, times: number, max: number, touched: number[]): void {
    for (const term of this.#words.expanded[word]!) {
      while (term >= this.#packed.length) this.#packed = grown(this.#packed);
      const before = this.#packed[term]!;
      if (before === 0) touched.push(term);
      const field = (before >>> bits) & max;
      this.#packed[term] = before + ((Math.min(max, field + times) - field) << bits);
    }
  }

  sorted(): TermPostings {
    const postings = this.#postings;
    const { terms } = this.#words;
    // From here on the numbers of a term: how many postings it has, then where its next one goes.
    const places = new Int32Array(terms.length);
    const met: number[] = [];
    for (let at = 0; at < this.#used; at += 3) if (places[postings[at]!]!++ === 0) met.push(postings[at]!);
    const numberOf = new Map(met.map((number) => [terms[number]!, number]));
    const order = [...numberOf.keys()].sort();
    const starts = new Int32Array(order.length + 1);
    for (let at = 0; at < order.length; at++) {
      const number = numberOf.get(order[at]!)!;
      starts[at + 1] = starts[at]! + places[number]!;
      places[number] = starts[at]!;
    }
    const files = new Uint16Array(this.#used / 3);
    const counts = new Int32Array(this.#used / 3);
    for (let at = 0; at < this.#used; at += 3) {
      const place = places[postings[at]!]!++;
      files[place] = postings[at + 1]!;
      counts[place] = postings[at + 2]!;
    }
    return { terms: order, starts, files, counts };
  }
}

function grown<T extends Int32Array | Uint16Array>(array: T): T {
  const larger = new (array.constructor as new (length: number) => T)(Math.max(1024, 2 * array.length));
  larger.set(array);
  return larger;
}

export const countsIn = (packed: number): { path: number; names: number; body: number } => ({
  path: packed & FIELD_MAX.path,
  names: (packed >>> FIELD_BITS.names) & FIELD_MAX.names,
  body: packed >>> FIELD_BITS.body,
});
