// Where two lists of values differ, as the fewest changes to the first.

export interface Hunk {
  /** A place in the old list. */
  readonly at: number;
  readonly removed: number;
  /** The values that replace them. */
  readonly values: readonly string[];
}

/** Past this, everything between the common beginning and end is one change. */
const WORK_LIMIT = 1_000_000;

/** In order; between two of them at least one value is kept. */
export function hunksOf(before: readonly string[], after: readonly string[]): Hunk[] {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const [old, now] = [before.slice(head, before.length - tail), after.slice(head, after.length - tail)];

  const hunks: Hunk[] = [];
  let [from, taken] = [0, 0];
  const close = (at: number, upTo: number): void => {
    if (at > from || upTo > taken) hunks.push({ at: head + from, removed: at - from, values: now.slice(taken, upTo) });
    [from, taken] = [at + 1, upTo + 1];
  };
  if (old.length * now.length <= WORK_LIMIT) for (const [i, j] of commonPairs(old, now)) close(i, j);
  close(old.length, now.length);
  return hunks;
}

/** The places of a longest common subsequence in both lists. */
function commonPairs(a: readonly string[], b: readonly string[]): [number, number][] {
  const width = b.length + 1;
  // How much the remainders that begin at i and j have in common.
  const common = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number): number => common[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      common[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) pairs.push([i++, j++]);
    else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
  return pairs;
}
