// Rows as they change: which rows a record touches, told to whoever listens.

import type { State } from '../kernel/index.ts';
import type { LedgerRecord, StreamEvent } from '../protocol/index.ts';
import { actionRow, approvalRow, intentRow, sessionRow } from './rows.ts';

export class RowStream {
  private readonly listeners = new Set<(event: StreamEvent) => void>();
  private readonly state: State;

  constructor(state: State) {
    this.state = state;
  }

  readonly subscribe = (listener: (event: StreamEvent) => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** After the state has folded the record. */
  tell({ seq, event }: LedgerRecord): void {
    if (this.listeners.size === 0) return;
    const { state } = this;
    const data = event.data as Record<string, unknown>;
    const action = state.actions.get(
      typeof data.action === 'string' ? data.action : ((data.action as { id?: string } | undefined)?.id ?? ''),
    );
    const approvalId = typeof data.approval === 'string' ? data.approval : (data.approval as { id?: string } | null | undefined)?.id;
    const approval = state.approvals.get(approvalId ?? '');
    const session = state.sessions.get(typeof data.session === 'string' ? data.session : (action?.action.session ?? ''));
    const intent =
      event.type === 'intent_confirmed' || event.type === 'intent_proposed'
        ? state.intent(event.data.workspace, event.data.intent.id)
        : undefined;

    if (action) this.send({ seq, topic: 'action', row: actionRow(action) });
    if (approval) this.send({ seq, topic: 'approval', row: approvalRow(approval) });
    if (session) this.send({ seq, topic: 'session', row: sessionRow(session, state.observing) });
    if (intent) this.send({ seq, topic: 'intent', row: intentRow(intent) });
  }

  private send(event: StreamEvent): void {
    for (const listener of this.listeners) listener(event);
  }
}
