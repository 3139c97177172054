// The contract as people use it: modes, tasks, memory, violations, stamps and questions, each through the real command line.

import { appendFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CallToolResult, Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type ApprovalRow, type MemoryRow, QUERIES, type SessionRow, type StampVerdict } from '../src/protocol/index.ts';
import { agentProcess } from './lab/agent-process.ts';
import { eventually } from './lab/eventually.ts';
import { CLI, hasEnded, type Installation, makeInstallation, type Place } from './lab/installation.ts';
import { oneDaemon } from './lab/one-daemon.ts';
import { verifies } from './verifies.ts';

const besideTheOthers = oneDaemon();
const ownDaemons: Installation[] = [];
afterAll(() => Promise.all(ownDaemons.map((place) => place.dispose())));
async function withOwnDaemon(): Promise<Place> {
  const place = await makeInstallation();
  ownDaemons.push(place);
  return place;
}

/** One repository and one agent for a whole story; a daemon of its own where it is ended or counts over all workspaces. */
function story(make: () => Promise<Place> = besideTheOthers): { place: () => Place; agent: () => Promise<Client> } {
  let place: Place;
  beforeAll(async () => {
    place = await make();
  });
  return {
    place: () => place,
    agent: async () => {
      const client = await place.mcpClient();
      onTestFinished(() => client.close());
      return client;
    },
  };
}

const call = (client: Client, name: string, args: Record<string, unknown> = {}): Promise<CallToolResult> =>
  client.callTool({ name, arguments: args });
const codeIn = ({ isError, structuredContent }: CallToolResult): unknown =>
  isError ? (structuredContent as { error_code: string }).error_code : null;
const plain = (text: string): string => text.replaceAll(/(clm|tsk|ses|stp|apr|act)_[0-9A-Z]+/g, '$1_…');

/** A shell that the gate knows as an agent's; what is typed into it, the agent runs. */
async function agentShell(place: Place): Promise<(args: readonly string[]) => Promise<unknown>> {
  const agent = await agentProcess({ home: place.home, root: place.repo.path, env: place.env }, place.conversation);
  await agent.hook('SessionStart');
  return async (args) =>
    JSON.parse(await agent.shell(`'${CLI}' --json ${args.map((word) => `'${word}'`).join(' ')} </dev/null`)) as unknown;
}

describe('modes', () => {
  const { place, agent } = story();

  verifies('T5', 'a human pins PASSIVE and sets a minimum, for all or one intent', async () => {
    const human = async (...args: string[]) => (await place().humanTries(args)).output;
    await human('intent', 'fix login', 'src/auth');
    expect(await human('mode')).toBe(
      [
        'Nothing is pinned. There is no minimum: an agent may declare any mode.',
        '  settings   pin -        minimum -        .ai/config',
        '  workspace  pin -        minimum -        countersign mode',
        'The strictest of these holds.\n',
      ].join('\n'),
    );
    expect(await human('mode', 'min', 'GUARDED')).toContain('Nothing is pinned. The minimum is GUARDED.\n');
    // A pin leaves the minimum as it is, and the other way round.
    expect(await human('mode', 'pin', 'PASSIVE')).toContain(
      'PASSIVE is pinned: agents may look and change nothing.\n  settings   pin -        minimum -        .ai/config\n  workspace  pin PASSIVE  minimum GUARDED  countersign mode\n',
    );
    const client = await agent();
    expect(codeIn(await call(client, 'begin_work', { mode: 'GUARDED' }))).toBe('MODE_PINNED');
    expect(await human('mode', 'pin', 'off')).toContain('workspace  pin -        minimum GUARDED');
    expect(codeIn(await call(client, 'begin_work', { mode: 'GUARDED' }))).toBe(null);

    await human('mode', 'min', 'STRICT', '--intent', 'INT-001');
    expect(codeIn(await call(client, 'memory_set_mode', { mode: 'GUARDED' }))).toBe('MODE_BELOW_MINIMUM');
    expect(await place().ask('mode')).toEqual({
      pin: null,
      minimum: 'GUARDED',
      observing: false,
      settings: { pin: null, minimum: null },
      workspace: { pin: null, minimum: 'GUARDED' },
      intents: [{ intent: 'INT-001', pin: null, minimum: 'STRICT' }],
    });
    await human('mode', 'min', 'off', '--intent', 'INT-001');
    expect(codeIn(await call(client, 'memory_set_mode', { mode: 'GUARDED' }))).toBe(null);
  });

  test.each([
    [['mode', 'pin', 'STRICT'], 2, 'mode pin takes PASSIVE or off.'],
    [['mode', 'min', 'PASSIVE'], 2, 'mode min takes GUARDED or STRICT or off.'],
    [['mode', 'min', 'GUARDED', '--intent', 'x'], 2, "x is not an intent's id, such as INT-001."],
    [['mode', 'min', 'GUARDED', '--intent', 'INT-404'], 1, 'There is no intent INT-404 in this workspace.'],
    [['mode', 'up'], 2, 'mode has no command up.'],
  ])('%j is a sentence', async (args, code, message) => {
    expect(await place().humanTries(args)).toEqual({ code, output: expect.stringContaining(`countersign: ${message}\n`) });
  });
});

describe('tasks', () => {
  const { place } = story();
  const write = (text: string) => writeFile(join(place().repo.path, 'tinyTasks.md'), text);

  test('none yet: it is said how one comes to be', async () => {
    expect(await place().run(['tasks'])).toEqual({
      code: 0,
      stdout: 'There is no tinyTasks.md here. Agents write one with task_add when they have more than one step.\n',
      stderr: '',
    });
    expect(await place().run(['tasks', 'confirm'])).toMatchObject({
      code: 1,
      stderr: 'countersign: tinyTasks.md holds no open task to confirm.\n  countersign tasks shows what it holds\n',
    });
  });

  test('lists are shown with the current task, and confirmed as they are', async () => {
    await place().run(['intent', 'fix login', 'src/auth']);
    await write(
      '# Tasks — INT-001 fix login\n\n- [x] look\n- [ ] fix\u202e\n  - [ ] the parser\n  - [ ] the test\n\n# Tasks — other\n\n- [ ] later\n',
    );
    const shown = (first: string, second: string) =>
      [
        `INT-001 fix login  (2 open, ${first})`,
        '  ✓ look  tsk_…',
        '  ○ fix⟦U+202E⟧  tsk_…',
        '▶   ○ the parser  tsk_…',
        '    ○ the test  tsk_…',
        `other  (1 open, ${second})`,
        '▶ ○ later  tsk_…\n',
      ].join('\n');
    expect(plain((await place().run(['tasks'])).stdout)).toBe(shown('not confirmed', 'not confirmed'));
    expect(plain((await place().run(['tasks', 'confirm', '--intent', 'INT-001'])).stdout)).toBe(shown('confirmed', 'not confirmed'));
    expect(plain((await place().run(['tasks', 'confirm'])).stdout)).toBe(shown('confirmed', 'confirmed'));
    const view = QUERIES.tasks.output.parse(JSON.parse((await place().run(['tasks', '--json'])).stdout));
    expect(view.lists.map(({ confirmed }) => confirmed)).toEqual([true, true]);
    expect(await place().run(['tasks', 'confirm', '--intent', 'INT-404'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is no intent INT-404 in this workspace.'),
    });
  });

  test('what cannot be read names its line, shows what was last read, and is not confirmed', async () => {
    await write('# Tasks — INT-001 fix login\n\n- [ ] one\n   - [?] two\n');
    const { code, stdout } = await place().run(['tasks']);
    expect([code, plain(stdout)]).toEqual([
      0,
      expect.stringMatching(/^tinyTasks\.md:4: [^]*Until it is fixed, changes are refused\. Last read from it:\nINT-001 fix login/),
    ]);
    expect(await place().run(['tasks', 'confirm'])).toMatchObject({ code: 1, stderr: expect.stringContaining('tinyTasks.md:4') });
  });
});

describe('memory', () => {
  const { place } = story();
  const run = (...args: string[]) => place().run(['memory', ...args]);
  const json = async <T>(...args: string[]): Promise<T> => JSON.parse((await run(...args, '--json')).stdout) as T;
  let fact: MemoryRow;

  test('a human writes, finds, reads, approves and retires', async () => {
    expect((await run('recent')).stdout).toBe('Nothing is remembered yet.\n');
    fact = QUERIES.memory.output.element.parse(
      await json('add', 'fact', 'Login has one export', '--cite', 'src/auth/login.ts:1', '--scope', 'src/auth/**'),
    );
    expect(fact).toMatchObject({
      kind: 'fact',
      status: 'CITED',
      session: null,
      agent: 'human',
      approved: { proof: 'none', via: 'cli' },
      citations: [{ path: 'src/auth/login.ts', start_line: 1, end_line: 1 }],
      scope: ['src/auth/**'],
    });
    const said = (await run('add', 'decision', 'Use one parser', '--rationale', 'two\u001b[2K drift apart')).stdout;
    expect(plain(said)).toMatch(
      /^clm_… {2}decision {2}ASSERTED {2}approved\n {2}│ Use one parser\n {2}because {5}two⟦U\+001B⟧\[2K drift apart\n {2}ASSERTED {4}nothing was cited or checked; a human approved it, which is no evidence\n {2}written {5}\d\d:\d\d:\d\d by human\n {2}approved {4}by a human \(proof: none\)\n$/,
    );
    expect(plain((await run('query', 'parser')).stdout)).toMatch(
      /^clm_… {2}decision {2}ASSERTED {2}approved\n {2}│ Use one parser\n {2}matches "parser" in the statement;/,
    );
    expect((await json<MemoryRow[]>('recent')).map(({ statement }) => statement)).toEqual(['Use one parser', 'Login has one export']);
    expect(await json('show', fact.id)).toEqual(fact);
    // Said again it is the same memory.
    expect(await json<MemoryRow>('add', 'note', 'login has ONE export')).toMatchObject({ id: fact.id, kind: 'fact', times: 2 });

    const note = await json<MemoryRow>('add', 'note', 'a passing thought');
    expect((await run('approve', note.id)).stdout).toBe(`${note.id} is approved. Its status stays what the evidence says.\n`);
    expect((await run('retire', note.id, '--reason', 'it passed')).stdout).toBe(
      `${note.id} is retired: no recall finds it again. The record keeps it.\n`,
    );
    expect((await run('query', 'passing thought')).stdout).toBe('Nothing is remembered about that.\n');
    expect(await run('show', note.id)).toMatchObject({ code: 1, stderr: expect.stringContaining(`There is no memory ${note.id}`) });
  });

  test('export and import carry statements, never a status or an approval; evidence is looked at again', async () => {
    const file = join(place().base, 'memories.jsonl');
    expect((await run('export', file)).stdout).toBe(`2 memories in ${file}\n`);
    expect((await run('export')).stdout).toBe(await readFile(file, 'utf8'));
    expect(await run('export', file)).toMatchObject({ code: 2, stderr: expect.stringContaining(`${file} is there already.`) });
    expect((await run('import', file)).stdout).toBe('0 memories new, 2 merged into what was known.\n');

    const other = await besideTheOthers();
    await writeFile(join(other.repo.path, 'src/auth/login.ts'), 'another text\n');
    await appendFile(file, '{"kind":"note","statement":"by hand"}\n{"kind":"note","statement":"By hand."}\n');
    expect((await other.run(['memory', 'import', file])).stdout).toBe(
      '3 memories new, 1 merged into what was known.\n  line 3 is only a claim here: the cited lines src/auth/login.ts:1 changed\n',
    );
    const rows = JSON.parse((await other.run(['memory', 'recent', '--json'])).stdout) as MemoryRow[];
    expect(rows.map(({ kind, statement, status, approved }) => ({ kind, statement, status, approved }))).toEqual([
      { kind: 'note', statement: 'by hand', status: 'ASSERTED', approved: null },
      { kind: 'claim', statement: 'Login has one export', status: 'STALE', approved: null },
      { kind: 'decision', statement: 'Use one parser', status: 'ASSERTED', approved: null },
    ]);
  });

  test('one bad line, and nothing of a file is taken', async () => {
    const file = join(place().base, 'bad.jsonl');
    const before = (await run('recent')).stdout;
    for (const [lines, message] of [
      ['{"kind":"note","statement":"good"}\n{"kind":"rumour","statement":"bad"}', /bad\.jsonl:3: kind: /],
      ['{"kind":"note","statement":"good"}\nnot json', /bad\.jsonl:3: is not JSON/],
      ['{"kind":"note","statement":"x","scope":["{a"]}', /bad\.jsonl:2: /],
    ] as const) {
      await writeFile(file, `{"countersign_memory":1}\n${lines}\n`);
      expect(await run('import', file)).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(message) });
    }
    await writeFile(file, '{"kind":"note","statement":"no marker"}\n');
    expect(await run('import', file)).toMatchObject({ code: 1, stderr: expect.stringContaining('bad.jsonl:1: the first line has to be') });
    await writeFile(file, Buffer.from([0xff, 0xfe]));
    expect(await run('import', file)).toMatchObject({ code: 1, stderr: expect.stringContaining('cannot be read as UTF-8') });
    await rm(file);
    expect(await run('import', file)).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no file') });
    expect((await run('recent')).stdout).toBe(before);
  });

  test.each([
    [['add', 'fact', 'unproven'], 2, 'A fact needs at least one citation or one check that passes, and has neither.'],
    [['add', 'constraint', 'never do it'], 2, 'A constraint is kept with the reason for it, and none is given.'],
    [['add', 'rumour', 'x'], 2, 'rumour is not a kind of memory.'],
    [['add', 'fact', 'x', '--cite', 'src/auth/login.ts'], 2, 'src/auth/login.ts does not name lines.'],
    [['add', 'fact', 'x', '--cite', 'src/auth/login.ts:900-901'], 2, 'src/auth/login.ts:900-901 cannot be cited: the file has '],
    [['add', 'fact', 'x', '--cite', '../outside.ts:1'], 2, '../outside.ts:1-1 cannot be cited: '],
    [['add', 'note', ' '], 2, 'body, statement: '],
    [['show', 'clm_1'], 2, "clm_1 is not a memory's id."],
    [['approve', 'clm_00000000000000000000000000'], 1, 'There is no memory clm_00000000000000000000000000 in this workspace.'],
    [['retire', 'clm_00000000000000000000000000'], 2, "required option '--reason <text>' not specified"],
    [['retire', 'clm_00000000000000000000000000', '--reason', 'x'], 1, 'There is no memory clm_00000000000000000000000000'],
    [['query'], 2, "missing required argument 'words'"],
  ])('memory %j is a sentence', async (args, code, message) => {
    expect(await run(...args)).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(`countersign: ${message}`) });
  });
});

describe('violations', () => {
  const { place, agent } = story(withOwnDaemon);

  verifies('T11', 'violations are listed and counted, and outlive a restart', async () => {
    await place().human(['intent', 'fix login', 'src/auth']);
    const client = await agent();
    expect(codeIn(await call(client, 'memory_write', { kind: 'note', statement: 'before any recall' }))).toBe('RECALL_REQUIRED');
    await call(client, 'begin_work', { mode: 'GUARDED' });
    for (const statement of ['one', 'two'])
      expect(codeIn(await call(client, 'memory_write', { kind: 'fact', statement }))).toBe('EVIDENCE_REQUIRED');
    await client.close();

    const listed = (await place().run(['violations'])).stdout;
    expect(listed.match(/^\d\d:\d\d:\d\d {2}act_…\w{6} {2}refused +R5 .* memory_write +INT-001 +EVIDENCE_REQUIRED {2}/gm)).toHaveLength(2);
    expect(listed).toMatch(
      /R1 .* memory_write +- +RECALL_REQUIRED {2}Recall what is known before you change anything: .*\(also [A-Z_, ]+\)\n/,
    );
    const pid = await place().daemonPid();
    process.kill(pid, 'SIGKILL');
    await hasEnded(pid);

    expect((await place().run(['violations'])).stdout).toBe(listed);
    const [{ id, agent: name }] = await place().ask<[SessionRow]>('sessions');
    expect((await place().run(['violations', '--counts'])).stdout).toBe(
      `count  rule  ${'agent'.padEnd(name.length)}  session\n    2  R5    ${name}  ses_…${id.slice(-6)}\n    1  R1    ${name}  ses_…${id.slice(-6)}\n`,
    );
    const rows = JSON.parse((await place().run(['violations', '--rule', 'R1', '--session', id, '--json'])).stdout) as unknown;
    expect(QUERIES.violations.output.parse(rows)).toMatchObject([{ rule: 'R1', code: 'RECALL_REQUIRED' }]);
    expect(JSON.parse((await place().run(['violations', '--counts', '--rule', 'R5', '--json'])).stdout)).toEqual([
      { rule: 'R5', agent: name, session: id, count: 2 },
    ]);
    expect((await place().run(['violations', '--session', 'ses_00000000000000000000000000'])).stdout).toBe(
      'No violations fit these filters.\n',
    );
    expect(await place().run(['violations', '--rule', 'R9'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('There is no rule R9.'),
    });
    expect(await place().run(['violations', '--session', 'x'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("x is not a session's id."),
    });
  });
});

describe('stamps', () => {
  const { place, agent } = story(withOwnDaemon);
  const stampOf = ({ structuredContent }: CallToolResult) => (structuredContent as { stamp: string }).stamp;

  verifies('E5', 'verify-stamp tells real from altered, copied, reused and invented', async () => {
    const client = await agent();
    const stamps: string[] = [];
    for (let times = 0; times < 2; times++) {
      await call(client, 'memory_query', { query: 'login' });
      stamps.push(stampOf(await call(client, 'elefanteAssertCompliance')));
    }
    const [first, second] = stamps as [string, string];
    const [{ id: session }] = await place().ask<[SessionRow]>('sessions');
    const file = join(place().base, 'answer.md');
    const verify = async (text: string, ...args: string[]) => {
      await writeFile(file, text);
      const { code, stdout } = await place().run(['verify-stamp', file, ...args, '--json']);
      return [code, ...(JSON.parse(stdout) as StampVerdict[]).map(({ verdict }) => verdict)];
    };
    const long = 'All is done, as you wished. '.repeat(400);
    expect(await verify(`${long}\n${first}\n${long}\n> ${second.replace('\n', '\n> ')}\n`, '--session', session)).toEqual([
      0,
      'real',
      'real',
    ]);
    expect(await verify(`${first}\n${long}\n${second}\n${first}`)).toEqual([1, 'real', 'real', 'reused']);
    expect(await verify(first.replace('ZERO', 'MANY'))).toEqual([1, 'altered']);
    expect(await verify(`${first.slice(0, -1)}${first.endsWith('0') ? '1' : '0'}`)).toEqual([1, 'altered']);
    expect(await verify(first, '--session', 'ses_00000000000000000000000000')).toEqual([1, 'copied']);
    expect(await verify(first, '--turn', 'another')).toEqual([1, 'reused']);
    expect(await verify('[COMPLIANCE] YES I HAVE SEARCHED, FOUND 3 RELEVANT MEMORIES, BROUGHT THEM TO AGENT.')).toEqual([1, 'unknown']);
    expect(await verify(first.replace(/stp_\w+/, 'stp_00000000000000000000000000'))).toEqual([1, 'unknown']);
    expect(await verify('nothing of the kind')).toEqual([1]);

    await writeFile(file, first);
    expect((await place().run(['verify-stamp', file])).stdout).toMatch(
      /^✓ real {2}stp_\w{26} {2}issued to ses_\w{26} for turn \S+, on a recall that found 0\n$/,
    );
    expect(await place().humanTries(['verify-stamp'], `${second}\n\u0004`)).toEqual({ code: 0, output: expect.stringContaining('✓ real') });
    expect(await place().run(['verify-stamp'])).toEqual({ code: 1, stdout: 'There is no stamp in this text.\n', stderr: '' });
    expect(await place().run(['verify-stamp', '/nowhere'])).toMatchObject({
      code: 1,
      stderr: 'countersign: /nowhere cannot be read (ENOENT).\n',
    });
    expect(await place().run(['verify-stamp', file, '--session', 'x'])).toMatchObject({ code: 2 });
  });
});

describe('questions', () => {
  const { place, agent } = story(withOwnDaemon);
  const waiting = (): Promise<ApprovalRow> =>
    eventually('a question', async () => (await place().client.ask('approvals', { state: 'pending' }))[0]);
  /** Repeating the call returns the answer, if the first one did not wait for it. */
  const asked = async (client: Client, name: string, args: Record<string, unknown>, meanwhile: (row: ApprovalRow) => Promise<void>) => {
    const first = call(client, name, args);
    await meanwhile(await waiting());
    const heard = await first;
    return heard.isError ? call(client, name, args) : heard;
  };

  test('a question is shown as one, with its options, and the words reach the agent', async () => {
    const client = await agent();
    const question = { question: 'Which database?\n\u001b[2KYes?', options: ['SQLite', 'Postgres\u202e'] };
    const answered = await asked(client, 'request_human', question, async ({ id, root }) => {
      const shown = (await place().run(['approvals'])).stdout;
      expect(shown).toContain(
        `asks you in ${root}\n  │ Which database?\n  │ ⟦U+001B⟧[2KYes?\n    1  SQLite\n    2  Postgres⟦U+202E⟧\n  answer before `,
      );
      expect(shown).toContain(`countersign approve ${id} --answer N   |   countersign reject ${id} --reason "…"\n`);
      const human = (...args: string[]) => place().humanTries(['approve', id, ...args]);
      expect(await human()).toMatchObject({ code: 2, output: expect.stringContaining('The agent offers options; choose one.') });
      expect(await human('--answer', 'MySQL')).toMatchObject({
        code: 2,
        output: expect.stringContaining('That is not one of the options.'),
      });
      expect(await human('--answer', '3')).toMatchObject({ code: 2 });
      expect(await human('--answer', '1')).toEqual({ code: 0, output: `${id} is answered: SQLite. The agent gets this answer.\n` });
    });
    expect(answered.structuredContent).toMatchObject({ answered: true, answer: 'SQLite' });

    const free = await asked(client, 'request_human', { question: 'What is it called?' }, async ({ id }) => {
      expect((await place().run(['approvals'])).stdout).toContain(`countersign approve ${id} --answer "…"   |`);
      expect(await place().humanTries(['approve', id, '--answer', ' '])).toMatchObject({
        code: 2,
        output: expect.stringContaining('The answer is empty.'),
      });
      expect((await place().human(['approve', id, '--answer', 'Ada'])).code).toBe(0);
    });
    expect(free.structuredContent).toMatchObject({ answered: true, answer: 'Ada' });
    const yes = await asked(client, 'request_human', { question: 'May I?' }, async ({ id }) => {
      expect((await place().human(['approve', id])).code).toBe(0);
    });
    expect(yes.structuredContent).toMatchObject({ answered: true, answer: 'Yes' });
  });

  verifies('I8', 'scope that an agent asks for is granted by approve', async () => {
    await place().human(['intent', 'fix login', 'src/auth']);
    const client = await agent();
    await call(client, 'begin_work', { mode: 'GUARDED' });
    const request = { intent_id: 'INT-001', paths: ['src/session/**'], reason: 'the session is there' };
    const granted = await asked(client, 'request_scope', request, async ({ id, root }) => {
      expect((await place().run(['approvals'])).stdout).toContain(
        `wants more scope for INT-001 in ${root}\n  + src/session/**\n  │ the session is there\n`,
      );
      expect(await place().humanTries(['approve', id, '--answer', 'yes'])).toMatchObject({
        code: 2,
        output: expect.stringContaining(`${id} is not a question, so it takes no answer in words.`),
      });
      expect((await place().human(['approve', id])).output).toContain(`${id} is approved. INT-001 may now change `);
    });
    expect(granted.structuredContent).toMatchObject({ intent: 'INT-001', owned_scope: ['src/auth/**', 'src/session/**'] });
    expect((await place().run(['intents'])).stdout).toContain('INT-001  active    fix login  [src/auth/**, src/session/**]');
  });
});

verifies('T5', 'run by an agent, these commands are refused and change nothing', async () => {
  const place = await makeInstallation();
  onTestFinished(() => place.dispose());
  await place.human(['intent', 'fix login', 'src/auth']);
  await place.human(['mode', 'pin', 'PASSIVE']);
  const { id } = await place.ask<MemoryRow>('memory', 'add', 'note', 'mine');
  await writeFile(join(place.repo.path, 'tinyTasks.md'), '# Tasks — INT-001 fix login\n\n- [ ] one\n');
  const file = join(place.base, 'm.jsonl');
  await writeFile(file, '{"countersign_memory":1}\n{"kind":"note","statement":"smuggled"}\n');
  const asAgent = await agentShell(place);
  for (const args of [
    ['mode', 'pin', 'off'],
    ['mode', 'min', 'off'],
    ['tasks', 'confirm'],
    ['memory', 'add', 'note', 'smuggled'],
    ['memory', 'approve', id],
    ['memory', 'retire', id, '--reason', 'x'],
    ['memory', 'import', file],
  ]) {
    expect(await asAgent(args)).toEqual({
      error: {
        code: 'HUMAN_CHANNEL_REQUIRED',
        message: expect.stringMatching(/^Not done: the command runs below process \d+, which is an agent's\.$/),
        fix: 'A human has to do this, in a terminal of their own or on the page',
      },
    });
  }
  expect(await place.ask('mode')).toMatchObject({ pin: 'PASSIVE' });
  expect((await place.ask<MemoryRow[]>('memory', 'recent')).map(({ statement }) => statement)).toEqual(['mine']);
  expect((await place.run(['tasks'])).stdout).toContain('not confirmed');
});
