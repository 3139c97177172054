// get_original_prompt: what the person asked for, as it was first sent.

import { z } from 'zod';
import { defineTool, observe } from '../tool.ts';

export const getOriginalPrompt = defineTool({
  name: 'get_original_prompt',
  description: 'Returns what the person asked for.',
  input: z.strictObject({}),
  declare: observe,
  readOnly: true,
  surfaces: [],
  run: async (_input, { work }) => {
    const prompt = work()?.prompt ?? null;
    const note = 'No prompt was sent with this work. Send it as originalPrompt with your next turn.';
    return { output: { originalPrompt: prompt, ...(prompt === null ? { note } : {}) } };
  },
});
