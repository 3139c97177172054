import { describe, expect, test } from 'vitest';
import { verifies } from '../../../test/verifies.ts';
import { clientFor, serve } from '../bad-server.fixture.ts';
import { acceptanceCriteria } from './acceptance-criteria.ts';
import { fetchTicket } from './fetch-ticket.ts';

const still = new AbortController().signal;

/** In the form that the REST API of Jira 9 sends, shortened. */
const ISSUE = {
  key: 'SHOP-12',
  names: { customfield_10200: 'Acceptance Criteria', customfield_10300: 'Team' },
  fields: {
    summary: 'Round totals to cents',
    issuetype: { name: 'Story' },
    status: { name: 'In Progress', statusCategory: { name: 'In Progress' } },
    priority: { name: 'High' },
    assignee: { displayName: 'Ada', emailAddress: 'ada@example.com' },
    reporter: null,
    labels: ['billing'],
    components: [{ name: 'orders' }],
    fixVersions: [],
    created: '2026-11-01T09:00:00.000+0000',
    updated: '2026-11-02T09:00:00.000+0000',
    parent: { key: 'SHOP-1', fields: { summary: 'Billing', status: { name: 'Open' } } },
    description: 'Totals have three decimals.',
    customfield_10200: '* total() rounds to cents\n* half a cent is rounded up',
    customfield_10300: 'Blue',
    comment: { total: 1, comments: [{ author: { displayName: 'Eve' }, created: '2026-11-02T10:00:00.000+0000', body: 'Only in EUR.' }] },
    issuelinks: [
      {
        type: { inward: 'is blocked by', outward: 'blocks' },
        outwardIssue: { key: 'SHOP-13', fields: { summary: 'Invoice', status: { name: 'Open' } } },
      },
      { type: { inward: 'is blocked by', outward: 'blocks' }, inwardIssue: { key: 'SHOP-11', fields: { summary: 'Rates' } } },
    ],
    subtasks: [{ key: 'SHOP-14', fields: { summary: 'Test it', status: { name: 'Done' } } }],
  },
};

const answering = async (body: string, status = 200) => {
  const server = await serve((_, response) => response.writeHead(status, { 'content-type': 'application/json' }).end(body));
  const client = await clientFor({ hosts: [server.host], token: { host: server.host, authorization: 'Bearer t' } });
  return { server, fetch: () => fetchTicket(client, `${server.url}/jira/`, 'SHOP-12', still) };
};

verifies('G20', 'a ticket is sliced: fields, acceptance criteria, comments, links and sub-tasks', async () => {
  const { server, fetch } = await answering(JSON.stringify(ISSUE));
  const { ticket } = await fetch();
  expect(server.asked.map(({ path, authorization }) => [path, authorization])).toEqual([
    ['/jira/rest/api/2/issue/SHOP-12?fields=*all&expand=names', 'Bearer t'],
  ]);
  expect(ticket).toEqual({
    ...{ key: 'SHOP-12', url: `${server.url}/jira/browse/SHOP-12`, summary: 'Round totals to cents', type: 'Story', status: 'In Progress' },
    ...{ priority: 'High', assignee: 'Ada', reporter: null, labels: ['billing'], components: ['orders'], fixVersions: [] },
    ...{ created: '2026-11-01T09:00:00.000+0000', updated: '2026-11-02T09:00:00.000+0000' },
    parent: { key: 'SHOP-1', summary: 'Billing', status: 'Open' },
    description: 'Totals have three decimals.',
    acceptanceCriteria: ['total() rounds to cents', 'half a cent is rounded up'],
    comments: [{ author: 'Eve', at: '2026-11-02T10:00:00.000+0000', text: 'Only in EUR.' }],
    links: [
      { key: 'SHOP-13', summary: 'Invoice', status: 'Open', relation: 'blocks' },
      { key: 'SHOP-11', summary: 'Rates', status: null, relation: 'is blocked by' },
    ],
    subTasks: [{ key: 'SHOP-14', summary: 'Test it', status: 'Done' }],
    cut: [],
  });
});

test('what is too long is cut, and it is said what', async () => {
  const comments = Array.from({ length: 40 }, (_, at) => ({ body: `comment ${at}` }));
  const fields = { ...ISSUE.fields, description: 'x'.repeat(30_000), comment: { total: 40, comments } };
  const { fetch } = await answering(JSON.stringify({ ...ISSUE, fields }));
  const { ticket } = await fetch();
  expect([ticket.description.length, ticket.comments.length, ticket.comments.at(-1)?.text]).toEqual([20_000, 30, 'comment 39']);
  expect(ticket.cut).toEqual(['comments: 30 of 40', 'description: the first 20000 of 30000 characters']);
});

test('fields of any other form are left out, and never throw', async () => {
  const odd = { summary: 7, labels: 'x', components: null, comment: [], issuelinks: {}, subtasks: [null, 3], parent: 'p', status: [] };
  const { fetch } = await answering(JSON.stringify({ key: 'SHOP-12', fields: odd }));
  expect((await fetch()).ticket).toMatchObject({
    summary: '',
    labels: [],
    comments: [],
    links: [],
    subTasks: [],
    parent: null,
    status: null,
  });
});

test.each([
  ['{"key": "SHOP-1', /not valid JSON/],
  ['<html>Log in</html>', /not valid JSON/],
  ['{"errorMessages": []}', /not a ticket/],
  ['[]', /not a ticket/],
])('%s is refused', async (body, message) => {
  const { fetch } = await answering(body);
  await expect(fetch()).rejects.toThrow(message);
});

describe('acceptance criteria in a description', () => {
  test.each([
    ['Why\n\nh3. Acceptance criteria\n# one\n# two\n  more of two\n\nh3. Notes\n* no', ['one', 'two more of two']],
    ['## Acceptance Criteria:\n- [ ] one\n- [x] two', ['one', 'two']],
    ['*Acceptance criteria*\n1. one\n2) two', ['one', 'two']],
    ['Definition of done:\nIt is rounded.\n\nIt is tested.', ['It is rounded.', 'It is tested.']],
    ['The acceptance criteria are unclear.', []],
  ])('%j', (description, expected) => {
    expect(acceptanceCriteria(description, [])).toEqual(expected);
  });
});
