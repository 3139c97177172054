// Distinguishes a real stamp from one that was copied, altered or used again.

import { type EventOf, findStamps, sealedText, type StampInText, stampText, type StampVerdict } from '../protocol/index.ts';
import type { EventStore } from '../stores/index.ts';
import type { SessionPlaces } from './session-places.ts';

export interface StampOrigin {
  readonly session?: string | undefined;
  readonly turn?: string | undefined;
  readonly workspace?: string | undefined;
}

export interface StampBooks {
  readonly store: EventStore;
  readonly places: SessionPlaces;
  readonly seal: (text: string) => string;
}

const PAGE = 500;

/** One verdict a stamp, in the order of the text. `origin`: where the text is said to come from. */
export async function judgeStamps(books: StampBooks, text: string, origin: StampOrigin): Promise<StampVerdict[]> {
  const seen = new Set<string>();
  const verdicts: StampVerdict[] = [];
  for (const found of findStamps(text)) {
    verdicts.push(await judge(books, found, origin, seen.has(found.stamp)));
    seen.add(found.stamp);
  }
  return verdicts;
}

async function judge(books: StampBooks, found: StampInText, origin: StampOrigin, again: boolean): Promise<StampVerdict> {
  const issued = await findIssued(books.store, found.stamp);
  const say = (verdict: StampVerdict['verdict'], detail: string): StampVerdict => ({
    stamp: found.stamp,
    verdict,
    detail,
    session: issued?.data.session ?? null,
    turn: issued?.data.turn ?? null,
    issued_at: issued?.at ?? null,
  });
  if (!issued) return say('unknown', 'this gate never issued a stamp by that id');
  const { data } = issued;
  const seal = books.seal(sealedText(data));
  if (found.seal !== seal || data.seal !== seal) return say('altered', 'the seal is not the one that was issued');
  if (found.sentence !== stampText(data.found)) return say('altered', `it was issued over the words: ${stampText(data.found)}`);
  if (origin.workspace !== undefined && (await books.places.of(data.session))?.workspace !== origin.workspace)
    return say('copied', 'it was issued in another workspace');
  if (origin.session !== undefined && origin.session !== data.session)
    return say('copied', `it was issued to another session, ${data.session}`);
  if (origin.turn !== undefined && origin.turn !== data.turn) return say('reused', `it was issued for turn ${data.turn}`);
  if (again) return say('reused', 'it is in this text more than once');
  return say('real', `issued to ${data.session} for turn ${data.turn}, on a recall that found ${data.found}`);
}

async function findIssued(store: EventStore, stamp: string): Promise<{ data: EventOf<'stamp_issued'>['data']; at: string } | null> {
  let before: number | undefined;
  for (;;) {
    const records = await store.find({ types: ['stamp_issued'], limit: PAGE, ...(before === undefined ? {} : { before }) });
    for (const { event, at } of records) {
      const { data } = event as EventOf<'stamp_issued'>;
      if (data.stamp === stamp) return { data, at };
    }
    if (records.length < PAGE) return null;
    before = records.at(-1)?.seq;
  }
}
