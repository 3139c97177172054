// What is said when a pack cannot be assembled: what is missing, what to do about it step by step, and what stays closed until then.

import type { EscalationStep, MissingAnchor, PackInsufficiency, PlanError } from '../../protocol/index.ts';

/** Whatever changes something. */
export const BLOCKED_WITHOUT_PACK = [
  'apply_code_patch',
  'run_sandboxed_code',
  'execute_gated_side_effect',
  'run_automation_recipe',
] as const;

export const NO_INDEX: MissingAnchor = {
  anchorType: 'section',
  requiredBy: 'anchors',
  whyRequired: 'Anchors and proof chains are looked up in the code index, and there is none for this tree yet.',
  attemptedSources: ['code index', 'graph'],
  confidence: 1,
};

/** The index may be under way, so waiting comes before a human. */
const WITHOUT_INDEX: readonly EscalationStep[] = [
  { action: 'wait', reason: 'The index may still be being made: submit the plan again in a moment.' },
  {
    action: 'ask_human',
    reason: 'If it stays away, a human can run countersign doctor.',
    verb: 'request_evidence_guidance',
    args: { blockingReasons: ['There is no code index for this tree'] },
  },
];

/** Null when nothing is missing that a pack needs. */
export function packInsufficiency(hasIndex: boolean, errors: readonly PlanError[]): PackInsufficiency | null {
  const unresolved = errors.filter(({ code }) => code === 'PACK_REQUIRED_ANCHOR_UNRESOLVED');
  if (hasIndex && unresolved.length === 0) return null;
  return {
    missingAnchors: [...(hasIndex ? [] : [NO_INDEX]), ...unresolved.map(missingAnchor)],
    escalationPlan: [...(hasIndex ? [] : WITHOUT_INDEX), ...unresolved.map(stepFor)],
    blockedCommands: [...BLOCKED_WITHOUT_PACK],
  };
}

export const missingAnchor = ({ nodeId, field, message }: PlanError): MissingAnchor => ({
  anchorType: field.startsWith('targetSymbols') ? 'symbol' : 'file',
  requiredBy: nodeId ?? 'plan',
  whyRequired: message,
  attemptedSources: field.startsWith('targetSymbols') ? ['definitions of the file'] : ['work tree', 'code index'],
  confidence: 1,
});

function stepFor({ fix, remedy, field }: PlanError): EscalationStep {
  const action = field.startsWith('targetSymbols') ? 'lookup' : 'search';
  return { action, reason: fix, ...(remedy ? { verb: remedy.verb, args: remedy.args } : {}) };
}
