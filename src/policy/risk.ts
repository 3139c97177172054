// Risk: what cannot be proven harmless waits for a human. This first version proves only that a command reads; everything
// else asks. An approval counts once, for the very same input.

import { type Facts, type Proof, Proof as ProofOrder } from '../protocol/index.ts';
import { allow, ask, deny, type Policy } from './policy.ts';

const name = 'risk';

const strength = (proof: Proof | null): number => (proof === null ? -1 : ProofOrder.options.indexOf(proof));

/** Login until a human enrols something stronger; a command that is merely unproven needs no more than a yes. */
export const requiredProof = (facts: Facts): Proof => (facts.command === null || facts.command.class === 'MUTATING' ? 'none' : 'login');

export const isProofEnough = (facts: Facts, proof: Proof | null): boolean => strength(proof) >= strength(requiredProof(facts));

export const riskPolicy: Policy = {
  name,
  judge: (action, facts) => {
    const risky = action.effects.includes('execute') || action.effects.includes('external');
    if (!risky) return allow(name);
    const { approval, command } = facts;
    if (command?.reasons.some(({ code }) => code === 'CONTROL_CHARACTERS')) {
      return deny(name, {
        code: 'HIDDEN_CHARACTERS',
        message: 'This command holds control, bidirectional or invisible characters: what it shows is not what it does.',
        required_action: 'Write the command again in plain visible characters',
        remedy: null,
      });
    }
    if (approval?.state === 'approved' && isProofEnough(facts, approval.proof)) return allow(name);
    if (approval?.state === 'rejected') {
      return deny(name, {
        code: 'APPROVAL_REJECTED',
        message: `A human rejected this${approval.reason ? `: ${approval.reason}` : ', without a reason'} (${approval.id}).`,
        required_action: 'Do not try this again in another form; choose another way, or ask what they would accept',
        remedy: null,
      });
    }
    const reasons = new Set(command?.reasons.map((reason) => reason.message));
    const why = [...reasons].join('; ') || 'the gate cannot tell what it changes';
    return ask(name, {
      code: 'APPROVAL_REQUIRED',
      message: `This waits for a human (${command?.class ?? 'UNKNOWN TOOL'}): ${why}.`,
      required_action: 'Wait for the answer, then repeat exactly this call; an approval counts once and only for this input',
      remedy: { tool: 'countersign_status', args: {} },
    });
  },
  examples: [
    {
      says: 'a command that turns its own text around',
      action: { effects: ['execute'] },
      facts: { files: [], command: { class: 'MUTATING', reasons: [{ code: 'CONTROL_CHARACTERS', part: 'echo', message: 'hidden text' }] } },
      expect: 'HIDDEN_CHARACTERS',
    },
    {
      says: 'a command that deletes',
      action: { effects: ['execute'] },
      facts: {
        files: [],
        command: { class: 'DESTRUCTIVE', reasons: [{ code: 'DELETES', part: 'rm -rf build', message: 'rm deletes files' }] },
      },
      expect: 'APPROVAL_REQUIRED',
    },
    {
      says: 'a tool that the gate does not know',
      action: { effects: ['execute', 'external'] },
      facts: { files: [] },
      expect: 'APPROVAL_REQUIRED',
    },
    {
      says: 'a deletion approved without proof of a human',
      action: { effects: ['execute'] },
      facts: {
        files: [],
        command: { class: 'DESTRUCTIVE', reasons: [] },
        approval: { id: 'apr_00000000000000000000000000', state: 'approved', reason: null, proof: 'none' },
      },
      expect: 'APPROVAL_REQUIRED',
    },
    {
      says: 'a deletion that a human rejected',
      action: { effects: ['execute'] },
      facts: {
        files: [],
        command: { class: 'DESTRUCTIVE', reasons: [] },
        approval: { id: 'apr_00000000000000000000000000', state: 'rejected', reason: 'keep it', proof: 'login' },
      },
      expect: 'APPROVAL_REJECTED',
    },
    {
      says: 'a deletion that a logged-in human approved',
      action: { effects: ['execute'] },
      facts: {
        files: [],
        command: { class: 'DESTRUCTIVE', reasons: [] },
        approval: { id: 'apr_00000000000000000000000000', state: 'approved', reason: null, proof: 'login' },
      },
      expect: 'allow',
    },
    {
      says: 'a command proven to only read',
      action: { effects: ['observe'] },
      facts: { files: [], command: { class: 'SAFE', reasons: [] } },
      expect: 'allow',
    },
    { says: 'an edit of a file: scope and lock are its guards', expect: 'allow' },
  ],
};
