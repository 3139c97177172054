// Rows as they change: which rows a record touches, sent to the listeners.

import type { State } from '../kernel/index.ts';
import type { EventType, LedgerRecord, StreamEvent } from '../protocol/index.ts';
import { actionRow, approvalRow, intentRow, sessionRow } from './rows.ts';

/** Events that change a workspace's own row, but no row of an action, a session, an approval or an intent. */
const WORKSPACE_EVENTS: ReadonlySet<EventType> = new Set<EventType>([
  ...(['gate_paused', 'pause_ended', 'gate_unwired', 'gate_rewired', 'changes_acknowledged', 'untracked_mutation'] as const),
  ...(['grant_made', 'grant_ended', 'tool_remembered', 'mode_limited', 'observing_set'] as const),
  ...(['intent_edit_waiting', 'intents_file_seen', 'settings_dial_taken', 'settings_taken', 'settings_edit_waiting'] as const),
]);

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
    // A call that stops waiting changes what an answer to its question does.
    const approval = state.approvals.get(approvalId ?? (event.type === 'action_lapsed' ? action?.approval : undefined) ?? '');
    const session = state.sessions.get(typeof data.session === 'string' ? data.session : (action?.action.session ?? ''));
    const intent =
      event.type === 'intent_confirmed' || event.type === 'intent_proposed'
        ? state.intent(event.data.workspace, event.data.intent.id)
        : undefined;

    if (action) this.send({ seq, topic: 'action', row: actionRow(action) });
    if (approval) this.send({ seq, topic: 'approval', row: approvalRow(approval, state) });
    if (session) this.send({ seq, topic: 'session', row: sessionRow(session, state.observing) });
    if (intent) this.send({ seq, topic: 'intent', row: intentRow(intent, state.approvers) });
    const workspace = WORKSPACE_EVENTS.has(event.type) ? this.workspaceOf(event) : undefined;
    if (workspace !== undefined) this.send({ seq, topic: 'workspace', row: { workspace } });
  }

  private workspaceOf(event: LedgerRecord['event']): string | undefined {
    if (event.type === 'grant_ended') return this.state.grants.get(event.data.grant)?.grant.workspace;
    if ('grant' in event.data && typeof event.data.grant === 'object') return event.data.grant.workspace;
    return 'workspace' in event.data ? event.data.workspace : undefined;
  }

  private send(event: StreamEvent): void {
    for (const listener of this.listeners) listener(event);
  }
}
