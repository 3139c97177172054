// Compares the task file with the record as sessions begin and end: a box that was checked past the task tools is no progress, unless a
// human checked it while no agent was present.

import { Fault, streams } from '../protocol/index.ts';
import type { KernelPorts } from './ports.ts';
import { recordNote } from './settle.ts';
import type { State } from './state.ts';

/** A file that cannot be read changes nothing here, nor does a ledger that cannot be written: the edits are found again. */
export async function lookAtTasks({ log, workspace }: KernelPorts, state: State, session: string, agentAbout: boolean): Promise<void> {
  const entry = state.sessions.get(session);
  const written = entry && (await workspace.allTasks(entry.root).catch(() => null));
  if (!entry || !written) return;
  const { root } = entry;
  const tasks = state.taskBooks.edits(root, undefined, written).filter((task) => !state.taskBooks.isWaiting(root, task));
  if (tasks.length === 0) return;
  const data = { workspace: entry.workspace, root, session, tasks, taken: !agentAbout };
  const note = { stream: streams.tasks(entry.workspace), event: { type: 'tasks_edited', data } } as const;
  await recordNote(log, [note], null).catch((error: unknown) => {
    if (!(error instanceof Fault && error.code === 'AUDIT_UNAVAILABLE')) throw error;
  });
}
