// After an agent's command has settled, and after its answer: what it left running is noted. A daemon that starts notes it for the commands of
// before, or whoever ends the daemon would make it forget.

import type { CommandRunView, Views } from '../kernel/index.ts';
import type { LedgerRecord } from '../protocol/index.ts';
import { allProcesses, type CommandRun, type Survivors } from '../sandbox/index.ts';

type Runs = Pick<Views, 'commandRun' | 'commandRuns' | 'isProcessOf'>;

export function noteSurvivors({ event }: LedgerRecord, runs: Runs, survivors: Survivors): void {
  if (event.type !== 'action_settled' && event.type !== 'action_unknown') return;
  const command = runs.commandRun(event.data.action);
  if (command === null) return;
  const run = runOf(command, Date.now(), runs);
  setImmediate(() => survivors.note(run));
}

/** Of a command whose end was not seen, until now: no daemon was there to see it. */
export function noteSurvivorsAtStart(runs: Runs, survivors: Survivors): void {
  const table = allProcesses();
  for (const command of runs.commandRuns())
    survivors.note(runOf(command, command.endedAt === null ? Date.now() : Date.parse(command.endedAt), runs), table);
}

const runOf = ({ action }: CommandRunView, toMs: number, runs: Runs): CommandRun => ({
  ...{ action: action.id, fromMs: Date.parse(action.at), toMs },
  isAgents: (link) => runs.isProcessOf(link, action.session),
});
