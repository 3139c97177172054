// Compares the task file with the record as sessions begin and end: a box that was checked past the task tools is no progress, unless a
// human checked it while no agent was present.

import { streams } from '../protocol/index.ts';
import { withFreshFacts } from './fresh-facts.ts';
import { isUnavailable } from './is-written.ts';
import type { KernelPorts } from './ports.ts';
import { BasisMoved, recordNote } from './settle.ts';
import type { State } from './state.ts';

/** A file that cannot be read changes nothing here, nor does a ledger that cannot be written: the edits are found again. */
export async function lookAtTasks({ log, workspace }: KernelPorts, state: State, session: string, agentAbout: boolean): Promise<void> {
  const entry = state.sessions.get(session);
  if (!entry) return;
  const { root } = entry;
  const stream = streams.tasks(entry.workspace);
  const record = async () => {
    // A task that another kernel reopens meanwhile stays open.
    const basis = state.positions.of(stream);
    const written = await workspace.allTasks(root).catch(() => null);
    if (!written) return;
    const tasks = state.taskBooks.edits(root, undefined, written).filter((task) => !state.taskBooks.isWaiting(root, task));
    if (tasks.length === 0) return;
    const data = { workspace: entry.workspace, root, session, tasks, taken: !agentAbout };
    await recordNote(log, [{ stream, event: { type: 'tasks_edited', data } }], null, null, basis);
  };
  await withFreshFacts(log, state, record).catch((error: unknown) => {
    if (!(error instanceof BasisMoved || isUnavailable(error))) throw error;
  });
}
