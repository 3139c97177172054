// What a page of another site can send without asking: forms, and JSON that calls itself text. Also bodies that are not what
// they say. None of them changes anything.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeOf, type Route, startTestDaemon, type TestDaemon } from '../lab/daemon.ts';

let daemon: TestDaemon;
let posts: readonly Route[];
let login: Readonly<Record<string, string>>;
beforeAll(async () => {
  daemon = await startTestDaemon();
  posts = (await daemon.routes()).filter(({ method }) => method === 'POST');
  login = await daemon.login();
});
afterAll(() => daemon.dispose());

/** What every route that takes a body says to this one, from the one who may call it. */
async function answers(headers: Readonly<Record<string, string>>, body: string): Promise<ReadonlySet<string>> {
  const before = await daemon.ledgerSize();
  const seen = new Set<string>();
  const tokens: Readonly<Record<string, Readonly<Record<string, string>>>> = { hook: await daemon.asHook(), mcp: await daemon.asMcp() };
  for (const { method, url, access } of posts) {
    const reply =
      access === 'owner'
        ? await daemon.owner(method, url, { headers, body })
        : await daemon.web(method, url, { headers: { ...headers, ...(tokens[access] ?? login) }, body });
    seen.add(`${reply.status} ${codeOf(reply)}`);
  }
  expect(await daemon.ledgerSize()).toBe(before);
  return seen;
}

const json = '{"answer":"approved","code":"x","cwd":"/","name":"mine","paths":["src"],"status":"active","command":"init"}';
const TYPES = [
  'text/plain',
  'text/plain;charset=UTF-8',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'text/json',
  'application/json-patch+json',
  'application/octet-stream',
  'application/jsonx',
  'nonsense',
  '',
];
test.each(TYPES)('a body of type "%s" is not read', async (type) => {
  expect(await answers({ 'content-type': type }, json)).toEqual(new Set(['415 UNSUPPORTED_MEDIA_TYPE']));
});

test('a body without a type is not read', async () => {
  expect(await answers({}, json)).toEqual(new Set(['415 UNSUPPORTED_MEDIA_TYPE']));
});

const BROKEN = [
  '{',
  'answer=approved',
  '{"a":1}{"a":1}',
  '',
  "{'answer':'approved'}",
  '{"__proto__":{"x":1}}',
  '{"constructor":{"prototype":{}}}',
  '\u0000',
];
test.each(BROKEN)('a body of %j is a bad request', async (body) => {
  expect(await answers({ 'content-type': 'application/json' }, body)).toEqual(new Set(['400 BAD_REQUEST']));
});

test('what does not fit is said in a sentence', async () => {
  const summaryOf = async (method: string, url: string, body?: unknown) => {
    const reply = await daemon.web(method, url, { headers: login, ...(body === undefined ? {} : { body }) });
    return [reply.status, (JSON.parse(reply.text) as { error: { message: string } }).error.message];
  };
  expect(await summaryOf('POST', '/api/approvals/apr_1/answer', { answer: 'approved' })).toEqual([
    400,
    expect.stringMatching(/^address, id: Invalid string/),
  ]);
  const answer = '/api/approvals/apr_00000000000000000000000000/answer';
  expect(await summaryOf('POST', answer, { answer: 'yes' })).toEqual([
    400,
    expect.stringMatching(/^body, answer: Invalid option: expected one of "approved"\|"rejected"/),
  ]);
  expect(await summaryOf('POST', answer, { answer: 'approved', human: true })).toEqual([400, 'body: Unrecognized key: "human"']);
  expect(await summaryOf('POST', answer, [])).toEqual([400, expect.stringMatching(/^body: Invalid input: expected object/)]);
  expect(await summaryOf('GET', '/api/actions?limit=none')).toEqual([
    400,
    expect.stringMatching(/^query, limit: Invalid input: expected number/),
  ]);
  expect(await summaryOf('GET', '/api/actions?limit=100000')).toEqual([400, expect.stringMatching(/^query, limit: Too big/)]);
  expect(await summaryOf('GET', '/api/actions?workspace=../..')).toEqual([400, expect.stringMatching(/^query, workspace: Invalid string/)]);
  expect(await summaryOf('GET', '/api/status?also=this')).toEqual([400, 'query: Unrecognized key: "also"']);
  expect(await summaryOf('POST', answer, { answer: 'approved' })).toEqual([
    404,
    'There is no open question apr_00000000000000000000000000.',
  ]);
});
