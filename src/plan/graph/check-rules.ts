// The rules that apply to this plan: of lessons, whose results are reported one by one, and of policy rows and the intent's constraints.

import { PLAN_CODES, type MemoryRuleResult, type PlanCode, type PlanError } from '../../protocol/index.ts';
import { type RuleFinding, ruleFindings, stepInWords } from '../../memory/index.ts';
import type { FilledNode } from './fill-in.ts';
import { inEnvelope, inNode, planError } from './plan-error.ts';
import type { PlanFacts } from './plan-facts.ts';

export interface RuleErrors {
  readonly errors: readonly PlanError[];
  readonly memoryRuleResults: readonly MemoryRuleResult[];
}

export function checkRules(nodes: readonly FilledNode[], facts: PlanFacts): RuleErrors {
  const plan = { nodes: nodes.map(({ node }) => node), strategyId: facts.strategy.strategyId };
  const ofLessons = ruleFindings(facts.lessonRules, plan);
  const ofPolicies = ruleFindings(facts.policyRules, plan);
  return {
    errors: [
      ...ofLessons.filter(({ satisfied }) => !satisfied).map((finding) => ruleError(finding, `The lesson ${finding.memoryId}`, nodes)),
      ...ofPolicies.filter(({ satisfied }) => !satisfied).map((finding) => ruleError(finding, finding.memoryId, nodes)),
    ],
    memoryRuleResults: ofLessons.map(({ memoryId, condition, satisfied, denyCode }) => ({
      ...{ memoryId, condition, satisfied },
      ...(denyCode === undefined ? {} : { denyCode }),
    })),
  };
}

function ruleError({ condition, denyCode, missing, nodeId }: RuleFinding, name: string, nodes: readonly FilledNode[]): PlanError {
  const known = PLAN_CODES.find((code) => code === denyCode);
  const code: PlanCode = known ?? 'PLAN_POLICY_VIOLATION';
  const about = nodes.find(({ node }) => node.nodeId === nodeId);
  const because = known || denyCode === undefined ? '' : ` (${denyCode})`;
  return planError({
    code,
    at: about ? inNode({ at: about.at, nodeId: about.node.nodeId }) : inEnvelope('nodes'),
    message:
      missing.length > 0
        ? `${name} asks for ${missing.map((step) => JSON.stringify(step)).join(' and ')} where "${condition}" holds${because}.`
        : `${name} forbids what this plan does: ${condition}${because}.`,
    fix:
      missing.length > 0
        ? sentence(missing.map(stepInWords).join('; '))
        : 'Leave this node out, or plan the change so that the condition does not hold',
  });
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
