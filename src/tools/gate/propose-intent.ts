// propose_intent: an agent asks for work that no human has granted yet. A proposal grants nothing.

import { z } from 'zod';
import { type Intent, ownWords, type RunContext, SCOPE_LIMITS, streams, type ToolResult } from '../../protocol/index.ts';
import { compileGlob } from '../../workspace/index.ts';
import { defineTool, plan } from '../tool.ts';

const Lines = z.array(z.string().min(1).max(500)).max(50);
const Globs = z.array(z.string().min(1).max(SCOPE_LIMITS.characters)).min(1).max(SCOPE_LIMITS.globs);

export const proposeIntent = defineTool({
  name: 'propose_intent',
  description: 'Proposes an intent: what should change and in which paths. It grants nothing until a human confirms it.',
  input: z.strictObject({
    name: z
      .string()
      .min(1)
      .max(200)
      .refine(...ownWords),
    owned_scope: Globs.describe('Globs relative to the workspace root, such as src/auth/**'),
    constraints: Lines.optional(),
    acceptance_criteria: Lines.optional(),
  }),
  declare: plan,
  surfaces: ['hooked', 'contract'],
  run: async (input) => {
    // A glob that cannot be read must not reach a human as something to confirm.
    for (const glob of input.owned_scope) compileGlob(glob);
    const wanted = {
      name: input.name,
      status: 'proposed',
      owned_scope: input.owned_scope,
      constraints: input.constraints ?? [],
      acceptance_criteria: input.acceptance_criteria ?? [],
    } as const;
    // The number is taken last: if another kernel took the same one, this runs again.
    return { output: null, finish: (now) => propose(now, wanted) };
  },
});

function propose({ session, intents, nextIntentId }: RunContext, wanted: Omit<Intent, 'id'>): ToolResult {
  const waiting = intents.find((known) => isSameProposal(known, wanted));
  if (waiting) {
    const next = `It was proposed before and still waits. ${nextFor(waiting.id)}`;
    return { output: { intent: waiting.id, status: 'proposed', next } };
  }
  const intent: Intent = { id: nextIntentId(), ...wanted };
  const { workspace } = session;
  const data = { workspace, intent, session: session.id, reason: 'proposed by the agent' };
  return {
    output: {
      intent: intent.id,
      status: 'proposed',
      next: nextFor(intent.id),
    },
    events: [{ stream: streams.intent(workspace, intent.id), event: { type: 'intent_proposed', data } }],
  };
}

const nextFor = (id: string): string => `Stop and tell the human: to confirm, run in your own terminal: countersign intents activate ${id}`;

/** An agent that is refused and tries again must not fill the human's list with the same question. */
const isSameProposal = (known: RunContext['intents'][number], wanted: Omit<Intent, 'id'>): boolean =>
  known.status === 'proposed' &&
  known.name.trim().toLowerCase() === wanted.name.trim().toLowerCase() &&
  known.owned_scope.toSorted().join('\n') === wanted.owned_scope.toSorted().join('\n');
