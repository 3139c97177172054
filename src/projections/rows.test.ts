import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AGENT, gateForThisTest, human, outcomeOf } from '../kernel/gate.fixture.ts';
import { ActionRow, ApprovalRow, IntentRow, SessionRow, type StreamEvent } from '../protocol/index.ts';
import { RowStream } from './row-stream.ts';
import { actionRow, approvalRow, intentRow, sessionRow } from './rows.ts';

test('an action is shown by the one thing that it touches and by what became of it', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  const row = (id: string) => ActionRow.parse(actionRow(gate.kernel.state.actions.get(id)!));
  const shown = ({ subject, state, code, message, status, intent }: ActionRow) => ({ subject, state, code, message, status, intent });

  const { action } = outcomeOf(await gate.write(session, join(gate.root, 'src/a.ts')), 'admitted');
  expect(shown(row(action.id))).toEqual({
    subject: 'src/a.ts',
    state: 'admitted',
    code: null,
    message: null,
    status: null,
    intent: 'INT-001',
  });
  await gate.kernel.spine.after(action.id, { output: 'no', failed: true });
  expect(shown(row(action.id))).toEqual({
    subject: 'src/a.ts',
    state: 'settled',
    code: null,
    message: null,
    status: 'failed',
    intent: 'INT-001',
  });

  const outside = outcomeOf(await gate.write(session, 'docs/c.md'), 'refused');
  expect(row(outside.action.id)).toMatchObject({
    subject: 'docs/c.md',
    state: 'refused',
    code: 'SCOPE_VIOLATION',
    message: outside.refusal.message,
  });

  const left = outcomeOf(await gate.write(session, 'src/b.ts'), 'admitted');
  await gate.kernel.turns.end(session);
  expect(shown(row(left.action.id))).toEqual({
    subject: 'src/b.ts',
    state: 'unknown',
    code: 'UNKNOWN',
    message: 'the turn ended before the outcome was reported',
    status: null,
    intent: 'INT-001',
  });

  const named = async (tool: string, input: Record<string, unknown>) =>
    row(outcomeOf(await gate.before(session, tool, input), 'observed').action.id).subject;
  expect([
    await named('run_command', { command: 'ls -l' }),
    await named('fetch_url', { url: 'https://example.test/' }),
    await named('consult_self', { name: 'TodoWrite' }),
    await named('read_file', { path: 'src/a.ts' }),
  ]).toEqual(['ls -l', 'https://example.test/', 'TodoWrite', 'src/a.ts']);
});

test('a question is shown with the exact input, why it is asked, and how it was answered', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  const id = await gate.ask(session, 'rm -rf src/build');
  const row = () => ApprovalRow.parse(approvalRow(gate.kernel.state.approvals.get(id)!, gate.kernel.state));
  expect(row()).toMatchObject({
    id,
    agent: AGENT,
    tool: 'run_command',
    input: { command: 'rm -rf src/build' },
    root: gate.root,
    code: 'APPROVAL_REQUIRED',
    command: { class: 'DESTRUCTIVE' },
    intent: 'INT-001',
    state: 'pending',
    reason: null,
    proof: null,
    by: null,
    needs: 'login',
  });
  await gate.answer(id, 'rejected', undefined, 'still needed');
  expect(row()).toMatchObject({
    state: 'rejected',
    reason: 'still needed',
    by: { proof: 'login', via: 'cli', key: null, name: null, verified: false },
  });
});

test('a session and an intent are shown as they are now', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  const { state } = gate.kernel;
  expect(SessionRow.parse(sessionRow(state.sessions.get(session)!, state.observing))).toMatchObject({
    id: session,
    parent: null,
    agent: AGENT,
    level: 'hooked',
    mode: 'GUARDED',
    intent: 'INT-001',
    open: true,
  });
  const proposed = await gate.intent(['docs/**'], { kind: 'uncertain', why: 'nobody knows' });
  const row = (id: string) => IntentRow.parse(intentRow(state.intent(gate.workspace, id)!, state.approvers));
  expect(row('INT-001')).toMatchObject({ status: 'active', proof: 'login', confirmed_at: expect.any(String) });
  expect(row(proposed)).toMatchObject({ status: 'proposed', proof: null, confirmed_at: null });
});

test('whoever listens gets each row that a record changed, until they leave', async () => {
  const gate = await gateForThisTest();
  const rows = new RowStream(gate.kernel.state);
  gate.store.subscribe((records) => {
    for (const record of records) rows.tell(record);
  });
  const heard: StreamEvent[] = [];
  const leave = rows.subscribe((event) => heard.push(event));
  const session = await gate.working();
  const question = await gate.ask(session, 'rm -rf src/build');
  await gate.answer(question, 'approved');
  const reported = heard.flatMap(({ topic, row }) =>
    'id' in row ? [`${topic} ${row.id.slice(0, 7)} ${'state' in row ? row.state : 'status' in row ? row.status : row.mode}`] : [],
  );
  await gate.kernel.gaps.pause(human(), { workspace: gate.workspace, cwd: gate.root, seconds: 60, reason: 'why' }, null);
  expect(heard.at(-1)).toMatchObject({ topic: 'workspace', row: { workspace: gate.workspace } });
  leave();
  const { length } = heard;
  await gate.setIntent('INT-001', 'done');
  const short = session.slice(0, 7);
  expect(heard).toHaveLength(length);
  expect(reported.filter((line) => line.startsWith('session'))).toContain(`session ${short} GUARDED`);
  expect(reported).toContain('intent INT-001 active');
  expect([...new Set(reported.filter((line) => line.startsWith('approval')))]).toEqual([
    expect.stringMatching(/pending$/),
    expect.stringMatching(/approved$/),
  ]);
  expect(reported.some((line) => /^action .* waiting$/.test(line))).toBe(true);
});
