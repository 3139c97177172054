// Which files are being changed right now, and by whom: an admitted change keeps others from its files until its outcome is known.

import type { Action } from '../protocol/index.ts';
import type { ActionEntry } from './state-entries.ts';

export class Leases {
  /** Actions under way: few, and read at every change. */
  readonly #admitted = new Map<string, ActionEntry>();

  /** Whenever an action's state has changed. */
  note(entry: ActionEntry): void {
    if (entry.state === 'admitted') this.#admitted.set(entry.action.id, entry);
    else this.#admitted.delete(entry.action.id);
  }

  /** Another session that has a change of this file under way since `from`; null when there is none. */
  on({ session, root }: Action, path: string, from: number): string | null {
    for (const { action, decision } of this.#admitted.values()) {
      if (action.session === session || action.root !== root || Date.parse(action.at) < from) continue;
      if (decision.facts.files.some(({ real, access }) => real === path && access !== 'read')) return action.session;
    }
    return null;
  }
}
