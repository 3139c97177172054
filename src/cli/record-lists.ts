// What happened, as lists: actions, receipts, sessions.

import type { ActionRow, ReceiptRow, SessionRow } from '../protocol/index.ts';
import { foldSteps, visible } from '../protocol/plain.ts';
import { type CommandContext, nothingHere, show } from './command-context.ts';
import { localTime } from './local-time.ts';
import { asked, filterBy, isFiltered, type ListFilter, shortId, stepsText, table } from './table.ts';
import { actionLine, cut, paint, referenceOf, wordText } from './terminal-text.ts';

const SUBJECT_WIDTH = 80;

const here = ({ cwd }: CommandContext, { all = false }: ListFilter) => (all ? {} : { cwd });

export async function receipts(context: CommandContext, given: string | undefined, filter: ListFilter): Promise<void> {
  if (given !== undefined) {
    const { receiptNamed, showReceipt } = await import('./show-command.ts');
    return context.json ? show(context, [await receiptNamed(context, given)], '') : showReceipt(context, given);
  }
  const { all = false, steps = false } = filter;
  const found = filterBy(
    await context.client.ask('receipts', { limit: context.json ? filter.limit : asked(filter), ...here(context, filter) }),
    { ...filter, limit: Infinity },
    (row) => ({
      ...{ at: row.timestamp, intent: row.intent, agent: row.agent_id, tool: row.tool, tool_id: row.tool_id, word: row.word },
      about: [...row.file_refs.map(({ path }) => path), subjectOf(row)],
    }),
  );
  const facts = (row: ReceiptRow) => ({
    ...{ id: row.action_id, parent: row.parent ?? null, agent: row.agent_id, word: row.word },
    ...{ session: row.task_id, turn: row.turn_id },
  });
  const folded = steps ? found.map((row) => ({ row, steps: 0 })) : foldSteps(found, facts);
  const rows = folded.slice(0, filter.limit);
  const cells = ({ row, steps: count }: (typeof rows)[number]) => [
    paint('dim', localTime(row.timestamp)),
    shortId(row.receipt_id),
    wordText(row.word),
    visible(row.agent_id),
    visible(row.tool),
    row.intent ?? '-',
    ...(all ? [visible(row.root ?? '-')] : []),
    [cut(visible(subjectOf(row)), SUBJECT_WIDTH), stepsText(count), sinceText(row)].filter(Boolean).join('  '),
  ];
  const header = ['time', 'receipt', 'outcome', 'agent', 'tool', 'intent', ...(all ? ['workspace'] : []), 'subject'];
  const text = rows.length > 0 ? table(header, rows.map(cells)) : nothingHere('receipts', all, isFiltered(filter));
  show(context, found.slice(0, filter.limit), text);
}

const sinceText = ({ overtaken_by, undone_by }: ReceiptRow): string =>
  [
    ...(overtaken_by === undefined ? [] : [`overtaken by ${shortId(overtaken_by)}`]),
    ...(undone_by === undefined ? [] : [`undone by ${shortId(undone_by)}`]),
  ].join(', ');

/** The files that it changed, or what it was called with. */
export function subjectOf({ file_refs, inputs }: ReceiptRow): string {
  const ranges = file_refs.map(
    ({ path, ranges: at }) => `${path}${at.map(({ start_line, end_line }) => `:${start_line}-${end_line}`).join('')}`,
  );
  const { command, path } = inputs;
  if (typeof command === 'string') return command;
  if (ranges.length > 0) return ranges.join(' ');
  return typeof path === 'string'
    ? path
    : Object.values(inputs)
        .filter((each) => typeof each === 'string')
        .join(' ');
}

export async function log(context: CommandContext, follow: boolean, filter: ListFilter): Promise<void> {
  const facts = (row: ActionRow) => ({ ...row, about: [row.subject] });
  // A stream has no end, so with --json it is one line for each row.
  if (follow) {
    // Starts a daemon if none runs; following starts none.
    await context.client.ask('status', {});
    const { followActions } = await import('./follow-actions.ts');
    return followActions(context, filter.limit, (row) => {
      if (filterBy([row], { ...filter, limit: 1 }, facts).length > 0) context.print(context.json ? JSON.stringify(row) : actionLine(row));
    });
  }
  const limit = context.json ? filter.limit : asked(filter);
  const found = filterBy(await context.client.ask('actions', { limit, ...here(context, filter) }), { ...filter, limit: Infinity }, facts);
  const folded = filter.steps ? found.map((row) => ({ row, steps: 0 })) : foldSteps(found, (row) => ({ ...row, turn: row.turn ?? null }));
  const rows = folded.slice(0, filter.limit).toReversed();
  const cells = ({ row, steps }: (typeof rows)[number]) => [
    paint('dim', localTime(row.at)),
    shortId(referenceOf(row)),
    wordText(row.word),
    visible(row.agent),
    visible(row.tool),
    row.intent ?? '-',
    [cut(visible(row.subject), SUBJECT_WIDTH), stepsText(steps), whyText(row)].filter(Boolean).join('  '),
  ];
  const header = ['time', 'id', 'outcome', 'agent', 'tool', 'intent', 'subject'];
  const text = rows.length > 0 ? table(header, rows.map(cells)) : nothingHere('actions', filter.all ?? false, isFiltered(filter));
  show(context, found.slice(0, filter.limit).toReversed(), text);
}

/** What stands beside its word: the rule that stopped it, or what happened to it since. */
function whyText({ word, code, overtaken_by, undone_by, paused }: ActionRow): string {
  const stopped = word === 'refused' || (paused && code !== null) ? (code ?? '') : '';
  const since = overtaken_by ? `overtaken by ${shortId(overtaken_by)}` : undone_by ? `undone by ${shortId(undone_by)}` : '';
  const text = [stopped, since, paused ? 'in a pause' : ''].filter(Boolean).join(' ');
  return text === '' ? '' : paint('dim', text);
}

export async function sessions(context: CommandContext, filter: ListFilter): Promise<void> {
  const { all = false } = filter;
  const found = await context.client.ask('sessions', { limit: asked({ ...filter, steps: true }), ...here(context, filter) });
  const { path, tool, ...ofSessions } = filter;
  const worked = path === undefined && tool === undefined ? null : await sessionsWith(context, filter);
  const rows = filterBy(
    found.filter(({ id }) => worked === null || worked.has(id)),
    ofSessions,
    (row) => ({ at: row.last_at, intent: row.intent, agent: row.agent, about: [], tool: '', word: row.open ? 'open' : 'closed' }),
    ['open', 'closed'],
  );
  const cells = ({ id, agent, level, mode, intent, open, last_at }: SessionRow) => [
    paint('dim', localTime(last_at)),
    shortId(id),
    open ? paint('green', 'open') : 'closed',
    visible(agent),
    level,
    mode ?? 'undeclared',
    intent ?? 'no intent',
  ];
  const header = ['last seen', 'session', 'state', 'agent', 'level', 'mode', 'intent'];
  show(context, rows, rows.length > 0 ? table(header, rows.map(cells)) : nothingHere('sessions', all, isFiltered(filter)));
}

/** A session has no path and no tool of its own; its actions have. */
async function sessionsWith(context: CommandContext, { path, tool, ...filter }: ListFilter): Promise<ReadonlySet<string>> {
  const actions = await context.client.ask('actions', { limit: asked({ limit: 1, path: '' }), ...here(context, filter) });
  const wanted = { limit: Infinity, ...(path === undefined ? {} : { path }), ...(tool === undefined ? {} : { tool }) };
  return new Set(filterBy(actions, wanted, (row) => ({ ...row, about: [row.subject] })).map(({ session }) => session));
}
