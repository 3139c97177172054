// An agent that keeps a list of its own has said what its steps are. In GUARDED the gate writes them down where they belong, as proposed
// tasks, so that the agent need not say them twice. Completing one is still the agent's to say and the receipts' to prove.

import { ShownTasks, TURN_TOOLS } from '../protocol/index.ts';
import type { OwnCalls } from './turns.ts';

/** Whatever cannot be written is asked for at the first change, as ever: trouble here must not cost an agent its list. */
export async function tasksForSteps({ state, pass, recordDefect }: OwnCalls, session: string, steps: readonly string[]): Promise<void> {
  const entry = state.sessions.get(session);
  const isCited = entry && state.intent(entry.workspace, entry.intent ?? '')?.intent.status === 'active';
  if (steps.length < 2 || entry?.mode !== 'GUARDED' || !isCited || state.observing.has(entry.workspace)) return;
  try {
    const list = ShownTasks.safeParse(await pass(TURN_TOOLS.listTasks, {}));
    // A list with something to do is what the work is held to already.
    if (list.success && list.data.current === null) await pass(TURN_TOOLS.addTasks, { titles: [...steps] });
  } catch (error) {
    await recordDefect('tasks for steps', error).catch(() => {});
  }
}
