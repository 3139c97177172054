// Shows the nodes of the plans in force in tinyTasks.md. One human yes to a plan confirms its nodes as tasks; whether one is done is computed, and a box
// that is checked by hand changes nothing.

import { existsSync } from 'node:fs';
import { type State, workView } from '../kernel/index.ts';
import { type EventType, nodeTask, planTask, planTasksOf, type WorkView } from '../protocol/index.ts';
import { archiveTasks, changeTasks, listWithPlan, type PlanTasks, readTasks, showPlan, withoutPlan } from '../workspace/index.ts';

/** After these a plan may show otherwise than before. */
export const PLAN_TASK_EVENTS: readonly EventType[] = [
  ...(['plan_accepted', 'approval_answered', 'action_settled', 'checks_ran', 'tasks_changed', 'tasks_confirmed'] as const),
  ...(['work_ended', 'work_failed', 'breaker_tripped', 'untracked_mutation'] as const),
];

const OVER = 'over';

export class PlanTaskView {
  private readonly state: State;
  /** What was last written, by work. */
  private readonly written = new Map<string, string>();

  constructor(state: State) {
    this.state = state;
  }

  /** `again`: the file may have been changed by someone else since. */
  async refresh(again: boolean): Promise<void> {
    const { works } = this.state;
    for (const [key, entry] of works.entries) {
      if (!entry.plan || (entry.ended !== null && this.written.get(key) === OVER)) continue;
      const view = workView(this.state, entry);
      const shown = view.ended === null ? this.shownOf(view) : null;
      const said = view.ended === null ? JSON.stringify(shown) : OVER;
      if (this.written.get(key) === said && !(again && shown)) continue;
      // Writing would recreate a work tree that was removed.
      if (existsSync(view.root)) await write(view, shown);
      this.written.set(key, said);
    }
    for (const key of this.written.keys()) if (!works.entries.has(key)) this.written.delete(key);
  }

  /** Null: the plan does not hold, or it is a single step that no human was asked about. */
  private shownOf({ workId, plan, session, workspace }: WorkView): PlanTasks | null {
    const holds = plan?.approval === 'approved' || (plan?.approval === 'not_needed' && plan.nodes.length > 1);
    if (!plan || !holds) return null;
    const cited = this.state.sessions.get(session)?.intent ?? null;
    const intent = cited === null ? null : (this.state.intent(workspace, cited)?.intent ?? null);
    return {
      intent: intent && { id: intent.id, name: intent.name },
      begins: planTasksOf(workId),
      title: planTask(workId, plan.version),
      nodes: plan.graph.nodes.map((node, at) => ({ title: nodeTask(node), checked: plan.nodes[at]!.status === 'done' })),
    };
  }
}

/** What is over leaves the file: a list that is finished with it goes to the archive, an open one loses the lines of the plan. */
async function write({ root, workId, plan }: WorkView, shown: PlanTasks | null): Promise<void> {
  if (shown) return void (await changeTasks(root, (text) => showPlan(text, shown)));
  const list = listWithPlan((await readTasks(root))?.lists ?? [], planTasksOf(workId));
  if (!list) return;
  const isDone = plan?.nodes.every(({ status }) => status === 'done') ?? false;
  if (isDone && list.current === null) await archiveTasks(root, list);
  else if (!isDone) await changeTasks(root, (text) => withoutPlan(text, planTasksOf(workId)));
}
