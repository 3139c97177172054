// The stamp that a turn owes at its end, once it has changed something: asked for once in GUARDED, as often as the agent can be sent back
// in STRICT, and on the record as missing if the turn ends without it.

import { type Event, streams } from '../protocol/index.ts';
import { withFreshFacts } from './fresh-facts.ts';
import { isWritten } from './is-written.ts';
import { recordNote } from './settle.ts';
import type { State } from './state.ts';
import { missingStamp } from './turn-texts.ts';
import type { TurnParts } from './turns.ts';

type Parts = Pick<TurnParts, 'ports' | 'state' | 'locks'>;

/** What is missing, if the agent is to be sent back for it. A restarted daemon continues the count. */
export function demandStamp({ ports, state, locks }: Parts, session: string, sendBacks: number): Promise<string | null> {
  const stream = streams.session(session);
  const demand = async () => {
    const basis = state.positions.of(stream);
    const missing = missingStamp({ state, now: ports.now }, session);
    const entry = state.sessions.get(session);
    if (missing === null || !entry) return null;
    const { demands } = entry.turnLog;
    const isAsked = demands < (entry.mode === 'STRICT' ? sendBacks : Math.min(1, sendBacks));
    const data = { session, turn: entry.turn, times: demands + 1 };
    const events: Event[] = isAsked ? [{ type: 'stamp_demanded', data }] : stampsMissing(state, session);
    const drafts = events.map((event) => ({ stream, event }));
    // While the ledger cannot be written no stamp can be issued either.
    return (await isWritten(recordNote(ports.log, drafts, null, null, basis))) && isAsked ? missing : null;
  };
  return locks.hold(session, () => withFreshFacts(ports.log, state, demand));
}

/** For the end of a turn: it was asked for a stamp, or STRICT requires one, and it has none. */
export function stampsMissing(state: State, session: string): Event[] {
  const entry = state.sessions.get(session);
  if (!entry) return [];
  const { mutations, stamp, changedBy, demands, missed } = entry.turnLog;
  const isOwed = mutations > 0 && stamp === null && changedBy !== null && !missed;
  const isWanted = demands > 0 || entry.mode === 'STRICT';
  if (!isOwed || !isWanted || entry.parent !== null || state.observing.has(entry.workspace)) return [];
  return [{ type: 'stamp_missing', data: { session, turn: entry.turn, action: changedBy, times: demands } }];
}
