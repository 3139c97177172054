import { expect, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { Fault } from '../protocol/index.ts';
import { gateForThisTest, human, outcomeOf, summaryOf } from './gate.fixture.ts';
import type { CallerJudgement } from './index.ts';

const uncertain: CallerJudgement = { kind: 'uncertain', why: 'it is not known' };
const agent = (session: string): CallerJudgement => ({ kind: 'agent', session, why: 'it runs below an agent' });
const MISSING = `apr_${'0'.repeat(26)}`;

const request = (workspace: string, name = 'a request') => ({
  workspace,
  name,
  ownedScope: ['src/**'],
  constraints: ['c'],
  acceptanceCriteria: ['d'],
});
const intentOf = (id: string, status: string, name = 'a request') => ({
  id,
  name,
  status,
  owned_scope: ['src/**'],
  constraints: ['c'],
  acceptance_criteria: ['d'],
});

test('a human’s request is active at once; an agent’s, and an uncertain one, is a proposal that says so', async () => {
  const gate = await gateForThisTest();
  const session = await gate.session();
  const declare = async (caller: CallerJudgement) =>
    outcomeOf((await gate.kernel.authority.declareIntent(caller, request(gate.workspace))).outcome, 'noted');
  const refusal = (id: string, why: string) => ({
    error_code: 'HUMAN_CHANNEL_REQUIRED',
    message: `Recorded as the proposal ${id}, not as an active intent: ${why}.`,
    recoverable: false,
    required_action: expect.stringMatching(
      new RegExp(`^A human confirms it .*(?:on the page|an enrolled key): countersign intents activate ${id}$`),
    ) as string,
    remedy: null,
    also_missing: [],
  });
  expect([await declare(human('none')), await declare(agent(session)), await declare(uncertain)]).toEqual([
    { kind: 'noted', output: intentOf('INT-001', 'active'), refusal: null },
    { kind: 'noted', output: intentOf('INT-002', 'proposed'), refusal: refusal('INT-002', 'it runs below an agent') },
    { kind: 'noted', output: intentOf('INT-003', 'proposed'), refusal: refusal('INT-003', 'it is not known') },
  ]);
  expect((await gate.events('intent_proposed')).map(({ data }) => [data.intent.id, data.session, data.reason])).toEqual([
    ['INT-002', session, 'it runs below an agent'],
    ['INT-003', null, 'it is not known'],
  ]);
  expect(gate.kernel.state.intent(gate.workspace, 'INT-001')?.human).toEqual({ proof: 'none', via: 'cli' });
  expect(summaryOf(await gate.pass(session, 'select_active_intent', { intent_id: 'INT-002' }))).toBe('settled INTENT_NOT_ACTIVE');
});

test('requests and proposals that come at the same time get ids of their own', async () => {
  const gate = await gateForThisTest();
  const sessions = [await gate.session('a'), await gate.session('b')];
  const names = Array.from({ length: 6 }, (_, i) => `request ${i}`);
  const proposals = sessions.flatMap((session) =>
    [1, 2].map((i) => gate.pass(session, 'propose_intent', { name: `proposal ${i} of ${session}`, owned_scope: ['docs/**'] })),
  );
  await Promise.all([...names.map((name) => gate.kernel.authority.declareIntent(human(), request(gate.workspace, name))), ...proposals]);
  const known = [...gate.kernel.state.intents.get(gate.workspace)!.values()].map(({ intent }) => intent);
  expect(known.map(({ id }) => id).toSorted()).toEqual(Array.from({ length: 10 }, (_, i) => `INT-${String(i + 1).padStart(3, '0')}`));
  expect(
    known
      .filter(({ status }) => status === 'active')
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(names);
  await gate.restart();
  expect(await gate.intent()).toBe('INT-011');
});

verifies('I13', 'an agent cannot answer, nor activate, nor log in: it is refused, on the record, and nothing moves', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  const question = await gate.ask(session, 'rm -rf src/build');
  const { authority } = gate.kernel;
  let loggedIn = false;
  const logIn = () => (loggedIn = true);
  for (const caller of [agent(session), uncertain]) {
    const outcomes = [
      await gate.answer(question, 'approved', caller),
      await gate.answer(question, 'rejected', caller),
      await gate.setIntent('INT-001', 'done', caller),
      (await authority.allowHuman(caller, 'login', logIn)).outcome,
    ];
    expect(outcomes.map(summaryOf)).toEqual(Array(4).fill('noted HUMAN_CHANNEL_REQUIRED'));
    expect(outcomes.map((outcome) => outcomeOf(outcome, 'noted').output)).toEqual(Array(4).fill(null));
  }
  expect((await gate.events('authority_refused')).map(({ data }) => data)).toEqual(
    [
      { session, reason: 'it runs below an agent' },
      { session: null, reason: 'it is not known' },
    ].flatMap((who) =>
      [`approve ${question}`, `reject ${question}`, 'intents done INT-001', 'login'].map((command) => ({ ...who, command })),
    ),
  );
  const { state } = gate.kernel;
  expect([loggedIn, state.approvals.get(question)?.state, state.intent(gate.workspace, 'INT-001')?.intent.status]).toEqual([
    false,
    'pending',
    'active',
  ]);
  expect(summaryOf(await gate.command(session, 'rm -rf src/build'))).toBe('refused APPROVAL_REQUIRED');
});

test('what only a human may do is done for a human, and is on the record with their proof', async () => {
  const gate = await gateForThisTest();
  const { outcome } = await gate.kernel.authority.allowHuman(human('dialog'), 'login', ({ proof }) => `link for ${proof}`);
  expect(outcome).toEqual({ kind: 'noted', output: 'link for dialog', refusal: null });
  expect((await gate.events('authority_allowed')).map(({ data }) => data)).toEqual([
    { command: 'login', human: { proof: 'dialog', via: 'cli' } },
  ]);
});

test('what is destructive needs a proven human to approve; anybody human may reject it', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  const destructive = await gate.ask(session, 'rm -rf src/build');
  for (const proof of ['none', 'dialog'] as const) {
    const { refusal } = outcomeOf(await gate.answer(destructive, 'approved', human(proof)), 'noted');
    expect([refusal?.error_code, refusal?.message]).toEqual([
      'HUMAN_CHANNEL_REQUIRED',
      `${destructive} needs a human proven by login; this channel proves ${proof}.`,
    ]);
  }
  expect([gate.kernel.state.approvals.get(destructive)?.state, summaryOf(await gate.command(session, 'rm -rf src/build'))]).toEqual([
    'pending',
    'refused APPROVAL_REQUIRED',
  ]);
  expect(summaryOf(await gate.answer(destructive, 'rejected', human('none')))).toBe('noted');

  const unproven = outcomeOf(await gate.before(session, 'deploy', {}), 'refused').refusal.approval_id!;
  expect(summaryOf(await gate.answer(unproven, 'approved', human('none')))).toBe('noted');
  expect(summaryOf(await gate.before(session, 'deploy', {}))).toBe('admitted');
  const strong = await gate.ask(session, 'rm -rf src/dist');
  expect(outcomeOf(await gate.answer(strong, 'approved', human('passkey')), 'noted').output).toEqual({ id: strong, state: 'approved' });
  expect(gate.kernel.state.approvals.get(strong)).toMatchObject({ state: 'approved', human: { proof: 'passkey', via: 'cli' } });
});

test('a question is answered once: the answer is final', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  const [approved, rejected] = [await gate.ask(session, 'rm -rf src/build'), await gate.ask(session, 'rm -rf src/dist')];
  await gate.answer(approved, 'approved');
  await gate.answer(rejected, 'rejected', human(), 'no');
  const again = [await gate.answer(approved, 'rejected'), await gate.answer(approved, 'approved'), await gate.answer(rejected, 'approved')];
  await gate.command(session, 'rm -rf src/build');
  again.push(await gate.answer(approved, 'approved'));
  expect(again.map((outcome) => outcomeOf(outcome, 'noted').refusal?.message)).toEqual([
    `${approved} is approved; it can no longer be answered.`,
    `${approved} is approved; it can no longer be answered.`,
    `${rejected} is rejected; it can no longer be answered.`,
    `${approved} is spent; it can no longer be answered.`,
  ]);
  expect([summaryOf(again[0]!), (await gate.events('approval_answered')).length]).toEqual(['noted APPROVAL_NOT_OPEN', 2]);
});

verifies('I13', 'two answers at the same time: one counts, and the other caller and the agent get that one', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  for (let round = 0; round < 20; round++) {
    const asked = gate.next('approval_requested');
    const call = gate.command(session, `rm -rf src/build/${round}`, { waitTimeoutMs: 600_000 });
    const { id } = (await asked).data.approval;
    const answers = round % 2 === 0 ? (['approved', 'rejected'] as const) : (['rejected', 'approved'] as const);
    const results2 = (await Promise.all(answers.map((answer) => gate.answer(id, answer)))).map(summaryOf);
    expect(results2.toSorted()).toEqual(['noted', 'noted APPROVAL_NOT_OPEN']);
    expect(summaryOf(await call)).toBe(answers[results2.indexOf('noted')] === 'approved' ? 'admitted' : 'refused APPROVAL_REJECTED');
  }
  expect((await gate.events('approval_answered')).length).toBe(20);
});

test('an approval that is swept while it is spent is spent', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  const spends = () => gate.appends.filter(({ types }) => types.includes('approval_spent')).length;
  for (let round = 0; round < 10; round++) {
    const command = `rm -rf src/build/${round}`;
    const question = await gate.ask(session, command);
    await gate.answer(question, 'approved');
    const before = spends();
    const call = gate.command(session, command);
    while (spends() === before) await new Promise(setImmediate);
    gate.clock.ms += 24 * 3600 * 1000;
    await gate.kernel.approvals.expire();
    expect([summaryOf(await call), gate.kernel.state.approvals.get(question)?.state]).toEqual(['admitted', 'spent']);
  }
});

test('what is not there cannot be answered or changed', async () => {
  const gate = await gateForThisTest();
  const fault = (promise: Promise<unknown>) =>
    promise.catch((error: unknown) => (error instanceof Fault ? [error.code, error.fix] : error));
  expect([await fault(gate.answer(MISSING, 'approved')), await fault(gate.setIntent('INT-009', 'active'))]).toEqual([
    ['NOT_FOUND', 'countersign approvals lists what waits'],
    ['NOT_FOUND', 'countersign intents lists them'],
  ]);
});

test('a human moves an intent, and only its status', async () => {
  const gate = await gateForThisTest();
  await gate.kernel.authority.declareIntent(uncertain, request(gate.workspace));
  for (const status of ['active', 'paused', 'active', 'done', 'abandoned'] as const) {
    expect(outcomeOf(await gate.setIntent('INT-001', status), 'noted').output).toEqual(intentOf('INT-001', status));
    expect(gate.kernel.state.intent(gate.workspace, 'INT-001')).toMatchObject({
      intent: intentOf('INT-001', status),
      human: { proof: 'login', via: 'cli' },
    });
  }
});
