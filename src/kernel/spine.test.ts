import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { sha256Hex } from '../ledger/index.ts';
import { type EventType, Fault } from '../protocol/index.ts';
import { gateForThisTest, outcomeOf, STARTED_AT, summaryOf } from './gate.fixture.ts';
import type { ToolCall } from '../protocol/index.ts';

const own = (run: NonNullable<ToolCall['run']>) => ({ effects: ['plan'] as const, resources: [], run });

test('an admission is on the disk before the tool runs, the receipt after', async () => {
  const seen: string[][] = [];
  const gate = await gateForThisTest({
    tools: {
      look_at_disk: own(async () => {
        seen.push(gate.typesOnDisk());
        return { output: 'looked' };
      }),
    },
  });
  const session = await gate.session();
  expect(summaryOf(await gate.pass(session, 'look_at_disk', {}))).toBe('settled');
  expect(seen).toEqual([['daemon_started', 'session_opened', 'action_admitted']]);
  expect(gate.typesOnDisk().at(-1)).toBe('action_settled');
});

test('everything but an observation waits for the disk', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  await gate.before(session, 'read_file', { path: 'src/a.ts' });
  await gate.pass(session, 'countersign_status', {});
  const { action } = await gate.write(session, 'src/a.ts').then((outcome) => outcomeOf(outcome, 'admitted'));
  await gate.kernel.spine.after(action.id, { output: 'ok', failed: false });
  await gate.write(session, 'docs/c.md');
  const question = await gate.ask(session, 'rm -rf src/build');
  await gate.answer(question, 'approved');
  await gate.command(session, 'rm -rf src/build');
  const lazy = new Set(gate.appends.filter(({ durable }) => !durable).flatMap(({ types }) => types));
  const synced = new Set(gate.appends.filter(({ durable }) => durable).flatMap(({ types }) => types));
  expect([...lazy]).toEqual(['recall_done', 'action_observed']);
  expect([...synced].toSorted()).toEqual([
    'action_admitted',
    'action_lapsed',
    'action_refused',
    'action_settled',
    'action_waiting',
    'approval_answered',
    'approval_requested',
    'approval_spent',
    'daemon_started',
    'intent_confirmed',
    'intent_selected',
    'mode_declared',
    'session_opened',
  ] satisfies EventType[]);
});

test('an observation is one record, whether the gate looks or the agent does', async () => {
  const gate = await gateForThisTest();
  const session = await gate.session();
  const size = gate.store.head().size;
  const looked = outcomeOf(await gate.pass(session, 'countersign_status', {}), 'observed');
  const agent = outcomeOf(await gate.before(session, 'read_file', { path: 'src/a.ts' }), 'observed');
  const written = (await gate.records(size + 1)).map(({ event }) => event);
  expect(written.map(({ type }) => type)).toEqual(['action_observed', 'action_observed']);
  expect(written.map(({ data }) => 'receipt' in data && data.receipt)).toEqual([looked.receipt, null]);
  expect([agent.receipt, agent.output, looked.receipt?.status]).toEqual([null, null, 'done']);
});

test('an observation that is refused says so on the record, and the tool does not look', async () => {
  let looked = false;
  const gate = await gateForThisTest({
    tools: {
      peek: {
        effects: ['observe'],
        resources: [{ kind: 'file', path: '.ai/auth/jira.token', access: 'read' }],
        run: async () => {
          looked = true;
          return { output: 'secret' };
        },
      },
    },
  });
  const session = await gate.session();
  expect([
    summaryOf(await gate.pass(session, 'peek', {})),
    summaryOf(await gate.before(session, 'read_file', { path: '.ai/auth/x' })),
    looked,
  ]).toEqual(['refused GOVERNANCE_FILE', 'refused GOVERNANCE_FILE', false]);
  expect((await gate.events('action_refused')).length).toBe(2);
});

test('a tool that meets trouble settles as failed, and says what the trouble was', async () => {
  const gate = await gateForThisTest({
    tools: {
      fetch_issue: own(async () => {
        throw new Fault('NOT_FOUND', 'There is no such issue.', { fix: 'Name one that exists' });
      }),
      broken: own(async () => {
        throw new RangeError('off by one');
      }),
      rude: own(async () => {
        throw 'a string'; // oxlint-disable-line typescript/only-throw-error -- the point of this test
      }),
    },
  });
  const session = await gate.session();
  const results = [];
  for (const tool of ['fetch_issue', 'broken', 'rude']) {
    const { refusal, output, receipt, action } = outcomeOf(await gate.pass(session, tool, {}), 'settled');
    results.push({ refusal, status: receipt.status, output, state: gate.kernel.state.actions.get(action.id)?.state });
  }
  const failure = (error_code: string, message: string, recoverable: boolean, required_action: string) => {
    const remedy = { tool: 'request_human', args: { question: message } };
    const refusal = { error_code, message, recoverable, required_action, remedy, also_missing: [] };
    return { refusal, status: 'failed', output: { error: refusal }, state: 'settled' };
  };
  const defect = 'Tell a human: this is a defect of the gate';
  expect(results).toEqual([
    failure('NOT_FOUND', 'There is no such issue.', true, 'Name one that exists'),
    failure('INTERNAL', 'A defect of Countersign; it was recorded.', false, defect),
    failure('INTERNAL', 'A defect of Countersign; it was recorded.', false, defect),
  ]);
  expect((await gate.events('defect_caught')).map(({ data }) => data)).toEqual([
    { door: 'hook broken', message: 'RangeError: off by one' },
    { door: 'hook rude', message: 'a string' },
  ]);
});

test('what goes wrong between the admission and the tool settles too', async () => {
  let ran = false;
  const gate = await gateForThisTest({
    tools: {
      task: own(async () => {
        ran = true;
        return { output: null };
      }),
    },
  });
  const stranger = `ses_${'0'.repeat(26)}`;
  const outcome = outcomeOf(await gate.pass(stranger, 'task', {}), 'settled');
  expect([ran, outcome.refusal?.error_code, outcome.receipt.status]).toEqual([false, 'INTERNAL', 'failed']);
  expect(summaryOf(await gate.write(stranger, 'src/a.ts'))).toBe('refused RECALL_REQUIRED');
  expect([...gate.kernel.state.actions.values()].map(({ state }) => state)).toEqual(['settled', 'refused']);
});

test('a tool that only agents execute is not executed by the gate', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  await expect(gate.pass(session, 'fetch_url', { url: 'http://127.0.0.1/' })).rejects.toThrow(
    'fetch_url is executed by agents, not by the gate',
  );
  await expect(gate.before(session, 'write_file', { path: '' })).rejects.toThrow(Fault);
  expect((await gate.events('action_admitted')).map(({ data }) => data.action.tool)).toEqual(['select_active_intent']);
});

test('begin_work is one action with children in the order of the contract, each with a receipt of its own', async () => {
  const gate = await gateForThisTest();
  const session = await gate.session();
  const intent = await gate.intent(['src/**']);
  const { action, receipt, output } = outcomeOf(
    await gate.pass(session, 'begin_work', {}, { native: { tool: 'mcp__begin_work', call_id: 'c1' } }),
    'settled',
  );
  const ended = (await gate.events('action_settled', 'action_observed')).map(({ data }) => data.receipt!);
  const children = [...gate.kernel.state.actions.values()].filter((entry) => entry.action.parent === action.id);
  expect(ended.map(({ tool_id, action_id }) => [tool_id, action_id])).toEqual([
    ['memory_query', children[0]?.action.id],
    ['memory_set_mode', children[1]?.action.id],
    ['select_active_intent', children[2]?.action.id],
    ['task_list', children[3]?.action.id],
    ['begin_work', action.id],
  ]);
  expect(output).toMatchObject({ mode: 'GUARDED', intent, receipts: ended.slice(0, 4).map(({ receipt_id }) => receipt_id) });
  expect([action.native, ...children.map((child) => child.action.native)]).toEqual([
    { tool: 'mcp__begin_work', call_id: 'c1' },
    ...Array(4).fill(undefined),
  ]);
  expect([receipt.status, gate.kernel.state.sessions.get(session)]).toMatchObject(['done', { mode: 'GUARDED', modeBy: 'agent', intent }]);
});

test('a receipt says what became of the files, for which intent, and keeps the beginning of the output', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  await gate.kernel.turns.begin(session, 'turn-7');
  await gate.recall(session);
  const before = readFileSync(join(gate.root, 'src/a.ts'), 'utf8');
  const content = `${before}export const more = 1;\n`;
  const request = { actor: { agent: 'test-agent', agent_id: 'sub', model: 'test-model' } };
  const { action } = outcomeOf(await gate.before(session, 'write_file', { path: 'src/a.ts', content }, request), 'admitted');
  writeFileSync(join(gate.root, 'src/a.ts'), content);
  // Cut after 2,000 characters, the last of them would be half of a pair.
  const output = `${'x'.repeat(1_999)}😀 and more`;
  const settled = outcomeOf((await gate.kernel.spine.after(action.id, { output, failed: false }))!.outcome, 'settled');
  expect(settled.receipt).toEqual({
    receipt_id: settled.receipt.receipt_id,
    action_id: action.id,
    workspace: gate.workspace,
    root: gate.root,
    task_id: session,
    turn_id: 'turn-7',
    agent_id: 'test-agent/sub',
    model: 'test-model',
    tool_id: 'write_file',
    inputs: { path: 'src/a.ts', content },
    status: 'done',
    excerpt: `${'x'.repeat(1_999)}\ufffd`,
    sha256: sha256Hex(output),
    full_size: Buffer.byteLength(output),
    file_refs: [
      {
        path: 'src/a.ts',
        before_sha256: sha256Hex(before),
        after_sha256: sha256Hex(content),
        ranges: [{ start_line: 2, end_line: 2, sha256: sha256Hex('export const more = 1;\n') }],
        lock: 'unread',
        mutation: { class: 'INTENT_EVOLUTION', because: 'not looked at' },
      },
    ],
    intent: 'INT-001',
    revision: null,
    timestamp: new Date(STARTED_AT).toISOString(),
  });
});

test('an outcome is taken once, late ones too; what never ran has none', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  const after = async (id: string) => {
    const recorded = await gate.kernel.spine.after(id, { output: '', failed: true });
    return recorded === null ? null : summaryOf(recorded);
  };
  const { action } = outcomeOf(await gate.write(session, 'src/a.ts'), 'admitted');
  await gate.kernel.turns.end(session);
  expect(gate.kernel.state.actions.get(action.id)).toMatchObject({
    state: 'unknown',
    note: 'the turn ended before the outcome was reported',
  });
  const refused = outcomeOf(await gate.write(session, 'docs/c.md'), 'refused').action;
  expect([await after(action.id), await after(action.id), await after(refused.id), await after(`act_${'0'.repeat(26)}`)]).toEqual([
    'settled',
    null,
    null,
    null,
  ]);
  expect(gate.kernel.state.actions.get(action.id)).toMatchObject({ state: 'settled', note: null, receipt: { status: 'failed' } });
});

test('an outcome that is reported twice at the same time is recorded once', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  for (let round = 0; round < 20; round++) {
    const { action } = outcomeOf(await gate.write(session, 'src/a.ts'), 'admitted');
    const report = () => gate.kernel.spine.after(action.id, { output: round, failed: false });
    const reports = await Promise.all([report(), report(), report()]);
    expect(reports.map((report) => (report ? summaryOf(report) : 'nothing')).toSorted()).toEqual(['nothing', 'nothing', 'settled']);
  }
  expect((await gate.events('action_settled')).length).toBe(21);
});

test('a turn that ends while an outcome is on its way does not make a settled action unknown', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  const settlements = () => gate.appends.filter(({ types }) => types.includes('action_settled')).length;
  const ends = [
    () => gate.kernel.turns.end(session),
    (round: number) => gate.kernel.turns.begin(session, `turn ${round}`),
    () => gate.kernel.turns.close(session, 'bye'),
  ];
  for (let round = 0; round < 15; round++) {
    await gate.recall(session);
    const { action } = outcomeOf(await gate.write(session, 'src/a.ts'), 'admitted');
    const before = settlements();
    const settling = gate.kernel.spine.after(action.id, { output: round, failed: false });
    while (settlements() === before) await nextTurn();
    await Promise.all([settling, ends[round % 3]!(round)]);
    expect(gate.kernel.state.actions.get(action.id)?.state).toBe('settled');
  }
  expect(await gate.events('action_unknown')).toEqual([]);
});

test('an action settles although it has removed its own work tree', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working('main', ['**']);
  await gate.answer(await gate.ask(session, 'rm -rf .'), 'approved');
  const command = outcomeOf(await gate.command(session, 'rm -rf .'), 'admitted');
  const edit = outcomeOf(await gate.write(session, 'src/a.ts'), 'admitted');
  rmSync(gate.root, { recursive: true });
  const settled = [];
  for (const { action } of [command, edit]) {
    const { receipt } = outcomeOf((await gate.kernel.spine.after(action.id, { output: '', failed: false }))!.outcome, 'settled');
    settled.push([receipt.revision, receipt.file_refs.map(({ path, after_sha256 }) => [path, after_sha256])]);
  }
  expect(settled).toEqual([
    [null, []],
    [null, [['src/a.ts', null]]],
  ]);
});
