// Tasks as they are in `tinyTasks.md`. The file is the authority; nothing about a task is inferred.

import { z } from 'zod';
import { TaskId } from './ids.ts';

export const Task = z.strictObject({
  id: TaskId,
  title: z.string(),
  checked: z.boolean(),
  /** Of the task that it is a part of; null at the top level. */
  parent: TaskId.nullable(),
  /** Third-level lines, without their boxes. */
  details: z.array(z.string()),
  line: z.int().min(1),
});
export type Task = z.infer<typeof Task>;

/** One `# Tasks — …` section. */
export const TaskList = z.strictObject({
  /** The intent that its heading names, where it names one. */
  intent: z.string().nullable(),
  goal: z.string(),
  line: z.int().min(1),
  tasks: z.array(Task),
  /** The first unchecked leaf: the one unit that may be worked on. Null: nothing is left. */
  current: TaskId.nullable(),
});
export type TaskList = z.infer<typeof TaskList>;

/** A task that was changed past the task tools. */
export const EditedTask = z.strictObject({ id: TaskId, title: z.string(), change: z.enum(['checked', 'removed']) });
export type EditedTask = z.infer<typeof EditedTask>;

/** The leaves of a list, in order: subtasks, and top-level tasks that have none. */
export const leavesOf = (tasks: readonly Task[]): Task[] => {
  const parents = new Set(tasks.map(({ parent }) => parent));
  return tasks.filter(({ id }) => !parents.has(id));
};
