// An agent with its own list of steps has declared its plan. In GUARDED the gate writes the steps to the task file, as proposed tasks,
// so that the agent need not repeat them. The agent still reports completion, and the receipts prove it.

import { type Action, ShownTasks, type StreamEventDraft, streams, type ToolCall, TURN_TOOLS } from '../protocol/index.ts';
import type { OwnCalls } from './turns.ts';

/** If it cannot be written, the first change asks for it as usual: a failure here must not cost an agent its list. */
export async function tasksForSteps({ state, pass, recordDefect }: OwnCalls, session: string, steps: readonly string[]): Promise<void> {
  const entry = state.sessions.get(session);
  const isCited = entry && state.intent(entry.workspace, entry.intent ?? '')?.intent.status === 'active';
  if (steps.length < 2 || entry?.mode !== 'GUARDED' || !isCited || state.observing.has(entry.workspace)) return;
  try {
    const list = ShownTasks.safeParse(await pass(TURN_TOOLS.listTasks, {}));
    if (!list.success) return;
    const { tasks } = list.data;
    // Steps that come later join the list; a finished list makes room for a new one.
    const isOpen = tasks.some(({ checked }) => !checked);
    const known = new Set(isOpen ? tasks.map(({ title }) => title) : []);
    const titles = [...new Set(steps.map((step) => step.trim()))].filter((step) => step !== '' && !known.has(step));
    if (titles.length > 0) await pass(TURN_TOOLS.addTasks, { titles });
  } catch (error) {
    await recordDefect('tasks for steps', error).catch(() => {});
  }
}

/** The steps of a call, as the record keeps them. */
export const stepsSeen = ({ session, native, tool }: Action, { steps }: ToolCall): StreamEventDraft[] =>
  steps === undefined
    ? []
    : [
        {
          stream: streams.session(session),
          event: { type: 'steps_observed', data: { session, steps: [...steps], by: native?.tool ?? tool } },
        },
      ];
