import { expect, test } from 'vitest';
import type { WallState, WallTicket } from '../protocol/index.ts';
import { CommandWalls } from './command-walls.ts';
import { gateForThisTest, outcomeOf } from './gate.fixture.ts';

const SHELL = { agent: 'some-agent', nativeSession: 'main', process: null, program: '/bin/bash' };

test('a command without required walls names the reason, and a ticket says what an admitted command may do', async () => {
  const gate = await gateForThisTest();
  const tickets: WallTicket[] = [];
  let state: WallState = { level: 'required', missing: 'there is no bubblewrap' };
  const walls = new CommandWalls(
    {
      stateOf: async () => state,
      admit: (ticket) => tickets.push(ticket),
      settled: (action) => (action === 'act_1' ? { walled: true, takenBack: ['x'], scope: null, network: false } : null),
      end: async () => {},
    },
    gate.kernel.views,
  );
  const call = { root: gate.root, input: { command: 'rm src/a.ts' } };
  expect(await walls.missingFor(SHELL, call)).toBe('there is no bubblewrap');
  expect(await walls.missingFor(SHELL, { ...call, input: { path: 'src/a.ts' } })).toBe(null);
  state = { level: 'on', missing: 'there is no bubblewrap' };
  expect(await walls.missingFor(SHELL, call)).toBe(null);

  const session = await gate.working();
  walls.giveTicket(SHELL, call, await gate.command(session, 'rm -rf /'));
  expect(tickets).toEqual([]);
  const looked = await gate.command(session, 'cat src/a.ts');
  const wrote = await gate.command(session, 'touch src/b.ts');
  walls.giveTicket(SHELL, call, looked);
  walls.giveTicket(SHELL, call, wrote);
  const granted = { network: false, showSecrets: false, open: false };
  const { program: _program, ...of } = SHELL;
  expect(tickets).toEqual([
    { ...of, ...granted, action: outcomeOf(looked, 'observed').action.id, root: gate.root, command: 'rm src/a.ts', scope: null },
    { ...of, ...granted, action: outcomeOf(wrote, 'admitted').action.id, root: gate.root, command: 'rm src/a.ts', scope: ['src/**'] },
  ]);

  expect(walls.settled('act_2', '')).toBe(null);
  expect(walls.settled('act_1', '')).toEqual({
    walls: { level: 'walled', taken_back: ['x'] },
    text: 'Countersign: Taken back, because no command may leave it: x.',
  });
});
