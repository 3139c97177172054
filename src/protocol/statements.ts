// What a human's key signs, by command. Client and daemon make the same statement, each from what it knows: a signature for anything else
// than what is recorded does not fit.

import type { Approval } from './events.ts';

export interface Statement {
  readonly command: string;
  readonly about: Readonly<Record<string, unknown>>;
}

/** An approval as it is bound: to one action, its exact input and the rules in force. */
export type BoundApproval = Pick<Approval, 'id' | 'action' | 'input_sha256' | 'policy_revision'>;

const bound = ({ id, action, input_sha256, policy_revision }: BoundApproval) => ({ approval: id, action, input_sha256, policy_revision });

export const statements = {
  approve: (approval: BoundApproval, reason: string | null): Statement => ({
    command: 'approve',
    about: { ...bound(approval), answer: 'approved', reason },
  }),
  grant: (approval: BoundApproval, pattern: string, seconds: number): Statement => ({
    command: 'grant',
    about: { ...bound(approval), answer: 'approved', pattern, seconds },
  }),
  intent: (wish: {
    readonly cwd: string;
    readonly name: string;
    readonly paths: readonly string[];
    readonly constraints: readonly string[];
    readonly acceptance_criteria: readonly string[];
  }): Statement => {
    const { cwd, name, paths, constraints, acceptance_criteria } = wish;
    return { command: 'intent', about: { cwd, name, paths, constraints, acceptance_criteria } };
  },
  /** `intent_sha256`: of the canonical JSON of the intent as it is to hold, whole. Records from before it was signed have none. */
  intentStatus: (cwd: string, intent: string, status: string, intent_sha256: string): Statement => ({
    command: 'intents',
    about: { cwd, intent, status, intent_sha256 },
  }),
  pause: (cwd: string, seconds: number, reason: string): Statement => ({ command: 'pause', about: { cwd, seconds, reason } }),
  /** `files_sha256`: of the canonical JSON of the list that is recorded. */
  ack: (root: string, files_sha256: string): Statement => ({ command: 'ack', about: { root, files_sha256 } }),
  enroll: (key: string, public_key: string): Statement => ({ command: 'approver enroll', about: { key, public_key } }),
  remove: (key: string): Statement => ({ command: 'approver remove', about: { key } }),
} as const;
