// Tasks: work of more than one step is listed in tinyTasks.md (R2), and is on its first unchecked task (R3). STRICT always needs a list,
// and a human's confirmation of the current task.

import { BLANKS, type EditedTask, type Facts, mutates, type Remedy } from '../protocol/index.ts';
import { allow, deny, type ObjectionText, type Policy } from './policy.ts';

const name = 'tasks';
const TASKS_FILE = 'tinyTasks.md';

const beginWith = ({ intent, tasks }: Facts): Remedy => ({
  tool: 'begin_work',
  args: {
    ...(intent.selected?.status === 'active' ? { intent: intent.selected.id } : {}),
    ...(tasks.steps.length > 0 ? { steps: tasks.steps } : {}),
  },
  ...(tasks.steps.length > 0 ? {} : { fill: { steps: BLANKS.steps } }),
});

/** A box checked past the task tools is no progress. The agent can open it again; only a human can let it count. */
function editedPastTools(edited: readonly EditedTask[], { id, title, change }: EditedTask): ObjectionText {
  const confirm = 'or ask the human to look at the list and run: countersign tasks confirm';
  return {
    code: 'TASKS_EDITED',
    message: `"${title}" was ${change} in ${TASKS_FILE} past the task tools; that is no progress.`,
    required_action:
      change === 'checked'
        ? `Open it again with task_update, do the work and call task_complete; ${confirm}`
        : `Put it back with task_add, ${confirm}`,
    remedy:
      change === 'checked'
        ? { tool: 'task_update', args: { task: id, reopen: true } }
        : { tool: 'task_add', args: { titles: edited.flatMap((each) => (each.change === 'removed' ? [each.title] : [])).slice(0, 100) } },
  };
}

/** Nothing is left. In the turn that finished the list only the user can say what is next; a new prompt has said it. */
const nothingLeft = (goal: string, isFinishedNow: boolean): ObjectionText => ({
  code: 'TASKS_EXHAUSTED',
  message: `Every task of "${goal}" is checked: stop and ask the user what is next.`,
  ...(isFinishedNow
    ? {
        required_action: 'Stop and ask the user what is next. The list is not opened again or replaced in this turn',
        remedy: {
          tool: 'request_human',
          args: { question: `Every task of "${goal}" is done. What is next?`.slice(0, 500).toWellFormed() },
        },
      }
    : {
        required_action: 'If the user has asked for something new since, write its steps down with task_add first; otherwise stop and ask',
        remedy: { tool: 'task_add', args: {}, fill: { titles: BLANKS.steps } },
      }),
});

export const tasksPolicy: Policy = {
  name,
  version: 4,
  judge: (action, facts) => {
    if (!mutates(action.effects) || facts.mode.effective === 'PASSIVE') return allow(name);
    if (facts.files.some(({ real, access }) => real === TASKS_FILE && access !== 'read')) {
      return deny(name, {
        code: 'TASKS_BY_TOOL_ONLY',
        message: `${TASKS_FILE} is changed by the task tools only: task_add, task_update, task_complete.`,
        required_action: 'Look at the list with task_list, then use the task tools',
        remedy: { tool: 'task_list', args: {} },
      });
    }
    const strict = facts.mode.effective === 'STRICT';
    const { steps, list, edited = [] } = facts.tasks;
    if (edited[0]) return deny(name, editedPastTools(edited, edited[0]));
    // The nodes of an accepted plan are the tasks; the plan policy holds the work to them, and waits for the human's yes.
    if (facts.plan) return allow(name);
    if (list === null) {
      if (steps.length <= 1 && !strict) return allow(name);
      return deny(name, {
        code: 'TASKS_REQUIRED',
        message: strict
          ? `STRICT: the work has to be listed in ${TASKS_FILE} before anything is changed.`
          : `You have ${steps.length} steps; they have to be listed in ${TASKS_FILE} before anything is changed.`,
        required_action: 'Call begin_work with `steps` (or task_add): it writes them into the file. Do not plan in the reply',
        remedy: beginWith(facts),
      });
    }
    if (list.current === null) return deny(name, nothingLeft(list.goal, list.finished_now === true));
    if (strict && !list.confirmed) {
      return deny(name, {
        code: 'TASKS_UNCONFIRMED',
        message: `STRICT: a human has not confirmed the current task "${list.current.title}".`,
        required_action: 'Stop and ask the human to read the tasks and run: countersign tasks confirm',
        remedy: { tool: 'request_human', args: { question: 'Please read tinyTasks.md and run: countersign tasks confirm' } },
      });
    }
    return allow(name);
  },
  examples: [
    { says: 'three steps and no list', facts: { tasks: { steps: ['a', 'b', 'c'], list: null } }, expect: 'TASKS_REQUIRED' },
    {
      says: 'an edit of the list itself',
      facts: {
        files: [
          {
            path: 'tinyTasks.md',
            access: 'write',
            real: 'tinyTasks.md',
            unresolved: null,
            governance: null,
            scope_glob: '**',
            sha256: null,
            seen: null,
            since: null,
            lease: null,
          },
        ],
      },
      expect: 'TASKS_BY_TOOL_ONLY',
    },
    {
      says: 'a list with nothing left',
      facts: { tasks: { steps: [], list: { goal: 'fix login', current: null, total: 2, confirmed: false } } },
      expect: 'TASKS_EXHAUSTED',
    },
    {
      says: 'a list that was finished in this turn',
      facts: { tasks: { steps: [], list: { goal: 'fix login', current: null, total: 2, confirmed: false, finished_now: true } } },
      expect: 'TASKS_EXHAUSTED',
    },
    {
      says: 'a box that a command checked',
      facts: { tasks: { steps: [], list: null, edited: [{ id: 'tsk_0000000000', title: 'a', change: 'checked' }] } },
      expect: 'TASKS_EDITED',
    },
    {
      says: 'a task that a command removed',
      facts: { tasks: { steps: [], list: null, edited: [{ id: 'tsk_0000000000', title: 'a', change: 'removed' }] } },
      expect: 'TASKS_EDITED',
    },
    {
      says: 'one step in STRICT without a list',
      facts: {
        mode: { declared: 'STRICT', minimum: null, pinned: null, effective: 'STRICT' },
        tasks: { steps: [], list: null },
      },
      expect: 'TASKS_REQUIRED',
    },
    {
      says: 'a proposed task in STRICT',
      facts: {
        mode: { declared: 'STRICT', minimum: null, pinned: null, effective: 'STRICT' },
        tasks: { steps: [], list: { goal: 'fix login', current: { id: 'tsk_0000000000', title: 'a' }, total: 2, confirmed: false } },
      },
      expect: 'TASKS_UNCONFIRMED',
    },
    {
      says: 'three steps and no list, by a plan whose nodes are the steps',
      facts: {
        tasks: { steps: ['a', 'b', 'c'], list: null },
        plan: { work: 'work-1', version: 1, approval: 'not_needed', node: 'n1', files: [], targets: [] },
      },
      expect: 'allow',
    },
    { says: 'one step without a list in GUARDED', facts: { tasks: { steps: ['a'], list: null } }, expect: 'allow' },
    {
      says: 'a proposed task in GUARDED',
      facts: {
        tasks: {
          steps: ['a', 'b'],
          list: { goal: 'fix login', current: { id: 'tsk_0000000000', title: 'a' }, total: 2, confirmed: false },
        },
      },
      expect: 'allow',
    },
    {
      says: 'adding a task to an exhausted list',
      action: { effects: ['task'] },
      facts: { tasks: { steps: [], list: { goal: 'fix login', current: null, total: 2, confirmed: false } } },
      expect: 'allow',
    },
  ],
};
