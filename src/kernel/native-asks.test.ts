// An agent asks its own human, in a dialog that the gate never sees: what ran was allowed, and what did not run in the turn was not.

import { expect, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { type Gate, gateForThisTest, outcomeOf, summaryOf } from './gate.fixture.ts';

const DONE = { output: 'done', failed: false };

async function asked(gate: Gate, session: string, title = 'x') {
  const call = { name: 'mcp__jira__create', arguments: { [title]: 'x' } };
  const outcome = outcomeOf(await gate.before(session, 'call_unknown', call, { asksNatively: true }), 'asked');
  return { action: outcome.action.id, approval: outcome.refusal.approval_id! };
}
const stateOf = (gate: Gate, id: string) => gate.kernel.state.actions.get(id)?.state;
const questionOf = (gate: Gate, id: string) => gate.kernel.state.approvals.get(id)?.state;

verifies('I13', 'what ran after the dialog was agreed to, by a human whose proof is that dialog', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  const { action, approval } = await asked(gate, session);
  expect([stateOf(gate, action), questionOf(gate, approval)]).toEqual(['waiting', 'pending']);
  await gate.kernel.spine.after(action, DONE);
  expect([stateOf(gate, action), questionOf(gate, approval)]).toEqual(['settled', 'spent']);
  const [answer] = await gate.events('approval_answered');
  expect([answer?.data.answer, answer?.data.human.proof]).toEqual(['approved', 'dialog']);
  // A second report adds nothing.
  const { length } = await gate.records();
  await gate.kernel.spine.after(action, DONE);
  expect((await gate.records()).length).toBe(length);
});

test('what was not heard of by the end of the turn was not agreed to, sub-agents included and other sessions not', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  const helper = await gate.session('main', 'GUARDED', 'helper');
  await gate.recall(helper);
  const stranger = await gate.working('stranger');
  const [mine, theirs, foreign] = [await asked(gate, session), await asked(gate, helper), await asked(gate, stranger)];
  await gate.kernel.turns.end(session);
  expect([stateOf(gate, mine.action), stateOf(gate, theirs.action), stateOf(gate, foreign.action)]).toEqual([
    'refused',
    'refused',
    'waiting',
  ]);
  expect([questionOf(gate, mine.approval), questionOf(gate, theirs.approval), questionOf(gate, foreign.approval)]).toEqual([
    ...['expired', 'expired', 'pending'],
  ]);
  await gate.kernel.spine.after(foreign.action, DONE);
  expect(stateOf(gate, foreign.action)).toBe('settled');
});

test('a question that a human answered elsewhere meanwhile is spent with that answer', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  const yes = await asked(gate, session, 'yes');
  await gate.answer(yes.approval, 'approved');
  await gate.kernel.spine.after(yes.action, DONE);
  expect([stateOf(gate, yes.action), questionOf(gate, yes.approval)]).toEqual(['settled', 'spent']);
  expect((await gate.events('approval_answered')).map(({ data }) => data.human.proof)).toEqual(['login']);
});

test('what cannot be undone is not asked in a dialog: the call is refused with the id of its question', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  expect(summaryOf(await gate.command(session, 'rm -rf src/b.ts', { asksNatively: true }))).toBe('refused APPROVAL_REQUIRED');
});
