// An approval's path through the spine: asked, answered, spent; with real races.

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { gateForThisTest, human, outcomeOf, STARTED_AT, summaryOf, TTL_SECONDS } from './gate.fixture.ts';

/** Longer than a test may take: a test that waits for it fails. */
const LONG = 600_000;

verifies('I13', 'an approval counts once, for the very input and session that asked', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  const other = await gate.working('other');
  const question = await gate.ask(session, 'rm -rf src/build');
  expect(summaryOf(await gate.answer(question, 'approved'))).toBe('noted');
  expect([
    summaryOf(await gate.command(session, 'rm -rf  src/build')),
    summaryOf(await gate.before(session, 'run_command', { command: 'rm -rf src/build', cwd: join(gate.root, 'src') })),
    summaryOf(await gate.command(other, 'rm -rf src/build')),
    summaryOf(await gate.before(session, 'deploy', { command: 'rm -rf src/build' })),
  ]).toEqual(Array(4).fill('refused APPROVAL_REQUIRED'));
  expect([summaryOf(await gate.command(session, 'rm -rf src/build')), summaryOf(await gate.command(session, 'rm -rf src/build'))]).toEqual([
    'admitted',
    'refused APPROVAL_REQUIRED',
  ]);
  expect((await gate.events('approval_spent')).map(({ data }) => data.approval)).toEqual([question]);
  expect(gate.kernel.state.approvals.get(question)?.state).toBe('spent');
});

verifies('I13', 'two calls that race for one approval: exactly one is admitted, every time', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  for (let round = 0; round < 40; round++) {
    const command = `rm -rf src/build/${round}`;
    await gate.answer(await gate.ask(session, command), 'approved');
    const both = await Promise.all([gate.command(session, command), gate.command(session, command)]);
    expect(both.map(summaryOf).toSorted()).toEqual(['admitted', 'refused APPROVAL_REQUIRED']);
  }
  const spent = (await gate.events('approval_spent')).map(({ data }) => data.approval);
  expect([spent.length, new Set(spent).size]).toEqual([40, 40]);
});

verifies('I13', 'a question outlives the daemon: it is answered after a restart, and still counts once', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  const question = await gate.ask(session, 'rm -rf src/build');
  await gate.restart();
  expect([gate.kernel.state.approvals.get(question)?.state, summaryOf(await gate.answer(question, 'approved'))]).toEqual([
    'pending',
    'noted',
  ]);
  await gate.restart();
  expect(summaryOf(await gate.command(session, 'rm -rf src/build'))).toBe('admitted');
  await gate.restart();
  expect(summaryOf(await gate.command(session, 'rm -rf src/build'))).toBe('refused APPROVAL_REQUIRED');
});

verifies('I13', 'an approval given under other rules does not count', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  const question = await gate.ask(session, 'rm -rf src/build');
  await gate.answer(question, 'approved');
  await gate.restart('rules-2');
  const again = await gate.ask(session, 'rm -rf src/build');
  expect([again === question, gate.kernel.state.approvals.get(again)?.approval.policy_revision]).toEqual([false, 'rules-2']);
  expect(summaryOf(await gate.answer(again, 'approved'))).toBe('noted');
  expect(outcomeOf(await gate.command(session, 'rm -rf src/build'), 'admitted').approval).toBe(again);
  expect([...gate.kernel.state.approvals.values()].map(({ state }) => state)).toEqual(['withdrawn', 'spent']);
});

verifies('I13', 'a question that is open when the rules change is withdrawn: no answer is taken, and the agent asks again', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  const [open, approved, rejected] = [
    await gate.ask(session, 'rm -rf src/build'),
    await gate.ask(session, 'rm -rf src/dist'),
    await gate.ask(session, 'rm -rf src/out'),
  ];
  await gate.answer(approved, 'approved');
  await gate.answer(rejected, 'rejected');
  await gate.restart();
  expect(await gate.events('approval_withdrawn')).toEqual([]);
  await gate.restart('rules-2');
  const withdrawn = (approval: string) => ({ approval, policy_revision: 'rules-2' });
  expect((await gate.events('approval_withdrawn')).map(({ data }) => data)).toEqual([open, approved].map(withdrawn));
  expect([open, approved, rejected].map((id) => gate.kernel.state.approvals.get(id)?.state)).toEqual([
    'withdrawn',
    'withdrawn',
    'rejected',
  ]);

  for (const answer of ['approved', 'rejected'] as const) {
    const { refusal } = outcomeOf(await gate.answer(open, answer), 'noted');
    expect([refusal?.error_code, refusal?.message]).toEqual([
      'APPROVAL_NOT_OPEN',
      `The rules have changed since ${open} was asked, so no answer to it counts; the agent has to ask again.`,
    ]);
  }
  // Not under the old rules either, should they come back.
  await gate.restart();
  const again = [await gate.ask(session, 'rm -rf src/build'), await gate.ask(session, 'rm -rf src/dist')];
  expect(again.filter((id) => id === open || id === approved)).toEqual([]);
  await gate.answer(again[0]!, 'approved');
  expect(outcomeOf(await gate.command(session, 'rm -rf src/build'), 'admitted').approval).toBe(again[0]);
  expect((await gate.events('approval_withdrawn')).length).toBe(2);
});

verifies('I13', 'an approval ends with its time, whether it was answered or not', async () => {
  const gate = await gateForThisTest();
  gate.configure({ approvals: { ttlSeconds: 60 } });
  const session = await gate.working();
  const [open, granted] = [await gate.ask(session, 'rm -rf src/build'), await gate.ask(session, 'rm -rf src/dist')];
  expect(gate.kernel.state.approvals.get(open)?.approval).toMatchObject({
    requested_at: new Date(STARTED_AT).toISOString(),
    expires_at: new Date(STARTED_AT + 60_000).toISOString(),
  });
  await gate.answer(granted, 'approved');
  gate.clock.ms += 59_999;
  await gate.kernel.approvals.expire();
  expect(await gate.events('approval_expired')).toEqual([]);
  // Its time is up; no sweep has run yet.
  gate.clock.ms += 1;
  expect([summaryOf(await gate.answer(open, 'approved')), summaryOf(await gate.command(session, 'rm -rf src/dist'))]).toEqual([
    'noted APPROVAL_NOT_OPEN',
    'refused APPROVAL_REQUIRED',
  ]);
  await gate.kernel.approvals.expire();
  await gate.kernel.approvals.expire();
  expect((await gate.events('approval_expired')).map(({ data }) => data.approval)).toEqual([open, granted]);
  const refused = outcomeOf(await gate.answer(granted, 'rejected'), 'noted').refusal;
  expect(refused?.message).toBe(`${granted} is expired; it can no longer be answered.`);
});

test('an answer that comes while the agent waits lets exactly that call go on', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  const asked = gate.next('approval_requested');
  const call = gate.command(session, 'rm -rf src/build', { waitTimeoutMs: LONG });
  const { id } = (await asked).data.approval;
  await gate.answer(id, 'approved');
  const { approval, action } = outcomeOf(await call, 'admitted');
  expect([approval, gate.kernel.state.actions.get(action.id)?.state]).toEqual([id, 'admitted']);
  const way = (await gate.records()).flatMap(({ event: { type, data } }) =>
    'action' in data && typeof data.action === 'object' && data.action.id === action.id ? [type] : [],
  );
  expect(way).toEqual(['action_waiting', 'action_admitted']);
});

test('a rejection that comes while the agent waits refuses with the human’s reason', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  const asked = gate.next('approval_requested');
  const call = gate.command(session, 'rm -rf src/build', { waitTimeoutMs: LONG });
  const { id } = (await asked).data.approval;
  await gate.answer(id, 'rejected', human('none'), 'keep it');
  const { refusal, action } = outcomeOf(await call, 'refused');
  expect([refusal.error_code, refusal.message]).toEqual(['APPROVAL_REJECTED', `A human rejected this: keep it (${id}).`]);
  expect(gate.kernel.state.actions.get(action.id)?.state).toBe('refused');
  expect(summaryOf(await gate.command(session, 'rm -rf src/build'))).toBe('refused APPROVAL_REJECTED');
});

test('several calls that wait for one question: one goes on, the others ask again', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  const id = await gate.ask(session, 'rm -rf src/build');
  const controller = new AbortController();
  const calls = Array.from({ length: 4 }, () =>
    gate.command(session, 'rm -rf src/build', { waitTimeoutMs: LONG, signal: controller.signal }),
  );
  const waiting = () => [...gate.kernel.state.actions.values()].filter(({ state }) => state === 'waiting').length;
  while (waiting() < 4) await gate.next('action_waiting');
  expect((await gate.events('approval_requested')).length).toBe(1);
  const askedAgain = gate.next('approval_requested');
  await gate.answer(id, 'approved');
  await askedAgain;
  controller.abort();
  const outcomes = (await Promise.all(calls)).map(summaryOf).toSorted();
  expect(outcomes).toEqual(['admitted', ...Array<string>(3).fill('refused APPROVAL_REQUIRED')]);
  expect((await gate.events('approval_requested', 'approval_spent')).map(({ type }) => type)).toEqual([
    'approval_requested',
    'approval_spent',
    'approval_requested',
  ]);
});

test('a call that times out runs nothing, and the answer counts for the repetition', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  const { refusal, action } = outcomeOf(await gate.command(session, 'rm -rf src/build', { waitTimeoutMs: 5 }), 'refused');
  expect(refusal).toEqual({
    error_code: 'APPROVAL_REQUIRED',
    message: `This waits for a human (deletes): rm with this option deletes whole folders and cannot be undone. No human has answered: ${refusal.approval_id} is still open.`,
    recoverable: true,
    required_action: 'Wait for the answer, then repeat exactly this call; an approval counts once and only for this input',
    remedy: { tool: 'countersign_status', args: {} },
    also_missing: [],
    approval_id: refusal.approval_id,
  });
  expect(gate.kernel.state.actions.get(action.id)).toMatchObject({ state: 'refused', note: 'no human answered in time' });
  await gate.answer(refusal.approval_id!, 'approved');
  expect(outcomeOf(await gate.command(session, 'rm -rf src/build'), 'admitted').approval).toBe(refusal.approval_id);
});

test('a caller that goes away runs nothing, and its question stays open', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  const controller = new AbortController();
  const asked = gate.next('approval_requested');
  const call = gate.command(session, 'rm -rf src/build', { waitTimeoutMs: LONG, signal: controller.signal });
  const { id } = (await asked).data.approval;
  controller.abort();
  const gone = outcomeOf(await call, 'refused');
  const { action } = outcomeOf(
    await gate.command(session, 'rm -rf src/build', { waitTimeoutMs: LONG, signal: AbortSignal.abort() }),
    'refused',
  );
  expect([gone.action.id, action.id].map((action) => gate.kernel.state.actions.get(action))).toMatchObject(
    Array(2).fill({ state: 'refused', approval: id, note: 'the caller went away while a human was asked' }),
  );
  expect(gate.kernel.state.approvals.get(id)?.state).toBe('pending');
});

test('an answer that races with the timeout is spent by that call or kept for the next, never lost', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  for (let round = 0; round < 40; round++) {
    const command = `rm -rf src/build/${round}`;
    const asked = gate.next('approval_requested');
    const call = gate.command(session, command, { waitTimeoutMs: 1 + (round % 8) });
    const { id } = (await asked).data.approval;
    const [outcome] = await Promise.all([call, gate.answer(id, 'approved')]);
    expect([outcome.kind, gate.kernel.state.approvals.get(id)?.state]).toEqual(
      outcome.kind === 'admitted' ? ['admitted', 'spent'] : ['refused', 'approved'],
    );
    expect(summaryOf(await gate.command(session, command))).toBe(outcome.kind === 'admitted' ? 'refused APPROVAL_REQUIRED' : 'admitted');
  }
  expect((await gate.events('approval_spent')).length).toBe(40);
});

test('a question that expires while a call waits ends the call; the next one asks again, and only the new question counts', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  const asked = gate.next('approval_requested');
  const call = gate.command(session, 'rm -rf src/build', { waitTimeoutMs: LONG });
  const first = (await asked).data.approval.id;
  gate.clock.ms += TTL_SECONDS * 1000;
  await gate.kernel.approvals.expire();
  const { refusal } = outcomeOf(await call, 'refused');
  expect(refusal.message).toContain(`No human has answered: ${first} is no longer open.`);
  expect(summaryOf(await gate.answer(first, 'approved'))).toBe('noted APPROVAL_NOT_OPEN');

  const again = gate.next('approval_requested');
  const retried = gate.command(session, 'rm -rf src/build', { waitTimeoutMs: LONG });
  const second = (await again).data.approval.id;
  await gate.answer(second, 'approved');
  expect(outcomeOf(await retried, 'admitted').approval).toBe(second);
});

verifies('I13', 'an approved action is judged again by what is true then: its intent was paused meanwhile', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  const asked = gate.next('approval_requested');
  const call = gate.command(session, 'rm -rf src/build', { waitTimeoutMs: LONG });
  const { id } = (await asked).data.approval;
  await gate.setIntent('INT-001', 'paused');
  await gate.answer(id, 'approved');
  expect(summaryOf(await call)).toBe('refused INTENT_NOT_ACTIVE');
  expect(gate.kernel.state.approvals.get(id)?.state).toBe('approved');

  gate.configure({ mode: { pin: 'PASSIVE' } });
  await gate.setIntent('INT-001', 'active');
  expect(summaryOf(await gate.command(session, 'rm -rf src/build'))).toBe('refused MODE_PINNED');
  gate.configure({});
  expect(outcomeOf(await gate.command(session, 'rm -rf src/build'), 'admitted').approval).toBe(id);
});

verifies('I13', 'a call that waits while its question is withdrawn ends with that reason', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  const asked = gate.next('approval_requested');
  const waits = gate.command(session, 'rm -rf src/build', { waitTimeoutMs: 60_000 });
  const { id } = (await asked).data.approval;
  // As another kernel on the same store, with other rules, does when it starts.
  await gate.kernel.approvals.withdrawOutdated('rules-2');
  const { refusal } = outcomeOf(await waits, 'refused');
  expect(refusal.message).toMatch(
    new RegExp(`The rules have changed since, so ${id} was withdrawn and no answer to it counts: call again`),
  );
  expect((await gate.events('action_lapsed')).map(({ data }) => data.reason)).toEqual(['the rules changed and the question was withdrawn']);
});
