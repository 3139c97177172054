import { expect } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { gateForThisTest, human } from './gate.fixture.ts';

verifies('I3', 'a session cites the one active intent by itself, and only where there is nothing to choose or to say first', async () => {
  const gate = await gateForThisTest();
  const cite = async (session: string) => (await gate.kernel.turns.citeOnlyIntent(session))?.id ?? null;
  const session = await gate.session('main', 'GUARDED');
  expect(await cite(session)).toBe(null);
  const first = await gate.intent();
  expect([await cite('ses_0'), await cite(session)]).toEqual([null, first]);
  expect((await gate.events('intent_selected')).map(({ data }) => data)).toEqual([{ session, intent: first, by: 'door' }]);
  // Cited already: nothing more is written.
  expect([await cite(session), (await gate.events('intent_selected')).length]).toEqual([null, 1]);

  expect(await cite(await gate.session('main', 'GUARDED', 'helper'))).toBe(null);
  expect([await cite(await gate.session('passive', null)), await cite(await gate.session('strict', 'STRICT'))]).toEqual([null, null]);
  const { workspace, kernel } = gate;
  const dial = (intent: string | null, minimum: 'STRICT' | null) =>
    kernel.authority.limitMode(human(), { workspace, intent, pin: null, minimum });
  await dial(first, 'STRICT');
  expect(await cite(await gate.session('limited', 'GUARDED'))).toBe(null);
  await dial(first, null);
  gate.configure('{ this is no JSON');
  expect(await cite(await gate.session('unreadable', 'GUARDED'))).toBe(null);
  gate.configure({});
  expect(await cite(await gate.session('free', 'GUARDED'))).toBe(first);
  const { session: advisory } = await kernel.turns.openSession({ ...gate.identity('advisory'), level: 'advisory' }, 'GUARDED', null);
  expect(await cite(advisory)).toBe(null);
  await gate.intent(['docs/**']);
  expect(await cite(await gate.session('two', 'GUARDED'))).toBe(null);
});
