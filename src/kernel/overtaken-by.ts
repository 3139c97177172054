// Finds the change that overtook another one: the other's lease expired before its outcome was reported, and this one was admitted.

import type { ActionEntry } from './state-entries.ts';

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
