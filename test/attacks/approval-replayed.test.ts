// One yes, used again: by the same call, by many at once, after a restart; or given by the agent with the tokens that it can read.
// What a process below the agent may not do is in self-approval.test.ts.

import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { codeOf, startTestDaemon, type TestDaemon } from '../lab/daemon.ts';
import { connectOverHttp } from '../lab/mcp-http.ts';
import { verifies } from '../verifies.ts';

let daemon: TestDaemon;
let login: Readonly<Record<string, string>>;
beforeAll(async () => {
  daemon = await startTestDaemon();
  await daemon.beginWork('src/**');
  login = await daemon.login();
});
afterAll(() => daemon.dispose());

let calls = 0;

/** `runs`, or the id of the question that has to be answered first. */
async function bash(command: string, tool_use_id = `toolu_${++calls}`): Promise<string> {
  const answer = JSON.stringify(await daemon.hook('PreToolUse', { tool_name: 'Bash', tool_input: { command }, tool_use_id }));
  if (!answer.includes('"deny"')) return 'runs';
  return /APPROVAL_REQUIRED.*?(apr_\w+)/.exec(answer)?.[1] ?? answer;
}

const answer = (id: string, headers = login) =>
  daemon.web('POST', `/api/approvals/${id}/answer`, { headers, body: { answer: 'approved' } });
const stateOf = async (id: string) => (await daemon.services().ask('approvals', { id }))[0]?.state;

verifies('I13', 'of many calls at once under one yes, one runs', async () => {
  const command = 'rm -rf src/once';
  const question = await bash(command);
  expect((await answer(question)).status).toBe(200);
  const all = await Promise.all(Array.from({ length: 12 }, () => bash(command)));
  const [again, ...others] = new Set(all.filter((one) => one !== 'runs'));
  expect([all.filter((one) => one === 'runs').length, others, again === question]).toEqual([1, [], false]);
  expect(await stateOf(question)).toBe('spent');
});

verifies('I13', 'a yes that was used is used up: by the same call id, a new answer, a restart', async () => {
  const command = 'rm -rf src/again';
  const question = await bash(command);
  await answer(question);
  expect(await bash(command, 'toolu_same')).toBe('runs');
  // Until its outcome is reported, a second hook with the same id is the same call.
  await daemon.hook('PostToolUse', { tool_name: 'Bash', tool_input: { command }, tool_use_id: 'toolu_same', tool_response: {} });
  const replayed = await bash(command, 'toolu_same');
  expect([replayed, replayed === question]).toEqual([expect.stringMatching(/^apr_/), false]);
  const late = await answer(question);
  expect([late.status, codeOf(late)]).toEqual([403, 'APPROVAL_NOT_OPEN']);
  await daemon.restart();
  expect([await bash(command), await stateOf(question)]).toEqual([replayed, 'spent']);
});

verifies('I13', 'the tokens that an agent can read answer nothing', async () => {
  const question = await bash('rm -rf src/mine');
  const before = await daemon.ledgerSize();
  const credentials = [await daemon.asHook(), await daemon.asMcp(), {}, { cookie: login['cookie']! }];
  const replies = await Promise.all(credentials.map((headers) => answer(question, headers)));
  expect(replies.map((reply) => [reply.status, codeOf(reply)])).toEqual([
    [403, 'FORBIDDEN'],
    [403, 'FORBIDDEN'],
    [401, 'UNAUTHENTICATED'],
    [401, 'UNAUTHENTICATED'],
  ]);
  expect([await stateOf(question), await daemon.ledgerSize()]).toEqual(['pending', before]);
});

test('no tool answers a question, and none that is called so is there', async () => {
  const client = await connectOverHttp(daemon, { headers: { 'x-countersign-surface': 'contract' } });
  onTestFinished(() => client.close());
  const offered = (await client.listTools()).tools.map(({ name }) => name);
  expect(offered.toSorted()).toEqual(
    daemon
      .services()
      .tools.toolsOn('contract')
      .map(({ name }) => name)
      .toSorted(),
  );
  expect(offered.filter((name) => /approv|answer|grant|reject/.test(name))).toEqual([]);
  const question = await bash('rm -rf src/tool');
  for (const name of ['approve', 'answer_approval', 'countersign_approve']) {
    const called = await client.callTool({ name, arguments: { id: question } }).then(
      ({ isError }) => (isError === true ? 'error' : 'done'),
      () => 'error',
    );
    expect([name, called]).toEqual([name, 'error']);
  }
  expect(await stateOf(question)).toBe('pending');
});
