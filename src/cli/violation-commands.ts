// What agents tried and were refused, listed and counted.

import type { ViolationCount, ViolationRow } from '../protocol/index.ts';
import { CODES, Fault, ID_FORMS, visible } from '../protocol/plain.ts';
import { checkId, type CommandContext, show } from './command-context.ts';
import { paint } from './terminal-text.ts';

const RULES = [...new Set(Object.values(CODES).flatMap((entry) => ('rule' in entry ? [entry.rule] : [])))].toSorted();

export interface ViolationOptions {
  readonly session?: string;
  readonly rule?: string;
  readonly counts?: boolean;
  readonly limit: number;
}

export async function violations(context: CommandContext, { session, rule, counts, limit }: ViolationOptions): Promise<void> {
  if (session !== undefined) checkId(ID_FORMS.session, session, "a session's id", 'countersign sessions lists them');
  if (rule !== undefined && !RULES.some((known) => known === rule))
    throw new Fault('BAD_REQUEST', `There is no rule ${visible(rule)}.`, { fix: `The rules are ${RULES.join(', ')}` });
  const fits = (row: { rule: string; session: string }) =>
    (session === undefined || row.session === session) && (rule === undefined || row.rule === rule);
  if (counts) {
    const rows = (await context.client.ask('violation_counts', {})).filter(fits);
    return show(context, rows, rows.length > 0 ? countTable(rows) : 'No violations.');
  }
  const rows = await context.client.ask('violations', {
    limit,
    ...(session === undefined ? {} : { session }),
    ...(rule === undefined ? {} : { rule }),
  });
  show(context, rows, rows.map(violationText).join('\n') || 'No violations.');
}

function violationText({ at, rule, code, message, agent, session, tool, also, label }: ViolationRow): string {
  const more = also.length > 0 ? `  (also ${also.join(', ')})` : '';
  return `${at}  ${rule.padEnd(10)} ${paint('red', code)}${more}  ${visible(agent)}  ${visible(tool)}  ${session}${label ? `  [${label}]` : ''}\n  ${visible(message)}`;
}

function countTable(rows: readonly ViolationCount[]): string {
  const header = ['count', 'rule', 'agent', 'session'];
  const cells = [header, ...rows.map(({ count, rule, agent, session }) => [String(count), rule, visible(agent), session])];
  const widths = header.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
  return cells
    .map((row) =>
      row
        .map((cell, at) => (at === 0 ? cell.padStart(widths[at]!) : cell.padEnd(widths[at]!)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
