// A human's commands on agents' work by plans.

import type { CommandHandlers, Kernel } from '../kernel/index.ts';
import { forHuman, type Locate } from './for-human.ts';

export interface PlanDeps {
  readonly kernel: Kernel;
  readonly locate: Locate;
}

export const planHandlers = ({ kernel, locate }: PlanDeps) =>
  ({
    grant_budget: {
      act: forHuman({ kernel, locate })('plan grant-budget', (caller, { tokens }, here) =>
        kernel.authority.grantBudget(caller, here, tokens),
      ),
    },
  }) satisfies Partial<CommandHandlers>;
