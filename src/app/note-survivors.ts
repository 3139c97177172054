// After an agent's command has settled, and after its answer: what it left running is noted. A daemon that starts notes it for the commands of
// before, or whoever ends the daemon would make it forget.

import type { State } from '../kernel/index.ts';
import type { Action, LedgerRecord } from '../protocol/index.ts';
import { allProcesses, type CommandRun, type Survivors } from '../sandbox/index.ts';

export function noteSurvivors({ event }: LedgerRecord, state: State, survivors: Survivors): void {
  if (event.type !== 'action_settled' && event.type !== 'action_unknown') return;
  const action = state.actions.get(event.data.action)?.action;
  if (!action?.effects.includes('execute')) return;
  const run = runOf(action, Date.now(), state);
  setImmediate(() => survivors.note(run));
}

/** Of a command whose end was not seen, until now: no daemon was there to see it. */
export function noteSurvivorsAtStart(state: State, survivors: Survivors): void {
  const table = allProcesses();
  for (const { action, receipt, fence } of state.actions.values()) {
    if (fence === null || !action.effects.includes('execute')) continue;
    survivors.note(runOf(action, receipt ? Date.parse(receipt.timestamp) : Date.now(), state), table);
  }
}

const runOf = (action: Action, toMs: number, { presence }: State): CommandRun => ({
  ...{ action: action.id, fromMs: Date.parse(action.at), toMs },
  isAgents: (link) => presence.at(link)?.sessions.has(action.session) ?? false,
});
