// A ticket of Jira, sliced to what work is about: what is wanted, how it is accepted, what was said, and what it is connected with.

import { badAnswer, type HttpClient } from '../http-client.ts';
import type { Try } from '../failure.ts';
import { acceptanceCriteria } from './acceptance-criteria.ts';

export interface JiraTicket {
  readonly key: string;
  readonly url: string;
  readonly summary: string;
  readonly type: string | null;
  readonly status: string | null;
  readonly priority: string | null;
  readonly assignee: string | null;
  readonly reporter: string | null;
  readonly labels: readonly string[];
  readonly components: readonly string[];
  readonly fixVersions: readonly string[];
  readonly created: string | null;
  readonly updated: string | null;
  readonly parent: TicketRef | null;
  readonly description: string;
  readonly acceptanceCriteria: readonly string[];
  /** Newest last. */
  readonly comments: readonly { readonly author: string | null; readonly at: string | null; readonly text: string }[];
  readonly links: readonly (TicketRef & { readonly relation: string })[];
  readonly subTasks: readonly TicketRef[];
  /** What was cut, in words; empty: it is whole. */
  readonly cut: readonly string[];
}

interface TicketRef {
  readonly key: string;
  readonly summary: string;
  readonly status: string | null;
}

export const TICKET_KEY = /^[A-Z][A-Z0-9_]{0,30}-\d{1,10}$/;

const FIELDS = [
  ...['summary', 'issuetype', 'status', 'priority', 'assignee', 'reporter', 'labels', 'components', 'fixVersions', 'created', 'updated'],
  ...['parent', 'description', 'comment', 'issuelinks', 'subtasks'],
];
const MOST = { text: 20_000, comment: 4_000, comments: 30, entries: 100 } as const;

export async function fetchTicket(
  http: HttpClient,
  base: string,
  key: string,
  signal: AbortSignal,
): Promise<{ ticket: JiraTicket; trace: readonly Try[] }> {
  const url = new URL(`${base.replace(/\/+$/, '')}/rest/api/2/issue/${key}`);
  // The fields of a team have names of their own, so all are asked for: one of them may hold the acceptance criteria.
  url.searchParams.set('fields', '*all');
  url.searchParams.set('expand', 'names');
  const { text, trace } = await http.get(url, 'application/json', signal);
  const issue = objectOf(parsed(text, url));
  if (!issue || typeof issue['key'] !== 'string' || !objectOf(issue['fields'])) throw badAnswer(url, 'not a ticket');
  return { ticket: sliced(issue, base), trace };
}

function parsed(text: string, url: URL): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badAnswer(url, 'not valid JSON');
  }
}

type Fields = Readonly<Record<string, unknown>>;

const objectOf = (value: unknown): Fields | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;
const textOf = (value: unknown): string | null => (typeof value === 'string' && value.trim() !== '' ? value : null);
const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.map(objectOf).filter((each) => each !== null) : []);
const nameOf = (value: unknown): string | null => {
  const object = objectOf(value);
  return textOf(object?.['displayName']) ?? textOf(object?.['name']) ?? textOf(value);
};

function sliced(issue: Fields, base: string): JiraTicket {
  const fields = objectOf(issue['fields'])!;
  const cut: string[] = [];
  const clipped = (text: string, most: number, what: string): string => {
    if (text.length <= most) return text;
    cut.push(`${what}: the first ${most} of ${text.length} characters`);
    return text.slice(0, most).toWellFormed();
  };
  const clippedList = <T>(list: readonly T[], what: string, most: number = MOST.entries): readonly T[] => {
    if (list.length > most) cut.push(`${what}: ${most} of ${list.length}`);
    return list.slice(-most);
  };
  const described = textOf(fields['description']) ?? '';
  const comment = objectOf(fields['comment']);
  const comments = clippedList(listOf(comment?.['comments']), 'comments', MOST.comments);
  const total = Number(comment?.['total']);
  if (total > comments.length && comments.length < MOST.comments) cut.push(`comments: the server sent ${comments.length} of ${total}`);
  const key = issue['key'] as string;
  const names = objectOf(issue['names']) ?? {};
  const custom = Object.entries(fields).flatMap(([id, value]) =>
    FIELDS.includes(id) || textOf(value) === null ? [] : [{ name: textOf(names[id]) ?? id, text: value as string }],
  );
  return {
    key,
    url: `${base.replace(/\/+$/, '')}/browse/${key}`,
    summary: textOf(fields['summary']) ?? '',
    type: nameOf(fields['issuetype']),
    status: nameOf(fields['status']),
    priority: nameOf(fields['priority']),
    assignee: nameOf(fields['assignee']),
    reporter: nameOf(fields['reporter']),
    labels: clippedList(
      (Array.isArray(fields['labels']) ? fields['labels'] : []).filter((each) => typeof each === 'string'),
      'labels',
    ),
    components: listOf(fields['components']).flatMap((each) => nameOf(each) ?? []),
    fixVersions: listOf(fields['fixVersions']).flatMap((each) => nameOf(each) ?? []),
    created: textOf(fields['created']),
    updated: textOf(fields['updated']),
    parent: refOf(fields['parent']),
    description: clipped(described, MOST.text, 'description'),
    acceptanceCriteria: clippedList(acceptanceCriteria(described, custom), 'acceptance criteria').map((each) =>
      clipped(each, MOST.comment, 'an acceptance criterion'),
    ),
    comments: comments.map((each) => ({
      author: nameOf(each['author']),
      at: textOf(each['created']),
      text: clipped(textOf(each['body']) ?? '', MOST.comment, 'a comment'),
    })),
    links: clippedList(listOf(fields['issuelinks']).flatMap(linkOf), 'links'),
    subTasks: clippedList(
      listOf(fields['subtasks']).flatMap((each) => refOf(each) ?? []),
      'sub-tasks',
    ),
    cut,
  };
}

function refOf(value: unknown): TicketRef | null {
  const ticket = objectOf(value);
  const key = textOf(ticket?.['key']);
  const fields = objectOf(ticket?.['fields']);
  return key === null ? null : { key, summary: textOf(fields?.['summary']) ?? '', status: nameOf(fields?.['status']) };
}

function linkOf(link: Fields): readonly JiraTicket['links'][number][] {
  const type = objectOf(link['type']);
  const [outward, inward] = [refOf(link['outwardIssue']), refOf(link['inwardIssue'])];
  return [
    ...(outward ? [{ ...outward, relation: textOf(type?.['outward']) ?? 'is linked to' }] : []),
    ...(inward ? [{ ...inward, relation: textOf(type?.['inward']) ?? 'is linked to' }] : []),
  ];
}
