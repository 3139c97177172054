import { expect, test } from 'vitest';
import { FIRST_DOORS, type WallState, type WallTicket } from '../protocol/index.ts';
import { CommandWalls, type WallPort } from './command-walls.ts';
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
  expect(await walls.stateFor('', SHELL, call)).toEqual(state);
  expect(await walls.stateFor('', SHELL, { ...call, input: { path: 'src/a.ts' } })).toBe(null);

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
    used: null,
  });
});

test('a command that never asked for its walls is on the record: the next one has none until the agent starts again', async () => {
  let isWalled = false;
  const port: WallPort = {
    stateOf: async () => ({ level: 'on', missing: null }),
    admit: () => {},
    settled: () => ({ walled: isWalled, takenBack: [], scope: null, network: false }),
    end: async () => {},
  };
  const gate = await gateForThisTest({ walls: port });
  const session = await gate.working();
  const event = (nativeSession = 'main') => ({
    ...({
      identity: gate.identity(nativeSession),
      cwd: gate.root,
      door: FIRST_DOORS.hook,
      name: 'an event',
      planning: false,
      reporter: null,
    } as const),
    ...{ isOwn: true, signal: new AbortController().signal, shell: { ...SHELL, nativeSession } },
  });
  let calls = 0;
  const run = async (command: string) => {
    const native = { tool: 'Bash', call_id: `toolu_${++calls}` };
    const { session: _session, ...asked } = gate.request(session, 'run_command', { command }, { native });
    const { outcome } = await gate.kernel.turns.before(await gate.kernel.turns.openFor(event()), asked, event().shell);
    await gate.kernel.turns.after(event(), { callId: native.call_id, which: 'newest' }, { output: '', failed: false });
    return outcome.kind === 'admitted' || outcome.kind === 'observed' ? outcome.action.id : '';
  };
  const missing = async (of: string) => {
    const walls = new CommandWalls(port, gate.kernel.views);
    return (await walls.stateFor(of, SHELL, { root: gate.root, input: { command: 'touch src/b.ts' } }))?.missing ?? null;
  };
  const notes = async () => (await gate.events('walls_used')).map(({ data }) => data);

  const wrote = await run('touch src/b.ts');
  expect(gate.kernel.state.actions.get(wrote)?.receipt?.walls).toEqual({ level: 'hooked', bypassed: true });
  await run('touch src/c.ts');
  await gate.restart();
  expect(await missing(session)).toContain('did not ask for its walls');
  expect(await missing(await gate.session('main', null, 'helper'))).toContain('did not ask for its walls');
  expect(await missing(await gate.session('other'))).toBe(null);
  await gate.kernel.turns.sessionStarted(event('main'), true);
  expect(await missing(session)).toBe(null);

  const looked = await run('cat src/a.ts');
  expect(await missing(session)).toContain('did not ask for its walls');
  isWalled = true;
  const walled = await run('cat src/a.ts');
  expect(await missing(session)).toBe(null);
  expect(await notes()).toEqual([
    { session, action: wrote, used: false },
    { session, used: true },
    { session, action: looked, used: false },
    { session, action: walled, used: true },
  ]);
});
