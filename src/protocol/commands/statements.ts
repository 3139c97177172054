// What a human's key signs, by command. Client and daemon make the same statement, each from what it knows: a signature for anything
// other than what is recorded does not match.

import type { Approval } from '../events.ts';
import type { KeyProof } from '../intent.ts';

export interface Statement {
  readonly command: string;
  readonly about: Readonly<Record<string, unknown>>;
}

/** This much of a digest identifies a text: with fewer digits, an agent that writes both texts could find a pair that shares them. */
export const TEXT_DIGITS = 32;

/** An approval as it is bound: to one action, its exact input and the rules in force. */
export type BoundApproval = Pick<Approval, 'id' | 'action' | 'input_sha256' | 'policy_revision'>;

interface SignedIntent {
  readonly cwd: string;
  readonly name: string;
  readonly paths: readonly string[];
  readonly constraints: readonly string[];
  readonly acceptance_criteria: readonly string[];
}

const bound = ({ id, action, input_sha256, policy_revision }: BoundApproval) => ({ approval: id, action, input_sha256, policy_revision });

export const statements = {
  approve: (approval: BoundApproval, reason: string | null): Statement => ({
    command: 'approve',
    about: { ...bound(approval), answer: 'approved', reason },
  }),
  reject: (approval: BoundApproval, reason: string | null): Statement => ({
    command: 'reject',
    about: { ...bound(approval), answer: 'rejected', reason },
  }),
  grant: (approval: BoundApproval, pattern: string, seconds: number): Statement => ({
    command: 'grant',
    about: { ...bound(approval), answer: 'approved', pattern, seconds },
  }),
  intent: ({ cwd, name, paths, constraints, acceptance_criteria }: SignedIntent): Statement => ({
    command: 'intent',
    about: { cwd, name, paths, constraints, acceptance_criteria },
  }),
  /** `intent_sha256`: of the canonical JSON of the intent as it is to hold, whole. Records from before it was signed have none. */
  intentStatus: (cwd: string, intent: string, status: string, intent_sha256: string): Statement => ({
    command: 'intents',
    about: { cwd, intent, status, intent_sha256 },
  }),
  pause: (cwd: string, seconds: number, reason: string): Statement => ({ command: 'pause', about: { cwd, seconds, reason } }),
  /** `files_sha256`: of the canonical JSON of the list that is recorded. */
  ack: (root: string, files_sha256: string, reason?: string): Statement => ({
    command: 'ack',
    about: { root, files_sha256, ...(reason === undefined ? {} : { reason }) },
  }),
  /** It contains `proof` for a client's key only. */
  enroll: (key: string, public_key: string, proof: KeyProof = 'passphrase'): Statement => ({
    command: 'approver enroll',
    about: { key, public_key, ...(proof === 'dialog' ? { proof } : {}) },
  }),
  remove: (key: string): Statement => ({ command: 'approver remove', about: { key } }),
} as const;

/**
 * The statement of each command that can be signed: from the command's input and from `known`, which client and daemon each look up for
 * themselves.
 */
export const commandStatements = {
  answer_approval: (
    { answer, reason }: { readonly answer: 'approved' | 'rejected'; readonly reason?: string | undefined },
    approval: BoundApproval,
  ): Statement => (answer === 'approved' ? statements.approve : statements.reject)(approval, reason?.trim() || null),
  make_grant: ({ pattern, seconds }: { readonly pattern: string; readonly seconds: number }, approval: BoundApproval): Statement =>
    statements.grant(approval, pattern, seconds),
  declare_intent: ({
    constraints = [],
    acceptance_criteria = [],
    ...rest
  }: Pick<SignedIntent, 'cwd' | 'name' | 'paths'> & Partial<SignedIntent>): Statement =>
    statements.intent({ ...rest, constraints, acceptance_criteria }),
  set_intent_status: ({ cwd, id, status, sha256 }: AboutIntent & { readonly status: string }): Statement =>
    statements.intentStatus(cwd, id, status, sha256 ?? ''),
  /** `edited`: what the file says of the intent. */
  settle_intent_edit: ({ cwd, id, sha256 }: AboutIntent, edited: { readonly status: string } | undefined): Statement =>
    statements.intentStatus(cwd, id, edited?.status ?? '', sha256 ?? ''),
  pause: ({ cwd, seconds, reason }: { readonly cwd: string; readonly seconds: number; readonly reason: string }): Statement =>
    statements.pause(cwd, seconds, reason),
  acknowledge: (
    { reason }: { readonly reason?: string | undefined },
    list: { readonly root: string; readonly files_sha256: string },
  ): Statement => statements.ack(list.root, list.files_sha256, reason),
  /** `key`: the id made from the public key. */
  enroll_approver: (
    { public_key, proof }: { readonly public_key: string; readonly proof?: KeyProof | undefined },
    key: string,
  ): Statement => statements.enroll(key, public_key, proof),
  remove_approver: ({ id }: { readonly id: string }): Statement => statements.remove(id),
} as const;

interface AboutIntent {
  readonly cwd: string;
  readonly id: string;
  /** Of the text that the human was shown. */
  readonly sha256?: string | null | undefined;
}
