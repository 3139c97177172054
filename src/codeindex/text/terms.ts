// A text as ranking sees it: names of code are taken whole and apart, words without their endings.

const TOKEN = /[A-Za-z_$][A-Za-z0-9_$]*|[^\x00-\x7f]+/g;
const PART = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\x00-\x7f]+/g;
const LONGEST = 64;
const REMEMBERED_MAX = 100_000;

/** How often a term stands in a file's path, in the names that it defines and in its text, packed into one number. */
export const FIELD_BITS = { path: 0, names: 8, body: 16 } as const;
const PATH_ONE = 1 << FIELD_BITS.path;
const NAMES_ONE = 1 << FIELD_BITS.names;
const BODY_ONE = 1 << FIELD_BITS.body;
export const FIELD_MAX = { path: 0xff, names: 0xff, body: 0x7fff } as const;

const remembered = new Map<string, readonly string[]>();

/** What a word or a name is looked up by. */
export function termsOf(token: string): readonly string[] {
  const known = remembered.get(token);
  if (known) return known;
  if (remembered.size >= REMEMBERED_MAX) remembered.clear();
  const terms = split(token.length > LONGEST ? token.slice(0, LONGEST) : token);
  remembered.set(token, terms);
  return terms;
}

function split(token: string): readonly string[] {
  const parts = (token.match(PART) ?? []).map((part) => part.toLowerCase());
  const terms = new Set(parts.filter((part) => part.length > 1).map(stem));
  // The sign keeps whole names apart from words.
  if (parts.length > 1) terms.add(`=${parts.join('')}`);
  return [...terms];
}

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
const WORD_UNITS = Uint8Array.from({ length: 65_536 }, (_, unit) =>
  unit > 127 || /[A-Za-z0-9_$]/.test(String.fromCharCode(unit)) ? 1 : 0,
);

function hashOf(word: string): number {
  let hash = HASH_START;
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), HASH_PRIME);
  return hash;
}

/** The terms of a batch of files. Every word is taken apart once, and counted by numbers from then on. */
export class TermCollector {
  readonly #wordNumbers = new Map<string, number>();
  readonly #termNumbers = new Map<string, number>();
  /** The terms of each word. */
  readonly #expanded: (readonly number[])[] = [];
  readonly #postings: { readonly files: number[]; readonly counts: number[] }[] = [];
  readonly #words: string[] = [];
  /** Numbers of words plus one, by their hash. */
  #slots = new Int32Array(1 << 14);
  #slotsUsed = 0;
  #wordCounts = new Int32Array(1024);
  #packed = new Int32Array(1024);

  /** How many words the text has. */
  add(file: number, path: string, names: readonly string[], text: string, units: Uint16Array): number {
    const touched: number[] = [];
    for (const word of tokensOf(path)) this.#count(this.#wordNumber(word), PATH_ONE, 1, FIELD_MAX.path, touched);
    for (const name of names)
      for (const word of tokensOf(name)) this.#count(this.#wordNumber(word), NAMES_ONE, 1, FIELD_MAX.names, touched);
    const met: number[] = [];
    const words = this.#countWords(text, units, met);
    for (const number of met) {
      this.#count(number, BODY_ONE, this.#wordCounts[number]!, FIELD_MAX.body, touched);
      this.#wordCounts[number] = 0;
    }
    for (const term of touched) {
      const postings = this.#postings[term]!;
      postings.files.push(file);
      postings.counts.push(this.#packed[term]!);
      this.#packed[term] = 0;
    }
    return words;
  }

  /** Without cutting out a word that is known: nearly every word of a text is, and there are millions of them. */
  #countWords(text: string, units: Uint16Array, met: number[]): number {
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
          const number = this.#numberAt(text, start, at, hash);
          if (this.#wordCounts[number]!++ === 0) met.push(number);
        }
        start = -1;
        hash = HASH_START;
      }
    }
    return words;
  }

  #numberAt(text: string, start: number, end: number, hash: number): number {
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const number = this.#slots[slot]! - 1;
      if (number < 0) {
        const added = this.#wordNumber(text.slice(start, end));
        this.#slots[slot] = added + 1;
        if (++this.#slotsUsed * 2 > this.#slots.length) this.#growSlots();
        return added;
      }
      const word = this.#words[number]!;
      if (word.length === end - start && text.startsWith(word, start)) return number;
    }
  }

  #growSlots(): void {
    const before = this.#slots;
    this.#slots = new Int32Array(2 * before.length);
    const mask = this.#slots.length - 1;
    for (const used of before) {
      if (used === 0) continue;
      let slot = hashOf(this.#words[used - 1]!) & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = used;
    }
  }

  #count(word: number, one: number, times: number, max: number, touched: number[]): void {
    for (const term of this.#expanded[word]!) {
      const before = this.#packed[term]!;
      if (before === 0) touched.push(term);
      const field = Math.floor(before / one) & max;
      this.#packed[term] = before + (Math.min(max, field + times) - field) * one;
    }
  }

  #wordNumber(word: string): number {
    const known = this.#wordNumbers.get(word);
    if (known !== undefined) return known;
    const number = this.#expanded.length;
    this.#wordNumbers.set(word, number);
    this.#words.push(word);
    this.#expanded.push(termsOf(word).map((term) => this.#termNumber(term)));
    if (number === this.#wordCounts.length) this.#wordCounts = grown(this.#wordCounts);
    return number;
  }

  #termNumber(term: string): number {
    const known = this.#termNumbers.get(term);
    if (known !== undefined) return known;
    const number = this.#postings.length;
    this.#termNumbers.set(term, number);
    this.#postings.push({ files: [], counts: [] });
    if (number === this.#packed.length) this.#packed = grown(this.#packed);
    return number;
  }

  /** In the order of the terms. */
  sorted(): readonly (readonly [term: string, postings: { readonly files: readonly number[]; readonly counts: readonly number[] }])[] {
    return [...this.#termNumbers.keys()].toSorted().map((term) => [term, this.#postings[this.#termNumbers.get(term)!]!]);
  }
}

const grown = (array: Int32Array): Int32Array<ArrayBuffer> => {
  const larger = new Int32Array(2 * array.length);
  larger.set(array);
  return larger;
};

export const countsIn = (packed: number): { path: number; names: number; body: number } => ({
  path: packed & FIELD_MAX.path,
  names: (packed >>> FIELD_BITS.names) & FIELD_MAX.names,
  body: packed >>> FIELD_BITS.body,
});
