// The task tools: the only way in which an agent changes tinyTasks.md. It may propose tasks, complete the first unchecked one once it
// has done something, open one again and add detail. It may not skip, reorder, redefine or invent progress (R3).

import { z } from 'zod';
import {
  type Declaration,
  leavesOf,
  nodeTask,
  ownWords,
  type RunContext,
  streams,
  type Task,
  TaskId,
  type TaskList,
  type ToolResult,
} from '../../protocol/index.ts';
import {
  addTasks,
  archiveTasks,
  changeTasks,
  completeTask,
  detailTask,
  readTasks,
  reopenTask,
  taskListFor,
  TASKS_FILE,
} from '../../workspace/index.ts';
import { defineTool, eventIn, observe, refuse } from '../tool.ts';

const Title = z
  .string()
  .trim()
  .min(1)
  .max(500)
  .refine(...ownWords);
const task = (): Declaration => ({ effects: ['task'], resources: [] });

/** The list as an agent needs it. */
const ListOutput = z.looseObject({
  file: z.string(),
  exists: z.boolean(),
  goal: z.string().nullable(),
  current: z.looseObject({ task: TaskId, title: z.string() }).nullable(),
  tasks: z.array(z.looseObject({ task: TaskId, title: z.string(), checked: z.boolean() })),
});

export const taskList = defineTool({
  name: 'task_list',
  description: 'Tells the tasks of your intent in tinyTasks.md, in order, and which one is current. Always allowed.',
  input: z.strictObject({}),
  output: ListOutput,
  declare: observe,
  readOnly: true,
  surfaces: ['hooked', 'contract'],
  run: async (_input, context) => ({ output: shownList(await listOf(context)) }),
});

export const taskAdd = defineTool({
  name: 'task_add',
  description:
    'Writes proposed tasks into tinyTasks.md, in order, at the end of your intent’s list (or below `under`); creates the file. Plans belong there, not into your reply.',
  input: z.strictObject({
    titles: z.array(Title).min(1).max(100),
    under: TaskId.optional().describe('The top-level task that these are parts of'),
  }),
  output: ListOutput,
  declare: task,
  surfaces: ['hooked', 'contract'],
  run: async ({ titles, under }, context) => {
    const { action } = context;
    const intent = intentOf(context);
    const old = await listOf(context);
    if (old && isFinished(old) && context.tasksFinishedNow) return finishedNow(old);
    // A finished list makes room for the new one.
    if (old && isFinished(old) && old.intent === (intent?.id ?? null) && under === undefined) await archiveTasks(action.root, old);
    const { added } = await changeTasks(action.root, (text) =>
      addTasks(text, { intent, titles, ...(under === undefined ? {} : { under }) }),
    );
    const list = await listOf(context);
    return {
      output: shownList(list),
      events: [
        changed(context, 'added', added, []),
        eventIn(streams.session(context.session.id), {
          type: 'steps_observed',
          data: { session: context.session.id, steps: open(list).map(({ title }) => title), by: action.tool },
        }),
      ],
    };
  },
});

export const taskUpdate = defineTool({
  name: 'task_update',
  description:
    'Adds a detail to a task, or opens a checked one again. What a task means is for humans to change, and checking one is task_complete.',
  input: z.strictObject({
    task: TaskId,
    detail: Title.optional(),
    reopen: z.literal(true).optional(),
    title: Title.optional().describe('Refused: only a human may redefine a task'),
  }),
  output: ListOutput,
  declare: task,
  surfaces: ['hooked', 'contract'],
  run: async ({ task, detail, reopen, title }, context) => {
    const list = await listOf(context);
    const known = list?.tasks.find(({ id }) => id === task);
    if (!known) return unknownTask(task);
    if (title !== undefined && title !== known.title) {
      return refuse(
        'TASK_REDEFINED',
        `"${known.title}" stays what it says: only a human may redefine a task.`,
        'Add what is missing as a task of its own with task_add, or ask a human to edit the file',
        { tool: 'request_human', args: { question: `May the task "${known.title}" become "${title}"?`.slice(0, 500).toWellFormed() } },
      );
    }
    const events = [];
    const edited = await editedPastTools(context);
    // What a command checked may always be opened again.
    if (reopen && list && isFinished(list) && context.tasksFinishedNow && !edited.some(({ id }) => id === task)) return finishedNow(list);
    if (reopen) {
      const { reopened } = await changeTasks(context.action.root, (text) => reopenTask(text, task));
      events.push(changed(context, 'reopened', reopened, []));
    }
    if (detail !== undefined) {
      await changeTasks(context.action.root, (text) => detailTask(text, task, detail));
      events.push(changed(context, 'detailed', [known], []));
    }
    return { output: shownList(await listOf(context)), events };
  },
});

export const taskComplete = defineTool({
  name: 'task_complete',
  description: 'Checks the current task, once you have done something for it. Tasks are completed in order.',
  input: z.strictObject({ task: TaskId.optional().describe('Without it, the current one') }),
  output: ListOutput,
  declare: task,
  surfaces: ['hooked', 'contract'],
  run: async ({ task }, context) => {
    const list = await listOf(context);
    const current = list?.tasks.find(({ id }) => id === list.current);
    if (!list || (task !== undefined && !list.tasks.some(({ id }) => id === task))) return unknownTask(task);
    if (!current) {
      return refuse('TASKS_EXHAUSTED', `Every task of "${list.goal}" is checked already.`, 'Stop and ask the user what is next', {
        tool: 'task_list',
        args: {},
      });
    }
    if (task !== undefined && task !== current.id) {
      return refuse(
        'TASK_OUT_OF_ORDER',
        `The current task is "${current.title}"; tasks are completed in order.`,
        `Work on ${current.id} first`,
        { tool: 'task_list', args: {} },
      );
    }
    const [edited] = await editedPastTools(context);
    if (edited) {
      return refuse(
        'TASKS_EDITED',
        `"${edited.title}" was ${edited.change} past the task tools; that is no progress, and it comes first.`,
        'Put the list back as it was, or ask the human to look at it and run: countersign tasks confirm',
        edited.change === 'checked'
          ? { tool: 'task_update', args: { task: edited.id, reopen: true } }
          : { tool: 'task_add', args: { titles: [edited.title] } },
      );
    }
    if (context.work()?.plan?.graph.nodes.some((node) => nodeTask(node) === current.title)) {
      return refuse(
        'TASK_WITHOUT_WORK',
        `"${current.title}" is a node of the plan: the gate checks it when the node is done.`,
        'Do what the node says; plan_status shows what it waits for',
        { tool: 'plan_status', args: {} },
      );
    }
    const { actions, receipts } = context.session.work;
    if (actions === 0) {
      return refuse(
        'TASK_WITHOUT_WORK',
        `Nothing was done in this session since "${current.title}" became the current task.`,
        'Do the work first; if it was done elsewhere, ask a human to check it',
        {
          tool: 'request_human',
          args: { question: `Is "${current.title}" done? I have nothing to show for it.`.slice(0, 500).toWellFormed() },
        },
      );
    }
    const { completed } = await changeTasks(context.action.root, (text) => completeTask(text, current.id));
    const after = await listOf(context);
    return {
      output: shownList(after),
      events: [changed(context, 'completed', completed, receipts, after !== null && isFinished(after))],
    };
  },
});

const intentOf = ({ intents, session }: RunContext) => {
  const found = intents.find(({ id }) => id === session.intent);
  return found ? { id: found.id, name: found.name } : null;
};

async function listOf(context: RunContext): Promise<TaskList | null> {
  return taskListFor((await readTasks(context.action.root))?.lists ?? [], intentOf(context));
}

/** Checked or removed by something else than these tools. */
const editedPastTools = async (context: RunContext) =>
  context.editedTasks(((await readTasks(context.action.root))?.lists ?? []).flatMap(({ tasks }) => tasks));

const finishedNow = ({ goal }: TaskList): ToolResult =>
  refuse(
    'TASKS_EXHAUSTED',
    `Every task of "${goal}" was completed in this turn: the list is not opened again or replaced before the user has said what is next.`,
    'Stop and ask the user what is next',
    { tool: 'request_human', args: { question: `Every task of "${goal}" is done. What is next?`.slice(0, 500).toWellFormed() } },
  );

/** There were open tasks, and now there are none. A heading without tasks is a list that a human has just started. */
const isFinished = ({ tasks, current }: TaskList): boolean => tasks.length > 0 && current === null;

const open = (list: TaskList | null): Task[] => leavesOf(list?.tasks ?? []).filter(({ checked }) => !checked);

function shownList(list: TaskList | null) {
  const current = list?.tasks.find(({ id }) => id === list.current) ?? null;
  return {
    file: TASKS_FILE,
    exists: list !== null,
    goal: list?.goal ?? null,
    current: current && { task: current.id, title: current.title, details: current.details },
    tasks: (list?.tasks ?? []).map(({ id, title, checked, parent }) => ({
      task: id,
      title,
      checked,
      ...(parent === null ? {} : { part_of: parent }),
    })),
    ...(list && isFinished(list) ? { next: 'Every task is checked: stop and ask the user what is next.' } : {}),
  };
}

const unknownTask = (task: string | undefined): ToolResult =>
  refuse(
    'TASK_UNKNOWN',
    task === undefined ? 'There is no list of tasks for this intent.' : `The list has no task ${task}.`,
    'Look at the list first',
    {
      tool: 'task_list',
      args: {},
    },
  );

function changed(
  { action, session }: RunContext,
  change: 'added' | 'completed' | 'reopened' | 'detailed',
  tasks: readonly Task[],
  receipts: readonly string[],
  isLast = false,
) {
  return eventIn(streams.tasks(session.workspace), {
    type: 'tasks_changed',
    data: {
      workspace: session.workspace,
      root: action.root,
      intent: session.intent,
      session: session.id,
      change,
      tasks: tasks.map(({ id, title }) => ({ id, title })),
      receipts: [...receipts],
      ...(isLast ? { finished: true } : {}),
    },
  });
}
