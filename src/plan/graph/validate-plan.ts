// The six checks of a plan over facts that were looked up before: envelope, fields, scope and safety, evidence, strategy, memory rules.
//
// INVARIANT: pure. The same draft and the same facts give the same answer, and what is accepted can be executed in the order of its dependencies.

import { ENVELOPE_FIELDS, type MemoryRuleResult, type PlanError, type PlanGraph, type PlanNode } from '../../protocol/index.ts';
import { checkEnvelope, readEvidencePolicy } from './check-envelope.ts';
import { checkEvidence } from './check-evidence.ts';
import { checkRules } from './check-rules.ts';
import { checkScope } from './check-scope.ts';
import { checkStrategy } from './check-strategy.ts';
import { checkStructure } from './check-structure.ts';
import { checkVerification } from './check-verification.ts';
import { checkWording } from './check-wording.ts';
import { envelopeOf, fillInNodes, fingerprintOf } from './fill-in.ts';
import type { PlanFacts } from './plan-facts.ts';
import type { PlanDraft } from './read-plan.ts';

export interface PlanJudgement {
  readonly accepted: boolean;
  readonly plan: PlanGraph | null;
  readonly errors: readonly PlanError[];
  readonly memoryRuleResults: readonly MemoryRuleResult[];
  readonly needsHumanReview: readonly string[];
  readonly filledIn: readonly string[];
}

export function validatePlan(draft: PlanDraft, facts: PlanFacts): PlanJudgement {
  const filled = fillInNodes(draft, facts);
  const { policy, errors: policyErrors } = readEvidencePolicy(draft, facts.situation.evidencePolicy);
  const nodes: readonly PlanNode[] = filled.nodes.map(({ node }) => node);
  const isWhole = nodes.length > 0 && nodes.length === draft.ids.length;
  const fingerprint = isWhole ? fingerprintOf(nodes, policy) : null;
  const evidence = checkEvidence(filled.nodes, draft, facts, policy);
  const rules = checkRules(filled.nodes, facts);
  const errors = [
    ...draft.errors,
    ...checkEnvelope(draft, facts, fingerprint),
    ...policyErrors,
    ...filled.errors,
    ...checkStructure(filled.nodes, draft),
    ...checkScope(filled.nodes, draft, facts),
    ...evidence.errors,
    ...checkVerification(filled.nodes, facts),
    ...checkWording(filled.nodes, draft),
    ...checkStrategy(filled.nodes, draft, facts),
    ...rules.errors,
  ];
  const { pack } = facts;
  return {
    accepted: errors.length === 0 && isWhole && pack !== null,
    plan: fingerprint !== null && pack !== null ? envelopeOf(nodes, draft, { ...facts, pack }, policy, fingerprint) : null,
    errors,
    memoryRuleResults: rules.memoryRuleResults,
    needsHumanReview: evidence.needsHumanReview,
    filledIn: [...filledEnvelope(draft), ...filled.filledIn],
  };
}

const filledEnvelope = ({ envelope }: PlanDraft): readonly string[] => ENVELOPE_FIELDS.filter((field) => !envelope.has(field));
