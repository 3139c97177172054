// What agents tried and were refused, listed and counted.

import type { ViolationCount, ViolationRow } from '../protocol/index.ts';
import { CODES, Fault, visible } from '../protocol/plain.ts';
import { type CommandContext, nothingHere, show } from './command-context.ts';
import { resolveId } from './resolve-id.ts';
import { localTime } from './local-time.ts';
import { asked, filterBy, isFiltered, type ListFilter, shortId, table } from './table.ts';
import { cut, paint } from './terminal-text.ts';

const RULES = [...new Set(Object.values(CODES).flatMap((entry) => ('rule' in entry ? [entry.rule] : [])))].toSorted();
const WORDS = ['refused', 'untracked', 'unstamped', 'acknowledged', 'paused'] as const;
/** What ran and left something undone was not refused. */
const NOT_REFUSED: Readonly<Record<string, (typeof WORDS)[number]>> = { UNTRACKED_MUTATION: 'untracked', STAMP_MISSING: 'unstamped' };
const MESSAGE_WIDTH = 120;

export interface ViolationOptions extends ListFilter {
  readonly session?: string;
  readonly rule?: string;
  readonly counts?: boolean;
}

export async function violations(context: CommandContext, options: ViolationOptions): Promise<void> {
  const { session: given, rule, counts, all = false, ...filter } = options;
  const session = given === undefined ? undefined : await resolveId(context, 'session', given, 'countersign sessions lists them');
  if (rule !== undefined && !RULES.some((known) => known === rule))
    throw new Fault('BAD_REQUEST', `There is no rule ${visible(rule)}.`, { fix: `The rules are ${RULES.join(', ')}` });
  // A session is somewhere, wherever one stands.
  const where = all || session !== undefined ? {} : { cwd: context.cwd };
  const isNarrowed = session !== undefined || rule !== undefined || isFiltered(filter);
  const nothing = nothingHere('violations', all || session !== undefined, isNarrowed);
  const only = { ...(session === undefined ? {} : { session }), ...(rule === undefined ? {} : { rule }) };
  if (counts) {
    const fits = (row: ViolationCount) => (session ?? row.session) === row.session && (rule ?? row.rule) === row.rule;
    const rows = (await context.client.ask('violation_counts', where)).filter(fits);
    return show(context, rows, rows.length > 0 ? countTable(rows) : nothing);
  }
  const found = await context.client.ask('violations', { limit: asked({ ...filter, steps: true }), ...where, ...only });
  const rows = filterBy(found, filter, (row) => ({ ...row, about: [row.subject, row.message], word: violationWord(row) }), WORDS);
  const { workspaces } = all ? await context.client.ask('status', {}) : { workspaces: [] };
  const rootOf = new Map(workspaces.map(({ id, root }) => [id, root]));
  const cells = (row: ViolationRow) => [
    paint('dim', localTime(row.at)),
    shortId(row.action),
    violationWord(row),
    row.rule,
    visible(row.agent),
    visible(row.tool),
    row.intent ?? '-',
    ...(all ? [visible(rootOf.get(row.workspace) ?? row.workspace)] : []),
    `${paint('red', row.code)}  ${cut(visible(row.message), MESSAGE_WIDTH)}${row.also.length > 0 ? `  (also ${row.also.join(', ')})` : ''}`,
  ];
  const header = ['time', 'action', 'state', 'rule', 'agent', 'tool', 'intent', ...(all ? ['workspace'] : []), 'what'];
  show(context, rows, rows.length > 0 ? table(header, rows.map(cells)) : nothing);
}

export const violationWord = ({ label, code }: ViolationRow): (typeof WORDS)[number] => label ?? NOT_REFUSED[code] ?? 'refused';

const countTable = (rows: readonly ViolationCount[]): string =>
  table(
    ['count', 'rule', 'agent', 'session'],
    rows.map(({ count, rule, agent, session }) => [String(count).padStart(5), rule, visible(agent), shortId(session)]),
  );
