// The agent that every workspace has.

import { type AgentProfile, CHIEF } from '../protocol/index.ts';

export const BUILT_IN_CHIEF: AgentProfile = {
  id: CHIEF,
  name: 'Chief of Staff',
  role: CHIEF,
  instructions: 'You find out what the files say and answer briefly, with the passage that proves it.',
  tier: null,
  endpoint: null,
};
