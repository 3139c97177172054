// An inverted index over memories with three fields, scored by BM25F. It grows with every memory and needs no rebuilding: a document
// that changes gets a new number, its old one stays behind empty until half of all numbers are.
//
// INVARIANT: scores depend on the documents that are there, never on the order or number of changes that led to them.

import { isName, type Word, wordsOf } from './words.ts';

export type Field = 'statement' | 'rationale' | 'paths';
export type Fields = Readonly<Record<Field, string>>;
export const FIELDS: readonly Field[] = ['statement', 'rationale', 'paths'];

/** `weight`: what a word in this field counts; `length`: how much a long field counts against it. */
const WEIGHING: Readonly<Record<Field, { readonly weight: number; readonly length: number }>> = {
  statement: { weight: 2, length: 0.6 },
  rationale: { weight: 0.8, length: 0.6 },
  paths: { weight: 1, length: 0.3 },
};
/** How soon repeating a word adds nothing: statements are short, and once is nearly as good as twice. */
const SATURATION = 0.9;

/** Where a term occurs: document numbers in rising order, and for each the counts in the three fields, a byte each. */
interface Postings {
  readonly documents: number[];
  readonly counts: number[];
  /** Documents that are still there. */
  live: number;
}

/** Longer fields count as this long. */
const LENGTH_MAX = 500;

/** Only long lists are worth the question whether they can be cut short. */
const LONG_LIST = 1000;

export class TextIndex<T> {
  readonly #postings = new Map<string, Postings>();
  /** Words by their first three letters, for those that are not finished. */
  readonly #byPrefix = new Map<string, string[]>();
  readonly #items: (T | null)[] = [];
  /** For each document what the caller needs to rank it; reading that from the items would cost more than the matching. */
  #weights = new Float64Array(256);
  #times = new Float64Array(256);
  /** The length of each field of each document, side by side. */
  #lengths = new Uint16Array(3 * 256);
  readonly #totals: Record<Field, number> = { statement: 0, rationale: 0, paths: 0 };
  #live = 0;
  #scores = new Float64Array(256);

  /** Rebuild when there are more dead numbers than live ones. */
  get wantsRebuilding(): boolean {
    return this.#items.length > 1024 && this.#live * 2 < this.#items.length;
  }

  /** Its number, by which it is marked and removed. */
  add(fields: Fields, item: T): number {
    const number = this.#items.push(item) - 1;
    if (this.#scores.length <= number) {
      this.#lengths = grown(this.#lengths);
      this.#scores = grown(this.#scores);
      this.#weights = grown(this.#weights);
      this.#times = grown(this.#times);
    }
    this.#live++;
    const { counts, lengths } = contentOf(fields);
    for (const [at, field] of FIELDS.entries()) {
      this.#lengths[3 * number + at] = lengths[field];
      this.#totals[field] += lengths[field];
    }
    for (const [term, packed] of counts) {
      const postings = this.#postingsOf(term);
      postings.documents.push(number);
      postings.counts.push(packed);
      postings.live++;
    }
    return number;
  }

  /** `weight` is above 0. */
  mark(number: number, weight: number, time: number): void {
    this.#weights[number] = weight;
    this.#times[number] = time;
  }

  weightAt(number: number): number {
    return this.#weights[number] as number;
  }

  timeAt(number: number): number {
    return this.#times[number] as number;
  }

  itemAt(number: number): T {
    const item = this.#items[number];
    if (item === null || item === undefined) throw new Error(`no document has the number ${number}`);
    return item;
  }

  /** `fields` as they were added. Its number may still be visited, with no weight. */
  remove(number: number, fields: Fields): void {
    this.#items[number] = null;
    this.#weights[number] = 0;
    this.#live--;
    const { counts, lengths } = contentOf(fields);
    for (const field of FIELDS) this.#totals[field] -= lengths[field];
    for (const term of counts.keys()) {
      const postings = this.#postings.get(term);
      if (postings) postings.live--;
    }
  }

  /** How many documents have the term. */
  frequency(term: string): number {
    return this.#postings.get(term)?.live ?? 0;
  }

  /** The documents that have the term, newest first. */
  *having(term: string): Generator<T> {
    const postings = this.#postings.get(term);
    for (let at = (postings?.documents.length ?? 0) - 1; at >= 0; at--) {
      const item = this.#items[postings?.documents[at] ?? -1];
      if (item !== null && item !== undefined) yield item;
    }
  }

  /** Terms that begin with a word of at least three letters: the commonest, at most `limit`. */
  startingWith(prefix: string, limit: number): string[] {
    const bucket = prefix.length < 3 ? [] : (this.#byPrefix.get(prefix.slice(0, 3)) ?? []);
    const found = bucket.filter((term) => term.startsWith(prefix) && this.frequency(term) > 0);
    return found.toSorted((a, b) => this.frequency(b) - this.frequency(a) || (a < b ? -1 : 1)).slice(0, limit);
  }

  /**
   * The documents that have one of the terms, with how well they match. Those may be missing that could not be among the `enough` best
   * matches: common words find nothing new once rarer ones have found better than all the common ones together could be.
   */
  matching(terms: ReadonlyMap<string, number>, enough: number, visit: (number: number, match: number) => void): void {
    const found: number[] = [];
    const rareFirst = [...terms]
      .flatMap(([term, weight]) => {
        const postings = this.#postings.get(term);
        if (!postings || postings.live === 0) return [];
        return [{ term, postings, worth: weight * Math.log(1 + (this.#live - postings.live + 0.5) / (postings.live + 0.5)) }];
      })
      .toSorted((a, b) => a.postings.live - b.postings.live || (a.term < b.term ? -1 : 1));
    let ahead = rareFirst.reduce((sum, { worth }) => sum + worth, 0);
    let onlyFound = false;
    const by: ByLength = { statement: this.#byLength('statement'), rationale: this.#byLength('rationale'), paths: this.#byLength('paths') };
    for (const { postings, worth } of rareFirst) {
      onlyFound ||= postings.live > LONG_LIST && ahead < this.#nthBest(found, enough);
      this.#score(postings, worth, by, found, onlyFound);
      ahead -= worth;
    }
    for (const number of found) {
      const match = this.#scores[number] as number;
      this.#scores[number] = 0;
      visit(number, match);
    }
  }

  /** The score that only `count - 1` of the found ones exceed; 0 when there are fewer. */
  #nthBest(found: readonly number[], count: number): number {
    const best: number[] = [];
    for (const number of found) {
      const score = this.#scores[number] as number;
      if (best.length === count && score <= (best[count - 1] as number)) continue;
      if (this.#items[number] === null) continue;
      let at = Math.min(best.length, count - 1);
      for (; at > 0 && score > (best[at - 1] as number); at--) best[at] = best[at - 1] as number;
      best[at] = score;
    }
    return best.length === count ? (best[count - 1] as number) : 0;
  }

  /** Adds what one term is worth to each document that has it; `onlyFound`: leaving out those that no rarer term found. */
  #score({ documents, counts }: Postings, rarity: number, by: ByLength, found: number[], onlyFound: boolean): void {
    const { statement, rationale, paths } = by;
    const scores = this.#scores;
    const lengths = this.#lengths;
    for (let at = 0; at < documents.length; at++) {
      const number = documents[at] as number;
      const before = scores[number] as number;
      if (before === 0) {
        if (onlyFound) continue;
        found.push(number);
      }
      const packed = counts[at] as number;
      let worth = 0;
      if (packed & 0xff) worth += (packed & 0xff) * (statement[lengths[3 * number] as number] as number);
      if (packed & 0xff00) worth += ((packed >>> 8) & 0xff) * (rationale[lengths[3 * number + 1] as number] as number);
      if (packed & 0xff0000) worth += (packed >>> 16) * (paths[lengths[3 * number + 2] as number] as number);
      scores[number] = before + (rarity * worth) / (worth + SATURATION);
    }
  }

  /** What a word in a field of each length is worth. */
  #byLength(field: Field): Float64Array {
    const { weight, length } = WEIGHING[field];
    const average = Math.max(1, this.#totals[field] / Math.max(1, this.#live));
    const worth = new Float64Array(LENGTH_MAX + 1);
    for (let long = 0; long <= LENGTH_MAX; long++) worth[long] = weight / (1 - length + (length * long) / average);
    return worth;
  }

  #postingsOf(term: string): Postings {
    let postings = this.#postings.get(term);
    if (!postings) {
      postings = { documents: [], counts: [], live: 0 };
      this.#postings.set(term, postings);
      if (!isName(term)) this.#listByPrefix(term);
    }
    return postings;
  }

  #listByPrefix(term: string): void {
    const prefix = term.slice(0, 3);
    const bucket = this.#byPrefix.get(prefix);
    if (bucket) bucket.push(term);
    else this.#byPrefix.set(prefix, [term]);
  }
}

type ByLength = Readonly<Record<Field, Float64Array>>;

/** The terms of one word: of its parts, and of the whole names in it. */
export function* termsOf(word: Word): Generator<string> {
  for (const { term } of word.parts) yield term;
  yield* word.names;
}

function contentOf(fields: Fields): { counts: Map<string, number>; lengths: Record<Field, number> } {
  const counts = new Map<string, number>();
  const lengths: Record<Field, number> = { statement: 0, rationale: 0, paths: 0 };
  for (const [at, field] of FIELDS.entries()) {
    const shift = 8 * at;
    for (const word of wordsOf(fields[field])) {
      lengths[field] = Math.min(LENGTH_MAX, lengths[field] + word.parts.length);
      for (const term of termsOf(word)) {
        const packed = counts.get(term) ?? 0;
        if (((packed >>> shift) & 0xff) < 0xff) counts.set(term, packed + (1 << shift));
      }
    }
  }
  return { counts, lengths };
}

function grown<A extends Uint16Array | Float64Array>(array: A): A {
  const larger = new (array.constructor as new (length: number) => A)(array.length * 2);
  larger.set(array);
  return larger;
}
