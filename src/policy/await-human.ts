// The verdict of every policy that refers to a human: ask until there is an answer, then follow it.

import { type Facts, foreignTextNote, type Proof, Proof as ProofOrder, type Verdict } from '../protocol/index.ts';
import { allow, ask, deny, type ObjectionText } from './policy.ts';

const strength = (proof: Proof | null): number => (proof === null ? -1 : ProofOrder.options.indexOf(proof));

export const isAsStrong = (proof: Proof | null, needed: Proof): boolean => strength(proof) >= strength(needed);
export const strongerProof = (one: Proof, other: Proof): Proof => (isAsStrong(one, other) ? one : other);

/** Login until a human enrols something stronger; a command that is merely unproven needs no more than a yes. */
export const requiredProof = (facts: Facts): Proof =>
  (facts.command === null ? facts.files.some(({ secret }) => secret !== undefined) : facts.command.class !== 'MUTATING')
    ? (facts.proof_needed ?? 'login')
    : 'none';

export const isProofEnough = (facts: Facts, proof: Proof | null): boolean => isAsStrong(proof, requiredProof(facts));

export function awaitHuman(policy: string, facts: Facts, question: Pick<ObjectionText, 'message' | 'required_action'>): Verdict {
  const { approval } = facts;
  if (approval?.state === 'approved' && isProofEnough(facts, approval.proof)) return allow(policy);
  if (approval?.state === 'rejected') {
    return deny(policy, {
      code: 'APPROVAL_REJECTED',
      message: `A human rejected this${approval.reason ? `: ${approval.reason}` : ', without a reason'} (${approval.id}).`,
      required_action: 'Do not try this again in another form; choose another way, or ask what they would accept',
      remedy: null,
    });
  }
  const { foreign_text: foreign } = facts;
  const message = foreign ? `${question.message} ${foreignTextNote(foreign)}` : question.message;
  return ask(policy, { code: 'APPROVAL_REQUIRED', ...question, message, remedy: { tool: 'countersign_status', args: {} } });
}
