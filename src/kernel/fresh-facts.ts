// Decides again when what a decision rests on has changed. The number of tries is bounded: a caller that keeps losing gets a fault that
// says to call again. A refused append has written nothing, so nothing is asked or run twice.

import type { EventLog } from './ports.ts';
import { BasisMoved } from './settle.ts';
import type { State } from './state.ts';

const MAX_TRIES = 5;
/** Another kernel's record has arrived by then, or its append has failed. */
const CATCH_UP_MS = 1_000;

/** `decide` reads its facts again each time. */
export async function withFreshFacts<T>(log: EventLog, state: State, decide: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await decide();
    } catch (error) {
      if (!(error instanceof BasisMoved) || tries === MAX_TRIES) throw error;
      await caughtUp(log, state, error.streams);
    }
  }
}

/** Resolves once the state has folded what the store has of these streams. */
async function caughtUp(log: EventLog, state: State, streams: readonly string[]): Promise<void> {
  const stored = await log.positions(streams);
  const isThere = () => {
    const folded = state.positions.of(...streams);
    return streams.every((stream) => (folded.get(stream) ?? Infinity) >= (stored.get(stream) ?? 0));
  };
  if (isThere()) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const leave = log.subscribe(() => {
    if (isThere()) resolve();
  });
  const timer = setTimeout(resolve, CATCH_UP_MS);
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    leave();
  }
}
