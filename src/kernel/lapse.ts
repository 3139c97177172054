// Why a call that waited for a human ends without an answer: for the record, and in words for the agent.

import type { ApprovalState, Refusal } from '../protocol/index.ts';

export interface Lapse {
  readonly reason: string;
  readonly refusal: Refusal;
}

export function lapseOf(refusal: Refusal, question: string, became: ApprovalState | undefined, callerLeft: boolean): Lapse {
  if (became === 'withdrawn') {
    const said = `The rules have changed since, so ${question} was withdrawn and no answer to it counts: call again to be judged by the new rules.`;
    return { reason: 'the rules changed and the question was withdrawn', refusal: { ...refusal, message: `${refusal.message} ${said}` } };
  }
  const still = became === 'pending' ? 'still open' : 'no longer open';
  return {
    reason: callerLeft ? 'the caller went away while a human was asked' : 'no human answered in time',
    refusal: { ...refusal, message: `${refusal.message} No human has answered: ${question} is ${still}.` },
  };
}
