// A reader has met a line that is not as it was written. The lines around it and the next signed head show which line is the first
// wrong one, and how. Only called once a chain is known to be broken, so it may be slow.
//
//   … head │ open open … open │ stop … … head …
//          └ base: signed     └ the lines since then, each naming the one before it
//
// INVARIANT: everything before the base is genuine, so only the open lines and what follows are in question.

import { leafHash } from './hash.ts';
import type { MerkleFrontier } from './hash.ts';
import { linesFrom } from './lines.ts';
import type { LinesFrom, StandingLine } from './lines.ts';
import type { How, Place, Problem } from './problem.ts';
import type { HeadLine } from './record-line.ts';

export interface Stop {
  readonly dir: string;
  /** Just after the last good head. */
  readonly base: LinesFrom & { readonly size: number; readonly prev: string; readonly frontier: MerkleFrontier };
  /** Where reading ended, and what the reader saw there. */
  readonly place: Place;
  readonly message: string;
  readonly isSigned: (head: HeadLine, raw: Buffer) => boolean;
  readonly keyId: string;
}

/** No batch is larger; lines further on are only searched. */
const MAX_HELD_LINES = 100_000;

export async function explainBreak(stop: Stop): Promise<Problem> {
  const { open, after } = await linesAround(stop);
  const here = after[0];
  if (here === undefined) return { ...stop.place, how: 'torn', message: stop.message };
  const chain = [stop.base.prev, ...open.map(({ hash }) => hash)];
  const tip = chain.at(-1) as string;
  const linked = here.fields?.prev === tip;
  const say = (place: Place, how: How, message: string): Problem => ({ ...place, how, message });

  if (open.length > 0 && linked && open.at(-1)?.place.segment !== here.place.segment)
    return say(here.place, 'torn', 'A batch lies in one file; this one was cut in two.');
  if (here.fields !== null && !linked && (await someLineBefore(stop, here, open)))
    return say(here.place, 'inserted', 'This line is a copy of an earlier one.');

  const search = await searchAfter(stop, here, new Map(chain.map((hash, at) => [hash, at])), chain.length - 1);
  if (search.goesOnAt !== null) {
    const extra = open[search.goesOnAt];
    if (extra !== undefined) return say(extra.place, 'forged', 'This line was put in: the next genuine line follows the one before it.');
    if (search.copyOfHere) return say(here.place, 'inserted', 'This line is a copy of a later one.');
    if (search.belongsLater) return say(here.place, 'swapped', 'This line belongs further on; the line that was here is there.');
    const foreign = here.fields !== null && !linked && (search.nextFollowsHere || isSealed(stop, here));
    return foreign
      ? say(here.place, 'spliced', 'Lines of another chain were put in here.')
      : say(here.place, 'forged', 'This line was put in: the next genuine line follows the one before it.');
  }

  if (here.fields === null)
    return after.length === 1 && open.length === 0
      ? say(here.place, 'forged', 'This line is neither a record nor a head, and no signed head follows.')
      : say(here.place, 'edited', 'This line was changed: it is neither a record nor a head any more.');
  if (!linked && here.fields.kind === 'head' && here.fields.key !== stop.keyId)
    return say(here.place, 'spliced', `This head is of another chain: it is signed with the key ${here.fields.key}.`);
  if (linked || (here.fields.kind === 'head' && !isSealed(stop, here)))
    return search.nextFollowsHere
      ? say(here.place, 'forged', `${stop.message} What follows was chained onto it, so the key's owner did not write it.`)
      : say(here.place, 'edited', `This line was changed. ${stop.message}`);

  const expected = stop.base.size + open.length;
  const ahead = here.fields.kind === 'record' ? here.fields.seq - expected - 1 : here.fields.head - expected;
  const seal = after.find((line) => line.fields?.kind === 'head');
  const foreign = seal !== undefined && !isSealed(stop, seal);
  if (ahead > 0 && !foreign)
    return say(here.place, 'dropped', `${ahead === 1 ? 'A record is' : `${ahead} records are`} missing before this line.`);
  if (ahead === 0) {
    const changed = changedLeaf(stop, open, after);
    if (changed === 'none') return say(here.place, 'dropped', 'The head before this line is missing; the records are all there.');
    if (changed === 'before')
      return say((open.at(-1) as StandingLine).place, 'edited', 'This line was changed: the next one was written after other bytes.');
    if (changed === 'here' || !(search.nextFollowsHere || isSealed(stop, here)))
      return say(here.place, 'edited', 'This line was changed: it does not name the line before it.');
  }
  return say(here.place, 'spliced', 'From here on the lines belong to another chain: they were written after other lines.');
}

async function linesAround({ dir, base, place }: Stop): Promise<{ readonly open: StandingLine[]; readonly after: StandingLine[] }> {
  const open: StandingLine[] = [];
  const after: StandingLine[] = [];
  for await (const line of linesFrom(dir, base)) {
    const before = line.place.segment < place.segment || (line.place.segment === place.segment && line.place.line < place.line);
    (before ? open : after).push(line);
    if (after.length > 1 && line.fields?.kind === 'head') break;
    if (after.length + open.length > MAX_HELD_LINES) break;
  }
  return { open, after };
}

/** Whether the same bytes occur earlier in the ledger. */
async function someLineBefore({ dir, place }: Stop, here: StandingLine, open: readonly StandingLine[]): Promise<boolean> {
  if (open.some(({ hash }) => hash === here.hash)) return true;
  for await (const line of linesFrom(dir, { segment: 1, offset: 0, line: 0 })) {
    if (line.place.segment === place.segment && line.place.line === place.line) return false;
    if (line.hash === here.hash) return true;
  }
  return false;
}

interface Found {
  /** After how many of the open lines a genuine line follows; null when none does. */
  readonly goesOnAt: number | null;
  readonly copyOfHere: boolean;
  /** The line that this one names, or the one that names it, is separated from it, further on. */
  readonly belongsLater: boolean;
  readonly nextFollowsHere: boolean;
}

async function searchAfter(stop: Stop, here: StandingLine, known: ReadonlyMap<string, number>, tip: number): Promise<Found> {
  let goesOnAt: number | null = null;
  let copyOfHere = false;
  let belongsLater = false;
  let nextFollowsHere = false;
  let distance = -1;
  const segment = Number.parseInt(here.place.segment, 10);
  for await (const line of linesFrom(stop.dir, { segment, offset: here.place.byte, line: here.place.line - 1 })) {
    distance += 1;
    const prev = line.fields?.prev ?? null;
    const at = prev === null ? undefined : known.get(prev);
    if (at !== undefined && (at < tip || distance > 0)) goesOnAt ??= at;
    if (distance === 0) continue;
    if (line.hash === here.hash) copyOfHere = true;
    if (line.hash === here.fields?.prev) belongsLater = true;
    if (prev === here.hash) {
      if (distance === 1) nextFollowsHere = true;
      else belongsLater = true;
    }
  }
  return { goesOnAt, copyOfHere, belongsLater, nextFollowsHere };
}

const isSealed = (stop: Stop, { fields, raw }: StandingLine): boolean => fields?.kind === 'head' && stop.isSigned(fields, raw);

/**
 * The next signed head names the root over all records before it. Either that is the root of the records as they are, or the true hash
 * of the one that was changed is known from the line after it, and with that the root comes out.
 */
function changedLeaf(stop: Stop, open: readonly StandingLine[], after: readonly StandingLine[]): 'none' | 'before' | 'here' | 'unknown' {
  const at = after.findIndex((line) => isSealed(stop, line));
  const head = after[at]?.fields;
  if (head?.kind !== 'head') return open.length > 0 && !after.some(({ fields }) => fields?.kind === 'head') ? 'before' : 'unknown';
  const between = after.slice(0, at).filter(({ fields }) => fields?.kind === 'record');
  const gives = (before: readonly string[], following: readonly string[]): boolean => {
    const frontier = stop.base.frontier.clone();
    for (const hash of [...before, ...following]) frontier.append(leafHash(hash));
    return frontier.root() === head.root;
  };
  const before = open.map(({ hash }) => hash);
  const following = between.map(({ hash }) => hash);
  const named = after[0]?.fields?.prev;
  if (gives(before, following)) return 'none';
  if (named !== undefined && before.length > 0 && gives(before.with(-1, named), following)) return 'before';
  const next = after[1]?.fields?.prev;
  if (next !== undefined && following.length > 0 && gives(before, following.with(0, next))) return 'here';
  return 'unknown';
}

/** Whether a line at or after that byte of the file passes the test. */
export async function someLine(dir: string, from: LinesFrom, test: (line: StandingLine) => boolean): Promise<boolean> {
  for await (const line of linesFrom(dir, from)) if (test(line)) return true;
  return false;
}
