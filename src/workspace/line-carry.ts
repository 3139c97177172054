// Where the lines of a new content come from: the line that stayed or was only reformatted, lines that were split or joined, a
// block that moved. What none of these explains was rewritten.

import { isDistinctive, type LineForm } from './line-forms.ts';
import { matchInOrder } from './line-match.ts';

export interface Carried {
  /** For every new line the old line that it comes from, or -1. */
  readonly from: Int32Array;
  /** New lines that were joined from several, or may come from several. */
  readonly several: Map<number, readonly number[]>;
}

const MOVED_BLOCK = 3;
/** Places that a moved line is compared with, and lines that a formatter makes of one or one of them. */
const CANDIDATES = 16;
const REGROUPED_LINES = 64;

const NEIGHBOURS = 3;

const NOWHERE = -1;

/** Equal lines have the very same form, so that most of two contents is compared at no cost. */
export function carryLines(old: readonly LineForm[], next: readonly LineForm[]): Carried {
  const shorter = Math.min(old.length, next.length);
  let head = 0;
  while (head < shorter && old[head] === next[head]) head++;
  let tail = 0;
  while (tail < shorter - head && old[old.length - 1 - tail] === next[next.length - 1 - tail]) tail++;
  // Lines beside what changed may have to go with it.
  head = Math.max(0, head - NEIGHBOURS);
  tail = Math.max(0, tail - NEIGHBOURS);

  const middle = carryMiddle(old.slice(head, old.length - tail), next.slice(head, next.length - tail));
  const from = new Int32Array(next.length);
  for (let at = 0; at < head; at++) from[at] = at;
  for (let at = next.length - tail; at < next.length; at++) from[at] = at + old.length - next.length;
  for (let at = 0; at < middle.from.length; at++) from[head + at] = middle.from[at] === NOWHERE ? NOWHERE : head + middle.from[at]!;
  const several = [...middle.several].map(([at, sources]) => [head + at, sources.map((source) => head + source)] as const);
  return { from, several: new Map(several) };
}

function carryMiddle(old: readonly LineForm[], next: readonly LineForm[]): Carried {
  const from = matchInOrder(idsOf(old), idsOf(next));
  const carried: Carried = { from, several: new Map() };
  for (const { oldFrom, oldTo, newFrom, newTo } of gapsOf(from, old.length))
    regroup(old, next, [{ from: oldFrom, to: oldTo }], { from: newFrom, to: newTo }, () => true, carried);

  const left = untaken(carried, old.length);
  if (!left.includes(1) || !from.includes(NOWHERE)) return carried;
  const moved = findMoved(old, next, left, carried);
  const gone = runsOf(untaken(carried, old.length), (mark) => mark === 1);
  for (const run of runsOf(from, (_, at) => isNew(carried, at))) regroup(old, next, gone, run, isBlockOrDistinctive, carried);
  if (moved) followNeighbours(old, next, carried);
  return carried;
}

/** A loop: `Int32Array.from` takes longer than the whole match. */
function idsOf(forms: readonly LineForm[]): Int32Array {
  const ids = new Int32Array(forms.length);
  for (let at = 0; at < forms.length; at++) ids[at] = forms[at]!.id;
  return ids;
}

const isNew = ({ from, several }: Carried, at: number): boolean => from[at] === NOWHERE && !several.has(at);

function carry({ from, several }: Carried, at: number, sources: readonly number[]): void {
  const [only, ...more] = sources;
  if (only !== undefined && more.length === 0) from[at] = only;
  else several.set(at, sources);
}

/** 1 for old lines that no new line took so far. */
function untaken({ from, several }: Carried, length: number): Uint8Array {
  const left = new Uint8Array(length).fill(1);
  for (const at of from) if (at >= 0) left[at] = 0;
  for (const sources of several.values()) for (const at of sources) left[at] = 0;
  return left;
}

/** From the first line up to, and without, the last. */
interface Run {
  readonly from: number;
  readonly to: number;
}

function runsOf(marks: Int32Array | Uint8Array, isIn: (mark: number, at: number) => boolean): Run[] {
  const runs: Run[] = [];
  for (let from = 0; from < marks.length; from++) {
    let to = from;
    while (to < marks.length && isIn(marks[to]!, to)) to++;
    if (to === from) continue;
    runs.push({ from, to });
    from = to;
  }
  return runs;
}

function listed<K, T>(lists: Map<K, T[]>, key: K): T[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

interface Gap {
  readonly oldFrom: number;
  readonly oldTo: number;
  readonly newFrom: number;
  readonly newTo: number;
}

/** Where lines of both sides are unmatched between two matched ones. */
function gapsOf(matched: Int32Array, oldLength: number): Gap[] {
  const gaps: Gap[] = [];
  let oldFrom = 0;
  let newFrom = 0;
  for (let at = 0; at <= matched.length; at++) {
    const oldTo = at === matched.length ? oldLength : matched[at]!;
    if (oldTo < 0) continue;
    if (oldTo > oldFrom && at > newFrom) gaps.push({ oldFrom, oldTo, newFrom, newTo: at });
    oldFrom = oldTo + 1;
    newFrom = at + 1;
  }
  return gaps;
}

/** Lines that a formatter split or joined: some old lines and some new ones with the same tokens, both whole. */
function regroup(
  old: readonly LineForm[],
  next: readonly LineForm[],
  oldRuns: readonly Run[],
  newRun: Run,
  isEnough: (group: readonly LineForm[]) => boolean,
  carried: Carried,
): void {
  const begins = new Map<string, Run[]>();
  for (const { from, to } of oldRuns) for (let at = from; at < to; at++) listed(begins, beginningAt(old, at, to)).push({ from: at, to });
  for (let at = newRun.from; at < newRun.to;) {
    const key = beginningAt(next, at, newRun.to);
    const groups =
      key === '' ? [] : (begins.get(key) ?? []).slice(0, CANDIDATES).map((run) => sameTokens(old, run, next, { from: at, to: newRun.to }));
    const group = groups.find((found) => found && isEnough(next.slice(at, at + found.length)));
    group?.forEach((sources, line) => carry(carried, at + line, sources));
    at += group?.length ?? 1;
  }
}

/** The first tokens of what begins at a line; empty where nothing does. */
function beginningAt(lines: readonly LineForm[], from: number, to: number): string {
  if (lines[from]!.tokens.length === 0) return '';
  const tokens: string[] = [];
  for (let at = from; at < to && tokens.length < 3; at++) tokens.push(...lines[at]!.tokens.slice(0, 3));
  return tokens.slice(0, 3).join(' ');
}

/** The fewest lines of both sides, from these on, whose tokens are the same: for each new line the old ones it took tokens from. */
function sameTokens(old: readonly LineForm[], oldRun: Run, next: readonly LineForm[], newRun: Run): number[][] | null {
  const oldTo = Math.min(oldRun.to, oldRun.from + REGROUPED_LINES);
  let oldAt = oldRun.from;
  let inOld = 0;
  const sources: number[][] = [];
  for (let at = newRun.from; at < newRun.to && sources.length < REGROUPED_LINES; at++) {
    const from = new Set<number>();
    for (const token of next[at]!.tokens) {
      while (oldAt < oldTo && inOld === old[oldAt]!.tokens.length) {
        oldAt++;
        inOld = 0;
      }
      if (oldAt >= oldTo || old[oldAt]!.tokens[inOld] !== token) return null;
      from.add(oldAt);
      inOld++;
    }
    sources.push(from.size > 0 ? [...from] : [oldAt]);
    if (inOld === old[oldAt]!.tokens.length) return sources;
  }
  return null;
}

/** `left` is 1 for old lines that no new line took so far. True when something had moved. */
function findMoved(old: readonly LineForm[], next: readonly LineForm[], left: Uint8Array, carried: Carried): boolean {
  let found = false;
  const places = new Map<number, number[]>();
  for (let at = left.indexOf(1); at >= 0; at = left.indexOf(1, at + 1)) {
    const { id, tokens } = old[at]!;
    if (tokens.length > 0) listed(places, id).push(at);
  }
  for (let at = 0; at < next.length;) {
    const starts = isNew(carried, at) ? places.get(next[at]!.id)?.slice(0, CANDIDATES) : undefined;
    if (!starts) {
      at++;
      continue;
    }
    const lengths = starts.map((start) => blockLength(old, next, left, carried, start, at));
    const longest = Math.max(0, ...lengths);
    const origins = starts.filter((_, which) => lengths[which] === longest);
    const block = next.slice(at, at + longest);
    if (longest === 0 || !isBlockOrDistinctive(block)) {
      at++;
      continue;
    }
    for (let line = 0; line < longest; line++)
      carry(
        carried,
        at + line,
        origins.map((start) => start + line),
      );
    at += longest;
    found = true;
  }
  return found;
}

/** A few closing brackets are not a moved block. */
function isBlockOrDistinctive(block: readonly LineForm[]): boolean {
  const worded = block.filter(({ tokens }) => tokens.length > 0);
  return worded.some(isDistinctive) || (worded.length >= MOVED_BLOCK && isDistinctive({ weight: sumOf(worded) }));
}

const sumOf = (lines: readonly LineForm[]): number => lines.reduce((sum, { weight }) => sum + weight, 0);

/**
 * The bracket that closes a moved block went with it, even if an equal one was in the right order by chance; so did the empty line above
 * it.
 */
function followNeighbours(old: readonly LineForm[], next: readonly LineForm[], carried: Carried): void {
  const { from, several } = carried;
  const only = (at: number): number => (several.has(at) || from[at] === NOWHERE ? NaN : from[at]!);
  const isTrivial = (at: number): boolean => !several.has(at) && !isDistinctive(next[at]!);
  for (let at = 1; at < next.length; at++) {
    const above = only(at - 1);
    if (isTrivial(at) && old[above + 1]?.id === next[at]!.id) from[at] = above + 1;
  }
  for (let at = next.length - 2; at >= 0; at--) {
    const below = only(at + 1);
    if (from[at] === NOWHERE && isTrivial(at) && old[below - 1]?.id === next[at]!.id) from[at] = below - 1;
  }
}

function blockLength(
  old: readonly LineForm[],
  next: readonly LineForm[],
  left: Uint8Array,
  carried: Carried,
  start: number,
  at: number,
): number {
  let length = 0;
  while (
    at + length < next.length &&
    left[start + length] === 1 &&
    isNew(carried, at + length) &&
    old[start + length]!.id === next[at + length]!.id
  )
    length++;
  return length;
}
