// Three contents merged by lines: what two sides changed of a common base, both kept; null where they changed the same lines.

import { matchInOrder, numbering } from './line-match.ts';

/** Byte for byte: line ends and bytes that are no valid text stay as they are. Content with a NUL byte is not merged. */
export function mergeContents(base: Uint8Array, ours: Uint8Array, theirs: Uint8Array): Uint8Array | null {
  if ([base, ours, theirs].some((bytes) => bytes.includes(0))) return null;
  const merged = mergeLines(byteLines(base), byteLines(ours), byteLines(theirs));
  return merged && Buffer.from(merged.join(''), 'latin1');
}

/** One character a byte; each line with its newline. */
export function byteLines(bytes: Uint8Array): string[] {
  return (
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      .toString('latin1')
      .match(/[^\n]*\n|[^\n]+$/g) ?? []
  );
}

function mergeLines(base: readonly string[], ours: readonly string[], theirs: readonly string[]): string[] | null {
  const number = numbering();
  const ids = number(base);
  const inOurs = placesOf(matchInOrder(ids, number(ours)), base.length);
  const inTheirs = placesOf(matchInOrder(ids, number(theirs)), base.length);
  const merged: string[] = [];
  let [b, o, t] = [0, 0, 0];
  for (let at = 0; at <= base.length; at++) {
    // A line that all three have ends the part before it.
    const isEnd = at === base.length;
    if (!isEnd && (inOurs[at]! < 0 || inTheirs[at]! < 0)) continue;
    const [oTo, tTo] = isEnd ? [ours.length, theirs.length] : [inOurs[at]!, inTheirs[at]!];
    const part = mergePart(base.slice(b, at), ours.slice(o, oTo), theirs.slice(t, tTo));
    if (!part) return null;
    merged.push(...part, ...base.slice(at, at + 1));
    [b, o, t] = [at + 1, oTo + 1, tTo + 1];
  }
  return merged;
}

function mergePart(base: readonly string[], ours: readonly string[], theirs: readonly string[]): readonly string[] | null {
  if (isSame(ours, base)) return theirs;
  return isSame(theirs, base) || isSame(ours, theirs) ? ours : null;
}

const isSame = (a: readonly string[], b: readonly string[]): boolean => a.length === b.length && a.every((line, at) => line === b[at]);

/** For every line of the base its position in the other content, or -1. */
function placesOf(matched: Int32Array, length: number): Int32Array {
  const places = new Int32Array(length).fill(-1);
  matched.forEach((at, place) => {
    if (at >= 0) places[at] = place;
  });
  return places;
}
