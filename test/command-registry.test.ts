// The registry of what humans do: pinned, and complete in every place that is made from it.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { type Client, createClient, type Transport } from '../src/client/index.ts';
import { socketTransport } from '../src/client/node.ts';
import {
  type CommandDeclaration,
  type CommandInput,
  type CommandName,
  type CommandOutput,
  COMMANDS,
  commandStatements,
  fieldsInPath,
  pathOf,
  QUERIES,
  queryPathOf,
} from '../src/protocol/index.ts';
import { type Call, codeOf, openBareDoor, startTestDaemon, type TestDaemon } from './lab/daemon.ts';

const NAMES = Object.keys(COMMANDS) as CommandName[];

let daemon: TestDaemon;
let login: Readonly<Record<string, string>>;
beforeAll(async () => {
  daemon = await startTestDaemon();
  login = await daemon.login();
});
afterAll(() => daemon.dispose());

/** A change of this file is a change of what clients may rely on, or of who may decide: `npm test -- test/command-registry --update`. */
const PINNED = './command-registry.txt';

test('the commands, where they are sent and who may give them', async () => {
  const lines = NAMES.toSorted().map((name) => `${name}  ${pathOf(name)}  ${COMMANDS[name].who.join(', ')}`);
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(PINNED);
});

test('every command can be given at a terminal, has an address of its own, and takes the fields that the address names', () => {
  const paths = NAMES.map((name) => pathOf(name));
  expect(paths.filter((path, at) => paths.indexOf(path) !== at)).toEqual([]);
  for (const name of NAMES) {
    const path = pathOf(name);
    const { who, input }: CommandDeclaration = COMMANDS[name];
    expect([name, who.includes('terminal'), /^\/api(?:\/(?:[a-z_-]+|:[a-z_]+))+$/.test(path)]).toEqual([name, true, true]);
    const schema = z.toJSONSchema(input, { io: 'input' });
    const forms = schema.anyOf ?? schema.oneOf ?? [schema];
    const missing = fieldsInPath(path).filter((field) => forms.some(({ properties = {} }) => !(field in properties)));
    expect([name, missing]).toEqual([name, []]);
    // A client may run in an agent's own process: only a signature of its key counts.
    expect([name, who.includes('client') && !('statement' in COMMANDS[name])]).toEqual([name, false]);
  }
});

test('every command has a route for those who may give it, and a description of what it takes and gives', async () => {
  const door = await openBareDoor(daemon.services());
  await door.close();
  const document = JSON.parse((await daemon.web('GET', '/openapi.json', { headers: login })).text) as {
    paths: Record<
      string,
      Record<string, { requestBody?: unknown; responses: Record<string, { content: Record<string, { schema: object }> }> }>
    >;
  };
  for (const name of NAMES) {
    const path = pathOf(name);
    const { who } = COMMANDS[name];
    const routes = door.routes.filter(({ method, url }) => method === 'POST' && url === path);
    expect([name, routes.map(({ access }) => access)]).toEqual([name, [(who as readonly string[]).includes('page') ? 'human' : 'owner']]);
    const operation = document.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.['post'];
    expect([name, operation?.requestBody !== undefined]).toEqual([name, true]);
    expect(Object.keys(operation?.responses['200']?.content['application/json']?.schema ?? {})).not.toEqual([]);
  }
  // Routes of queries and commands come from nowhere else.
  const known = new Set([
    ...Object.keys(QUERIES).map((query) => `GET ${queryPathOf(query)}`),
    ...NAMES.map((name) => `POST ${pathOf(name)}`),
  ]);
  const others = door.routes.map(({ method, url }) => `${method} ${url}`).filter((route) => route.includes('/api/') && !known.has(route));
  expect(others).toEqual(['POST /api/login', 'GET /api/challenge']);
});

const IDS = { apr: 'apr_00000000000000000000000000', grt: 'grt_00000000000000000000000000' };

test('an input that does not fit is refused with the field that is wrong, before anything is done', async () => {
  const before = await daemon.ledgerSize();
  const said = async (path: string, body: unknown) => {
    const { status, text } = await daemon.owner('POST', path, { body });
    return [status, (JSON.parse(text) as { error: { message: string } }).error.message];
  };
  for (const name of NAMES) {
    const path = pathOf(name).replace(':id', IDS.apr);
    const reply = await daemon.owner('POST', path, { body: { no_such_field: 1 } });
    expect([name, reply.status, codeOf(reply)]).toEqual([name, 400, 'BAD_REQUEST']);
    expect([name, JSON.parse(reply.text)]).toEqual([
      name,
      { error: { code: 'BAD_REQUEST', message: expect.stringMatching(/^(?:address|body)/) as string, fix: null } },
    ]);
  }
  expect(await said('/api/grants/x/end', {})).toEqual([400, expect.stringMatching(/^address, id: /)]);
  expect(await said(`/api/grants/${IDS.grt}/end`, { id: IDS.grt })).toEqual([400, 'body: Unrecognized key: "id"']);
  expect(await said(`/api/approvals/${IDS.apr}/answer`, { answer: 'maybe' })).toEqual([400, expect.stringMatching(/^body, answer: /)]);
  expect(await said('/api/stop', [])).toEqual([400, expect.stringMatching(/^body: .*expected object/)]);
  expect(await daemon.ledgerSize()).toBe(before);
});

/** As the logged-in page. */
const pageTransport = (): Transport => {
  const sent = async (method: string, path: string, call: Call) => {
    const { status, text } = await daemon.web(method, path, { headers: login, ...call });
    return { status, body: JSON.parse(text) as unknown };
  };
  return {
    get: (path) => sent('GET', path, {}),
    post: (path, content) => sent('POST', path, { body: content(null) }),
    stream: async () => ({ status: 200, body: null }),
  };
};

test('what a command answers has the form that the registry says', async () => {
  const cwd = daemon.repo.path;
  await writeFile(join(cwd, 'tinyTasks.md'), '# Tasks — tidy up\n\n- [ ] one\n');
  await writeFile(join(cwd, 'CLAUDE.md'), '- Never push to main.\n');
  const given = new Set<CommandName>();
  const acting =
    (client: Client) =>
    async <N extends CommandName>(name: N, input: CommandInput<N>): Promise<CommandOutput<N>> => {
      const answer = await client.act(name, input);
      const { success, error } = COMMANDS[name].output.safeParse(answer);
      expect([name, success, error?.issues ?? []]).toEqual([name, true, []]);
      given.add(name);
      return answer;
    };
  const page = acting(createClient(pageTransport()));
  const terminal = acting(createClient(socketTransport(daemon.home.socket)));

  const { id } = await page('declare_intent', { cwd, name: 'fix login', paths: ['src'] });
  await page('set_intent_status', { id, cwd, status: 'paused' });
  await page('limit_mode', { cwd, minimum: 'GUARDED' });
  await page('set_observing', { cwd, observing: false });
  await page('confirm_tasks', { cwd });
  await mkdir(join(cwd, '.ai/config'), { recursive: true });
  await writeFile(join(cwd, '.ai/config/repo.json'), '{"mode":{"minimum":"STRICT"}}');
  await page('limit_mode', { cwd, minimum: 'GUARDED' });
  await writeFile(join(cwd, '.ai/config/repo.json'), '{}');
  const waits = await createClient(socketTransport(daemon.home.socket)).ask('settings', { cwd });
  await page('confirm_settings', { cwd, sha256: waits.edits[0]!.sha256 });
  await page('set_setting', { cwd, key: 'commands.network', value: true });
  await page('pause', { cwd, seconds: 60, reason: 'lunch' });
  await page('end_pause', { cwd });
  await page('grant_budget', { cwd, tokens: 1_000 });
  const memory = await page('add_memory', { cwd, kind: 'note', statement: 'the build is slow' });
  await page('approve_memory', { id: memory.id, cwd });
  const { text } = await terminal('export_memory', { cwd });
  await page('retire_memory', { id: memory.id, cwd, reason: 'it is not' });
  await writeFile(join(cwd, 'memory.jsonl'), text);
  await terminal('import_memory', { cwd, file: join(cwd, 'memory.jsonl') });
  const seen = await terminal('import_drafts', { cwd, file: 'CLAUDE.md', dry_run: true });
  await terminal('import_drafts', { cwd, file: 'CLAUDE.md', dry_run: false, plan: seen.plan });
  await page('validate', { cwd });
  await page('sync_graph', { cwd });
  await page('export_graph', { cwd });
  await terminal('allow_init', { command: 'init' });
  await terminal('reindex', {});

  await daemon.beginWork('src/**');
  await daemon.hook('PreToolUse', { tool_name: 'Bash', tool_input: { command: 'rm -rf src/old' }, tool_use_id: 'toolu_registry' });
  const [question] = await daemon.services().ask('approvals', { state: 'pending' });
  await page('answer_approval', { id: question!.id, answer: 'rejected', reason: 'keep it' });
  // Others have suites of their own, in which a human is at a terminal, a key signs or files changed.
  expect(NAMES.filter((name) => !given.has(name))).toEqual([
    ...['make_grant', 'end_grant', 'decide_command_rule', 'enroll_approver', 'remove_approver', 'settle_intent_edit'],
    ...['acknowledge', 'undo', 'start_run', 'enter_run', 'end_run', 'merge_run', 'discard_run', 'chat', 'index_canon', 'add_endpoint'],
    ...['confirm_endpoint', 'remove_endpoint', 'test_endpoint', 'save_agent', 'open_issue', 'change_issue', 'mark_issue'],
    ...['link_issue', 'report_telemetry', 'read_notifications', 'list_ports', 'open_port', 'close_port', 'issue_login_code', 'stop'],
  ]);
});

const BOUND = { id: 'apr_1', action: 'act_1', input_sha256: 'i', policy_revision: 'p' };
const ABOUT = { approval: 'apr_1', action: 'act_1', input_sha256: 'i', policy_revision: 'p' };

test('what is signed for a command: the same form for ever, and nothing else can be signed', () => {
  expect([
    commandStatements.answer_approval({ answer: 'approved', reason: ' why ' }, BOUND),
    commandStatements.answer_approval({ answer: 'rejected' }, BOUND),
    commandStatements.make_grant({ pattern: 'npm *', seconds: 60 }, BOUND),
    commandStatements.declare_intent({ cwd: '/w', name: 'n', paths: ['src'] }),
    commandStatements.set_intent_status({ cwd: '/w', id: 'INT-001', status: 'active', sha256: 's' }),
    commandStatements.settle_intent_edit({ cwd: '/w', id: 'INT-001', sha256: 's' }, { status: 'paused' }),
    commandStatements.pause({ cwd: '/w', seconds: 60, reason: 'r' }),
    commandStatements.acknowledge({}, { root: '/w', files_sha256: 'f' }),
    commandStatements.acknowledge({ reason: 'r' }, { root: '/w', files_sha256: 'f' }),
    commandStatements.enroll_approver({ public_key: 'k' }, 'apk_1'),
    commandStatements.enroll_approver({ public_key: 'k', proof: 'dialog' }, 'apk_1'),
    commandStatements.remove_approver({ id: 'apk_1' }),
  ]).toEqual([
    { command: 'approve', about: { ...ABOUT, answer: 'approved', reason: 'why' } },
    { command: 'reject', about: { ...ABOUT, answer: 'rejected', reason: null } },
    { command: 'grant', about: { ...ABOUT, answer: 'approved', pattern: 'npm *', seconds: 60 } },
    { command: 'intent', about: { cwd: '/w', name: 'n', paths: ['src'], constraints: [], acceptance_criteria: [] } },
    { command: 'intents', about: { cwd: '/w', intent: 'INT-001', status: 'active', intent_sha256: 's' } },
    { command: 'intents', about: { cwd: '/w', intent: 'INT-001', status: 'paused', intent_sha256: 's' } },
    { command: 'pause', about: { cwd: '/w', seconds: 60, reason: 'r' } },
    { command: 'ack', about: { root: '/w', files_sha256: 'f' } },
    { command: 'ack', about: { root: '/w', files_sha256: 'f', reason: 'r' } },
    { command: 'approver enroll', about: { key: 'apk_1', public_key: 'k' } },
    { command: 'approver enroll', about: { key: 'apk_1', public_key: 'k', proof: 'dialog' } },
    { command: 'approver remove', about: { key: 'apk_1' } },
  ]);
  const signed = NAMES.filter((name) => 'statement' in COMMANDS[name]);
  expect(signed.toSorted()).toEqual(Object.keys(commandStatements).toSorted());
});
