// What lessons may do, how they come to be and how long they wait, with their defaults.

import { z } from 'zod';
import { ENFORCEMENT_TYPES, LESSON_STATES } from './lesson.ts';

const hours = z
  .int()
  .min(0)
  .max(24 * 365);
const times = z.int().min(1).max(1_000);
const types = z.array(z.enum(ENFORCEMENT_TYPES));

export const MEMORY_FIELDS = {
  /** Rejections before a lesson is made. */
  rejectionThreshold: times,
  /** How long a pending lesson waits to be contested. */
  contestWindowHours: hours,
  /** How long a provisional lesson waits to be approved. */
  provisionalExpiryHours: hours,
  humanOverrideInitialState: z.enum(LESSON_STATES),
  enableFewShotInjection: z.boolean(),
  enablePlanRuleMutation: z.boolean(),
  enableStrategyOverride: z.boolean(),
  /** How many folders deep anchors go. */
  anchorAutoSeedMaxDepth: z.int().min(0).max(20),
  anchorExcludePatterns: z.array(z.string().min(1).max(256)).max(200),
  enableFrictionLedger: z.boolean(),
  frictionLedgerMaxEntries: z.int().min(1).max(1_000_000),
  enableAutoScaffoldFromRejections: z.boolean(),
  autoScaffoldMinRejections: times,
  autoPromotableEnforcementTypes: types,
  humanApprovalRequired: types,
} as const;

export type MemorySettings = z.infer<z.ZodObject<typeof MEMORY_FIELDS>>;

export const DEFAULT_MEMORY_SETTINGS: MemorySettings = {
  rejectionThreshold: 3,
  contestWindowHours: 48,
  provisionalExpiryHours: 48,
  humanOverrideInitialState: 'approved',
  enableFewShotInjection: true,
  enablePlanRuleMutation: true,
  enableStrategyOverride: true,
  anchorAutoSeedMaxDepth: 3,
  anchorExcludePatterns: [
    ...['node_modules', '.git', '.ai', 'dist', 'build', 'coverage', 'out', 'target', '.next', '.cache', '.orchestration', '.control-room'],
  ],
  enableFrictionLedger: true,
  frictionLedgerMaxEntries: 5000,
  enableAutoScaffoldFromRejections: true,
  autoScaffoldMinRejections: 3,
  autoPromotableEnforcementTypes: ['informational', 'strategy_signal'],
  humanApprovalRequired: ['plan_rule'],
};
