// The tools that the gate calls by itself as a prompt or a list of steps comes in, and what it reads of their answers.

import { z } from 'zod';

export const TURN_TOOLS = { recall: 'recall_for_prompt', listTasks: 'task_list', addTasks: 'task_add' } as const;

export const RecalledMemories = z.looseObject({
  found: z.number(),
  memories: z.array(z.looseObject({ id: z.string(), kind: z.string(), statement: z.string(), status: z.string() })),
});

export const ShownTasks = z.looseObject({ tasks: z.array(z.looseObject({ title: z.string(), checked: z.boolean() })) });
