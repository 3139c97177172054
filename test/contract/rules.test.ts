// R1–R6 of the agent contract, as an agent with hooks and our MCP tools meets them: real daemon, real files, the official client over
// stdio. What the agent says about itself does not count; the record does.

import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type HookedAgent, hookedAgent } from '../lab/hooked-agent.ts';
import { type Installation, makeInstallation, type Place } from '../lab/installation.ts';
import { verifies } from '../verifies.ts';

let home: Installation;
let place: Place;
let client: Client;
let agent: HookedAgent;

beforeAll(async () => {
  home = await makeInstallation();
});
afterAll(() => home.dispose());
beforeEach(async () => {
  place = await home.beside();
  await place.human(['intent', 'fix login', 'src']);
  client = await place.mcpClient();
  agent = await hookedAgent(place, client);
  await place.human(['mode', 'min', 'GUARDED']);
  await agent.prompt('fix the login');
});
afterEach(() => client.close());

const codeOf = (said: string | null): string | null => /^Countersign ([A-Z_]+):/m.exec(said ?? '')?.[1] ?? said;
const write = async (path = 'src/auth/login.ts', content = 'export {};\n') => codeOf(await agent.write(path, content));
const workspace = async () => (await place.client.ask('status', {})).workspaces.find(({ root }) => root === place.repo.path)?.id;
/** The call waits until a human has answered the question that it asks. */
async function answered(tool: string, args: Record<string, unknown>, ...how: string[]): Promise<Record<string, unknown>> {
  const asking = agent.call(tool, args);
  const open = async () => {
    const here = await workspace();
    return (await place.client.ask('approvals', { state: 'pending' })).find(({ workspace }) => workspace === here)?.id;
  };
  await expect.poll(open).toMatch(/^apr_/);
  expect((await place.human(['approve', (await open())!, ...how])).code).toBe(0);
  return asking;
}
const tasksFile = () => join(place.repo.path, 'tinyTasks.md');
const tasks = () => readFile(tasksFile(), 'utf8');

verifies('T1', 'the tools of the contract are there, with schemas that take nothing else and say what they answer', async () => {
  const { tools } = await client.listTools();
  const known = new Map(tools.map((tool) => [tool.name, tool]));
  for (const name of [
    ...['memory_query', 'memory_recent', 'memory_set_mode', 'memory_write', 'memory_check_task_authority'],
    ...['task_list', 'task_add', 'task_update', 'task_complete', 'begin_work', 'countersign_status', 'select_active_intent'],
    ...['propose_intent', 'request_scope', 'elefanteMemorySearch', 'elefanteAssertCompliance', 'request_human', 'abandon'],
  ]) {
    expect([name, known.get(name)?.inputSchema]).toEqual([name, expect.objectContaining({ type: 'object', additionalProperties: false })]);
    expect(known.get(name)?.description).toMatch(/^[A-Z].*\.$/s);
  }
});

verifies('I1', 'citing an intent tells its scope, constraints, criteria and what was changed for it last', async () => {
  await place.human(['intent', 'speed up', 'src', '--constraint', 'No new package', '--criterion', 'Half the time']);
  await agent.call('begin_work', { intent: 'INT-002' });
  expect(await write()).toBeNull();
  const { intent_context: context } = (await agent.call('select_active_intent', { intent_id: 'INT-002' })) as unknown as {
    intent_context: string;
  };
  expect(context.split('\n')).toEqual([
    '<intent_context>',
    'INT-002: speed up',
    'May change:',
    '- src/**',
    'Constraints:',
    '- No new package',
    'Acceptance criteria:',
    '- Half the time',
    'Recent changes:',
    expect.stringMatching(/^- \S+Z src\/auth\/login\.ts \(write_file by claude-code, rcp_\w{26}\)$/),
    '</intent_context>',
  ]);
  expect(await agent.call('select_active_intent', { intent_id: 'INT-009' })).toMatchObject({ error_code: 'INTENT_NOT_ACTIVE' });
});

describe('R1 and R4', () => {
  verifies('T3', 'no mutation before a recall, even an empty one counts, and it ends with the turn', async () => {
    const fresh = await hookedAgent(place, client, `unprompted, ${place.conversation}`);
    const change = async (content = 'export {};\n') => codeOf(await fresh.write('src/auth/login.ts', content));
    expect(await change()).toBe('RECALL_REQUIRED');
    expect(await fresh.call('begin_work')).toMatchObject({ isError: false, mode: 'GUARDED', recall: { found: 0 } });
    expect(await change()).toBeNull();
    expect(await change('export const again = 1;\n')).toBeNull();
    // For a prompt the gate itself recalls, which counts in GUARDED and not in STRICT.
    await fresh.prompt('and now the logout');
    expect(await change()).toBeNull();
    await fresh.call('memory_set_mode', { mode: 'STRICT' });
    await fresh.prompt('and once more');
    expect(await change()).toBe('RECALL_REQUIRED');
    const [recall] = await place.client
      .ask('receipts', { limit: 50 })
      .then((all) => all.filter(({ tool_id }) => tool_id === 'memory_query'));
    expect(recall).toMatchObject({ status: 'done', outputs: expect.stringContaining('"found":0') as string });
  });

  verifies('T4', 'the refusal names the first check that fails, in the order of the contract, and the others as also missing', async () => {
    const fresh = await hookedAgent(place, client, `unprompted, ${place.conversation}`);
    await fresh.before('TodoWrite', { todos: [{ content: 'one' }, { content: 'two' }] });
    const said = (await fresh.write('src/auth/login.ts', '')) ?? '';
    expect(said.match(/\b(?:RECALL|MODE|TASKS|INTENT)_REQUIRED\b/g)).toEqual(['RECALL_REQUIRED', 'TASKS_REQUIRED', 'INTENT_REQUIRED']);
    expect(said).toContain('You must cite a valid active Intent ID before mutating tools.');
  });

  verifies('T2', 'exactly one mode holds; observation works in all of them, and PASSIVE changes nothing', async () => {
    for (const mode of ['PASSIVE', 'GUARDED', 'STRICT']) {
      expect(await agent.call('memory_set_mode', { mode })).toMatchObject({ isError: false, mode });
      expect(await agent.call('countersign_status')).toMatchObject({ mode });
      expect(await agent.call('memory_query', { query: 'login' })).toMatchObject({ isError: false });
      expect(await agent.call('task_list')).toMatchObject({ isError: false });
      expect(await agent.before('Read', { file_path: join(place.repo.path, 'README.md') })).toBeNull();
    }
    await agent.call('begin_work', { mode: 'PASSIVE' });
    expect(await write()).toBe('MODE_FORBIDS');
    expect(await agent.call('memory_write', { kind: 'note', statement: 'x' })).toMatchObject({ isError: true, error_code: 'MODE_FORBIDS' });
    expect(await agent.call('task_add', { titles: ['x'] })).toMatchObject({ isError: true, error_code: 'MODE_FORBIDS' });
  });

  verifies('T5', 'a human pins or sets a minimum, for all or for one intent; the agent goes up, and down to PASSIVE', async () => {
    await place.human(['mode', 'min', 'STRICT', '--intent', 'INT-001']);
    await agent.call('begin_work', { mode: 'GUARDED' });
    expect(await write()).toBe('PLAN_SCOPE_VIOLATION');
    expect(await agent.call('memory_set_mode', { mode: 'GUARDED' })).toMatchObject({ error_code: 'MODE_BELOW_MINIMUM' });
    await place.human(['mode', 'min', 'off', '--intent', 'INT-001']);
    expect(await write()).toBeNull();
    await place.human(['mode', 'pin', 'PASSIVE']);
    expect(await write()).toBe('MODE_PINNED');
    expect(await agent.call('memory_set_mode', { mode: 'STRICT' })).toMatchObject({ error_code: 'MODE_PINNED' });
    await place.human(['mode', 'pin', 'off']);
    expect(await agent.call('memory_set_mode', { mode: 'STRICT' })).toMatchObject({ isError: false });
    expect(await agent.call('memory_set_mode', { mode: 'GUARDED' })).toMatchObject({ error_code: 'MODE_LOWERED' });
  });

  verifies('T5', 'no refusal shows a way down: without a plan STRICT changes nothing, and asks for one', async () => {
    const lower = /\b(?:PASSIVE|GUARDED)\b|mode min/;
    const said: string[] = [];
    const change = async () => {
      const text = (await agent.write('src/auth/login.ts', 'export {};\n')) ?? '';
      said.push(text);
      return codeOf(text);
    };
    await agent.call('begin_work', { mode: 'STRICT', steps: ['the only step'] });
    expect(await change()).toBe('PLAN_SCOPE_VIOLATION');
    expect((await place.human(['tasks', 'confirm'])).code).toBe(0);
    expect(await change()).toBe('PLAN_SCOPE_VIOLATION');
    said.push(JSON.stringify((await agent.call('memory_set_mode', { mode: 'GUARDED' }))['remedy']));
    expect((await place.human(['mode', 'min', 'STRICT'])).code).toBe(0);
    said.push(JSON.stringify((await agent.call('memory_set_mode', { mode: 'GUARDED' }))['remedy']));
    // The third time is one too many.
    expect(await change()).toBe('NEEDS_HUMAN');
    expect(said[0]).toContain('Call: mcp__countersign__submit_execution_plan');
    expect(said.filter((text) => lower.test(text))).toEqual([]);
    // The same over MCP, where the gate itself would write.
    const { structuredContent } = await client.callTool({ name: 'write_file', arguments: { path: 'src/b.ts', content: 'x' } });
    expect(JSON.stringify(structuredContent)).not.toMatch(/"mode":"(?:PASSIVE|GUARDED)"/);
  });
});

describe('R2 and R3', () => {
  verifies('T6', 'steps seen in the agent’s own list are in tinyTasks.md; without it, the remedy writes them there', async () => {
    await agent.call('begin_work');
    await agent.before('TodoWrite', { todos: [{ content: 'read it' }, { content: 'change it', status: 'pending' }] });
    expect(await tasks()).toBe('# Tasks — fix login (INT-001)\n\n- [ ] read it\n- [ ] change it\n');
    await rm(tasksFile());
    expect((await place.human(['tasks', 'confirm'])).code).toBe(0);
    const said = (await agent.write('src/auth/login.ts', '')) ?? '';
    expect(codeOf(said)).toBe('TASKS_REQUIRED');
    const remedy = JSON.parse(/^Call: mcp__countersign__begin_work (\{.*\})$/m.exec(said)?.[1] ?? '{}') as Record<string, unknown>;
    expect(remedy).toEqual({ intent: 'INT-001', steps: ['read it', 'change it'] });
    expect(await agent.call('begin_work', remedy)).toMatchObject({ isError: false, tasks: { current: { title: 'read it' } } });
    expect(await tasks()).toBe('# Tasks — fix login (INT-001)\n\n- [ ] read it\n- [ ] change it\n');
    expect(await write()).toBeNull();
  });

  test('one step needs no list, and prose is never read for steps', async () => {
    await agent.prompt('First read it, then change it, then test it');
    await agent.call('begin_work', { steps: ['just do it'] });
    expect(await write()).toBeNull();
    await expect(tasks()).rejects.toThrow('ENOENT');
  });

  verifies('T7', 'tasks are done in order, with something to show; skipping, redefining and inventing are refused', async () => {
    await agent.call('begin_work', { steps: ['one', 'two'] });
    const listed = (await agent.call('task_list')) as unknown as { tasks: { task: string; title: string }[] };
    const [one, two] = listed.tasks;
    expect(await agent.call('task_complete', { task: two?.task })).toMatchObject({ error_code: 'TASK_OUT_OF_ORDER' });
    expect(await agent.call('task_complete')).toMatchObject({ error_code: 'TASK_WITHOUT_WORK' });
    expect(await agent.call('task_update', { task: one?.task, title: 'something easier' })).toMatchObject({ error_code: 'TASK_REDEFINED' });
    expect(await agent.call('task_complete', { task: 'tsk_0000000000' })).toMatchObject({ error_code: 'TASK_UNKNOWN' });
    expect(codeOf(await agent.write('tinyTasks.md', '# Tasks — x\n\n- [x] one\n- [x] two\n'))).toBe('TASKS_BY_TOOL_ONLY');

    expect(await write()).toBeNull();
    expect(await agent.call('task_complete')).toMatchObject({ isError: false, current: { title: 'two' } });
    expect(await agent.call('task_complete')).toMatchObject({ error_code: 'TASK_WITHOUT_WORK' });
    expect(await write('src/auth/login.ts', 'export const two = 2;\n')).toBeNull();
    expect(await agent.call('task_complete')).toMatchObject({ isError: false, current: null });
    expect(await tasks()).toBe('# Tasks — fix login (INT-001)\n\n- [x] one\n- [x] two\n');

    expect(await write()).toBe('TASKS_EXHAUSTED');
    expect(await agent.call('memory_check_task_authority')).toMatchObject({ authorized: false, rule: 'R3' });
    expect(await agent.call('task_update', { task: two?.task, reopen: true })).toMatchObject({ error_code: 'TASKS_EXHAUSTED' });
    await agent.prompt('the second once more');
    expect(await agent.call('task_update', { task: two?.task, reopen: true })).toMatchObject({ current: { title: 'two' } });
    expect(await write()).toBeNull();
  });

  test('a finished list makes room for the next one', async () => {
    await writeFile(tasksFile(), '# Tasks — fix login (INT-001)\n\n- [x] old\n');
    await agent.call('begin_work', { steps: ['new'] });
    expect(await tasks()).toBe('# Tasks — fix login (INT-001)\n\n- [ ] new\n');
    expect(await readFile(join(place.repo.path, '.orchestration/tasks_archive.md'), 'utf8')).toContain('- [x] old');
  });

  verifies('T8', 'a human’s tasks and order hold at once; a malformed file stops changes and loses nothing', async () => {
    await agent.call('begin_work', { steps: ['one', 'two'] });
    const human = '# Tasks — fix login (INT-001)\n\n<!-- mine -->\n- [ ] two\n- [x] one\n- [ ] three, by me\n';
    await writeFile(tasksFile(), human);
    expect(await agent.call('task_list')).toMatchObject({ current: { title: 'two' } });
    const broken = `${human}      - [?] what\n`;
    await writeFile(tasksFile(), broken);
    const said = (await agent.write('src/auth/login.ts', '')) ?? '';
    expect([codeOf(said), said]).toEqual(['DOCUMENT_INVALID', expect.stringContaining('tinyTasks.md:7')]);
    expect(await agent.call('task_add', { titles: ['four'] })).toMatchObject({ isError: true, error_code: 'DOCUMENT_INVALID' });
    expect(await tasks()).toBe(broken);
    expect(await place.client.ask('tasks', { cwd: place.repo.path })).toMatchObject({
      trouble: expect.stringContaining('tinyTasks.md:7') as string,
    });
    await writeFile(tasksFile(), human);
    // What grants more waits while an agent is present: a checked box is progress that nothing on the record shows.
    expect(await write()).toBe('TASKS_EDITED');
    expect((await place.human(['tasks', 'confirm'])).output).toContain('three, by me');
    expect(await write()).toBeNull();
  });
});

describe('R5', () => {
  verifies('T9', 'facts need evidence that the gate checks, decisions a rationale; what is unproven is kept as what it is', async () => {
    await agent.call('begin_work');
    const keep = (args: Record<string, unknown>) => agent.call('memory_write', args);
    expect(await keep({ kind: 'fact', statement: 'Login is limited' })).toMatchObject({ error_code: 'EVIDENCE_REQUIRED' });
    expect(
      await keep({ kind: 'fact', statement: 'There is a limiter', evidence: [{ type: 'file_exists', path: 'src/limiter.ts' }] }),
    ).toMatchObject({ error_code: 'EVIDENCE_FAILED' });
    expect(await keep({ kind: 'decision', statement: 'Use SQLite' })).toMatchObject({ error_code: 'RATIONALE_REQUIRED' });
    expect(await keep({ kind: 'claim', statement: 'Login is limited' })).toMatchObject({ isError: false, status: 'ASSERTED' });
    expect(await keep({ kind: 'decision', statement: 'Use SQLite', rationale: 'no server to run' })).toMatchObject({ status: 'ASSERTED' });
    expect(
      await keep({
        kind: 'fact',
        statement: 'The login lives in src/auth',
        evidence: [{ type: 'grep_hit', path: 'src/auth/login.ts', pattern: 'export' }],
        citations: [{ path: 'src/auth/login.ts', start_line: 1, end_line: 1 }],
      }),
    ).toMatchObject({ isError: false, status: 'CITED' });
  });

  verifies('N6', 'a citation proves no statement, what a check tested does; contradicting facts lower each other', async () => {
    await agent.call('begin_work');
    expect(await write('src/limit.ts', 'export const LIMIT = 5;\n')).toBeNull();
    const fact = async (statement: string, more: Record<string, unknown>) =>
      agent.call('memory_write', { kind: 'fact', statement, ...more });
    const cited = { citations: [{ path: 'README.md', start_line: 1, end_line: 1 }] };
    expect(await fact('The moon is made of cheese', cited)).toMatchObject({
      status: 'CITED',
      because: expect.stringContaining('whether it says so was not tested') as string,
    });
    const grep = { evidence: [{ type: 'grep_hit', path: 'src/limit.ts', pattern: 'LIMIT = 5' }] };
    expect(await fact('`src/limit.ts` contains `LIMIT = 5`', grep)).toMatchObject({ status: 'VERIFIED' });
    const found = (await agent.call('memory_query', { query: 'cheese moon limit' })) as unknown as { memories: { status: string }[] };
    expect(found.memories.map(({ status }) => status).toSorted()).toEqual(['CITED', 'VERIFIED']);
    const shown = await place.run(['memory', 'query', 'cheese']);
    expect(shown.stdout).toContain('CITED');

    const first = await fact('Login attempts are limited to 5 per minute', cited);
    expect(first).toMatchObject({ status: 'CITED', contradicts: [] });
    expect(await fact('Login attempts are limited to 10 per minute', cited)).toMatchObject({
      status: 'ASSERTED',
      contradicts: [first['memory']],
      because: expect.stringContaining(`${String(first['memory'])} says otherwise`) as string,
    });
    const [now] = await place.client.ask('memory', { cwd: place.repo.path, id: first['memory'] as string });
    expect(now?.status).toBe('ASSERTED');
    // What a human adds is measured by the same rule.
    expect((await place.human(['memory', 'add', 'fact', 'The sun is cold', '--cite', 'README.md:1'])).output).toContain('CITED');
    expect((await place.human(['memory', 'add', 'fact', 'README.md exists', '--cite', 'README.md:1'])).output).toContain('VERIFIED');
  });

  verifies('N6', 'what a command showed stays until a file changes or another commit is checked out, not until the next turn', async () => {
    await agent.call('begin_work');
    const fact = { kind: 'fact', statement: '`true` exits 0', evidence: [{ type: 'cmd_exit0', command: 'true' }] };
    const { memory: id, status } = await agent.call('memory_write', fact);
    expect(status).toBe('VERIFIED');
    const now = async () => (await place.client.ask('memory', { cwd: place.repo.path, id: id as string }))[0]?.status;
    await agent.prompt('go on');
    expect(await agent.before('Bash', { command: 'mkdir -p src' })).toBeNull();
    expect(await now()).toBe('VERIFIED');
    place.repo.git('commit', '--allow-empty', '-m', 'another commit');
    expect(await now()).toBe('STALE');
    expect(await agent.call('memory_write', fact)).toMatchObject({ status: 'VERIFIED', merged: true });
    expect(await now()).toBe('VERIFIED');
    expect(await write('src/other.ts', 'export {};\n')).toBeNull();
    expect(await now()).toBe('STALE');
  });

  verifies('N6', 'a fact goes stale when the cited line changes, is found again when it moved, and saying so raises nothing', async () => {
    await agent.call('begin_work');
    const fact = {
      kind: 'fact',
      statement: 'The login has a limit of five',
      citations: [{ path: 'src/limit.ts', start_line: 1, end_line: 1 }],
    };
    expect(await write('src/limit.ts', 'export const LIMIT = 5;\n')).toBeNull();
    const { memory: id } = (await agent.call('memory_write', fact)) as unknown as { memory: string };
    const now = async () => (await place.client.ask('memory', { cwd: place.repo.path, id }))[0];
    expect(await now()).toMatchObject({ status: 'CITED', moved: [] });
    expect(await write('src/limit.ts', '// more\n\nexport const LIMIT = 5;\n')).toBeNull();
    expect(await now()).toMatchObject({ status: 'CITED', moved: [{ path: 'src/limit.ts', start_line: 3 }] });
    expect(await write('src/limit.ts', 'export const LIMIT = 7;\n')).toBeNull();
    expect(await now()).toMatchObject({ status: 'STALE' });
    await agent.call('memory_write', { kind: 'claim', statement: fact.statement });
    expect(await now()).toMatchObject({ status: 'STALE', times: 2 });
    await rm(join(place.repo.path, 'src/limit.ts'));
    expect((await now())?.status).not.toBe('CITED');
  });

  test('a command as evidence is a command: it is really run, and waits for a human where it cannot be undone', async () => {
    await agent.call('begin_work');
    const factBy = (command: string) => ({ kind: 'fact', statement: 'The build is fine', evidence: [{ type: 'cmd_exit0', command }] });
    expect(await answered('memory_write', factBy('cat .env; true'))).toMatchObject({ isError: false, status: 'CITED' });
    const ran = await agent.call('memory_write', factBy('sh -c "mkdir -p dist; echo ran > dist/ran.txt"'));
    expect(ran).toMatchObject({ isError: false, status: 'CITED' });
    expect(await readFile(join(place.repo.path, 'dist/ran.txt'), 'utf8')).toBe('ran\n');
  });

  verifies('I6', 'what is decided is in the shared brain, in a marked block, and the rest of the file is left alone', async () => {
    const file = join(place.repo.path, 'AGENTS.md');
    await writeFile(file, '# House rules\n\nBe kind.\n');
    await agent.call('begin_work');
    await agent.call('memory_write', { kind: 'decision', statement: 'Use SQLite <!-- countersign:end -->', rationale: 'no server' });
    await expect.poll(() => readFile(file, 'utf8')).toContain('decision: Use SQLite');
    const text = await readFile(file, 'utf8');
    expect(text.startsWith('# House rules\n\nBe kind.\n')).toBe(true);
    expect(text.match(/countersign:end -->/g)).toHaveLength(1);
    expect(text).toMatch(/rcp_[0-9A-Z]{26}/);
  });
});

describe('never alone', () => {
  verifies('I8', 'more scope is asked for by a tool and granted by a human, and then the change passes', async () => {
    await agent.call('begin_work');
    const said = (await agent.write('docs.md', 'x\n')) ?? '';
    expect(codeOf(said)).toBe('SCOPE_VIOLATION');
    const remedy = JSON.parse(/^Call: mcp__countersign__request_scope (\{.*\})$/m.exec(said)?.[1] ?? '{}') as Record<string, unknown>;
    expect(await answered('request_scope', remedy)).toMatchObject({ isError: false, owned_scope: ['src/**', 'docs.md'] });
    expect(codeOf(await agent.write('docs.md', 'x\n'))).toBeNull();
    await expect.poll(() => readFile(join(place.repo.path, '.orchestration/active_intents.yaml'), 'utf8')).toContain('docs.md');
  });

  verifies('I16', 'the same refusal for the third time asks for a human; a new way, or a new prompt, starts afresh', async () => {
    await agent.call('begin_work');
    const tries = [];
    for (let round = 0; round < 4; round++) tries.push(await write('docs.md'));
    expect(tries).toEqual(['SCOPE_VIOLATION', 'SCOPE_VIOLATION', 'NEEDS_HUMAN', 'NEEDS_HUMAN']);
    expect(await write()).toBeNull();
    expect(await write('docs.md')).toBe('SCOPE_VIOLATION');
    const counts = await place.client.ask('violation_counts', { workspace: await workspace() });
    expect(counts).toContainEqual(expect.objectContaining({ rule: 'scope', agent: 'claude-code', count: 5 }));
  });

  verifies('T12', 'a tool that keeps failing is tried twice more, then a human is asked', async () => {
    await agent.call('begin_work', { steps: ['one', 'two'] });
    await writeFile(tasksFile(), 'broken\n- [ ] nowhere\n');
    const tries = [];
    for (let round = 0; round < 3; round++) tries.push((await agent.call('task_add', { titles: [`try ${round}`] }))['error_code']);
    expect(tries).toEqual(['DOCUMENT_INVALID', 'DOCUMENT_INVALID', 'NEEDS_HUMAN']);
  });

  verifies('T13', 'the checklist at the end comes from receipts, and only when something was changed', async () => {
    await agent.call('begin_work', { steps: ['one', 'two'] });
    expect(await agent.call('elefanteAssertCompliance')).not.toHaveProperty('checklist');
    await agent.call('memory_query', { query: 'x' });
    await write();
    await agent.call('task_complete');
    await agent.call('memory_write', { kind: 'note', statement: 'seen' });
    const { checklist } = (await agent.call('elefanteAssertCompliance')) as unknown as {
      checklist: { rule: string; ok: boolean; note: string }[];
    };
    expect(checklist.map(({ rule, ok, note }) => `${rule} ${ok} ${note}`)).toEqual([
      'R1 true recall completed, 0 found (asked)',
      'R4 true mode GUARDED declared',
      'R2 true the steps are in tinyTasks.md',
      'R3 true 1 completed with receipts, more to do',
      'R5 true 1 memory writes done, 0 refused',
    ]);
  });

  test('a question reaches a human, and the answer the agent', async () => {
    const question = { question: 'Which database?', options: ['SQLite', 'PostgreSQL'] };
    expect(await answered('request_human', question, '--answer', 'SQLite')).toMatchObject({ answered: true, answer: 'SQLite' });
  });

  test('an agent that gives up cites nothing any more and may only look', async () => {
    await agent.call('begin_work');
    expect(await agent.call('abandon', { reason: 'the design is wrong' })).toMatchObject({ abandoned: 'INT-001', mode: 'PASSIVE' });
    expect(await write()).toBe('MODE_FORBIDS');
    expect(await agent.call('begin_work', { mode: 'GUARDED' })).toMatchObject({ isError: false });
    expect(await write()).toBeNull();
  });
});
