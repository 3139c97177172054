// The shape of a policy, and of the examples that each one ships.

import type { Action, Facts, Objection, RefusalCode, Remedy, Verdict } from '../protocol/index.ts';

export interface Policy {
  readonly name: string;
  /** Raised when it judges differently than before: questions that were asked under the old version are asked again. */
  readonly version: number;
  /** Pure: the same action and facts give the same verdict, on any machine, years later. */
  readonly judge: (action: Action, facts: Facts) => Verdict;
  /** It also judges reads; otherwise reads never depend on it. */
  readonly guardsReads?: true;
  /** At least one that it must object to and one that it must let pass. They are run before it judges anything. */
  readonly examples: readonly PolicyExample[];
}

export interface PolicyExample {
  readonly says: string;
  readonly action?: Partial<Action>;
  readonly facts?: Partial<Facts>;
  readonly expect: 'allow' | RefusalCode;
}

export const allow = (policy: string): Verdict => ({ policy, outcome: 'allow' });

export interface ObjectionText {
  readonly code: RefusalCode;
  readonly message: string;
  readonly required_action: string;
  readonly remedy: Remedy | null;
}

export const deny = (policy: string, text: ObjectionText): Objection => ({ policy, outcome: 'deny', ...text });
export const ask = (policy: string, text: ObjectionText): Objection => ({ policy, outcome: 'ask', ...text });
