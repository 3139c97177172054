// request_human: a question that only a human can answer. It waits in the inbox for an answer; it is never gated.

import { z } from 'zod';
import { ownWords } from '../../protocol/index.ts';
import { defineTool } from '../tool.ts';

export const requestHuman = defineTool({
  name: 'request_human',
  description:
    'Asks a human and waits for the answer. Use it when you are stuck or unsure. If no answer comes in time, stop and tell the user; the same call gets the answer later.',
  input: z.strictObject({
    question: z
      .string()
      .trim()
      .min(1)
      .max(2_000)
      .refine(...ownWords),
    options: z.array(z.string().trim().min(1).max(200)).min(1).max(10).optional(),
  }),
  output: z.looseObject({ answered: z.literal(true), answer: z.string() }),
  declare: ({ question, options = [] }) => ({ effects: ['plan'], resources: [{ kind: 'human', question, options }] }),
  surfaces: ['hooked', 'contract'],
  run: async (_input, { answer }) => ({
    output: {
      answered: true,
      answer: answer?.text ?? 'Yes',
      by: { proof: answer?.human.proof ?? 'none', approval: answer?.approval ?? null },
    },
  }),
});
