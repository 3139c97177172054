// The circuit breaker: a refusal or failure that repeats becomes a question to a human. It never allows anything and
// never blocks what would be allowed: it only changes what a refusal says.

import { type Action, type Code, CODES, type Refusal } from '../protocol/index.ts';

export interface Streak {
  /** How often the agent repeated it after it had received the answer before. */
  rounds: number;
  /** When the last answer was recorded. */
  answeredAt: string;
}

/** The first call and two retries: the third refusal becomes a question to a human. */
const ROUNDS = 3;

/** What counts as the same: a failing tool whatever it is given; a refusal of this very target, or of this very input. */
export function refusalKey({ tool, resources, input_sha256 }: Action, code: string): string {
  if (CODES[code as Code]?.kind !== 'refusal') return JSON.stringify([code, tool]);
  const targets = resources.map((resource) => ('path' in resource ? resource.path : ''));
  return JSON.stringify([code, tool, targets.length > 0 && !targets.includes('') ? targets : input_sha256]);
}

/** Calls that were made before the last answer was out are one round: an agent that calls in parallel does not loop. */
export function countRefusal(streaks: Map<string, Streak>, key: string, askedAt: string, answeredAt: string): void {
  const known = streaks.get(key);
  if (!known) streaks.set(key, { rounds: 1, answeredAt });
  else if (askedAt > known.answeredAt) streaks.set(key, { rounds: known.rounds + 1, answeredAt });
}

/** The count, when this refusal is one too many; null: not yet. */
export function timesTooOften(streaks: ReadonlyMap<string, Streak> | undefined, action: Action, code: string): number | null {
  const known = streaks?.get(refusalKey(action, code));
  if (!known) return null;
  const times = known.rounds + (action.at > known.answeredAt ? 1 : 0);
  return times >= ROUNDS ? times : null;
}

export const askForHelp = (refusal: Refusal, tool: string, times: number): Refusal => ({
  ...refusal,
  error_code: 'NEEDS_HUMAN',
  message: `${refusal.error_code} for the ${times}th time: ${refusal.message}`.replace('3th', '3rd'),
  recoverable: false,
  required_action: `Stop repeating this. Tell the human what you tried and what is in the way, or ask with request_human. What would lead on: ${refusal.required_action}`,
  remedy: {
    tool: 'request_human',
    args: { question: `${tool} was refused ${times} times: ${refusal.message}`.slice(0, 500).toWellFormed() },
  },
  also_missing: [{ error_code: refusal.error_code, message: refusal.message }, ...refusal.also_missing],
});
