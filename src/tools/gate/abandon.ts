// abandon: the agent gives up its current work. Never gated; it can only lower a status.

import { z } from 'zod';
import { streams } from '../../protocol/index.ts';
import { defineTool, eventIn, plan } from '../tool.ts';

export const abandon = defineTool({
  name: 'abandon',
  description: 'Gives up the work at hand: the intent is no longer cited and the mode is PASSIVE. Always allowed. Say why.',
  input: z.strictObject({ reason: z.string().trim().min(1).max(500) }),
  declare: plan,
  surfaces: ['hooked', 'contract'],
  run: async ({ reason }, { session }) => ({
    output: {
      abandoned: session.intent,
      mode: 'PASSIVE',
      next: 'Tell the user what is done, what is not, and why. begin_work starts again.',
    },
    events: [eventIn(streams.session(session.id), { type: 'work_abandoned', data: { session: session.id, reason } })],
  }),
});
