import { expect } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { gateForThisTest, human, outcomeOf, summaryOf } from './gate.fixture.ts';

const TOOL = 'call_unknown';
const call = (name: string, input: Record<string, unknown>) => ({ name, arguments: input });

verifies('I13', 'an unknown tool is asked about once, and again when its input takes another form', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  const create = (input: Record<string, unknown>, more = {}) => gate.before(session, TOOL, call('mcp__jira__create', input), more);
  const { refusal } = outcomeOf(await create({ title: 'one', labels: ['a'] }), 'refused');
  expect([refusal.error_code, refusal.message]).toEqual([
    'APPROVAL_REQUIRED',
    'This waits for a human (unknown tool): the gate cannot tell what it changes; a yes holds for this tool until its input takes another form. No human has answered: ' +
      `${refusal.approval_id} is still open.`,
  ]);
  await gate.answer(refusal.approval_id!, 'approved');
  expect(summaryOf(await create({ title: 'one', labels: ['a'] }))).toBe('admitted');

  // Other words in the same form, in any order, also after a restart.
  expect(summaryOf(await create({ labels: [], title: 'two' }))).toBe('admitted');
  await gate.restart();
  expect(summaryOf(await create({ title: 'three', labels: [] }))).toBe('admitted');

  const asked = 'refused APPROVAL_REQUIRED';
  expect(summaryOf(await create({ title: 'four' }))).toBe(asked);
  expect(summaryOf(await create({ title: 'four', labels: [], force: true }))).toBe(asked);
  expect(summaryOf(await create({ title: 4, labels: [] }))).toBe(asked);
  expect(summaryOf(await create({ title: 'five', labels: [] }, { actor: { agent: 'another-agent' } }))).toBe(asked);
  expect(summaryOf(await gate.before(session, TOOL, call('mcp__jira__delete', { title: 'six', labels: [] })))).toBe(asked);

  const events = await gate.events('tool_remembered');
  expect(events.map(({ data }) => [data.grant.tool, data.grant.agent, data.approval, data.human.proof])).toEqual([
    ['mcp__jira__create', 'test-agent', refusal.approval_id, 'login'],
  ]);
  // A human takes it back.
  expect(summaryOf(await gate.kernel.approvals.endGrant(human(), events[0]!.data.grant.id))).toBe('noted');
  expect(summaryOf(await create({ title: 'seven', labels: [] }))).toBe(asked);
  await gate.restart();
  expect(summaryOf(await create({ title: 'eight', labels: [] }))).toBe(asked);
});

verifies('I13', 'a no is not remembered, nor is a yes that was given as a grant for a time', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  const ask = async (name: string) => gate.before(session, TOOL, call(name, { title: 'x' }));
  const question = async (name: string) => outcomeOf(await ask(name), 'refused').refusal.approval_id!;
  await gate.answer(await question('mcp__jira__close'), 'rejected');
  expect(summaryOf(await ask('mcp__jira__close'))).toBe('refused APPROVAL_REJECTED');
  await gate.kernel.approvals.grant(human(), await question('mcp__wiki__edit'), { pattern: 'mcp__wiki__*', seconds: 60 });
  expect(summaryOf(await ask('mcp__wiki__edit'))).toBe('admitted');
  expect(await gate.events('tool_remembered')).toEqual([]);
  gate.clock.ms += 61_000;
  expect(summaryOf(await ask('mcp__wiki__edit'))).toBe('refused APPROVAL_REQUIRED');
});
