// Edits of the documents that humans own, and when they count.

import { expect, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { intentSha256 } from '../ledger/index.ts';
import type { Intent } from '../protocol/index.ts';
import { type Gate, gateForThisTest, human, outcomeOf, summaryOf } from './gate.fixture.ts';
import type { CallerJudgement, Circumstances } from './index.ts';

const written = (id: string, change: Partial<Intent> = {}): Intent => ({
  ...{ id, name: 'written by hand', status: 'active', owned_scope: ['src/**'], constraints: ['c'], acceptance_criteria: [] },
  ...change,
});
const OUTSIDE: Circumstances = { strict: false, agentPresent: false, byGit: false };
const DURING: Circumstances = { ...OUTSIDE, agentPresent: true };
const STRICT: Circumstances = { ...OUTSIDE, strict: true };
const BY_FILE = { proof: 'none', via: 'file' };

const observe = async (gate: Gate, how: Circumstances, ...intents: Intent[]): Promise<unknown> =>
  outcomeOf((await gate.kernel.documents.observeIntents(gate.workspace, gate.root, intents, how)).outcome, 'noted').output;
const now = (gate: Gate, id: string): Intent | undefined => gate.kernel.state.intent(gate.workspace, id)?.intent;
const waiting = (gate: Gate) => gate.kernel.state.documents.waitingIn(gate.workspace).map(({ intent }) => intent);
const settle = async (gate: Gate, id: string, take: boolean, caller: CallerJudgement = human()) =>
  (
    await gate.kernel.documents.settleEdit(caller, gate.workspace, id, take, {
      ...{ statement: { command: 'intents', about: {} }, given: null, strict: false, shown: null },
    })
  ).outcome;

verifies('I3', 'an intent that is new in the file is a human’s while no agent is present; otherwise it is a proposal', async () => {
  const gate = await gateForThisTest();
  await observe(gate, STRICT, written('INT-009'));
  expect(now(gate, 'INT-009')?.status).toBe('proposed');
  await observe(gate, OUTSIDE, written('INT-009'), written('INT-001'), written('AUTH-7', { status: 'paused' }));
  expect([now(gate, 'INT-001')?.status, now(gate, 'AUTH-7')?.status]).toEqual(['active', 'paused']);
  expect((await gate.events('intent_confirmed')).map(({ data }) => data.human)).toEqual([BY_FILE, BY_FILE]);
  await observe(gate, DURING, written('INT-009'), written('INT-001'), written('AUTH-7', { status: 'paused' }), written('INT-002'));
  expect(now(gate, 'INT-002')?.status).toBe('proposed');
});

test('what the file says when it is first read changes no known intent: it may be older than the ledger', async () => {
  const gate = await gateForThisTest();
  await gate.intent();
  const before = now(gate, 'INT-001');
  expect(await observe(gate, OUTSIDE, written('INT-001', { owned_scope: ['**'] }))).toEqual(['intents_file_seen']);
  expect(now(gate, 'INT-001')).toEqual(before);
  const { size } = gate.store.head();
  expect(await observe(gate, OUTSIDE, written('INT-001', { owned_scope: ['**'] }))).toEqual([]);
  expect(gate.store.head().size).toBe(size);
  // Of a later edit, only the edited part counts.
  await observe(gate, OUTSIDE, written('INT-001', { owned_scope: ['**', 'docs/**'] }));
  expect(now(gate, 'INT-001')?.owned_scope).toEqual(['src/**', 'docs/**']);
});

verifies('I3', 'an edit while no agent is present is taken over: scope, status, removal, and back', async () => {
  const gate = await gateForThisTest();
  await observe(gate, OUTSIDE, written('INT-001'));
  const wide = written('INT-001', { owned_scope: ['src/**', 'docs/**'], constraints: [] });
  expect(await observe(gate, OUTSIDE, wide)).toEqual(['intent_confirmed', 'intents_file_seen']);
  expect([now(gate, 'INT-001'), gate.kernel.state.intent(gate.workspace, 'INT-001')?.human]).toEqual([wide, BY_FILE]);
  await observe(gate, OUTSIDE, { ...wide, status: 'paused' });
  expect(now(gate, 'INT-001')?.status).toBe('paused');
  await observe(gate, OUTSIDE, { ...wide, status: 'active' });
  await observe(gate, OUTSIDE);
  expect(now(gate, 'INT-001')?.status).toBe('abandoned');
  await observe(gate, OUTSIDE, wide);
  expect(now(gate, 'INT-001')?.status).toBe('active');
  await gate.restart();
  expect([now(gate, 'INT-001'), await observe(gate, OUTSIDE, wide)]).toEqual([wide, []]);
});

verifies('I3', 'while an agent is present, what grants more waits for a human and what grants less holds at once', async () => {
  const gate = await gateForThisTest();
  const first = written('INT-001', { owned_scope: ['src/**', 'test/**'] });
  await observe(gate, OUTSIDE, first);
  const edited = written('INT-001', { owned_scope: ['src/**', 'docs/**'], constraints: ['d'], name: 'another name' });
  expect(await observe(gate, DURING, edited)).toEqual(['intent_confirmed', 'intent_edit_waiting', 'intents_file_seen']);
  expect(now(gate, 'INT-001')).toEqual({ ...first, owned_scope: ['src/**'], constraints: ['d', 'c'] });
  expect(waiting(gate)).toEqual([edited]);
  await gate.restart();
  expect(waiting(gate)).toEqual([edited]);

  const agent: CallerJudgement = { kind: 'agent', session: await gate.session(), why: 'it runs below an agent' };
  expect(summaryOf(await settle(gate, 'INT-001', true, agent))).toBe('noted HUMAN_CHANNEL_REQUIRED');
  expect(summaryOf(await settle(gate, 'INT-001', true))).toBe('noted');
  expect([now(gate, 'INT-001'), waiting(gate)]).toEqual([edited, []]);
  await expect(settle(gate, 'INT-001', true)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  // A removal withdraws the whole grant.
  await observe(gate, DURING);
  expect(now(gate, 'INT-001')?.status).toBe('abandoned');
});

test('an edit that is discarded, or taken out of the file again, no longer waits', async () => {
  const gate = await gateForThisTest();
  const first = written('INT-001');
  const wide = written('INT-001', { owned_scope: ['src/**', '**'] });
  await observe(gate, OUTSIDE, first);
  await observe(gate, DURING, wide);
  expect(outcomeOf(await settle(gate, 'INT-001', false), 'noted').output).toEqual(first);
  expect([now(gate, 'INT-001'), waiting(gate)]).toEqual([first, []]);
  await observe(gate, DURING, first);
  await observe(gate, DURING, wide);
  expect(waiting(gate)).toEqual([wide]);
  await observe(gate, DURING, first);
  expect([now(gate, 'INT-001'), waiting(gate)]).toEqual([first, []]);
  expect(gate.kernel.state.intent(gate.workspace, 'INT-001')?.human).toEqual({ proof: 'login', via: 'cli' });
});

verifies('T5', 'in STRICT every edit that grants more waits, also while no agent is present', async () => {
  const gate = await gateForThisTest();
  await observe(gate, OUTSIDE, written('INT-001', { status: 'paused' }));
  await observe(gate, STRICT, written('INT-001'));
  expect([now(gate, 'INT-001')?.status, waiting(gate)]).toEqual(['paused', [written('INT-001')]]);
});

test('a checkout or a stash under a working agent takes nothing from it, and grants nothing', async () => {
  const gate = await gateForThisTest();
  const byGit = { ...DURING, byGit: true };
  const committed = written('INT-001');
  const granted = written('INT-002');
  await observe(gate, OUTSIDE, committed, granted);
  expect(await observe(gate, byGit, committed)).toEqual([]);
  expect(now(gate, 'INT-002')?.status).toBe('active');
  expect(await observe(gate, DURING, committed, granted)).toEqual([]);
  await observe(gate, byGit, committed, written('INT-002', { owned_scope: ['**'] }));
  expect(now(gate, 'INT-002')).toEqual(granted);
  expect(waiting(gate)).toEqual([written('INT-002', { owned_scope: ['**'] })]);
  // Left unchanged, it is what the human's tree says once no agent is present.
  await observe(gate, OUTSIDE, committed);
  expect(now(gate, 'INT-002')?.status).toBe('abandoned');
});

verifies('T5', 'what a human confirms is what they were shown, and STRICT asks for the strongest proof there is', async () => {
  const gate = await gateForThisTest();
  const { documents } = gate.kernel;
  await observe(gate, OUTSIDE, written('INT-001'));
  const wide = written('INT-001', { owned_scope: ['src/**', '**'] });
  await observe(gate, DURING, wide);
  const statement = { command: 'intents', about: {} };
  const confirm = (shown: string | null, strict: boolean, take = true, caller = human()) =>
    documents.settleEdit(caller, gate.workspace, 'INT-001', take, { statement, given: null, strict, shown });
  await expect(confirm(intentSha256(written('INT-001')), false)).rejects.toMatchObject({
    ...{ code: 'CONFLICT', message: 'INT-001 does not say what was shown: it has changed since, or was not shown.' },
    fix: 'Look again (countersign status), then confirm what is there now',
  });
  // A script proves no human. To take the edit back needs no more than a human.
  expect(summaryOf(await confirm(intentSha256(wide), true, true, human('none')))).toBe('noted HUMAN_CHANNEL_REQUIRED');
  expect((await gate.events('authority_refused')).map(({ data }) => data.command)).toEqual(['intents confirm INT-001']);
  expect(summaryOf(await confirm(null, true, false, human('none')))).toBe('noted');
  expect(waiting(gate)).toEqual([]);
  await observe(gate, DURING, written('INT-001'));
  await observe(gate, DURING, wide);
  expect(summaryOf(await confirm(intentSha256(wide), true))).toBe('noted');
  expect(now(gate, 'INT-001')).toEqual(wide);
});

test('under a working agent an edit takes away what it takes away, line by line, and an intent with nothing left rests', async () => {
  const gate = await gateForThisTest();
  const first = written('INT-001', { constraints: ['a', 'b'], acceptance_criteria: ['x', 'y'] });
  await observe(gate, OUTSIDE, first);
  await observe(gate, DURING, { ...first, constraints: ['b', 'c'], acceptance_criteria: ['x'] });
  expect(now(gate, 'INT-001')).toEqual({ ...first, constraints: ['b', 'c', 'a'], acceptance_criteria: ['x', 'y'] });
  await observe(gate, DURING, { ...first, owned_scope: ['docs/**'] });
  expect([now(gate, 'INT-001')?.status, now(gate, 'INT-001')?.owned_scope]).toEqual(['paused', ['src/**']]);
});

verifies('I3', 'a narrower scope holds at once, and only what it adds waits', async () => {
  const gate = await gateForThisTest();
  await observe(gate, OUTSIDE, written('INT-001', { owned_scope: ['src/**', 'lib/**'] }));
  const narrow = written('INT-001', { owned_scope: ['src/auth/**', 'src/*.ts'] });
  await observe(gate, DURING, narrow);
  expect([now(gate, 'INT-001'), waiting(gate)]).toEqual([narrow, []]);
  // One part narrower still, one part new: the first is in force, all of it waits.
  const mixed = written('INT-001', { owned_scope: ['src/auth/login/**', 'docs/**'] });
  await observe(gate, DURING, mixed);
  expect([now(gate, 'INT-001')?.owned_scope, waiting(gate)]).toEqual([['src/auth/login/**'], [mixed]]);
  // A name that only begins alike is not inside.
  await observe(gate, DURING, written('INT-001', { owned_scope: ['src/auth/login-evil/**'] }));
  expect(now(gate, 'INT-001')?.status).toBe('paused');
});

verifies('I3', 'a scope that is widened and put back leaves nothing; a replaced one waits for a human', async () => {
  const gate = await gateForThisTest();
  const first = written('INT-001');
  await observe(gate, OUTSIDE, first);
  // All of the old scope is in the new one: the agent's work goes on, and nothing more is granted.
  await observe(gate, DURING, written('INT-001', { owned_scope: ['**'] }));
  expect([now(gate, 'INT-001'), waiting(gate)]).toEqual([first, [written('INT-001', { owned_scope: ['**'] })]]);
  await observe(gate, DURING, first);
  expect([now(gate, 'INT-001'), waiting(gate)]).toEqual([first, []]);

  await observe(gate, DURING, written('INT-001', { owned_scope: ['lib/**'] }));
  expect(now(gate, 'INT-001')?.status).toBe('paused');
  await observe(gate, DURING, first);
  expect([now(gate, 'INT-001')?.status, waiting(gate)]).toEqual(['paused', [first]]);
  await settle(gate, 'INT-001', true);
  expect([now(gate, 'INT-001'), waiting(gate)]).toEqual([first, []]);
  // The same by a human while no agent is present.
  await observe(gate, DURING, written('INT-001', { owned_scope: ['lib/**'] }));
  await observe(gate, OUTSIDE, first);
  expect([now(gate, 'INT-001'), waiting(gate)]).toEqual([first, []]);
});
