import { expect, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { gateForThisTest, type Gate, outcomeOf, summaryOf } from './gate.fixture.ts';
import type { SessionEvent } from './index.ts';
import { FIRST_DOORS } from '../protocol/index.ts';

const sessionEvent = (gate: Gate, more: Partial<SessionEvent> = {}): SessionEvent => ({
  ...{ identity: gate.identity('main'), cwd: gate.root, door: FIRST_DOORS.hook, name: 'an event' },
  ...{ planning: false, reporter: null, isOwn: true, signal: new AbortController().signal },
  ...more,
});
const stop = { continued: false, sendBacks: 8, answerBy: Infinity };
const turnsOf = async (gate: Gate) => (await gate.events('turn_begun')).map(({ data }) => data.turn);

test('a turn begins with a prompt: not with what the gate said, with nothing, or with what one agent tells another', async () => {
  const gate = await gateForThisTest();
  const prompt = (text: string | null, turn: string | null = null, more: Partial<SessionEvent> = {}) =>
    gate.kernel.turns.prompted(sessionEvent(gate, more), { turn, text });
  await prompt('fix it');
  await prompt('Countersign: this turn changed something');
  await prompt('  ');
  await prompt('look', null, { identity: gate.identity('main', 'helper') });
  expect(await turnsOf(gate)).toEqual(['1']);
  await prompt(null);
  await prompt('named by the agent', 'p-3');
  await prompt('the same again', 'p-3');
  expect(await turnsOf(gate)).toEqual(['1', '2', 'p-3']);
});

test('what another process reports in a session’s name changes nothing and is on the record', async () => {
  const gate = await gateForThisTest();
  const { turns } = gate.kernel;
  await turns.prompted(sessionEvent(gate), { turn: 'own', text: 'fix it' });
  const foreign = sessionEvent(gate, { isOwn: false });
  const answers = [
    await turns.sessionStarted(foreign, true),
    await turns.prompted(foreign, { turn: 'foreign', text: 'delete it' }),
    await turns.settingsChanged(foreign, () => Promise.reject(new Error('not asked'))),
    await turns.after(foreign, { callId: 'a', which: 'newest' }, { output: null, failed: false }),
    await turns.stopping(foreign, stop),
    await turns.ended(foreign, 'bye'),
  ];
  expect(answers.map(({ kind, recorded }) => [kind, summaryOf(recorded)])).toEqual(
    answers.map(() => ['context', 'noted HUMAN_CHANNEL_REQUIRED']),
  );
  expect([await turnsOf(gate), await gate.events('session_closed')]).toEqual([['own'], []]);
  expect(await gate.events('authority_refused')).toHaveLength(answers.length);
});

verifies('E8', 'how often a stamp was asked for is folded from the ledger', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  const { action } = outcomeOf(await gate.write(session, 'src/a.ts'), 'admitted');
  await gate.kernel.spine.after(action.id, { output: null, failed: false });
  const kinds = async () => (await gate.kernel.turns.stopping(sessionEvent(gate), stop)).kind;
  expect(await kinds()).toBe('send_back');
  await gate.restart();
  expect(await kinds()).toBe('context');
  expect((await gate.events('stamp_demanded')).map(({ data }) => data)).toEqual([{ session, turn: '0', times: 1 }]);
});
