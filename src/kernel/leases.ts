// Which files are being changed right now, and by whom: an admitted change keeps others from its files until its outcome is known.

import { sha256Hex } from '../ledger/index.ts';
import { type Action, type StreamEventDraft, streams } from '../protocol/index.ts';
import type { EventLog } from './ports.ts';
import type { ActionEntry } from './state-entries.ts';

export class Leases {
  /** Actions that are under way: few, and asked for at every change. */
  readonly #admitted = new Map<string, ActionEntry>();

  /** Whenever an action's state has changed. */
  note(entry: ActionEntry): void {
    if (entry.state === 'admitted') this.#admitted.set(entry.action.id, entry);
    else this.#admitted.delete(entry.action.id);
  }

  /** The session of another's change of this file that is under way since `from`; null when there is none. */
  on({ session, root }: Action, path: string, from: number): string | null {
    for (const { action, decision } of this.#admitted.values()) {
      if (action.session === session || action.root !== root || Date.parse(action.at) < from) continue;
      if (decision.facts.files.some(({ real, access }) => real === path && access !== 'read')) return action.session;
    }
    return null;
  }
}

/** The newest change of the same file by another session that was admitted after this one; null when there is none. */
export function overtakenBy(actions: ReadonlyMap<string, ActionEntry>, id: string): string | null {
  const mine = actions.get(id);
  if (!mine || mine.fence === null) return null;
  const files = writtenBy(mine);
  let newest: ActionEntry | null = null;
  for (const entry of actions.values()) {
    if (entry.fence === null || entry.fence <= (newest ?? mine).fence!) continue;
    const { session, root } = entry.action;
    if (session !== mine.action.session && root === mine.action.root && writtenBy(entry).some((path) => files.includes(path)))
      newest = entry;
  }
  return newest && newest.action.id;
}

const writtenBy = ({ decision }: ActionEntry): string[] =>
  decision.facts.files.flatMap(({ real, access }) => (real === null || access === 'read' ? [] : [real]));

export const changesFiles = ({ resources }: Action): boolean =>
  resources.some((resource) => resource.kind === 'file' && resource.access !== 'read');

/** The stream that a change of files moves where several kernels share a store. A single kernel has its lock of the tree. */
export const leaseStream = ({ isShared }: EventLog, action: Action): string | null =>
  isShared && changesFiles(action) ? streams.lease(action.workspace, sha256Hex(action.root).slice(0, 16)) : null;

export function leaseDrafts(log: EventLog, action: Action): StreamEventDraft[] {
  const { workspace, session, id } = action;
  const stream = leaseStream(log, action);
  return stream === null ? [] : [{ stream, event: { type: 'lease_taken', data: { workspace, session, action: id } } }];
}
