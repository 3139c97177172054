import fc from 'fast-check';
import { expect, test } from 'vitest';
import { caseOf } from '../../test/policy-case.ts';
import { type Approval, type Decision, type Event, type LedgerRecord, newId, type Receipt } from '../protocol/index.ts';
import { gateForThisTest, outcomeOf } from './gate.fixture.ts';
import { State } from './index.ts';

const AT = '2026-01-02T03:04:05.000Z';
const { action: ordinary, facts } = caseOf();
const decision: Decision = { outcome: 'allow', verdicts: [], facts, policy_revision: 'rules-1' };
const actionNumber = (number: number) => ({ ...ordinary, id: `act_${String(number).padStart(26, '0')}` });
const approvalId = (number: number) => `apr_${String(number).padStart(26, '0')}`;
const approvalOf = (number: number): Approval => ({
  id: approvalId(number),
  workspace: ordinary.workspace,
  session: ordinary.session,
  action: actionNumber(number).id,
  tool: 'run_command',
  input_sha256: ordinary.input_sha256,
  policy_revision: 'rules-1',
  requested_at: AT,
  expires_at: '2026-01-02T04:04:05.000Z',
});

let seq = 0;
const record = (event: Event, at = AT): LedgerRecord => ({ seq: ++seq, stream: 's', stream_seq: seq, at, event });
const fold = (...events: readonly Event[]): State => {
  const state = new State();
  for (const event of events) state.apply(record(event));
  return state;
};

const waiting = (number: number): Event => ({
  type: 'action_waiting',
  data: { action: actionNumber(number), decision, approval: approvalId(number) },
});
const asked = (number: number): Event => ({ type: 'approval_requested', data: { approval: approvalOf(number) } });
const admitted = (number: number): Event => ({ type: 'action_admitted', data: { action: actionNumber(number), decision, approval: null } });
const refused = (number: number): Event => ({ type: 'action_refused', data: { action: actionNumber(number), decision, approval: null } });
const observed = (number: number): Event => ({ type: 'action_observed', data: { action: actionNumber(number), decision, receipt: null } });
const unknown = (number: number): Event => ({
  type: 'action_unknown',
  data: { action: actionNumber(number).id, session: ordinary.session, reason: 'why' },
});
const human = { proof: 'login', via: 'cli' } as const;

test('thousands of ended actions are not all kept; the newest are', () => {
  const state = fold(...Array.from({ length: 10_000 }, (_, i) => (i % 2 === 0 ? observed(i) : refused(i))));
  const kept = [...state.actions.keys()];
  expect(kept.length).toBeLessThanOrEqual(1_000);
  expect(kept.length).toBeGreaterThanOrEqual(500);
  expect(kept).toEqual(Array.from({ length: kept.length }, (_, i) => actionNumber(10_000 - kept.length + i).id));
});

test('what is open or unknown is never forgotten, however much comes after', () => {
  const open = [waiting(0), admitted(1), admitted(2), unknown(2)];
  const state = fold(...open, ...Array.from({ length: 5_000 }, (_, i) => observed(i + 3)));
  expect([0, 1, 2].map((number) => state.actions.get(actionNumber(number).id)?.state)).toEqual(['waiting', 'admitted', 'unknown']);
  expect(state.actions.size).toBeLessThanOrEqual(1_000);

  const many = fold(...Array.from({ length: 3_000 }, (_, i) => admitted(i)), ...Array.from({ length: 50 }, (_, i) => refused(i + 3_000)));
  expect([...many.actions.values()].filter(({ state }) => state === 'admitted').length).toBe(3_000);
  expect(many.actions.size).toBeLessThanOrEqual(3_050);
});

test('a bounded number of unknown actions and ended sessions is kept', () => {
  const opened = (number: number): Event => ({
    type: 'session_opened',
    data: {
      ...{
        session: `ses_${String(number).padStart(26, '0')}`,
        workspace: ordinary.workspace,
        root: ordinary.root,
        agent: 'test-agent',
        native_session: 'n',
      },
      ...{ agent_id: null, level: 'hooked', parent: null, inherited: null },
    },
  });
  const session = (number: number) => `ses_${String(number).padStart(26, '0')}`;
  const closed = (number: number): Event => ({ type: 'session_closed', data: { session: session(number), reason: 'end' } });
  const state = fold(
    opened(0),
    ...Array.from({ length: 2_000 }, (_, i) => [admitted(i), unknown(i)]).flat(),
    ...Array.from({ length: 2_000 }, (_, i) => [opened(i + 1), closed(i + 1)]).flat(),
  );
  // A recently active session is not forgotten because many others began and ended.
  expect(state.sessions.size).toBe(2_001);
  state.apply(record(opened(2_001), '2026-01-02T03:35:05.000Z'));
  expect([...state.actions.keys()]).toEqual(Array.from({ length: 500 }, (_, i) => actionNumber(1_500 + i).id));
  expect(state.sessions.has(session(0))).toBe(true);
  expect(state.sessions.size).toBeLessThanOrEqual(1_001);
});

test('questions that are open or granted are never forgotten; old answers are', () => {
  const ask = (number: number): Event[] => [waiting(number), asked(number)];
  const answer = (number: number, given: 'approved' | 'rejected'): Event => ({
    type: 'approval_answered',
    data: { approval: approvalId(number), answer: given, reason: null, human },
  });
  const state = fold(
    ...ask(0),
    ...ask(1),
    answer(1, 'approved'),
    ...Array.from({ length: 4_000 }, (_, i) => [...ask(i + 2), answer(i + 2, 'rejected')]).flat(),
  );
  expect([0, 1, 4_001].map((number) => state.approvals.get(approvalId(number))?.state)).toEqual(['pending', 'approved', 'rejected']);
  expect(state.approvals.size).toBeLessThanOrEqual(1_001);
});

test('an approval is found for its session, input and rules while it is of use, the newest first', () => {
  const now = new Date(AT);
  const state = fold(waiting(1), asked(1));
  const find = (action = ordinary, revision = 'rules-1', at = now) => state.approvalFor(action, revision, at)?.approval.id ?? null;
  expect([
    find(),
    find({ ...ordinary, input_sha256: 'c'.repeat(64) }),
    find({ ...ordinary, session: `ses_${'9'.repeat(26)}` }),
    find(ordinary, 'rules-2'),
    find(ordinary, 'rules-1', new Date('2026-01-02T04:04:04.999Z')),
    find(ordinary, 'rules-1', new Date('2026-01-02T04:04:05.000Z')),
  ]).toEqual([approvalId(1), null, null, null, approvalId(1), null]);

  const say = (event: Event) => state.apply(record(event));
  say({ type: 'approval_answered', data: { approval: approvalId(1), answer: 'rejected', reason: 'no', human } });
  expect([find(), state.approvals.get(approvalId(1))]).toMatchObject([approvalId(1), { state: 'rejected', reason: 'no', human }]);
  say(waiting(2));
  say(asked(2));
  expect(find()).toBe(approvalId(2));
  say({ type: 'approval_spent', data: { approval: approvalId(2), action: actionNumber(2).id } });
  expect([find(), state.approvals.get(approvalId(2))?.state]).toEqual([approvalId(1), 'spent']);
  say({ type: 'approval_expired', data: { approval: approvalId(1) } });
  expect([find(), state.approvals.get(approvalId(1))?.state]).toEqual([null, 'expired']);
});

test('events about what was never seen change nothing', () => {
  const receipt = { receipt_id: newId('rcp') } as Receipt;
  const session = ordinary.session;
  const state = fold(
    { type: 'turn_begun', data: { session, turn: '1' } },
    { type: 'mode_declared', data: { session, mode: 'STRICT', by: 'agent' } },
    { type: 'intent_selected', data: { session, intent: 'INT-001' } },
    { type: 'session_closed', data: { session, reason: 'x' } },
    { type: 'action_settled', data: { action: ordinary.id, session, receipt } },
    { type: 'action_lapsed', data: { action: ordinary.id, session, reason: 'x' } },
    unknown(1),
    asked(1),
    { type: 'approval_spent', data: { approval: approvalId(1), action: ordinary.id } },
    { type: 'authority_refused', data: { session: null, command: 'x', reason: 'y' } },
    { type: 'daemon_started', data: { pid: 1, version: '1', policy_revision: 'x' } },
    { type: 'defect_caught', data: { door: 'x', message: 'y' } },
    { type: 'ledger_repaired', data: { segment: 'x', dropped_bytes: 1, dropped_sha256: 'a'.repeat(64) } },
  );
  // The folded position is still known.
  state.positions.at.clear();
  expect(state).toEqual(new State());
});

test('folding is the same every time and in any batches: random histories', () => {
  const number = fc.nat(30);
  const event: fc.Arbitrary<Event> = fc.oneof(
    number.map(waiting),
    number.map(asked),
    number.map(admitted),
    number.map(refused),
    number.map(observed),
    number.map(unknown),
    fc
      .record({ approval: number.map(approvalId), answer: fc.constantFrom('approved' as const, 'rejected' as const) })
      .map((data): Event => ({ type: 'approval_answered', data: { ...data, reason: null, human } })),
  );
  fc.assert(
    fc.property(fc.array(event, { maxLength: 200 }), fc.nat(), (events, cut) => {
      const records = events.map((event) => record(event));
      const before = structuredClone(records);
      const whole = new State();
      for (const each of records) whole.apply(each);
      const parts = new State();
      for (const each of records.slice(0, cut)) parts.apply(each);
      for (const each of records.slice(cut)) parts.apply(each);
      expect(parts).toEqual(whole);
      expect(records).toEqual(before);
    }),
    { numRuns: 200 },
  );
});

test('the daemon’s memory is what its whole ledger folds to, after all that can happen to a session', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  await gate.session('main', 'PASSIVE', 'sub');
  const { action } = outcomeOf(await gate.write(session, 'src/a.ts'), 'admitted');
  await gate.kernel.spine.after(action.id, { output: 'ok', failed: false });
  await gate.answer(await gate.ask(session, 'rm -rf src/build'), 'approved');
  await gate.command(session, 'rm -rf src/build');
  await gate.answer(await gate.ask(session, 'rm -rf src/dist'), 'rejected');
  await gate.write(session, 'docs/c.md');
  await gate.before(session, 'read_file', { path: 'src/a.ts' });
  await gate.pass(session, 'propose_intent', { name: 'more', owned_scope: ['docs/**'] });
  await gate.kernel.turns.begin(session, '2');
  await gate.kernel.turns.close(session, 'bye');
  const again = new State();
  for (const each of await gate.records()) again.apply(each);
  expect(again).toEqual(gate.kernel.state);
});
