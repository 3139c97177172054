// tinyTasks.md as the gate reads it.

import { ID_FORMS, leavesOf, type TasksView, visible } from '../protocol/index.ts';
import { checkId, type CommandContext, show } from './command-context.ts';
import { paint } from './terminal-text.ts';

export async function tasks(context: CommandContext): Promise<void> {
  const view = await context.client.ask('tasks', { cwd: context.cwd });
  show(context, view, tasksText(view));
}

export async function confirmTasks(context: CommandContext, intent: string | undefined): Promise<void> {
  if (intent !== undefined) checkId(ID_FORMS.intent, intent, "an intent's id, such as INT-001", 'countersign intents lists them');
  const view = await context.client.act('confirm_tasks', { cwd: context.cwd, intent: intent ?? null });
  show(context, view, tasksText(view));
}

type List = TasksView['lists'][number];

function tasksText({ file, exists, lists, trouble, edited }: TasksView): string {
  if (!exists && edited.length === 0) return `There is no ${file} here. Agents write one with task_add when they have more than one step.`;
  const broken =
    trouble === null ? [] : [`${paint('red', visible(trouble, 'block'))}`, 'Until it is fixed, changes are refused. Last read from it:'];
  const past = edited.map(({ title, change }) => `"${visible(title)}" was ${change} past the task tools while an agent was present.`);
  const waits = past.length === 0 ? [] : [paint('yellow', [...past, 'If that is right: countersign tasks confirm'].join('\n'))];
  return [...broken, ...lists.map(listText), ...waits].join('\n') || `${file} holds no list of tasks.`;
}

function listText(list: List): string {
  const { goal, intent, tasks, current, confirmed } = list;
  const leaves = new Set(leavesOf(tasks).map(({ id }) => id));
  const left = tasks.filter(({ id, checked }) => leaves.has(id) && !checked).length;
  const state = current === null ? 'all done' : `${left} open, ${confirmed ? 'confirmed' : 'not confirmed'}`;
  return [
    `${paint('bold', visible(goal))}${intent !== null && !goal.includes(intent) ? `  ${visible(intent)}` : ''}  (${state})`,
    ...tasks.map(
      ({ id, title, checked, parent }) =>
        `${id === current ? paint('yellow', '▶') : ' '} ${parent === null ? '' : '  '}${checked ? '✓' : '○'} ${visible(title)}  ${paint('dim', id)}`,
    ),
  ].join('\n');
}
