// Which line of a new content is which line of the old one, in order. Lines that occur once on both sides are anchors; between anchors a
// shortest edit script is searched, within limits.
//
// INVARIANT: matches keep the order of both sides, and only equal elements are matched. Past the limits a part stays unmatched:
// two contents that share nothing but repeated lines must not take minutes.

/** Edits that a search between two anchors goes through at most; each keeps a row. */
const EDITS_LIMIT = 1_000;
const WORK_LIMIT = 4_000_000;

/** For every element of `b`: the index of the element of `a` that it was, or -1. */
export function matchInOrder(a: Int32Array, b: Int32Array): Int32Array {
  const matched = new Int32Array(b.length).fill(-1);
  const places = new Places(a, b);
  const open: Part[] = [{ aFrom: 0, aTo: a.length, bFrom: 0, bTo: b.length }];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    let { aFrom, aTo, bFrom, bTo } = part;
    while (aFrom < aTo && bFrom < bTo && a[aFrom] === b[bFrom]) matched[bFrom++] = aFrom++;
    while (aFrom < aTo && bFrom < bTo && a[aTo - 1] === b[bTo - 1]) matched[--bTo] = --aTo;
    if (aFrom === aTo || bFrom === bTo) continue;
    const inner = { aFrom, aTo, bFrom, bTo };
    const anchors = places.anchorsIn(inner);
    if (anchors.length === 0) {
      matchByEdits(a, b, inner, matched);
      continue;
    }
    for (const [x, y] of anchors) {
      matched[y] = x;
      if (x > aFrom && y > bFrom) open.push({ aFrom, aTo: x, bFrom, bTo: y });
      aFrom = x + 1;
      bFrom = y + 1;
    }
    open.push({ aFrom, aTo, bFrom, bTo });
  }
  return matched;
}

/** Numbers for texts, the same for equal ones. */
export function numbering(): (texts: readonly string[]) => Int32Array {
  const known = new Map<string, number>();
  return (texts) =>
    Int32Array.from(texts, (text) => {
      const number = known.get(text) ?? known.size;
      known.set(text, number);
      return number;
    });
}

interface Part {
  readonly aFrom: number;
  readonly aTo: number;
  readonly bFrom: number;
  readonly bTo: number;
}

const NOWHERE = -1;
const TWICE = -2;

/** Where each element is in a part. Elements are small numbers, so a table works; it is cleared after use. */
class Places {
  private readonly a: Int32Array;
  private readonly b: Int32Array;
  private readonly inA: Int32Array;
  private readonly inB: Int32Array;
  constructor(a: Int32Array, b: Int32Array) {
    const largest = Math.max(largestOf(a), largestOf(b));
    this.a = a;
    this.b = b;
    this.inA = new Int32Array(largest + 1).fill(NOWHERE);
    this.inB = new Int32Array(largest + 1).fill(NOWHERE);
  }

  /** Elements that occur once on both sides, as many of them as keep their order. */
  anchorsIn({ aFrom, aTo, bFrom, bTo }: Part): [number, number][] {
    const { a, b, inA, inB } = this;
    for (let x = aFrom; x < aTo; x++) inA[a[x]!] = inA[a[x]!] === NOWHERE ? x : TWICE;
    for (let y = bFrom; y < bTo; y++) inB[b[y]!] = inB[b[y]!] === NOWHERE ? y : TWICE;
    const pairs: [number, number][] = [];
    for (let y = bFrom; y < bTo; y++) {
      const x = inA[b[y]!]!;
      if (x >= 0 && inB[b[y]!] === y) pairs.push([x, y]);
    }
    for (let x = aFrom; x < aTo; x++) inA[a[x]!] = NOWHERE;
    for (let y = bFrom; y < bTo; y++) inB[b[y]!] = NOWHERE;
    return longestRising(pairs);
  }
}

function largestOf(numbers: Int32Array): number {
  let largest = 0;
  for (const number of numbers) if (number > largest) largest = number;
  return largest;
}

/** Pairs come in the order of their second part; the longest choice in which the first part rises too. */
function longestRising(pairs: readonly [number, number][]): [number, number][] {
  /** Index of the pair that ends the best choice of each length. */
  const ends: number[] = [];
  const previous = new Int32Array(pairs.length).fill(-1);
  pairs.forEach(([x], at) => {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pairs[ends[middle]!]![0] < x) low = middle + 1;
      else high = middle;
    }
    previous[at] = low > 0 ? ends[low - 1]! : -1;
    ends[low] = at;
  });
  const chosen: [number, number][] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = previous[at]!) chosen.push(pairs[at]!);
  return chosen.reverse();
}

/** Myers' greedy search, as far as the limits allow. */
function matchByEdits(a: Int32Array, b: Int32Array, { aFrom, aTo, bFrom, bTo }: Part, matched: Int32Array): void {
  const width = aTo - aFrom;
  const height = bTo - bFrom;
  const most = Math.min(width + height, EDITS_LIMIT);
  // Furthest x on each diagonal k = x - y; diagonal k is at index k + most + 1.
  const reach = new Int32Array(2 * most + 3);
  const middle = most + 1;
  const rows: Int32Array[] = [];
  let work = 0;
  for (let edits = 0; edits <= most && work <= WORK_LIMIT; edits++) {
    rows.push(reach.slice(middle - edits - 1, middle + edits + 2));
    for (let k = -edits; k <= edits; k += 2) {
      const down = k === -edits || (k !== edits && reach[middle + k - 1]! < reach[middle + k + 1]!);
      let x = down ? reach[middle + k + 1]! : reach[middle + k - 1]! + 1;
      const from = x;
      while (x < width && x - k < height && a[aFrom + x] === b[bFrom + x - k]) x++;
      reach[middle + k] = x;
      work += x - from + 1;
      if (x >= width && x - k >= height) return walkBack(rows, edits, width, height, (i, j) => (matched[bFrom + j] = aFrom + i));
    }
  }
}

/** Row `d` has diagonal k at index k + d + 1. */
function walkBack(rows: readonly Int32Array[], edits: number, endX: number, endY: number, take: (x: number, y: number) => void): void {
  let x = endX;
  let y = endY;
  for (let d = edits; d >= 0; d--) {
    const row = rows[d]!;
    const k = x - y;
    const down = k === -d || (k !== d && row[k + d]! < row[k + d + 2]!);
    const previousX = d === 0 ? 0 : row[down ? k + d + 2 : k + d]!;
    const previousY = d === 0 ? 0 : previousX - (down ? k + 1 : k - 1);
    const startX = d === 0 || down ? previousX : previousX + 1;
    while (x > startX) take(--x, --y);
    x = previousX;
    y = previousY;
  }
}
