// Comparing the work tree with the receipts on demand, and before a commit.

import type { ReconciliationView, UntrackedRow } from '../protocol/index.ts';
import { visible } from '../protocol/plain.ts';
import { type CommandContext, show } from './command-context.ts';
import { paint } from './terminal-text.ts';

const SHOWN = 20;

/** Whether no change was found that an agent may have made. */
export async function reconcile(context: CommandContext): Promise<boolean> {
  const view = await context.client.ask('reconciliation', { cwd: context.cwd });
  show(context, view, viewText(view));
  return !view.unexplained.some(isAgents);
}

/** Says something only about files that this commit would take in and that an agent may have changed past the gate. */
export async function reconcileBeforeCommit(context: CommandContext, staged: ReadonlySet<string>): Promise<void> {
  const { unexplained } = await context.client.ask('reconciliation', { cwd: context.cwd, before_commit: true });
  const rows = unexplained.filter((row) => isAgents(row) && staged.has(row.path));
  if (context.json) return context.print(JSON.stringify(rows, null, 2));
  if (rows.length === 0) return;
  const count = rows.length === 1 ? 'A staged file was' : `${rows.length} staged files were`;
  context.say([`countersign: ${count} changed without a receipt, most likely by an agent's command:`, ...rowLines(rows)].join('\n'));
  context.say('The commit goes on; it is on the record as UNTRACKED_MUTATION. countersign violations --rule reconciliation tells whose.');
}

/** Acknowledged changes are settled; changes during a pause were permitted by a human. Of an unknown change, a named action is a suspect. */
const isAgents = ({ attribution, acknowledged, paused, actions }: UntrackedRow): boolean =>
  acknowledged === undefined &&
  !paused &&
  (attribution === 'window' || attribution === 'ambiguous' || (attribution === 'unknown' && actions.length > 0));

function viewText({ root, files, unexplained, postponed, troubles }: ReconciliationView): string {
  const agents = unexplained.filter(isAgents);
  const acknowledged = unexplained.filter((row) => row.acknowledged !== undefined).length;
  const paused = unexplained.filter((row) => row.acknowledged === undefined && row.paused).length;
  const others = unexplained.filter((row) => !isAgents(row) && row.acknowledged === undefined && !row.paused);
  const unknown = others.filter(({ attribution }) => attribution === 'unknown').length;
  const byHuman = others.length - unknown;
  return [
    agents.length === 0
      ? `${root}: ${files} files compared with the receipts; no agent changed one past the gate.`
      : `${root}: ${agents.length} of ${files} files were changed without a receipt, most likely by an agent:`,
    ...rowLines(agents),
    ...(acknowledged > 0 ? [`${acknowledged} more acknowledged by a human, who has seen them.`] : []),
    ...(paused > 0 ? [`${paused} more changed while the gate was paused. countersign ack signs for them.`] : []),
    ...(unknown > 0 ? [`${unknown} more changed while no daemon was running: it is not known who did it.`] : []),
    ...(byHuman > 0 ? [`${byHuman} more changed while no agent's action was near: by you, most likely.`] : []),
    ...(postponed > 0 ? [`${postponed} being changed right now; the next comparison judges them.`] : []),
    ...troubles.map(({ path, why }) => `${visible(path)} ${visible(why)}`),
  ].join('\n');
}

function rowLines(rows: readonly UntrackedRow[]): string[] {
  const more = rows.length > SHOWN ? [`  and ${rows.length - SHOWN} more`] : [];
  return [...rows.slice(0, SHOWN).map(rowText), ...more];
}

function rowText({ path, before_sha256, after_sha256, attribution, actions }: UntrackedRow): string {
  const change = before_sha256 === null ? 'new' : after_sha256 === null ? 'removed' : 'changed';
  return `  ${paint('red', change.padEnd(8))} ${visible(path)}  (${attribution}: ${actions.join(', ')})`;
}
