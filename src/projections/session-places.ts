// Where sessions worked, from the ledger: the state forgets sessions that ended long ago. A session works in one work tree for ever, so
// what was found stays true.

import { type EventOf, type SignedReceipt, streams } from '../protocol/index.ts';
import type { EventStore } from '../stores/index.ts';

export interface Place {
  readonly workspace: string;
  readonly root: string;
}

type ReceiptPlace = Pick<SignedReceipt, 'workspace' | 'root' | 'task_id'>;

const MAX_KNOWN = 5_000;

export class SessionPlaces {
  private readonly store: Pick<EventStore, 'find'>;
  private readonly known = new Map<string, Place>();

  constructor(store: Pick<EventStore, 'find'>) {
    this.store = store;
  }

  /** Null for a session that is not on the record. */
  async of(session: string): Promise<Place | null> {
    const known = this.known.get(session);
    if (known) return known;
    const [record] = await this.store.find({ stream: streams.session(session), types: ['session_opened'], limit: 1 });
    if (!record) return null;
    const { workspace, root } = (record.event as EventOf<'session_opened'>).data;
    const place = { workspace, root };
    this.known.set(session, place);
    for (const [oldest] of this.known) {
      if (this.known.size <= MAX_KNOWN) break;
      this.known.delete(oldest);
    }
    return place;
  }

  /** Older receipts do not say where: their session does. */
  async ofReceipt({ workspace, root, task_id }: ReceiptPlace): Promise<Place | null> {
    if (workspace !== undefined && root !== undefined) return { workspace, root };
    return task_id === null ? null : this.of(task_id);
  }
}
