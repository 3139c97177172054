// request_scope: an agent asks for paths that its intent does not have. A human grants them, or does not.

import { z } from 'zod';
import { Intent, IntentId, type RunContext, SCOPE_LIMITS, streams } from '../../protocol/index.ts';
import { compileGlob } from '../../workspace/index.ts';
import { defineTool, eventIn, refuse } from '../tool.ts';

export const requestScope = defineTool({
  name: 'request_scope',
  description: 'Asks a human to add paths to an active intent. Nothing is granted until they say yes; then repeat the change.',
  input: z.strictObject({
    intent_id: IntentId.optional().describe('Without it, the intent that you cited'),
    paths: z.array(z.string().min(1).max(SCOPE_LIMITS.characters)).min(1).max(SCOPE_LIMITS.globs).describe('Globs relative to the root'),
    reason: z.string().trim().min(1).max(500),
  }),
  declare: ({ intent_id, paths, reason }) => {
    // A glob that cannot be read must not reach a human as something to grant.
    for (const glob of paths) compileGlob(glob);
    const question = `${intent_id ?? 'The cited intent'} wants to change also ${paths.join(', ')}: ${reason}`;
    return { effects: ['plan'], resources: [{ kind: 'human', question, options: [], scope: { intent: intent_id ?? null, paths } }] };
  },
  surfaces: ['hooked', 'contract'],
  // While the session is locked: the intent may have changed before the human answered.
  run: async ({ intent_id, paths }, _context) => ({ output: null, finish: (now) => grant(now, intent_id, paths) }),
});

function grant({ intents, session, answer }: RunContext, wanted: string | undefined, paths: readonly string[]) {
  // The intent that the human was shown, whatever is cited now.
  const id = wanted ?? answer?.intent ?? null;
  const intent = intents.find((each) => each.id === id);
  if (intent?.status !== 'active' || !answer) {
    return refuse(
      'INTENT_NOT_ACTIVE',
      id === null ? 'No intent is cited, so there is no scope to extend.' : `${id} is ${intent?.status ?? 'unknown'}, not active.`,
      'Cite an active intent with begin_work, or propose one with propose_intent',
      { tool: 'begin_work', args: {} },
    );
  }
  const wider = Intent.parse({ ...intent, owned_scope: [...new Set([...intent.owned_scope, ...paths])] });
  const isGranted = wider.owned_scope.length === intent.owned_scope.length;
  return {
    output: { intent: wider.id, owned_scope: wider.owned_scope, next: 'Granted. Repeat the change.' },
    // The human's answer has granted it; an answer in the agent's own dialog has not.
    events: isGranted
      ? []
      : [
          eventIn(streams.intent(session.workspace, wider.id), {
            type: 'intent_confirmed',
            data: { workspace: session.workspace, intent: wider, human: answer.human },
          }),
        ],
  };
}
