// What agents did, for a person who considers enforcing verdicts.

import type { CodeCount, StatsRow } from '../protocol/index.ts';
import { visible } from '../protocol/plain.ts';
import { type CommandContext, show } from './command-context.ts';
import { localTime } from './local-time.ts';
import { counted } from './terminal-text.ts';

export async function stats(context: CommandContext, all: boolean): Promise<void> {
  const rows = await context.client.ask('stats', all ? {} : { cwd: context.cwd });
  show(context, rows, statsText(rows));
}

function statsText(rows: readonly StatsRow[]): string {
  if (rows.length === 0) return 'No agent has been here yet.';
  const workspaces = [...Map.groupBy(rows, ({ workspace }) => workspace).values()];
  return workspaces.map((of) => [headOf(of[0]!), ...of.map(agentText), ...adviceFor(of)].join('\n')).join('\n\n');
}

function headOf({ root, workspace, observing, adopted }: StatsRow): string {
  const from = adopted ? ` since ${localTime(adopted.at)}${adopted.revision ? `, commit ${adopted.revision.slice(0, 12)}` : ''}` : '';
  return `${visible(root ?? workspace)}  ${observing ? `observing${from}: nothing is stopped` : 'verdicts count'}`;
}

function agentText(row: StatsRow): string {
  const { actions, questions } = row;
  const bad = [actions.failed > 0 ? `${actions.failed} failed` : '', actions.unknown > 0 ? `${actions.unknown} unknown` : ''].filter(
    Boolean,
  );
  const lines: readonly (readonly [string, string])[] = [
    ['actions', `${counted(actions.reads, 'look')}, ${counted(actions.changes, 'change')}${bad.length > 0 ? ` (${bad.join(', ')})` : ''}`],
    ['stopped', codes(row.refused)],
    ['would stop', row.observing || row.would_refuse.length > 0 ? codes(row.would_refuse) : ''],
    ['would ask', row.observing || row.would_ask > 0 ? String(row.would_ask) : ''],
    ['questions', `${questions.asked}: ${questions.approved} approved, ${questions.rejected} rejected, ${questions.expired} expired`],
    ['held up', `${row.false_block_candidates} refused and let pass later in the same turn`],
    ['cost', `${each(row.extra_calls_per_prompt)} extra calls a prompt, ${each(row.interruptions_per_intent)} questions an intent`],
    ['past gate', `${counted(row.untracked, 'file')} changed without a receipt`],
  ];
  const shown = lines.filter(([, text]) => text !== '').map(([name, text]) => `    ${name.padEnd(10)} ${text}`);
  return [
    `  ${visible(row.agent)}  ${counted(row.sessions, 'session')}, ${counted(row.prompts, 'prompt')}, last at ${localTime(row.last_at)}`,
    ...shown,
  ].join('\n');
}

const codes = (counts: readonly CodeCount[]): string =>
  counts.length === 0
    ? 'none'
    : `${counts.reduce((sum, { count }) => sum + count, 0)}: ${counts.map(({ code, count }) => `${code} ${count}`).join(', ')}`;

const each = (ratio: number | null): string => (ratio === null ? '-' : String(ratio));

const adviceFor = (rows: readonly StatsRow[]): string[] =>
  rows[0]?.observing
    ? ['  Grant what agents do anyway (countersign intent TITLE PATH), then make verdicts count: countersign init --enforce']
    : [];
