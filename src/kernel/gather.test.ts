// What is known at the moment of a decision, where a stale or a weaker answer would let something pass.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { gateForThisTest, human, outcomeOf, summaryOf } from './gate.fixture.ts';

verifies('I13', 'a yes ends when a file that the command names has changed since', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  const question = await gate.ask(session, 'rm -rf src/b.ts');
  await gate.answer(question, 'approved');
  writeFileSync(join(gate.root, 'src/b.ts'), 'precious\\n');
  const again = outcomeOf(await gate.command(session, 'rm -rf src/b.ts'), 'refused').refusal;
  expect([again.error_code, again.approval_id === question]).toEqual(['APPROVAL_REQUIRED', false]);
  await gate.answer(again.approval_id!, 'approved');
  expect(summaryOf(await gate.command(session, 'rm -rf src/b.ts'))).toBe('admitted');
});

verifies('N14', 'a setting may ask for more proof than a login, and never for less than what is enrolled', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  const needed = async (command: string) => {
    const id = await gate.ask(session, command);
    return [gate.kernel.state.approvals.get(id)?.decision.facts.proof_needed, summaryOf(await gate.answer(id, 'approved'))];
  };
  expect(await needed('rm -rf src/one')).toEqual([undefined, 'noted']);
  gate.configure({ approvals: { destructiveProof: 'passphrase' } });
  expect(await needed('rm -rf src/two')).toEqual(['passphrase', 'noted HUMAN_CHANNEL_REQUIRED']);
  gate.configure({ approvals: { destructiveProof: 'login' } });
  expect(await needed('rm -rf src/three')).toEqual([undefined, 'noted']);
});

test('a rule for commands counts only in its workspace and while it is active', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  const rule = { id: 'rul_01ARZ3NDEKTSV4RRFFQ69G5FAV', workspace: gate.workspace, pattern: 'frobnicate *', source: 's:1' };
  const before = await gate.command(session, 'frobnicate src/a.ts');
  await gate.kernel.authority.takeOver(human(), gate.workspace, async () => ({
    found: { intents: [], commandRules: [rule], claims: [] },
    output: () => null,
  }));
  const allowance = async () => {
    const outcome = await gate.command(session, 'frobnicate src/a.ts');
    return gate.kernel.state.actions.get(outcome.kind === 'noted' ? '' : outcome.action.id)?.decision.facts.allowance;
  };
  expect([summaryOf(before), await allowance()]).toEqual([summaryOf(before), undefined]);
  await gate.kernel.authority.decideCommandRule(human(), rule.id, 'active');
  expect(await allowance()).toMatchObject({ patterns: ['frobnicate *'] });
});
