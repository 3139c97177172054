// What happened, as lists: receipts, actions, sessions.

import type { ActionRow, SessionRow, SignedReceipt } from '../protocol/index.ts';
import { Fault, visible, wordOfReceipt } from '../protocol/plain.ts';
import { type CommandContext, nothingHere, show } from './command-context.ts';
import { resolveId } from './resolve-id.ts';
import { asked, filterBy, type ListFilter, localTime, shortId, table } from './table.ts';
import { actionLine, cut, paint, wordText } from './terminal-text.ts';

const SUBJECT_WIDTH = 80;

const here = ({ cwd }: CommandContext, { all = false }: ListFilter) => (all ? {} : { cwd });

export async function receipts(context: CommandContext, given: string | undefined, filter: ListFilter): Promise<void> {
  const { all = false } = filter;
  if (given !== undefined) {
    const id = await resolveId(context, 'receipt', given, 'countersign receipts lists them');
    const found = await context.client.ask('receipts', { id });
    if (found.length === 0) throw new Fault('NOT_FOUND', `There is no receipt ${id}.`, { fix: 'countersign receipts lists them' });
    return show(context, found, found.map(receiptText).join('\n'));
  }
  const rows = filterBy(await context.client.ask('receipts', { limit: asked(filter), ...here(context, filter) }), filter, (row) => ({
    ...{ at: row.timestamp, intent: row.intent, agent: row.agent_id, tool: row.tool_id, word: wordOfReceipt(row.status) },
    about: [...row.file_refs.map(({ path }) => path), subjectOf(row)],
  }));
  const cells = (row: SignedReceipt) => [
    paint('dim', localTime(row.timestamp)),
    shortId(row.receipt_id),
    wordText(wordOfReceipt(row.status)).trimEnd(),
    visible(row.agent_id),
    visible(row.tool_id),
    row.intent ?? '-',
    ...(all ? [visible(row.root ?? '-')] : []),
    `${cut(visible(subjectOf(row)), SUBJECT_WIDTH)}${row.overtaken_by === undefined ? '' : `  overtaken by ${shortId(row.overtaken_by)}`}`,
  ];
  const header = ['time', 'receipt', 'outcome', 'agent', 'tool', 'intent', ...(all ? ['workspace'] : []), 'subject'];
  show(context, rows, rows.length > 0 ? table(header, rows.map(cells)) : nothingHere('receipts', all));
}

/** The files that it changed, or what it was called with. */
function subjectOf({ file_refs, inputs }: SignedReceipt): string {
  const ranges = file_refs.map(
    ({ path, ranges: at }) => `${path}${at.map(({ start_line, end_line }) => `:${start_line}-${end_line}`).join('')}`,
  );
  if (ranges.length > 0) return ranges.join(' ');
  const { command, path } = inputs;
  if (typeof command === 'string') return command;
  return typeof path === 'string'
    ? path
    : Object.values(inputs)
        .filter((each) => typeof each === 'string')
        .join(' ');
}

function receiptText(row: SignedReceipt): string {
  const facts = [
    ['when', `${localTime(row.timestamp)}  (${row.timestamp})`],
    ['agent', visible(row.agent_id)],
    ['tool', visible(row.tool_id)],
    ['outcome', wordText(wordOfReceipt(row.status)).trimEnd()],
    ['intent', row.intent ?? 'none'],
    ['session', row.task_id],
    ['action', row.action_id],
    ['subject', visible(subjectOf(row))],
    ['record', `#${row.seq}`],
  ] as const;
  return [paint('bold', row.receipt_id), ...facts.map(([name, value]) => `  ${name.padEnd(8)} ${value}`)].join('\n');
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
  const found = await context.client.ask('actions', { limit: asked(filter), ...here(context, filter) });
  const rows = filterBy(found, filter, facts).reverse();
  show(context, rows, rows.map(actionLine).join('\n') || nothingHere('actions', filter.all ?? false));
}

export async function sessions(context: CommandContext, filter: ListFilter): Promise<void> {
  const { all = false } = filter;
  const found = await context.client.ask('sessions', { limit: asked(filter), ...here(context, filter) });
  const rows = filterBy(found, filter, (row) => ({
    ...{ at: row.last_at, intent: row.intent, agent: row.agent, about: [], tool: '', word: row.open ? 'open' : 'closed' },
  }));
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
  show(context, rows, rows.length > 0 ? table(header, rows.map(cells)) : nothingHere('sessions', all));
}
