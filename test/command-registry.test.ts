// The registry of what humans do: pinned, and complete in every place that is made from it.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { COMMANDS, type CommandName, commandStatements, QUERIES } from '../src/protocol/index.ts';
import { codeOf, openBareDoor, startTestDaemon, type TestDaemon } from './lab/daemon.ts';

const NAMES = Object.keys(COMMANDS) as CommandName[];

let daemon: TestDaemon;
let login: Readonly<Record<string, string>>;
beforeAll(async () => {
  daemon = await startTestDaemon();
  login = await daemon.login();
});
afterAll(() => daemon.dispose());

const HUMAN = 'terminal, page';
/** A change here is a change of what clients may rely on, or of who may decide. */
const PINNED: Readonly<Record<CommandName, readonly [path: string, who: string]>> = {
  answer_approval: ['/api/approvals/:id/answer', HUMAN],
  make_grant: ['/api/approvals/:id/grant', HUMAN],
  end_grant: ['/api/grants/:id/end', HUMAN],
  decide_command_rule: ['/api/command_rules/:id/decide', HUMAN],
  enroll_approver: ['/api/approvers', 'terminal'],
  remove_approver: ['/api/approvers/:id/remove', 'terminal'],
  declare_intent: ['/api/intents', HUMAN],
  set_intent_status: ['/api/intents/:id/status', HUMAN],
  settle_intent_edit: ['/api/intents/:id/edit', HUMAN],
  confirm_dial: ['/api/modes/confirm', HUMAN],
  limit_mode: ['/api/modes', HUMAN],
  set_observing: ['/api/observing', HUMAN],
  confirm_tasks: ['/api/tasks/confirm', HUMAN],
  pause: ['/api/pause', HUMAN],
  end_pause: ['/api/pause/end', HUMAN],
  acknowledge: ['/api/acknowledgements', HUMAN],
  add_memory: ['/api/memory', HUMAN],
  approve_memory: ['/api/memory/:id/approve', HUMAN],
  retire_memory: ['/api/memory/:id/retire', HUMAN],
  import_memory: ['/api/memory/import', 'terminal'],
  export_memory: ['/api/memory/export', 'terminal'],
  import_drafts: ['/api/import', 'terminal'],
  undo: ['/api/undo', HUMAN],
  validate: ['/api/validate', HUMAN],
  sync_graph: ['/api/graph/sync', HUMAN],
  export_graph: ['/api/graph/export', HUMAN],
  issue_login_code: ['/api/login-codes', 'terminal'],
  allow_init: ['/api/permissions', 'terminal'],
  reindex: ['/api/reindex', 'terminal'],
  stop: ['/api/stop', 'terminal'],
};

test('the commands, where they are sent and who may give them', () => {
  expect(Object.fromEntries(NAMES.map((name) => [name, [COMMANDS[name].path, COMMANDS[name].who.join(', ')]]))).toEqual(PINNED);
});

test('every command has a handler, a route for those who may give it, and a description of what it takes and gives', async () => {
  const door = await openBareDoor(daemon.services());
  await door.close();
  const document = JSON.parse((await daemon.web('GET', '/openapi.json', { headers: login })).text) as {
    paths: Record<
      string,
      Record<string, { requestBody?: unknown; responses: Record<string, { content: Record<string, { schema: object }> }> }>
    >;
  };
  expect(Object.keys(daemon.services().commands).toSorted()).toEqual(NAMES.toSorted());
  for (const name of NAMES) {
    const { path, who } = COMMANDS[name];
    const routes = door.routes.filter(({ method, url }) => method === 'POST' && url === path);
    expect([name, routes.map(({ access }) => access)]).toEqual([name, [(who as readonly string[]).includes('page') ? 'human' : 'owner']]);
    const operation = document.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.['post'];
    expect([name, operation?.requestBody !== undefined]).toEqual([name, true]);
    expect(Object.keys(operation?.responses['200']?.content['application/json']?.schema ?? {})).not.toEqual([]);
  }
  // Routes of queries and commands come from nowhere else.
  const known = new Set([
    ...Object.keys(QUERIES).map((query) => `GET /api/${query}`),
    ...NAMES.map((name) => `POST ${COMMANDS[name].path}`),
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
    const path = COMMANDS[name].path.replace(':id', IDS.apr);
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
    commandStatements.enroll_approver({ public_key: 'k' }, 'apk_1'),
    commandStatements.remove_approver({ id: 'apk_1' }),
  ]).toEqual([
    { command: 'approve', about: { ...ABOUT, answer: 'approved', reason: 'why' } },
    null,
    { command: 'grant', about: { ...ABOUT, answer: 'approved', pattern: 'npm *', seconds: 60 } },
    { command: 'intent', about: { cwd: '/w', name: 'n', paths: ['src'], constraints: [], acceptance_criteria: [] } },
    { command: 'intents', about: { cwd: '/w', intent: 'INT-001', status: 'active', intent_sha256: 's' } },
    { command: 'intents', about: { cwd: '/w', intent: 'INT-001', status: 'paused', intent_sha256: 's' } },
    { command: 'pause', about: { cwd: '/w', seconds: 60, reason: 'r' } },
    { command: 'ack', about: { root: '/w', files_sha256: 'f' } },
    { command: 'approver enroll', about: { key: 'apk_1', public_key: 'k' } },
    { command: 'approver remove', about: { key: 'apk_1' } },
  ]);
  const signed = NAMES.filter((name) => 'statement' in COMMANDS[name]);
  expect(signed.toSorted()).toEqual(Object.keys(commandStatements).toSorted());
});
