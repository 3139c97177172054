// After an agent's command has settled, and after its answer: what it left running is noted.

import type { State } from '../kernel/index.ts';
import type { LedgerRecord } from '../protocol/index.ts';
import type { Survivors } from '../sandbox/index.ts';

export function noteSurvivors({ event }: LedgerRecord, state: State, survivors: Survivors): void {
  if (event.type !== 'action_settled' && event.type !== 'action_unknown') return;
  const action = state.actions.get(event.data.action)?.action;
  if (!action?.effects.includes('execute')) return;
  const toMs = Date.now();
  setImmediate(() =>
    survivors.note(
      action.id,
      { fromMs: Date.parse(action.at), toMs },
      (link) => state.presence.at(link)?.sessions.has(action.session) ?? false,
    ),
  );
}
