import { expect } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { newId } from '../protocol/index.ts';
import { type Gate, gateForThisTest, human, outcomeOf } from './gate.fixture.ts';

/** The types of what was appended by this, one list an append. */
async function appendsOf(gate: Gate, work: () => Promise<unknown>): Promise<readonly (readonly string[])[]> {
  const before = gate.appends.length;
  await work();
  return gate.appends.slice(before).map(({ types }) => types);
}

verifies('I13', 'what belongs together is one append: all of it is on the record, or none', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  const { approvals, authority } = gate.kernel;
  const question = outcomeOf(await gate.before(session, 'jira_create', {}), 'refused').refusal.approval_id as string;
  const grant = () => approvals.grant(human(), question, { pattern: 'jira_*', seconds: 600 });
  expect(await appendsOf(gate, grant)).toEqual([['approval_answered', 'grant_made']]);

  const request = { name: 'a plan', ownedScope: ['src/**'], constraints: [], acceptanceCriteria: [], reason: 'plan.md:1' };
  const rule = { id: newId('rul'), workspace: gate.workspace, pattern: 'make *', source: 's:1' };
  const found = { intents: [request, request], commandRules: [rule], claims: [] };
  const takeOver = () => authority.takeOver(human(), gate.workspace, async () => ({ found, output: () => null }));
  expect(await appendsOf(gate, takeOver)).toEqual([['intent_proposed', 'intent_proposed', 'command_rules_proposed']]);

  await gate.command(session, 'mkdir src/made');
  expect(await appendsOf(gate, () => gate.kernel.turns.begin(session, 'next'))).toEqual([['action_unknown', 'turn_begun']]);
  const other = await gate.working('other');
  await gate.command(other, 'mkdir src/more');
  expect(await appendsOf(gate, () => gate.kernel.turns.close(other, 'done'))).toEqual([['action_unknown', 'session_closed']]);
});

verifies('I13', 'a turn and the verb that it calls, which only looks, are one append with a receipt each', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  const turn = () => gate.pass(session, 'controller_turn', { verb: 'list_available_verbs' });
  await turn();
  expect(await appendsOf(gate, turn)).toEqual([['action_observed', 'action_observed', 'work_charged']]);
  const [verb, parent] = [...gate.kernel.state.actions.values()].slice(-2);
  expect([verb?.action.tool, verb?.action.parent, parent?.action.tool]).toEqual([
    'list_available_verbs',
    parent?.action.id,
    'controller_turn',
  ]);
  expect([verb?.receipt?.action_id, parent?.receipt?.action_id]).toEqual([verb?.action.id, parent?.action.id]);
});
