// countersign_status: the agent's state: mode, intent, pending approvals. Never gated.

import { z } from 'zod';
import type { RunContext } from '../../protocol/index.ts';
import { defineTool } from '../tool.ts';

export const countersignStatus = defineTool({
  name: 'countersign_status',
  description: 'Shows your status: mode, cited intent, active intents, questions that wait for a human. Always allowed.',
  input: z.strictObject({}),
  declare: () => ({ effects: ['observe'], resources: [] }),
  readOnly: true,
  surfaces: ['hooked', 'contract'],
  run: async (_input, { session, intents, settings, questions, faults }) => ({
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
      ...troublesOf(await faults()),
    },
  }),
});

/** Left out when there are none. */
function troublesOf({ intents, settings }: Awaited<ReturnType<RunContext['faults']>>): { troubles?: readonly string[] } {
  const troubles = [intents, settings].flatMap((fault) =>
    fault ? [`${fault.message}. Until a human fixes it, changes are refused.`] : [],
  );
  return troubles.length > 0 ? { troubles } : {};
}
