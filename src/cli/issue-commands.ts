// Issues of a workspace, for people.

import type { IssueRow, QueryInput } from '../protocol/index.ts';
import { Fault } from '../protocol/plain.ts';
import { visible } from '../protocol/plain.ts';
import { type CommandContext, show } from './command-context.ts';
import { table } from './table.ts';
import { block, paint } from './terminal-text.ts';

export interface IssueFilters {
  readonly tag: readonly string[];
  readonly assigned?: string;
  readonly status?: 'open' | 'closed' | 'all';
  readonly priority?: 'low' | 'normal' | 'high' | 'urgent';
  readonly personalTag: readonly string[];
  readonly personalAgent?: string;
  readonly excludePersonalTag: readonly string[];
  readonly minInterest?: number;
}

export async function listIssues(context: CommandContext, filters: IssueFilters): Promise<void> {
  const { tag, assigned, status = 'open', priority, personalTag, personalAgent, excludePersonalTag, minInterest } = filters;
  const some = (values: readonly string[]) => (values.length > 0 ? [...values] : undefined);
  const query: QueryInput<'issues'> = {
    ...{ cwd: context.cwd, status, tags: some(tag), personalTags: some(personalTag), excludePersonalTags: some(excludePersonalTag) },
    ...{ assignedTo: assigned, priority, personalAgent, minInterestLevel: minInterest },
  };
  const rows = await context.client.ask('issues', query);
  const cells = ({ id, status: state, priority: urgency, assignedTo, tags, title }: IssueRow) => [
    ...[id, state, urgency, visible(assignedTo ?? '')],
    ...[visible(tags.join(', ')), visible(title)],
  ];
  const header = ['ID', 'STATUS', 'PRIORITY', 'FOR', 'TAGS', 'TITLE'];
  show(context, rows, rows.length > 0 ? table(header, rows.map(cells)) : 'No issues that fit; --status all shows the closed ones too.');
}

export async function showIssue(context: CommandContext, id: string): Promise<void> {
  const [row] = await context.client.ask('issues', { cwd: context.cwd, id });
  if (!row)
    throw new Fault('NOT_FOUND', `There is no issue ${visible(id)} in this workspace.`, {
      fix: 'countersign issues --status all lists them',
    });
  show(context, row, issueText(row));
}

export interface OpenOptions {
  readonly body?: string;
  readonly tag: readonly string[];
  readonly assign?: string;
  readonly priority?: 'low' | 'normal' | 'high' | 'urgent';
}

export async function openIssue(
  context: CommandContext,
  title: string,
  { body = '', tag, assign, priority = 'normal' }: OpenOptions,
): Promise<void> {
  const row = await context.client.act('open_issue', {
    cwd: context.cwd,
    title,
    body,
    tags: [...tag],
    assignedTo: assign ?? null,
    priority,
  });
  show(context, row, issueText(row));
}

export async function closeIssue(context: CommandContext, id: string): Promise<void> {
  const row = await context.client.act('change_issue', { cwd: context.cwd, id, status: 'closed' });
  show(context, row, `${row.id} is closed.`);
}

export async function linkIssue(context: CommandContext, id: string, session: string): Promise<void> {
  const row = await context.client.act('link_issue', { cwd: context.cwd, id: session, issueId: id });
  show(context, row, `${row.id} now has ${row.receipts.length} receipts.`);
}

function issueText({ id, title, status, priority, assignedTo, tags, body, opened_at, sessions, receipts, marks }: IssueRow): string {
  return [
    `${paint('bold', id)}  ${status}  ${priority}  ${visible(title)}`,
    ...(body === '' ? [] : block(body)),
    ...(assignedTo === null ? [] : [`  for       ${visible(assignedTo)}`]),
    ...(tags.length === 0 ? [] : [`  tags      ${visible(tags.join(', '))}`]),
    ...marks.map(
      ({ agent, tags: own, interest }) =>
        `  ${visible(agent)} marks it ${visible(own.join(', '))}${interest === null ? '' : ` (interest ${interest})`}`,
    ),
    ...(sessions.length === 0 ? [] : [`  sessions  ${sessions.join(', ')}, ${receipts.length} receipts`]),
    `  opened    ${opened_at}`,
  ].join('\n');
}
