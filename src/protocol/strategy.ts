// How a piece of work is approached: what is known about its context, the class that was chosen, and why.

import { z } from 'zod';
import { StrategyReason } from './plan.ts';

/** By what checks exist: none; some that cannot show a wrong result; tests; tests and types. */
export const TEST_CONFIDENCE = ['none', 'low', 'medium', 'high'] as const;
export const TestConfidence = z.enum(TEST_CONFIDENCE);
export type TestConfidence = z.infer<typeof TestConfidence>;

export const ContextSignature = z.strictObject({
  hasJira: z.boolean(),
  hasSwagger: z.boolean(),
  mentionsAgGrid: z.boolean(),
  touchesShadowDom: z.boolean(),
  crossesFederationBoundary: z.boolean(),
  migrationAdpDetected: z.boolean(),
  contractAnchorPresent: z.boolean(),
  testConfidenceLevel: TestConfidence,
});
export type ContextSignature = z.infer<typeof ContextSignature>;
export type ContextFlag = Exclude<keyof ContextSignature, 'testConfidenceLevel'>;

/** The four of the seed. Packs may have more; `general_code_change` is the neutral one of the `code` pack. */
export const STRATEGY_CLASSES = ['ui_aggrid_feature', 'api_contract_feature', 'migration_adp_to_sdf', 'debug_symptom_trace'] as const;

export const SWITCH_TRIGGERS = [
  'plan_rejected',
  'policy_conflict',
  'repeated_failure_threshold',
  'repeated_action_threshold',
  'missing_required_proof_chain',
] as const;
export const SwitchTrigger = z.enum(SWITCH_TRIGGERS);
export type SwitchTrigger = z.infer<typeof SwitchTrigger>;

/** The form of `knowledgeStrategy` in every answer. */
export const KnowledgeStrategy = z.strictObject({
  strategyId: z.string(),
  contextSignature: ContextSignature.optional(),
  reasons: z.array(StrategyReason),
});
export type KnowledgeStrategy = z.infer<typeof KnowledgeStrategy>;
