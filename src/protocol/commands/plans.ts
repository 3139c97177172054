// What a human decides about agents' work by plans, beyond answering their questions.

import { z } from 'zod';
import { BudgetStatus } from '../work.ts';
import { ANY_HUMAN, type CommandDeclaration, Here } from './command.ts';

export const planCommands = {
  /** More tokens for the turns of this workspace's controller. */
  grant_budget: {
    who: ANY_HUMAN,
    input: Here.extend({ tokens: z.int().min(1).max(10_000_000) }),
    output: BudgetStatus,
  },
} as const satisfies Record<string, CommandDeclaration>;
