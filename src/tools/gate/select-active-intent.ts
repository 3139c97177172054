// select_active_intent: an agent cites the intent that its changes serve, and gets what that intent allows.

import { z } from 'zod';
import { IntentId, streams } from '../../protocol/index.ts';
import { intentContext } from '../intent-context.ts';
import { defineTool, plan, proposeRemedy, refuse } from '../tool.ts';

const RECENT_CHANGES = 8;

export const selectActiveIntent = defineTool({
  name: 'select_active_intent',
  description:
    'Cites the intent that you work on and returns its <intent_context>: scope, constraints, acceptance criteria, recent changes.',
  input: z.strictObject({ intent_id: IntentId }),
  declare: plan,
  idempotent: true,
  surfaces: ['contract'],
  run: async ({ intent_id }, { session, intents, recentChanges, faults }) => {
    const { intents: unreadable } = await faults();
    if (unreadable) throw unreadable;
    const intent = intents.find(({ id }) => id === intent_id);
    if (intent?.status !== 'active') {
      const active = intents.filter(({ status }) => status === 'active');
      const first = active[0];
      return refuse(
        'INTENT_NOT_ACTIVE',
        intent ? `${intent_id} is ${intent.status}, not active.` : `There is no intent ${intent_id} in this workspace.`,
        first
          ? `Choose one of: ${active.map(({ id, name }) => `${id} (${name})`).join(', ')}`
          : 'No intent is active; propose one, a human confirms it',
        first ? { tool: 'begin_work', args: { intent: first.id } } : proposeRemedy(intent),
      );
    }
    return {
      output: { intent: intent.id, name: intent.name, intent_context: intentContext(intent, recentChanges(intent.id, RECENT_CHANGES)) },
      events: [
        { stream: streams.session(session.id), event: { type: 'intent_selected', data: { session: session.id, intent: intent.id } } },
      ],
    };
  },
});
