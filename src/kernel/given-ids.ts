// Ids of actions that callers chose. Such an id is the call's idempotency key: sent again, for the same call, it returns what was
// recorded, and nothing runs twice. It is valid for one session and one input; it is looked up, never trusted.

import { type Action, Fault } from '../protocol/index.ts';
import type { ActionEntry } from './state-entries.ts';

/** Beyond these an id is known to be old by its time, which it begins with. */
const KEEP_IDS = 10_000;

export class GivenIds {
  /** What each was used for. */
  readonly used = new Map<string, string>();
  /** The newest id that is no longer kept. */
  forgotten = '';

  note(action: Action): void {
    if (!action.given || this.used.has(action.id)) return;
    this.used.set(action.id, callOf(action));
    if (this.used.size <= KEEP_IDS) return;
    const [oldest = ''] = this.used.keys();
    this.used.delete(oldest);
    if (oldest > this.forgotten) this.forgotten = oldest;
  }

  /** The earlier call with this id, if there was one. CONFLICT: the id cannot be used for this call. */
  earlier(action: Action, entry: ActionEntry | undefined): ActionEntry | null {
    const { id } = action;
    const usedFor = entry ? callOf(entry.action) : this.used.get(id);
    if (usedFor !== undefined && usedFor !== callOf(action)) throw conflict(`${id} is the id of another call.`, 'Use a new id');
    if (entry) return entry;
    if (usedFor !== undefined || id <= this.forgotten)
      throw conflict(`${id} was used a long time ago.`, 'Its outcome is on the record; to do it again, use a new id');
    return null;
  }
}

const callOf = ({ session, input_sha256 }: Action): string => `${session} ${input_sha256}`;

const conflict = (message: string, fix: string): Fault => new Fault('CONFLICT', message, { fix });
