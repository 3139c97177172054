// Exports of issue trackers as drafts of intents: GitHub (JSON), Jira (CSV and JSON), Linear (CSV).

import { z } from 'zod';
import { parseJsonWithLines } from '../../workspace/index.ts';
import { readCsv } from './csv.ts';
import { type Drafts, type IntentDraft, intentDraft, invalid, NOTHING, someLines } from './draft.ts';

const CLOSED = /^(?:closed|done|resolved|completed|cancell?ed|won'?t (?:do|fix)|duplicate|archived)$/i;

const GitHubIssue = z.looseObject({
  title: z.string(),
  number: z.int(),
  body: z.string().nullish(),
  state: z.string().optional(),
  pull_request: z.unknown().optional(),
});

/** What `gh issue list --json number,title,body,state` writes, and what the REST API answers. */
export function readGitHub(file: string, text: string): Drafts {
  const { value, lineOf } = parseJsonWithLines(file, text);
  const items = Array.isArray(value) ? 'list' : Array.isArray((value as { items?: unknown } | null)?.items) ? 'items' : 'one';
  const list = items === 'list' ? (value as unknown[]) : items === 'items' ? (value as { items: unknown[] }).items : [value];
  const intents = list.flatMap((each, at): IntentDraft[] => {
    const path = items === 'list' ? [at] : items === 'items' ? ['items', at] : [];
    const issue = parsed(GitHubIssue, each, file, (below) => lineOf([...path, ...below]), 'no GitHub issue');
    if (issue.pull_request !== undefined || issue.title.trim() === '') return [];
    const closed = CLOSED.test(issue.state ?? '');
    return [intentDraft({ name: issue.title, source: `GitHub #${issue.number}`, text: issue.body ?? '', closed })];
  });
  return { ...NOTHING, intents };
}

const JiraIssue = z.looseObject({
  key: z.string(),
  fields: z.looseObject({
    summary: z.string(),
    description: z.unknown().optional(),
    status: z
      .looseObject({ name: z.string().optional(), statusCategory: z.looseObject({ key: z.string().optional() }).optional() })
      .optional(),
  }),
});

/** The CSV of the issue navigator, or what the search of the REST API answers. */
export function readJira(file: string, text: string): Drafts {
  return /^[\ufeff\s]*[{[]/.test(text) ? readJiraJson(file, text) : readJiraCsv(file, text);
}

function readJiraJson(file: string, text: string): Drafts {
  const { value, lineOf } = parseJsonWithLines(file, text);
  const list = Array.isArray(value) ? value : (value as { issues?: unknown } | null)?.issues;
  if (!Array.isArray(list)) throw invalid(file, 1, 'there is no list of issues in it');
  const above = Array.isArray(value) ? [] : ['issues'];
  const intents = list.map((each: unknown, at) => {
    const { key, fields } = parsed(JiraIssue, each, file, (below) => lineOf([...above, at, ...below]), 'no Jira issue');
    const { name = '', statusCategory } = fields.status ?? {};
    const closed = statusCategory?.key === 'done' || CLOSED.test(name);
    return intentDraft({ name: fields.summary, source: `Jira ${key}`, text: wordsIn(fields.description), closed });
  });
  return { ...NOTHING, intents: intents.filter(({ name }) => name !== '') };
}

/** A description is text, or a document whose leaves are text. */
function wordsIn(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(wordsIn).join('');
  if (typeof value !== 'object' || value === null) return '';
  const { type, text, content } = value as { type?: unknown; text?: unknown; content?: unknown };
  const inner = typeof text === 'string' ? text : wordsIn(content);
  if (type === 'listItem') return `- ${inner.trim()}\n`;
  if (type === 'heading') return `# ${inner}\n`;
  return type === 'paragraph' || type === 'hardBreak' ? `${inner}\n` : inner;
}

function readJiraCsv(file: string, text: string): Drafts {
  const { columns, rows } = readCsv(file, text);
  demand(file, columns, ['Summary', 'Issue key']);
  const criteria = columns.filter((column) => /^(?:custom field \()?acceptance criteria\)?$/i.test(column));
  const intents = rows.map((row) => {
    const found = criteria
      .flatMap((column) => row.all(column))
      .flatMap((cell) => cell.split(/\r?\n/))
      .map((line) => line.replace(/^\s*[-*#]+\s*/, ''));
    const body = row.all('Description').join('\n');
    return intentDraft({
      name: row.get('Summary'),
      source: `Jira ${row.get('Issue key')}`,
      text: body,
      closed: CLOSED.test(row.get('Status Category')) || CLOSED.test(row.get('Status')),
      ...(someLines(found).length > 0 ? { acceptance_criteria: found } : {}),
    });
  });
  return { ...NOTHING, intents: intents.filter(({ name }) => name !== '') };
}

export function readLinear(file: string, text: string): Drafts {
  const { columns, rows } = readCsv(file, text);
  demand(file, columns, ['ID', 'Title']);
  const intents = rows.map((row) =>
    intentDraft({
      name: row.get('Title'),
      source: `Linear ${row.get('ID')}`,
      text: row.get('Description'),
      closed: CLOSED.test(row.get('Status')) || row.get('Completed') !== '' || row.get('Canceled') !== '',
    }),
  );
  return { ...NOTHING, intents: intents.filter(({ name }) => name !== '') };
}

function demand(file: string, columns: readonly string[], wanted: readonly string[]): void {
  const missing = wanted.find((name) => !columns.some((column) => column.toLowerCase() === name.toLowerCase()));
  if (missing !== undefined) throw invalid(file, 1, `there is no column ${missing}`);
}

function parsed<S extends z.ZodType>(
  schema: S,
  value: unknown,
  file: string,
  lineOf: (below: readonly PropertyKey[]) => number,
  what: string,
): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const where = issue?.path ?? [];
  throw invalid(file, lineOf(where), `${where.map(String).join('.') || 'this'}: ${issue?.message}; it is ${what}`);
}
