// The text of a compliance stamp: the contract's sentence, then a line with the stamp's id and a seal that only the daemon can make.

import type { EventOf } from './events.ts';

/** The contract's exact text. */
export const stampText = (found: number): string =>
  found > 0
    ? `[COMPLIANCE] YES I HAVE SEARCHED, FOUND ${found} RELEVANT MEMORIES, BROUGHT THEM TO AGENT.`
    : '[COMPLIANCE] YES I HAVE SEARCHED, I HAVE FOUND ZERO RELEVANT MEMORIES, NOTHING WAS BROUGHT TO AGENT.';

/** What the seal is over: the sentence too, so that no other count can be put above it. */
export const sealedText = ({ stamp, session, turn, action, found }: Omit<EventOf<'stamp_issued'>['data'], 'seal'>): string =>
  JSON.stringify(['countersign stamp', stamp, session, turn, action, stampText(found)]);

export interface StampInText {
  readonly sentence: string;
  readonly stamp: string;
  readonly seal: string;
}

/** Every stamp in a text, also where it is quoted (`> `) or indented. */
export function findStamps(text: string): StampInText[] {
  const found = text.matchAll(/(\[COMPLIANCE\][^\n]{0,300})\r?\n[>\s]{0,40}(stp_[0-9A-Z]{26})[ \t]+([0-9a-fA-F]{6,64})/g);
  return [...found].map(([, sentence = '', stamp = '', seal = '']) => ({ sentence: sentence.trim(), stamp, seal: seal.toLowerCase() }));
}
