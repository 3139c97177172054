// What is kept around conversations: endpoints, agents, issues, credits, notifications, telemetry, prompts, receipts. Over HTTP, with a real daemon.

import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type CommandName, COMMANDS, pathOf, QUERIES, type QueryName, queryPathOf } from '../src/protocol/index.ts';
import { callTool, decideFinal, receiptIn } from './lab/chat-model.ts';
import { conversationForThisFile, QUOTE, SCENE } from './lab/conversation.ts';
import { verifies } from './verifies.ts';

const here = conversationForThisFile();
const GREY = `Her eyes are grey.\nEvidence: "${QUOTE}" (${SCENE}:3)`;
const GREEN = `Her eyes are green.\nEvidence: "Her green eyes were tired" (${SCENE}:3)`;

async function ask<N extends QueryName>(name: N, input: Readonly<Record<string, string>> = {}): Promise<unknown> {
  const { page, cwd } = here();
  const path = queryPathOf(name).replace(':id', input['id'] ?? '');
  const { id: _id, ...rest } = input;
  const query = new URLSearchParams({ ...('cwd' in QUERIES[name].input.shape ? { cwd } : {}), ...rest });
  const { status, text } = await page('GET', `${path}?${query}`);
  expect([name, status, text]).toEqual([name, 200, expect.any(String)]);
  const answer = 'answers' in QUERIES[name] ? text : (JSON.parse(text) as unknown);
  expect([name, QUERIES[name].output.safeParse(answer).error?.issues ?? []]).toEqual([name, []]);
  return answer;
}

async function act(name: CommandName, input: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>> {
  const { page, cwd } = here();
  const path = pathOf(name);
  const { id, ...rest } = input;
  const inPath = path.includes(':id');
  const takesCwd = 'cwd' in (COMMANDS[name].input as unknown as { shape: object }).shape;
  const body = { ...(takesCwd ? { cwd } : {}), ...(inPath ? rest : input) };
  const { status, text } = await page('POST', path.replace(':id', String(id)), { body });
  expect([name, status, text]).toEqual([name, 200, expect.any(String)]);
  const answer = JSON.parse(text) as Record<string, unknown>;
  expect([name, COMMANDS[name].output.safeParse(answer).error?.issues ?? []]).toEqual([name, []]);
  return answer;
}

const viewNow = async (path: string): Promise<Record<string, unknown>> =>
  JSON.parse(await readFile(join(here().cwd, path), 'utf8').catch(() => 'null')) as Record<string, unknown>;
/** Views follow the ledger, after the answer. */
const expectView = async (path: string, holds: object): Promise<void> => {
  await expect.poll(() => viewNow(path), { timeout: 30_000 }).toMatchObject(holds);
};

describe('endpoints', () => {
  verifies('C15', 'are added, tested, listed and removed; the first is the default', async () => {
    const { modelThat } = here();
    const { id, model } = await modelThat();
    expect(await ask('endpoints')).toContainEqual(
      expect.objectContaining({
        id,
        provider: 'lmstudio',
        host: model.host,
        network: 'loopback',
        state: 'ready',
        has_key: false,
        report: null,
      }),
    );
    model.play(
      'ready',
      (call) => JSON.stringify({ word: /"const":"(\w+)"/.exec(JSON.stringify(call.response_format))?.[1] }),
      callTool('file_reader', { path: 'notes/harbour.md' }),
      ...[500, 2_000].map(() => (call: { readonly prompt: string }) => /The code word is (\w+)/.exec(call.prompt)?.[1] ?? ''),
      'I forgot it.',
      'At the sandbar.\nEvidence: "the last ferry turned back at the sandbar" (notes/harbour.md:1)',
    );
    expect(await act('test_endpoint', { id })).toEqual({
      ...{ answers: true, json_schema: 'yes', context_words: 2_000, tool_call: true, evidence: true, troubles: [] },
      good_for: 'Good for grounded answers: it calls tools and quotes what it read.',
      tokens: { input: 700, output: 70 },
    });
    expect(await ask('endpoints')).toContainEqual(
      expect.objectContaining({ id, json_schema: 'yes', tested_at: expect.any(String) as string }),
    );
    await act('remove_endpoint', { id });
    expect(await ask('endpoints')).not.toContainEqual(expect.objectContaining({ id }));
  });

  test('a model that does not answer is reported as such', async () => {
    const { modelThat } = here();
    const { id } = await modelThat({ status: 503 });
    expect(await act('test_endpoint', { id })).toMatchObject({
      answers: false,
      json_schema: 'unknown',
      troubles: [expect.stringContaining('503')],
    });
  });

  verifies(
    'C5',
    'an address that is refused says why: a password in it, http on the internet, cloud metadata, no usual place',
    async () => {
      const { page, cwd } = here();
      const refused = async (address: string | null, provider = 'openai-compatible') => {
        const { status, text } = await page('POST', '/api/endpoints', { body: { cwd, id: 'x', provider, model: 'm', address } });
        return [status, (JSON.parse(text) as { error: { message: string } }).error.message];
      };
      expect(await refused('http://user:secret@127.0.0.1:1/')).toEqual([400, 'An address must not hold a password.']);
      expect(await refused('http://8.8.8.8/v1')).toEqual([
        400,
        expect.stringContaining('is on the internet, and http:// would send the key'),
      ]);
      expect(await refused('http://169.254.169.254/latest')).toEqual([400, expect.stringContaining('where no model is called')]);
      expect(await refused(null)).toEqual([400, 'openai-compatible has no usual address.']);
      expect(await refused('ftp://127.0.0.1/')).toEqual([400, expect.stringContaining('body, address')]);
      expect(await refused('https://127.0.0.1:1/', 'openai')).toEqual([400, 'openai needs a key.']);
    },
  );

  verifies('C5', 'a host that an agent names waits in the inbox, and nothing is sent there before a human confirms it', async () => {
    const { daemon, cwd, page, modelThat } = here();
    const { model } = await modelThat(GREY);
    const { kernel, ask: asked, locate } = daemon.services();
    const { id: workspace } = await locate(cwd);
    const endpoint = {
      ...({ id: 'proposed', provider: 'lmstudio', network: 'loopback', model: 'scripted', json_schema: 'unknown' } as const),
      ...{ base_url: `${model.url}/v1`, host: model.host },
    };
    await kernel.conversations.addEndpoint({ kind: 'uncertain', why: 'an agent may be calling' }, workspace, endpoint, () => false);
    expect(await asked('inbox', { cwd })).toMatchObject([
      {
        kind: 'endpoint',
        id: 'proposed',
        yes: 'countersign endpoints confirm proposed',
        what: expect.stringContaining(model.host) as string,
      },
    ]);
    const chat = () => page('POST', '/api/ai/chat', { body: { cwd, message: 'Eyes?', endpointId: 'proposed' } });
    expect((await chat()).status).toBe(403);
    expect(model.calls).toEqual([]);
    expect(await act('confirm_endpoint', { id: 'proposed' })).toMatchObject({ state: 'ready' });
    expect((await chat()).status).toBe(200);
    expect(await asked('inbox', { cwd })).toEqual([]);
  });
});

describe('agents, issues, credits, notifications', () => {
  verifies('C15', 'an agent is kept, with its endpoint by id alone, and is in the files of the control room', async () => {
    const { modelThat } = here();
    const { id: endpoint, model } = await modelThat();
    const agent = { id: 'continuity', name: 'Continuity', role: 'continuity', instructions: 'Find contradictions.', tier: 3, endpoint };
    expect(await act('save_agent', agent)).toEqual({ ...agent, origin: 'workspace', credits: 0 });
    const cast = (await ask('agents')) as { id: string; origin: string }[];
    expect(cast.map(({ id, origin }) => [id, origin])).toEqual(
      expect.arrayContaining([
        ['chief', 'built-in'],
        ['continuity', 'workspace'],
      ]),
    );
    expect(cast.filter(({ id }) => id === 'continuity').length).toBe(1);
    const path = '.control-room/agents/agent-endpoints.json';
    await expectView(path, { endpoints: { continuity: endpoint, chief: null } });
    expect(JSON.stringify(await viewNow(path))).not.toContain(model.host);
  });

  verifies('C15', 'issues are found by each of the filters', async () => {
    const one = await act('open_issue', {
      title: 'Her eyes change colour',
      tags: ['continuity', 'eyes'],
      assignedTo: 'continuity',
      priority: 'high',
    });
    const two = await act('open_issue', { title: 'Too many adverbs', tags: ['style'] });
    await act('mark_issue', { id: one['id'], agent: 'continuity', tags: ['mine'], interest: 4 });
    await act('mark_issue', { id: two['id'], agent: 'line-editor', tags: ['later'], interest: 2 });
    await act('change_issue', { id: two['id'], status: 'closed' });
    const found = async (filter: Readonly<Record<string, string>>) =>
      ((await ask('issues', filter)) as { id: string }[]).map(({ id }) => id);
    expect(await found({})).toEqual([two['id'], one['id']]);
    expect(await found({ status: 'open' })).toEqual([one['id']]);
    expect(await found({ status: 'all', tags: 'style' })).toEqual([two['id']]);
    expect(await found({ tags: 'continuity,eyes' })).toEqual([one['id']]);
    expect(await found({ tags: 'continuity,style' })).toEqual([]);
    expect(await found({ assignedTo: 'Continuity' })).toEqual([one['id']]);
    expect(await found({ priority: 'high' })).toEqual([one['id']]);
    expect(await found({ personalTags: 'mine' })).toEqual([one['id']]);
    expect(await found({ personalTags: 'mine', personalAgent: 'line-editor' })).toEqual([]);
    expect(await found({ excludePersonalTags: 'later' })).toEqual([one['id']]);
    expect(await found({ minInterestLevel: '3' })).toEqual([one['id']]);
    await expectView('.control-room/issues/issues.json', { issues: [{ id: two['id'] }, { id: one['id'] }] });
    await expectView('.control-room/memory/continuity.json', {
      marks: [{ issue: one['id'], tags: ['mine'], interest: 4 }],
    });
  });

  verifies('C15', 'an accepted answer earns a credit, a refused one costs one, and a person is notified of it', async () => {
    const { modelThat, chat } = here();
    const { id } = await modelThat(GREY, GREEN, GREEN);
    const before = ((await ask('credits')) as { agent: string; accepted: number; refused: number }[]).find(
      ({ agent }) => agent === 'chief',
    );
    await chat({ message: 'Eyes?', endpointId: id });
    await chat({ message: 'Eyes?', endpointId: id });
    const { accepted = 0, refused = 0 } = before ?? {};
    expect(await ask('credits')).toContainEqual(
      expect.objectContaining({ agent: 'chief', accepted: accepted + 1, refused: refused + 1, credits: accepted - refused }),
    );
    const [newest] = (await ask('notifications', { unread: 'true' })) as { id: number; text: string }[];
    expect(newest?.text).toMatch(/^An answer of chief was refused: /);
    await act('read_notifications', { through: newest!.id });
    expect(await ask('notifications', { unread: 'true' })).toEqual([]);
    await expectView('data/notifications.json', { made_by: expect.stringContaining('countersign') as string });
    await expectView('.control-room/credits/credits.json', { credits: expect.any(Array) as object });
  });

  test("a file that somebody else made under a view's name is left as it is", async () => {
    const { cwd } = here();
    const path = join(cwd, '.control-room/issues/issues.json');
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, '{"mine":true}');
    await act('open_issue', { title: 'another' });
    // Views are written in the order of the record.
    await act('save_agent', { id: 'later', name: 'Later', role: 'chief', instructions: '', tier: null, endpoint: null });
    await expectView('.control-room/agents/agents.json', {
      agents: expect.arrayContaining([expect.objectContaining({ id: 'later' })]),
    });
    expect(await readFile(path, 'utf8')).toBe('{"mine":true}');
  });
});

describe('telemetry, receipts and prompts', () => {
  verifies('C12', 'turns, tokens and reasons are counted, as totals and by session; clients count apart', async () => {
    const { modelThat, chat } = here();
    const { id } = await modelThat(GREEN, GREY, ({ nonce }) => `Sure ${JSON.stringify({ tool: 'file_reader', args: {}, nonce })}`);
    const before = (await ask('telemetry_totals')) as { turns: number; repaired: number; rejections: Record<string, number> };
    const { sessionId } = await chat({ message: 'Eyes?', endpointId: id });
    await chat({ message: 'Eyes?', endpointId: id });
    expect(await ask('telemetry_session', { id: sessionId })).toEqual({
      ...{ sessionId, conference_id: null, agent_id: 'chief' },
      counts: {
        ...{
          turns: 1,
          accepted: 1,
          refused: 0,
          abstained: 0,
          stopped: 0,
          ungrounded: 0,
          failed: 0,
          repaired: 1,
          model_calls: 2,
          tool_calls: 0,
        },
        tokens: { input: 200, output: 20 },
        rejections: { evidence_invalid: 0, quote_not_found: 1, tool_syntax: 0, cot_leak: 0, format_error: 0 },
      },
    });
    const after = (await ask('telemetry_totals')) as typeof before;
    expect([after.turns - before.turns, after.rejections['format_error']! - before.rejections['format_error']!]).toEqual([2, 1]);
    expect(((await ask('telemetry_sessions')) as unknown[]).length).toBeGreaterThan(1);
    await act('report_telemetry', { conferenceId: 'conf-1', agentId: 'chief', rejections: { quote_not_found: 3 } });
    expect(await ask('telemetry')).toMatchObject({
      totals: after,
      client: [{ source: 'client', conference_id: 'conf-1', rejections: { quote_not_found: 3 } }],
    });
    await expectView(`.control-room/telemetry/sessions/${sessionId}.json`, { session: { sessionId } });
  });

  verifies('C13', 'receipts of a session are listed and raw, and are linked to an issue', async () => {
    const { modelThat, chat, cwd, page } = here();
    const { id } = await modelThat(callTool('file_reader', { path: SCENE }), decideFinal, (call) => `${GREY}; receipt ${receiptIn(call)}`);
    const { sessionId, steps } = await chat({ message: 'Eyes?', endpointId: id });
    const receipt = steps[0]?.receipt_id;
    const [listed] = (await ask('session_receipts', { id: sessionId })) as Record<string, unknown>[];
    expect(listed).toMatchObject({ receipt_id: receipt, task_id: sessionId, tool_id: 'file_reader', signature_alg: 'HMAC-SHA256' });
    const raw = (await ask('session_receipts_file', { id: sessionId })) as string;
    expect(
      raw
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([listed]);
    const issue = await act('open_issue', { title: 'Eyes' });
    expect(await act('link_issue', { id: sessionId, issueId: issue['id'] })).toMatchObject({ sessions: [sessionId], receipts: [receipt] });
    await expect
      .poll(() => readFile(join(cwd, `.control-room/audit/sessions/${sessionId}/tool_receipts.jsonl`), 'utf8').catch(() => ''), {
        timeout: 30_000,
      })
      .toBe(raw);
    await expect
      .poll(() => readFile(join(cwd, `.control-room/audit/issues/${String(issue['id'])}/tool_receipts.jsonl`), 'utf8').catch(() => ''), {
        timeout: 30_000,
      })
      .toBe(raw);
    const nothing = await page('POST', '/api/audit/sessions/ses_00000000000000000000000000/link-issue', {
      body: { cwd, issueId: issue['id'] },
    });
    expect(nothing.status).toBe(404);
  });

  verifies('C13', 'receipts of a session that does not exist are not an empty list; a session without receipts has one', async () => {
    const { modelThat, chat, page } = here();
    for (const what of ['receipts', 'tool-receipts']) {
      const { status, text } = await page('GET', `/api/audit/sessions/ses_00000000000000000000000000/${what}`);
      expect([status, text]).toEqual([404, expect.stringContaining('There is no session ses_00000000000000000000000000.')]);
    }
    const { id } = await modelThat(GREY);
    const { sessionId } = await chat({ message: 'Eyes?', endpointId: id });
    expect(await ask('session_receipts', { id: sessionId })).toEqual([]);
  });

  verifies(
    'C14',
    "prompts come in layers: global, the user's, the project's; a core tool that is overridden is named, a broken layer too",
    async () => {
      const { cwd, daemon, modelThat, chat } = here();
      const project = join(cwd, '.control-room/prompts/prompts.json');
      await mkdir(dirname(project), { recursive: true });
      const file = (...prompts: readonly (readonly [id: string, text: string])[]) =>
        JSON.stringify({ prompts: prompts.map(([id, text]) => ({ id, text })) });
      await writeFile(join(daemon.home.dir, 'prompts.json'), file(['file-reader', 'from the user'], ['file-locator', 'from the user']));
      await writeFile(project, file(['file-reader', 'from the project'], ['nonsense', 'x']));
      const { prompts, warnings } = (await ask('prompts')) as {
        prompts: { id: string; text: string; layer: string }[];
        warnings: string[];
      };
      const of = (id: string) => prompts.filter((prompt) => prompt.id === id).map(({ text, layer }) => [layer, text]);
      expect([of('file-reader'), of('file-locator'), of('canon-checker')[0]?.[0]]).toEqual([
        [['project', 'from the project']],
        [['user', 'from the user']],
        'global',
      ]);
      expect(warnings).toEqual([
        'prompts.json replaces the words of the core tool file_reader. Its arguments stay as they are.',
        'prompts.json replaces the words of the core tool file_locator. Its arguments stay as they are.',
        '.control-room/prompts/prompts.json replaces the words of the core tool file_reader. Its arguments stay as they are.',
        expect.stringContaining('there is no prompt "nonsense"'),
      ]);
      const { id, model } = await modelThat(GREY);
      await chat({ message: 'Eyes?', endpointId: id });
      expect(model.calls[0]?.prompt).toContain('### file_reader\nfrom the project');
      await writeFile(project, '{"prompts": 7}');
      expect(await ask('prompts')).toMatchObject({ warnings: [{}, {}, expect.stringContaining('is not used: prompts')] });
    },
  );
});

verifies('C13', 'every endpoint of these parts refuses a caller without a login', async () => {
  const { daemon } = here();
  const names: readonly QueryName[] = [
    'endpoints',
    'agents',
    'issues',
    'credits',
    'notifications',
    'prompts',
    'telemetry',
    'session_receipts',
  ];
  for (const name of names) expect([name, (await daemon.web('GET', queryPathOf(name).replace(':id', 'x'))).status]).toEqual([name, 401]);
  const commands: readonly CommandName[] = ['chat', 'add_endpoint', 'save_agent', 'open_issue', 'link_issue', 'report_telemetry'];
  for (const name of commands) {
    const path = pathOf(name).replace(':id', 'x');
    expect([name, (await daemon.web('POST', path, { body: {} })).status]).toEqual([name, 401]);
    expect([name, (await daemon.web('POST', path, { headers: await daemon.asHook(), body: {} })).status]).toEqual([name, 403]);
  }
});

verifies('C13', 'a client that names no folder means the only workspace; of several it has to name one', async () => {
  const { page, modelThat, cwd, daemon } = here();
  const { id } = await modelThat(GREY, GREY);
  const ask = (headers = {}) => page('POST', '/api/ai/chat', { body: { message: 'Eyes?', endpointId: id }, headers });
  expect([(await ask()).status, (await page('GET', '/api/canon/index/status')).status]).toEqual([200, 200]);
  const other = await mkdtemp(join(daemon.home.dir, 'other-'));
  expect((await page('GET', `/api/agents?${new URLSearchParams({ cwd: other })}`)).status).toBe(200);
  const { status, text } = await ask();
  expect([status, text]).toEqual([400, expect.stringContaining('cwd is missing, and this daemon has 2 workspaces.')]);
  expect((await ask({ 'x-countersign-cwd': cwd })).status).toBe(200);
});
