import { expect, test } from 'vitest';
import type { WallState, WallTicket } from '../protocol/index.ts';
import { CommandWalls } from './command-walls.ts';
import { gateForThisTest, outcomeOf } from './gate.fixture.ts';

const SHELL = { agent: 'some-agent', nativeSession: 'main', process: null, program: '/bin/bash' };

test('a command without required walls names the reason, and a ticket says what an admitted command may do', async () => {
  const gate = await gateForThisTest();
  const tickets: WallTicket[] = [];
  const state: WallState = { level: 'required', missing: 'there is no bubblewrap' };
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
  expect(await walls.stateFor(SHELL, call)).toEqual(state);
  expect(await walls.stateFor(SHELL, { ...call, input: { path: 'src/a.ts' } })).toBe(null);

  const session = await gate.working();
  walls.giveTicket(SHELL, call, state, await gate.command(session, 'rm -rf /'));
  expect(tickets).toEqual([]);
  const looked = await gate.command(session, 'cat src/a.ts');
  const wrote = await gate.command(session, 'touch src/b.ts');
  walls.giveTicket(SHELL, call, state, looked);
  walls.giveTicket(SHELL, call, state, wrote);
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

test('after a command that never asked for its walls, the next one of that session has none', async () => {
  const gate = await gateForThisTest();
  let isWalled = false;
  const port = {
    stateOf: async () => ({ level: 'required', missing: null }) as const,
    admit: () => {},
    settled: () => ({ walled: isWalled, takenBack: [], scope: null, network: false }),
    end: async () => {},
  };
  const walls = new CommandWalls(port, gate.kernel.views);
  const call = { root: gate.root, input: { command: 'touch src/b.ts' }, native: { call_id: 'toolu_1' } };
  const inForce = await walls.stateFor(SHELL, call);
  expect(inForce).toEqual({ level: 'required', missing: null });
  const session = await gate.working();
  const run = async (command: string) => {
    const outcome = await gate.command(session, command);
    walls.giveTicket(SHELL, call, inForce, outcome);
    return outcome.kind === 'admitted' || outcome.kind === 'observed' ? outcome.action.id : '';
  };
  expect(walls.settled(await run('touch src/b.ts'), '')?.walls).toEqual({ level: 'hooked', bypassed: true });
  expect((await walls.stateFor(SHELL, call))?.missing).toContain('did not ask for its walls');
  expect((await walls.stateFor({ ...SHELL, nativeSession: 'other' }, call))?.missing).toBe(null);
  isWalled = true;
  const looked = await run('cat src/a.ts');
  expect([walls.observed(SHELL, 'toolu_1'), walls.observed(SHELL, 'toolu_1')]).toEqual([looked, null]);
  expect(walls.settled(looked, '')?.walls).toEqual({ level: 'walled' });
  expect((await walls.stateFor(SHELL, call))?.missing).toBe(null);
});
