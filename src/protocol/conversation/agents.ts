// The agents that a person can ask. An agent is a role with words of its own; a model behind an endpoint speaks for it.

import { z } from 'zod';
import { PathId } from '../ids.ts';

/** How many tools an agent may use in a turn grows with its tier. */
export const Tier = z.int().min(1).max(5);

export const AgentProfile = z.strictObject({
  id: PathId,
  name: z.string().min(1).max(100),
  /** A role's name: it decides which sources its evidence has to come from. */
  role: PathId,
  /** What the model is given to be this agent. */
  instructions: z.string().max(4000),
  /** Null: not known, so the usual number of tools. */
  tier: Tier.nullable(),
  /** An endpoint's id; null: the default one. */
  endpoint: PathId.nullable(),
});
export type AgentProfile = z.infer<typeof AgentProfile>;

export const AgentRow = AgentProfile.extend({
  /** `built-in`: it was not changed in this workspace. */
  origin: z.enum(['built-in', 'workspace']),
  credits: z.int(),
});
export type AgentRow = z.infer<typeof AgentRow>;

export const CHIEF = 'chief';
