// Calls that are sent again. An id of an action that a caller chose is the call's idempotency key: sent again, for the same call, it returns
// what was recorded, and nothing runs twice. It is valid for one session and one input; it is looked up, never trusted. An agent's own id of a
// call does the same within a turn.

import { type Action, Fault } from '../protocol/index.ts';
import { forgetOldest } from './forget-oldest.ts';
import type { ActionEntry } from './state-entries.ts';

/** Beyond these an id is known to be old by its time, which it begins with. */
const KEEP_IDS = 10_000;

export class GivenIds {
  /** What each was used for. */
  readonly used = new Map<string, string>();
  /** The newest id that is no longer kept. */
  forgotten = '';
  /** Actions by their agent's own id of the call. */
  readonly native = new Map<string, string>();

  note(action: Action, turn: string | undefined): void {
    const key = nativeKey(action, turn);
    if (key !== null) {
      this.native.set(key, action.id);
      forgetOldest(this.native, KEEP_IDS, () => true);
    }
    if (!action.given || this.used.has(action.id)) return;
    this.used.set(action.id, callOf(action));
    if (this.used.size <= KEEP_IDS) return;
    const [oldest = ''] = this.used.keys();
    this.used.delete(oldest);
    if (oldest > this.forgotten) this.forgotten = oldest;
  }

  /** The action that its agent asked for with the same id, in the same turn. */
  sentBefore(action: Action, turn: string | undefined): string | null {
    const key = nativeKey(action, turn);
    return key === null ? null : (this.native.get(key) ?? null);
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

/** Some models count their calls, so that call_0 comes again for another call. Ids that are made for one call are longer. */
const ONE_CALL_ID = 20;

export const isOneCallId = (id: string): boolean => id.length >= ONE_CALL_ID;

const nativeKey = ({ native, ...action }: Action, turn: string | undefined): string | null =>
  native?.once && turn !== undefined && isOneCallId(native.call_id ?? '') ? JSON.stringify([turn, native.call_id, callOf(action)]) : null;

const callOf = ({ session, input_sha256 }: Pick<Action, 'session' | 'input_sha256'>): string => `${session} ${input_sha256}`;

const conflict = (message: string, fix: string): Fault => new Fault('CONFLICT', message, { fix });
