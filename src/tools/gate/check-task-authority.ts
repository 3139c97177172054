// memory_check_task_authority: whether the task list allows the next change. Never gated.

import { z } from 'zod';
import { leavesOf } from '../../protocol/index.ts';
import { readTasks, taskListFor, TASKS_FILE } from '../../workspace/index.ts';
import { defineTool, observe } from '../tool.ts';

export const checkTaskAuthority = defineTool({
  name: 'memory_check_task_authority',
  description: 'Tells whether the tasks in tinyTasks.md let you work now, and on what: the first unchecked one. Always allowed.',
  input: z.strictObject({}),
  output: z.looseObject({ authorized: z.boolean(), rule: z.enum(['R2', 'R3']).nullable(), reason: z.string() }),
  declare: observe,
  readOnly: true,
  surfaces: ['contract'],
  run: async (_input, { action, session, intents, settings, confirmedTasks }) => {
    const intent = intents.find(({ id }) => id === session.intent) ?? null;
    const list = taskListFor((await readTasks(action.root))?.lists ?? [], intent);
    const strict = session.mode === 'STRICT' || settings.minimumMode === 'STRICT';
    if (!list || list.tasks.length === 0) {
      const needed = strict || session.steps.length > 1;
      const reason = needed
        ? `${TASKS_FILE} does not hold your steps yet; call begin_work with steps, or task_add`
        : 'one step needs no list';
      return { output: { authorized: !needed, rule: needed ? 'R2' : null, reason, current: null } };
    }
    const left = leavesOf(list.tasks).filter(({ checked }) => !checked).length;
    const current = list.tasks.find(({ id }) => id === list.current) ?? null;
    const unconfirmed = strict && current !== null && !confirmedTasks.has(current.id);
    const reason =
      current === null
        ? 'every task is checked: stop and ask the user'
        : unconfirmed
          ? 'STRICT: a human has to confirm the tasks first: countersign tasks confirm'
          : 'work on the first unchecked task';
    const authorized = current !== null && !unconfirmed;
    return {
      output: { authorized, rule: authorized ? null : 'R3', reason, current: current && { task: current.id, title: current.title }, left },
    };
  },
});
