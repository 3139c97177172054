// confirm_plan: puts an accepted plan, or one node of it, before a human. Only other tools call it; the human's answer itself takes effect.

import { z } from 'zod';
import { Instant, PathId } from '../../protocol/index.ts';
import { defineTool } from '../tool.ts';

export const confirmPlan = defineTool({
  name: 'confirm_plan',
  description: 'Asks a human about a plan.',
  input: z.strictObject({
    work: PathId,
    opened: Instant,
    version: z.int().min(1),
    node: PathId.nullable(),
    question: z.string().min(1).max(2_000),
    /** What a human should read before they answer. */
    says: z.array(z.string()),
  }),
  declare: ({ work, opened, version, node, question }) => ({
    effects: ['plan'],
    resources: [{ kind: 'human', question, options: [], plan: { work, opened, version, node } }],
  }),
  surfaces: [],
  run: async (_input, { answer }) => ({ output: { approved: true, by: answer?.human.proof ?? 'none' } }),
});
