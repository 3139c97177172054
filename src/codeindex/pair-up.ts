// Pairs the things of two versions where their order is free. A wrong guess is harmless: what is paired is compared afterwards.

export type Pairing<T> = { readonly pairs: readonly (readonly [T, T])[] } | { readonly removed: T | null; readonly added: T | null };

/** First those with the same key, then the others of the same kind, in order. One that stays alone is removed or added. */
export function pairUp<T>(
  before: readonly T[],
  after: readonly T[],
  keyOf: (thing: T) => string,
  kindOf: (thing: T) => string,
): Pairing<T> {
  const exact = match(before, after, keyOf);
  const rest = match(exact.before, exact.after, kindOf);
  const [removed = null] = rest.before;
  const [added = null] = rest.after;
  return removed === null && added === null ? { pairs: [...exact.pairs, ...rest.pairs] } : { removed, added };
}

function match<T>(before: readonly T[], after: readonly T[], keyOf: (thing: T) => string) {
  const waiting = new Map<string, T[]>();
  for (const thing of before) {
    const key = keyOf(thing);
    const same = waiting.get(key);
    if (same) same.push(thing);
    else waiting.set(key, [thing]);
  }
  // Taken from the end below, so the first of `before` is paired first.
  for (const same of waiting.values()) same.reverse();
  const pairs: (readonly [T, T])[] = [];
  const left: T[] = [];
  for (const thing of after) {
    const other = waiting.get(keyOf(thing))?.pop();
    if (other === undefined) left.push(thing);
    else pairs.push([other, thing]);
  }
  const paired = new Set(pairs.map(([first]) => first));
  return { pairs, before: before.filter((thing) => !paired.has(thing)), after: left };
}

/** The smallest set of things that must have moved for `before` to become `after`. */
export function moved<T>(before: readonly T[], after: readonly T[], pairs: readonly (readonly [T, T])[]): readonly T[] {
  const place = new Map(before.map((thing, index) => [thing, index]));
  const origin = new Map(pairs.map(([first, second]) => [second, place.get(first) ?? -1]));
  const present = after.filter((thing) => origin.has(thing));
  const places = present.map((thing) => origin.get(thing)!);
  const kept = longestIncreasingSubsequence(places);
  return present.filter((_, index) => !kept.has(index));
}

/** As indices. */
function longestIncreasingSubsequence(places: readonly number[]): ReadonlySet<number> {
  /** By length - 1: the index at which the best subsequence of that length ends. */
  const ends: number[] = [];
  const previous: number[] = [];
  for (const [index, place] of places.entries()) {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (places[ends[middle]!]! < place) low = middle + 1;
      else high = middle;
    }
    previous.push(low > 0 ? ends[low - 1]! : -1);
    ends[low] = index;
  }
  const kept = new Set<number>();
  for (let index = ends.at(-1) ?? -1; index >= 0; index = previous[index]!) kept.add(index);
  return kept;
}
