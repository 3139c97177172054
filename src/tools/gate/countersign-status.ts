// countersign_status: the agent's state: mode, intent, pending approvals. Never gated.

import { z } from 'zod';
import { defineTool } from '../tool.ts';

export const countersignStatus = defineTool({
  name: 'countersign_status',
  description: 'Shows your status: mode, cited intent, active intents, questions that wait for a human. Always allowed.',
  input: z.strictObject({}),
  declare: () => ({ effects: ['observe'], resources: [] }),
  readOnly: true,
  surfaces: ['hooked', 'contract'],
  run: async (_input, { session, intents, settings, questions }) => ({
    output: {
      session: session.id,
      level: session.level,
      mode: session.mode,
      minimum_mode: settings.minimumMode,
      pinned_mode: settings.pinnedMode,
      intent: session.intent,
      recall: session.recall && {
        at: session.recall.at,
        found: session.recall.found,
        in_this_turn: session.recall.turn === session.turn,
        good_for_a_stamp: session.recall.stampable && session.recall.turn === session.turn,
      },
      steps: session.steps,
      active_intents: intents.filter(({ status }) => status === 'active').map(({ id, name, owned_scope }) => ({ id, name, owned_scope })),
      proposed_intents: intents.filter(({ status }) => status === 'proposed').map(({ id, name }) => ({ id, name })),
      questions,
    },
  }),
});
