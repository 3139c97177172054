// Which process dies next, where and how: drawn from a seed and a number, so that any kill can be repeated.

import type { Disk, How } from '../lab/failing-disk.ts';

export interface Kill {
  readonly number: number;
  readonly victim: 'store' | 'daemon';
  /** At this write point of its life, counted from its start; or once it has acknowledged that much. */
  readonly at: NonNullable<Disk['at']> | { readonly acknowledged: number };
}

/** Of so many kills in a row, the first ones are of stores and the rest of daemons: both run side by side. */
export const ROUND = { store: 45, daemon: 5 } as const;
export const ROUND_KILLS = ROUND.store + ROUND.daemon;

/** More than a life has until its clients have done their rounds; a point that is not reached becomes a kill at the end. */
const POINTS = { store: 45, daemon: 120 } as const;
/** The same, of writes to the ledger alone: only these can be torn. */
const WRITES = { store: 14, daemon: 25 } as const;
const HOWS: readonly How[] = ['before', 'half', 'after', 'lost'];

/** One in five dies at a random moment; the others take every write point in turn, each in every way, from where the seed says. */
export function killOf(seed: number, number: number): Kill {
  const [round, place] = [Math.floor(number / ROUND_KILLS), number % ROUND_KILLS];
  const victim = place < ROUND.store ? 'store' : 'daemon';
  const nth = round * ROUND[victim] + (victim === 'store' ? place : place - ROUND.store);
  if (nth % 5 === 4) {
    const random = randomFrom(seed * 1_000_003 + number);
    return { number, victim, at: { acknowledged: 1 + Math.floor(random() * 30) } };
  }
  const turn = seed + nth - Math.floor(nth / 5);
  const how = HOWS[turn % HOWS.length] as How;
  const pointOf = (points: number) => 1 + (Math.floor(turn / HOWS.length) % points);
  if (how === 'half') return { number, victim, at: { call: 'write', point: pointOf(WRITES[victim]), how } };
  return { number, victim, at: { point: pointOf(POINTS[victim]), how } };
}

/** Mulberry32: small, and the same everywhere. */
export function randomFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
