// begin_work: everything the gate asks of an agent before its first change, in one call. It declares the mode and cites the
// intent as child actions with receipts of their own, in the contract's order.

import { z } from 'zod';
import { IntentId, Mode } from '../../protocol/index.ts';
import { type Context, defineTool, plan, refuse, type Result } from '../tool.ts';

export const beginWork = defineTool({
  name: 'begin_work',
  description:
    'Call once before your first change for a prompt. Declares the mode and cites the intent that you work on, and returns what the intent allows: its paths, constraints and acceptance criteria. Without `intent` it takes the only active one.',
  input: z.strictObject({
    intent: IntentId.optional().describe('Id of the active intent to work on, such as INT-001'),
    mode: Mode.optional().describe('GUARDED or STRICT; without it, the minimum that a human set'),
  }),
  declare: plan,
  surfaces: ['hooked', 'contract'],
  run: async (input, context) => {
    const mode = await context.child('memory_set_mode', { mode: input.mode ?? context.settings.minimumMode ?? 'GUARDED' });
    if (mode.refusal) return { output: mode.refusal, refusal: mode.refusal };

    const intent = input.intent ?? onlyActive(context);
    if (typeof intent !== 'string') return intent;
    const selected = await context.child('select_active_intent', { intent_id: intent });
    if (selected.refusal) return { output: selected.refusal, refusal: selected.refusal };

    return {
      output: {
        ...(mode.output as object),
        ...(selected.output as object),
        receipts: [mode.receiptId, selected.receiptId],
        next: 'Go on with your work inside these paths. Each change is recorded.',
      },
    };
  },
});

function onlyActive(context: Context): string | Result {
  const active = context.intents.filter(({ status }) => status === 'active');
  const [first, second] = active;
  if (first && !second) return first.id;
  if (first) {
    const list = active.map(({ id, name }) => `${id} (${name})`).join(', ');
    return refuse(
      'INTENT_AMBIGUOUS',
      `Several intents are active: ${list}.`,
      'Call begin_work again with `intent` set to the one that you work on',
      {
        tool: 'begin_work',
        args: { intent: first.id },
      },
    );
  }
  return refuse(
    'INTENT_REQUIRED',
    'No intent is active, so nothing may be changed yet.',
    'Propose one with propose_intent, then stop and ask a human to confirm it; or ask them to run: countersign intent "what should change" PATH',
    { tool: 'propose_intent', args: { name: 'Describe in a few words what should change', owned_scope: ['src/**'] } },
  );
}
