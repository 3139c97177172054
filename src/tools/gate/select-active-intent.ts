// select_active_intent: an agent cites the intent that its changes serve, and gets what that intent allows.

import { z } from 'zod';
import { IntentId, streams } from '../../protocol/index.ts';
import { defineTool, plan, refuse } from '../tool.ts';

export const selectActiveIntent = defineTool({
  name: 'select_active_intent',
  description: 'Cites the intent that you work on and returns its <intent_context>: scope, constraints, acceptance criteria.',
  input: z.strictObject({ intent_id: IntentId }),
  declare: plan,
  surfaces: ['contract'],
  run: async ({ intent_id }, { session, intents }) => {
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
        first
          ? { tool: 'begin_work', args: { intent: first.id } }
          : {
              tool: 'propose_intent',
              args: {
                name: intent?.name ?? 'Describe in a few words what should change',
                owned_scope: [...(intent?.owned_scope ?? ['src/**'])],
              },
            },
      );
    }
    return {
      output: { intent: intent.id, name: intent.name, intent_context: intentContext(intent) },
      events: [
        { stream: streams.session(session.id), event: { type: 'intent_selected', data: { session: session.id, intent: intent.id } } },
      ],
    };
  },
});

interface IntentText {
  readonly id: string;
  readonly name: string;
  readonly owned_scope: readonly string[];
  readonly constraints: readonly string[];
  readonly acceptance_criteria: readonly string[];
}

/** Lines are single and unmarked, so that a name or a constraint cannot close the block or open another. */
function intentContext(intent: IntentText): string {
  const list = (title: string, items: readonly string[]) => [
    `${title}:`,
    ...(items.length > 0 ? items.map((item) => `- ${oneLine(item)}`) : ['- none']),
  ];
  return [
    '<intent_context>',
    `${intent.id}: ${oneLine(intent.name)}`,
    ...list('May change', intent.owned_scope),
    ...list('Constraints', intent.constraints),
    ...list('Acceptance criteria', intent.acceptance_criteria),
    '</intent_context>',
  ].join('\n');
}

const oneLine = (text: string): string =>
  text
    .replace(/[\s\p{C}]+/gu, ' ')
    .replaceAll('<', '‹')
    .replaceAll('>', '›');
