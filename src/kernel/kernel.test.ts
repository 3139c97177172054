import { expect, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { effectiveMode } from './index.ts';
import { gateForThisTest, outcomeOf, summaryOf } from './gate.fixture.ts';

test('a start says on the record what the last daemon could not: open actions are unknown, those who waited wait no more', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  const admitted = outcomeOf(await gate.write(session, 'src/a.ts'), 'admitted').action.id;
  const settled = outcomeOf(await gate.write(session, 'src/b.ts'), 'admitted').action.id;
  await gate.kernel.spine.after(settled, { output: '', failed: false });
  const gone = new AbortController();
  const asked = gate.next('approval_requested');
  const call = gate.command(session, 'rm -rf src/build', { waitTimeoutMs: 600_000, signal: gone.signal });
  const { action: waiting, id } = (await asked).data.approval;

  await gate.restart();
  // The old daemon is dead: it can write nothing more.
  gone.abort();
  await expect(call).rejects.toMatchObject({ code: 'AUDIT_UNAVAILABLE' });
  const { actions, approvals } = gate.kernel.state;
  expect([admitted, settled, waiting].map((action) => [actions.get(action)?.state, actions.get(action)?.note])).toEqual([
    ['unknown', 'the daemon ended before it saw the outcome'],
    ['settled', null],
    ['refused', 'the daemon ended while a human was asked'],
  ]);
  expect(approvals.get(id)?.state).toBe('pending');
  const events = (await gate.records()).map(({ event }) => event);
  expect(events.slice(-3).map(({ type }) => type)).toEqual(['daemon_started', 'action_unknown', 'action_lapsed']);

  const { size } = gate.store.head();
  await gate.restart();
  expect(gate.store.head().size).toBe(size + 1);
});

test('a turn’s end, a new turn and a session’s end leave nothing open, sub-agents included, and other sessions alone', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  const other = await gate.working('other');
  const sub = await gate.session('main', 'GUARDED', 'sub');
  const elsewhere = outcomeOf(await gate.write(other, 'src/b.ts'), 'admitted').action.id;
  const state = (id: string) => gate.kernel.state.actions.get(id);
  const ends = [
    [() => gate.kernel.turns.end(session), 'the turn ended before the outcome was reported'],
    [() => gate.kernel.turns.begin(session, '2'), 'a new turn began before the outcome was reported'],
    [() => gate.kernel.turns.close(session, 'bye'), 'the session ended before the outcome was reported'],
  ] as const;
  for (const [end, note] of ends) {
    await gate.recall(session);
    const open = [outcomeOf(await gate.write(session, 'src/a.ts'), 'admitted'), outcomeOf(await gate.write(sub, 'src/new.ts'), 'admitted')];
    expect(summaryOf(await end())).toBe('noted');
    expect(open.map(({ action }) => [state(action.id)?.state, state(action.id)?.note])).toEqual(Array(2).fill(['unknown', note]));
  }
  expect(state(elsewhere)?.state).toBe('admitted');
  expect(gate.kernel.state.sessions.get(session)).toMatchObject({ turn: '2', open: false });
});

test('the same turn begins once', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  await gate.kernel.turns.begin(session, '1');
  await gate.recall(session);
  const { action } = outcomeOf(await gate.write(session, 'src/a.ts'), 'admitted');
  await gate.kernel.turns.begin(session, '1');
  expect([(await gate.events('turn_begun')).length, gate.kernel.state.actions.get(action.id)?.state]).toEqual([1, 'admitted']);
});

test('a defect is recorded, whatever was thrown and however much it says', async () => {
  const gate = await gateForThisTest();
  await gate.kernel.recordDefect('http', new RangeError('off by one'));
  await gate.kernel.recordDefect('http', 'just text');
  // Cut in the middle of a pair: canonical JSON has no half characters.
  await gate.kernel.recordDefect('http', `${'x'.repeat(1_999)}😀`);
  await gate.kernel.recordDefect('http', '\ud800');
  expect((await gate.events('defect_caught')).map(({ data }) => data.message)).toEqual([
    'RangeError: off by one',
    'just text',
    `${'x'.repeat(1_999)}\ufffd`,
    '\ufffd',
  ]);
});

verifies('T5', 'what a session is held to: the pin, then PASSIVE, then the higher of minimum and what was declared', () => {
  const modes = ['PASSIVE', 'GUARDED', 'STRICT'] as const;
  const table = [null, ...modes].map((declared) => [null, ...modes].map((minimum) => effectiveMode(declared, minimum, null)));
  expect(table).toEqual([
    ['PASSIVE', 'PASSIVE', 'PASSIVE', 'PASSIVE'],
    ['PASSIVE', 'PASSIVE', 'PASSIVE', 'PASSIVE'],
    ['GUARDED', 'GUARDED', 'GUARDED', 'STRICT'],
    ['STRICT', 'STRICT', 'STRICT', 'STRICT'],
  ]);
  for (const declared of [null, ...modes])
    for (const minimum of [null, ...modes]) expect(effectiveMode(declared, minimum, 'PASSIVE')).toBe('PASSIVE');
});

verifies('T5', 'an agent goes up, and down to PASSIVE; not below a minimum, not past a pin; undeclared it only looks', async () => {
  const gate = await gateForThisTest();
  const session = await gate.session();
  await gate.pass(session, 'select_active_intent', { intent_id: await gate.intent() });
  const set = async (mode: string) => summaryOf(await gate.pass(session, 'memory_set_mode', { mode }));
  const write = async () => summaryOf(await gate.write(session, 'src/a.ts'));
  await gate.recall(session);
  expect([await write(), summaryOf(await gate.before(session, 'read_file', { path: 'src/a.ts' }))]).toEqual([
    'refused MODE_REQUIRED',
    'observed',
  ]);
  expect([await set('GUARDED'), await write(), await set('PASSIVE'), await write()]).toEqual([
    'settled',
    'admitted',
    'settled',
    'refused MODE_FORBIDS',
  ]);

  gate.configure({ mode: { minimum: 'STRICT' } });
  expect([await set('GUARDED'), await write(), await set('STRICT'), await write()]).toEqual([
    'settled MODE_BELOW_MINIMUM',
    'refused MODE_FORBIDS',
    'settled',
    'refused PLAN_SCOPE_VIOLATION',
  ]);
  gate.configure({});
  expect(await set('GUARDED')).toBe('settled MODE_LOWERED');
  gate.configure({ mode: { pin: 'PASSIVE' } });
  expect([await write(), await set('GUARDED'), await set('STRICT'), await set('PASSIVE')]).toEqual([
    'refused MODE_PINNED',
    'settled MODE_PINNED',
    'settled MODE_PINNED',
    'settled',
  ]);
  // A later minimum also applies to sessions that declared less before.
  gate.configure({});
  await set('GUARDED');
  gate.configure({ mode: { minimum: 'STRICT' } });
  const { action } = outcomeOf(await gate.write(session, 'src/a.ts'), 'refused');
  expect(gate.kernel.state.actions.get(action.id)?.decision.facts.mode).toEqual({
    declared: 'GUARDED',
    minimum: 'STRICT',
    pinned: null,
    effective: 'STRICT',
  });
});
