import { expect, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { gateForThisTest, human, outcomeOf, summaryOf } from './gate.fixture.ts';
import { FIRST_DOORS } from '../protocol/index.ts';

async function observingGate() {
  const gate = await gateForThisTest();
  const { workspace } = gate;
  const set = (observing: boolean, caller = human()) =>
    gate.kernel.authority.setObserving(caller, { workspace, observing, revision: null });
  expect(summaryOf(await set(true))).toBe('noted');
  return { gate, set };
}

verifies('N16', 'a verdict that stops nothing is recorded whole', async () => {
  const { gate, set } = await observingGate();
  const session = await gate.session();
  const { action } = outcomeOf(await gate.write(session, 'src/a.ts'), 'admitted');
  const entry = gate.kernel.state.actions.get(action.id)!;
  expect([entry.state, entry.observing, entry.decision.outcome]).toEqual(['admitted', true, 'deny']);
  outcomeOf(await gate.command(session, 'rm -rf src'), 'admitted');
  expect(gate.kernel.state.approvals.size).toBe(0);
  await set(false);
  expect(outcomeOf(await gate.write(session, 'src/b.ts'), 'refused').refusal.error_code).toBe('RECALL_REQUIRED');
});

test('a question is still a question, and the gate’s own tools leave its own files alone', async () => {
  const { gate } = await observingGate();
  const session = await gate.working();
  expect(summaryOf(await gate.pass(session, 'request_human', { question: 'Which database?' }))).toBe('refused APPROVAL_REQUIRED');
  const file = { path: '.claude/settings.json', content: '{}' };
  expect(summaryOf(await gate.pass(session, 'write_file', file, { door: FIRST_DOORS.mcp }))).toBe('refused GOVERNANCE_FILE');
  expect(summaryOf(await gate.before(session, 'write_file', file))).toBe('admitted');
});

test('what is allowed anyway is not marked', async () => {
  const { gate } = await observingGate();
  const session = await gate.working();
  const { action } = outcomeOf(await gate.write(session, 'src/a.ts'), 'admitted');
  expect(gate.kernel.state.actions.get(action.id)).toMatchObject({ observing: false, decision: { outcome: 'allow' } });
});

test('only a human says so, and where agents have worked only a proven one', async () => {
  const gate = await gateForThisTest();
  const { workspace } = gate;
  const request = { workspace, observing: true, revision: null };
  const { authority, state } = gate.kernel;
  await authority.setObserving({ kind: 'agent', session: await gate.session(), why: 'an agent asks' }, request);
  await authority.setObserving(human('none'), request);
  expect(state.observing.has(workspace)).toBe(false);
  await authority.setObserving(human('login'), request);
  expect(state.observing.has(workspace)).toBe(true);
  await authority.setObserving(human('none'), { ...request, observing: false });
  expect(state.observing.has(workspace)).toBe(false);
});
