// What agents tried and were refused, listed and counted.

import type { ViolationCount, ViolationRow } from '../protocol/index.ts';
import { CODES, Fault, ID_FORMS, visible } from '../protocol/plain.ts';
import { checkId, type CommandContext, nothingHere, show } from './command-context.ts';
import { paint } from './terminal-text.ts';

const RULES = [...new Set(Object.values(CODES).flatMap((entry) => ('rule' in entry ? [entry.rule] : [])))].toSorted();

export interface ViolationOptions {
  readonly session?: string;
  readonly rule?: string;
  readonly counts?: boolean;
  readonly limit: number;
  readonly all?: boolean;
}

export async function violations(context: CommandContext, { session, rule, counts, limit, all = false }: ViolationOptions): Promise<void> {
  if (session !== undefined) checkId(ID_FORMS.session, session, "a session's id", 'countersign sessions lists them');
  if (rule !== undefined && !RULES.some((known) => known === rule))
    throw new Fault('BAD_REQUEST', `There is no rule ${visible(rule)}.`, { fix: `The rules are ${RULES.join(', ')}` });
  const fits = (row: { rule: string; session: string }) =>
    (session === undefined || row.session === session) && (rule === undefined || row.rule === rule);
  // A session is somewhere, wherever one stands.
  const where = all || session !== undefined ? {} : { cwd: context.cwd };
  const nothing = all || session !== undefined ? 'No violations.' : nothingHere('violations', false);
  if (counts) {
    const rows = (await context.client.ask('violation_counts', where)).filter(fits);
    return show(context, rows, rows.length > 0 ? countTable(rows) : nothing);
  }
  const rows = await context.client.ask('violations', {
    limit,
    ...where,
    ...(session === undefined ? {} : { session }),
    ...(rule === undefined ? {} : { rule }),
  });
  const { workspaces } = all ? await context.client.ask('status', {}) : { workspaces: [] };
  const rootOf = new Map(workspaces.map(({ id, root }) => [id, root]));
  const named = (row: ViolationRow) => violationText(row, all ? (rootOf.get(row.workspace) ?? row.workspace) : null);
  show(context, rows, rows.map(named).join('\n') || nothing);
}

function violationText({ at, rule, code, message, agent, session, tool, also, label }: ViolationRow, root: string | null): string {
  const more = also.length > 0 ? `  (also ${also.join(', ')})` : '';
  return `${at}  ${rule.padEnd(10)} ${paint('red', code)}${more}  ${visible(agent)}  ${visible(tool)}  ${session}${label ? `  [${label}]` : ''}${root === null ? '' : `  ${visible(root)}`}\n  ${visible(message)}`;
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
