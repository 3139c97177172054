// A lesson: what agents kept getting wrong, and what is done about it next time. One record has where, what and why.

import { z } from 'zod';
import { Instant } from './ids.ts';

export const LESSON_TRIGGERS = ['rejection_pattern', 'human_override', 'retrospective', 'rule_violation', 'friction_signal'] as const;
export const LESSON_PHASES = ['exploration', 'planning', 'execution', 'retrospective'] as const;
export const ENFORCEMENT_TYPES = ['few_shot', 'plan_rule', 'strategy_signal', 'informational'] as const;
export const LESSON_STATES = ['pending', 'provisional', 'approved', 'rejected', 'expired'] as const;

const Text = z.string().min(1).max(4_000);

export const FewShotExample = z.strictObject({
  instruction: Text,
  before: Text,
  after: Text,
  antiPattern: Text.optional(),
  whyWrong: Text.optional(),
});
export type FewShotExample = z.infer<typeof FewShotExample>;

/**
 * `condition` says when the rule applies, `requiredSteps` what a plan must then have, `denyCode` the code of a plan that has not. The words
 * that a condition and a step may consist of are in `docs/lessons.md`.
 */
export const PlanRule = z.strictObject({ condition: Text, requiredSteps: z.array(Text).max(20), denyCode: z.string().min(1).max(64) });
export type PlanRule = z.infer<typeof PlanRule>;

export const StrategySignal = z.strictObject({ featureFlag: z.string().min(1).max(64), value: z.boolean(), reason: Text });
export type StrategySignal = z.infer<typeof StrategySignal>;

export const Lesson = z.strictObject({
  id: z.string().min(1).max(128),
  trigger: z.enum(LESSON_TRIGGERS),
  phase: z.enum(LESSON_PHASES),
  /** Folders, such as `src/orders`; `.` is the whole tree. */
  domainAnchorIds: z.array(z.string().min(1).max(1024)).max(50),
  graphNodeIds: z.array(z.string().min(1).max(512)).max(50).optional(),
  enforcementType: z.enum(ENFORCEMENT_TYPES),
  fewShot: FewShotExample.optional(),
  planRule: PlanRule.optional(),
  strategySignal: StrategySignal.optional(),
  rejectionCodes: z.array(z.string().min(1).max(64)).max(50),
  originStrategyId: z.string().max(64).optional(),
  note: z.string().max(4_000).optional(),
  state: z.enum(LESSON_STATES),
  createdAt: Instant,
  updatedAt: Instant,
  traceRef: z.string().min(1).max(128),
});
export type Lesson = z.infer<typeof Lesson>;

/** What a context pack says of a lesson. */
export const ActiveMemory = Lesson.pick({
  id: true,
  enforcementType: true,
  trigger: true,
  phase: true,
  state: true,
  domainAnchorIds: true,
  rejectionCodes: true,
  fewShot: true,
  planRule: true,
  strategySignal: true,
  note: true,
});
export type ActiveMemory = z.infer<typeof ActiveMemory>;
