// A pause, or observing, lets new calls pass but releases no waiting call: only a human's own answer does.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { type Gate, gateForThisTest, human, outcomeOf, summaryOf, TTL_SECONDS } from './gate.fixture.ts';
import { FIRST_DOORS } from '../protocol/index.ts';

/** Longer than a test may take: a test that waits for it fails. */
const LONG = 600_000;
const DELETES = 'rm -rf src/build';

const WAYS = {
  paused: async ({ kernel, workspace, root }: Gate) => {
    const request = { workspace, cwd: root, seconds: 8 * 3600, reason: 'my own work' };
    return (await kernel.gaps.pause(human(), request, null)).outcome;
  },
  observing: async ({ kernel, workspace }: Gate) =>
    (await kernel.authority.setObserving(human(), { workspace, observing: true, revision: null })).outcome,
};

/** A call that is held, and its question. */
async function heldCall(gate: Gate, session: string, waitTimeoutMs = LONG) {
  const asked = gate.next('approval_requested');
  const call = gate.command(session, DELETES, { waitTimeoutMs });
  const { id, action } = (await asked).data.approval;
  return { call, question: id, state: () => gate.kernel.state.actions.get(action)?.state };
}

describe.each(Object.entries(WAYS))('%s', (name, bypass) => {
  const label = { paused: name === 'paused', observing: name === 'observing' };

  verifies('N18', 'a call that waits goes on waiting while new ones pass; a yes lets it run once', async () => {
    const gate = await gateForThisTest();
    const session = await gate.working();
    const held = await heldCall(gate, session);
    await bypass(gate);
    const { action } = outcomeOf(await gate.command(session, 'rm -rf src/other'), 'admitted');
    expect(gate.kernel.state.actions.get(action.id)).toMatchObject({ ...label, approval: null });
    expect([held.state(), gate.kernel.state.approvals.get(held.question)?.state]).toEqual(['waiting', 'pending']);
    await gate.answer(held.question, 'approved');
    expect(outcomeOf(await held.call, 'admitted').approval).toBe(held.question);
    expect(gate.kernel.state.approvals.get(held.question)?.state).toBe('spent');
  });

  verifies('N18', 'a call that waits is refused by a no, and the no holds for its repetition', async () => {
    const gate = await gateForThisTest();
    const session = await gate.working();
    const held = await heldCall(gate, session);
    await bypass(gate);
    await gate.answer(held.question, 'rejected', human('none'), 'keep it');
    expect([summaryOf(await held.call), summaryOf(await gate.command(session, DELETES))]).toEqual(
      Array(2).fill('refused APPROVAL_REJECTED'),
    );
    // Its time over, the no is no yes: a human is asked again.
    gate.clock.ms += TTL_SECONDS * 1000;
    await gate.recall(session);
    expect(summaryOf(await gate.command(session, DELETES))).toMatch(/^refused /);
  });

  verifies('N18', 'a call without an answer in time is refused, and its refusal says why and what a human does', async () => {
    const gate = await gateForThisTest();
    const session = await gate.working();
    const held = await heldCall(gate, session, 300);
    await bypass(gate);
    expect(outcomeOf(await held.call, 'refused').refusal.approval_id).toBe(held.question);
    const { refusal } = outcomeOf(await gate.command(session, DELETES), 'refused');
    expect([refusal.error_code, refusal.approval_id]).toEqual(['APPROVAL_REQUIRED', held.question]);
    expect(refusal.message).toContain(
      `${name === 'paused' ? 'The gate is paused' : 'This workspace only observes'}, but not for this call: a human was asked about it and has not agreed (${held.question}). They answer it with: countersign approvals`,
    );
  });

  verifies('N18', 'of two calls that wait for one answer, a yes lets one run and the other asks again', async () => {
    const gate = await gateForThisTest();
    const session = await gate.working();
    const first = await heldCall(gate, session);
    const joined = gate.next('action_waiting');
    const second = gate.command(session, DELETES, { waitTimeoutMs: LONG });
    await joined;
    await bypass(gate);
    const askedAgain = gate.next('approval_requested');
    await gate.answer(first.question, 'approved');
    const again = (await askedAgain).data.approval.id;
    await gate.answer(again, 'rejected');
    expect([await first.call, await second].map(summaryOf).toSorted()).toEqual(['admitted', 'refused APPROVAL_REJECTED']);
  });

  const REPEATED: Readonly<Record<string, (gate: Gate, session: string) => Promise<string>>> = {
    'as it was': async (_, session) => session,
    'after a restart': async (gate, session) => {
      await gate.restart();
      return session;
    },
    'after a restart with other rules': async (gate, session) => {
      await gate.restart('rules-2');
      return session;
    },
    'after a file that it names has changed': async (gate, session) => {
      writeFileSync(join(gate.root, 'src/b.ts'), 'export const b = 2;\n');
      return session;
    },
    'after the question has expired': async (gate, session) => {
      gate.clock.ms += TTL_SECONDS * 1000;
      await gate.kernel.approvals.expire();
      return session;
    },
    'after the question has expired and has not been removed yet': async (gate, session) => {
      gate.clock.ms += TTL_SECONDS * 1000;
      return session;
    },
    'in a new turn, before the agent has recalled': async (gate, session) => {
      await gate.kernel.turns.begin(session, 'later');
      return session;
    },
    'by a sub-agent': (gate) => gate.session('main', null, 'sub-1'),
    'over MCP': async (_, session) => session,
  };
  for (const [how, prepare] of Object.entries(REPEATED)) {
    verifies('N18', `a call that was denied with a question does not pass when it is repeated ${how}`, async () => {
      const gate = await gateForThisTest();
      const session = await gate.working();
      const command = 'rm -rf src/b.ts src/build';
      const question = await gate.ask(session, command);
      await bypass(gate);
      const repeating = await prepare(gate, session);
      const door = how === 'over MCP' ? FIRST_DOORS.mcp : FIRST_DOORS.hook;
      expect(summaryOf(await gate.command(repeating, command, { door }))).toMatch(/^refused /);
      expect(summaryOf(await gate.command(repeating, 'rm -rf src/a.ts src/build', { door }))).toBe('admitted');
      expect((await gate.events('action_admitted')).some(({ data }) => data.action.input['command'] === command)).toBe(false);
      expect(gate.kernel.state.approvals.get(question)?.human).toBe(null);
    });
  }

  test('a yes lets the call run even if something else would have stopped it by now', async () => {
    const gate = await gateForThisTest();
    const session = await gate.working();
    const held = await heldCall(gate, session);
    await bypass(gate);
    await gate.kernel.turns.begin(session, 'later');
    await gate.answer(held.question, 'approved');
    expect(outcomeOf(await held.call, 'admitted').approval).toBe(held.question);
  });

  test('a human who agreed is not asked again for the same call', async () => {
    const gate = await gateForThisTest();
    const session = await gate.working();
    const question = await gate.ask(session, DELETES);
    await bypass(gate);
    await gate.answer(question, 'approved');
    expect(outcomeOf(await gate.command(session, DELETES), 'admitted').approval).toBe(question);
    expect(outcomeOf(await gate.command(session, DELETES), 'admitted').approval).toBe(null);
  });

  test('the same call of another agent, and one whose question had expired before, are new calls', async () => {
    const gate = await gateForThisTest();
    const [session, other] = [await gate.working(), await gate.working('other')];
    await gate.ask(session, DELETES);
    await gate.ask(session, 'rm -rf src/old');
    gate.clock.ms += TTL_SECONDS * 1000;
    const question = await gate.ask(other, DELETES);
    await bypass(gate);
    expect(gate.kernel.state.approvals.get(question)?.state).toBe('pending');
    expect(summaryOf(await gate.command(session, 'rm -rf src/old'))).toBe('admitted');
    expect(summaryOf(await gate.command(session, DELETES))).toBe('admitted');
    expect(summaryOf(await gate.command(other, DELETES))).toBe('refused APPROVAL_REQUIRED');
  });

  test('a dialog of the agent’s own that was open stays a question', async () => {
    const gate = await gateForThisTest();
    const session = await gate.working();
    const use = () => gate.before(session, 'mcp__jira__create', { title: 'a' }, { asksNatively: true });
    expect(summaryOf(await use())).toBe('asked APPROVAL_REQUIRED');
    await bypass(gate);
    expect(summaryOf(await use())).toBe('asked APPROVAL_REQUIRED');
    await gate.kernel.turns.end(session);
    // Declined, or never seen: no yes in either case.
    expect(summaryOf(await use())).toBe('asked APPROVAL_REQUIRED');
  });
});

verifies('N18', 'a pause names what waits when it begins, of its own workspace', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  const expired = await gate.ask(session, 'rm -rf src/old');
  gate.clock.ms += TTL_SECONDS * 1000;
  const questions = [await gate.ask(session, DELETES), await gate.ask(session, 'rm -rf src/dist')];
  expect(outcomeOf(await WAYS.paused(gate), 'noted').output).toMatchObject({ waiting: questions });
  expect(questions).not.toContain(expired);
});

verifies('N18', 'a call that waits outlives a pause: after its end it still waits for the same answer', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  const held = await heldCall(gate, session);
  await WAYS.paused(gate);
  await gate.kernel.gaps.endPause(human(), gate.workspace);
  expect(held.state()).toBe('waiting');
  await gate.answer(held.question, 'approved');
  expect(outcomeOf(await held.call, 'admitted').approval).toBe(held.question);
});

verifies('N18', 'a pause confirms no proposal and grants no scope that was asked for', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  const proposed = await gate.intent(['**'], { kind: 'agent', session, why: 'an agent asks' });
  const request = { intent_id: 'INT-001', paths: ['docs/**'], reason: 'the docs' };
  expect(summaryOf(await gate.pass(session, 'request_scope', request, { door: FIRST_DOORS.mcp }))).toBe('refused APPROVAL_REQUIRED');
  await WAYS.paused(gate);
  expect(summaryOf(await gate.pass(session, 'request_scope', request, { door: FIRST_DOORS.mcp }))).toBe('refused APPROVAL_REQUIRED');
  const { state } = gate.kernel;
  expect(state.intent(gate.workspace, proposed)?.intent.status).toBe('proposed');
  expect(state.intent(gate.workspace, 'INT-001')?.intent.owned_scope).toEqual(['src/**']);
});

verifies('I13', 'what waits goes on waiting when the rules become milder; a yes in advance releases it', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  const command = 'curl -o src/a.json https://example.org/a.json';
  const question = await gate.ask(session, command);
  gate.configure({ commands: { network: true } });
  expect(summaryOf(await gate.command(session, 'curl -o src/b.json https://example.org/b.json'))).toBe('admitted');
  expect(outcomeOf(await gate.command(session, command), 'refused').refusal.approval_id).toBe(question);
  gate.configure({ commands: { network: true, allow: ['curl *'] } });
  expect(summaryOf(await gate.command(session, command))).toBe('admitted');
});
