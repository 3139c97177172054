import { expect, test, vi } from 'vitest';
import { gateForThisTest, outcomeOf, summaryOf } from './gate.fixture.ts';
import { sessionId } from './index.ts';
import { Principals } from './principals.ts';
import { State } from './state.ts';

test('a call is joined to the session that announced it, once', () => {
  const principals = new Principals(new State());
  principals.announce('call-1', 'ses_a');
  principals.announce('call-2', 'ses_b');
  expect([principals.claim('call-1'), principals.claim('call-1'), principals.claim('call-2'), principals.claim('call-3')]).toEqual([
    'ses_a',
    null,
    'ses_b',
    null,
  ]);
});

test('the same caller may send the same call again; another call, or another caller, claims nothing', () => {
  const principals = new Principals(new State());
  const CALL = 'toolu_01ABCDEFGHJKMNPQRSTVWX';
  principals.announce(CALL, 'ses_a');
  const mine = { caller: 'connection-1', tool: 'begin_work', input: { query: 'x' } };
  expect([principals.claim(CALL, mine), principals.claim(CALL, { ...mine, input: { query: 'x' } })]).toEqual(['ses_a', 'ses_a']);
  const others = [{ ...mine, caller: 'connection-2' }, { ...mine, tool: 'task_add' }, { ...mine, input: {} }, null];
  expect(others.map((other) => principals.claim(CALL, other))).toEqual([null, null, null, null]);
});

test('an id that two sessions announced joins neither, in whatever order and however often they send it', () => {
  for (const said of [
    ['ses_a', 'ses_b'],
    ['ses_a', 'ses_b', 'ses_a'],
    ['ses_a', 'ses_a', 'ses_b', 'ses_b'],
  ]) {
    const principals = new Principals(new State());
    for (const session of said) principals.announce('call', session);
    expect([principals.claim('call'), principals.claim('call')]).toEqual([null, null]);
  }
  const principals = new Principals(new State());
  principals.announce('call', 'ses_a');
  principals.announce('call', 'ses_a');
  expect(principals.claim('call')).toBe('ses_a');
});

test('an announcement is good for a minute', () => {
  // A minute cannot be waited for here: the clock is moved by hand.
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    const principals = new Principals(new State());
    principals.announce('in time', 'ses_a');
    principals.announce('late', 'ses_a');
    vi.advanceTimersByTime(60_000);
    const inTime = principals.claim('in time');
    vi.advanceTimersByTime(1);
    expect([inTime, principals.claim('late')]).toEqual(['ses_a', null]);

    principals.announce('old', 'ses_a');
    vi.advanceTimersByTime(60_001);
    // The next announcement sweeps unclaimed ones; they do not count as a second session either.
    principals.announce('old', 'ses_b');
    expect(principals.claim('old')).toBe('ses_b');
    expect(principals).toEqual(new Principals(new State()));
  } finally {
    vi.useRealTimers();
  }
});

test('a call without an id is joined by tool and input, once, within moments, and only if one session announced it', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    const principals = new Principals(new State());
    const call = { root: '/repo', tool: 'begin_work', input: { intent: 'INT-001', mode: 'GUARDED' }, pid: 10 };
    principals.announceInput(call, 'ses_a');
    const others = [{ root: '/other', pid: null }, { root: '/other', pid: 20 }, { tool: 'abandon' }, { input: {} }].map((more) =>
      principals.claimInput({ ...call, ...more }),
    );
    // The order of an object's fields does not matter; nor does an unknown process.
    const same = { ...call, input: { mode: 'GUARDED', intent: 'INT-001' }, pid: null };
    expect([others, principals.claimInput(same), principals.claimInput(same)]).toEqual([[null, null, null, null], 'ses_a', null]);

    // One process works in several trees, with one server for all.
    principals.announceInput(call, 'ses_a');
    expect(principals.claimInput({ ...call, root: '/other' })).toBe('ses_a');
    principals.announceInput(call, 'ses_a');
    principals.announceInput({ ...call, root: '/other' }, 'ses_b');
    expect(principals.claimInput(call)).toBe(null);
    vi.advanceTimersByTime(60_001);

    principals.announceInput(call, 'ses_a');
    principals.announceInput({ ...call, pid: 20 }, 'ses_b');
    expect([principals.claimInput(same), principals.claimInput({ ...call, pid: 20 }), principals.claimInput(same)]).toEqual([
      null,
      'ses_b',
      'ses_a',
    ]);

    principals.announceInput(call, 'ses_a');
    vi.advanceTimersByTime(5_001);
    // By input alone it is too late; the very process that announced it may be slow.
    expect([principals.claimInput(same), principals.claimInput({ ...call, pid: 20 }), principals.claimInput(call)]).toEqual([
      null,
      null,
      'ses_a',
    ]);
    principals.announceInput(call, 'ses_a');
    vi.advanceTimersByTime(60_001);
    expect(principals.claimInput(call)).toBe(null);
    principals.announceInput({ ...call, input: { bad: '\ud800' } }, 'ses_a');
    expect(principals.claimInput({ ...call, input: { bad: '\ud800' } })).toBe(null);
  } finally {
    vi.useRealTimers();
  }
});

test('a conversation has one id: the same after a restart, another in every part that tells it from others', async () => {
  const gate = await gateForThisTest();
  const one = gate.identity('conversation');
  const session = await gate.session('conversation', 'GUARDED');
  await gate.restart();
  expect([await gate.session('conversation', 'GUARDED'), gate.kernel.state.sessions.size]).toEqual([session, 1]);
  expect((await gate.events('session_opened')).length).toBe(1);
  const others = [
    { ...one, nativeSession: 'another' },
    { ...one, agent: 'another' },
    { ...one, workspace: `wsp_${'0'.repeat(26)}` },
    { ...one, level: 'advisory' as const },
    { ...one, root: '/another/work/tree' },
    { ...one, agentId: 'sub' },
    // Different parts must not join to the same id.
    { ...one, nativeSession: 'conversation\nsub' },
    { ...one, agentId: 'sub\n' },
  ];
  expect(new Set([session, ...others.map(sessionId)]).size).toBe(others.length + 1);
});

test('a sub-agent begins with its parent’s mode and intent as they are then, and goes its own way after', async () => {
  const gate = await gateForThisTest();
  const parent = await gate.session('main', 'GUARDED');
  const [first, second] = [await gate.intent(['src/**']), await gate.intent(['docs/**'])];
  await gate.pass(parent, 'begin_work', { intent: first, mode: 'STRICT' });
  // The door's mode for a session that has not declared one counts less than the parent's declaration.
  const sub = await gate.session('main', 'GUARDED', 'sub');
  expect(await gate.session('main', 'GUARDED', 'sub')).toBe(sub);
  const entry = () => gate.kernel.state.sessions.get(sub);
  expect(entry()).toMatchObject({ parent, agentId: 'sub', mode: 'STRICT', modeBy: 'agent', intent: first });
  expect((await gate.events('session_opened')).at(-1)?.data.inherited).toEqual({ mode: 'STRICT', intent: first });

  await gate.pass(parent, 'begin_work', { intent: second, mode: 'PASSIVE' });
  await gate.pass(parent, 'begin_work', { intent: second, mode: 'GUARDED' });
  expect(entry()).toMatchObject({ mode: 'STRICT', intent: first });
  await gate.pass(sub, 'begin_work', { intent: second, mode: 'PASSIVE' });
  expect([entry(), gate.kernel.state.sessions.get(parent)]).toMatchObject([{ mode: 'PASSIVE' }, { mode: 'GUARDED' }]);

  await gate.restart();
  await gate.kernel.turns.close(sub, 'done');
  await gate.session('main', 'GUARDED', 'sub');
  expect(entry()).toMatchObject({ mode: 'PASSIVE', intent: second, open: true });
});

test('a sub-agent whose parent is unknown inherits nothing', async () => {
  const gate = await gateForThisTest();
  const sub = await gate.session('main', null, 'sub');
  expect(gate.kernel.state.sessions.get(sub)).toMatchObject({
    parent: sessionId(gate.identity('main')),
    mode: null,
    modeBy: null,
    intent: null,
  });
  expect((await gate.events('session_opened'))[0]?.data.inherited).toBe(null);
});

test('a door speaks for an agent until it speaks for itself; down to PASSIVE always counts', async () => {
  const gate = await gateForThisTest();
  const says = async (mode: 'PASSIVE' | 'GUARDED' | 'STRICT' | null) => {
    const session = await gate.session('main', mode);
    const { mode: now, modeBy } = gate.kernel.state.sessions.get(session)!;
    return [now, modeBy];
  };
  expect([await says(null), await says('GUARDED'), await says('STRICT'), await says(null), await says('GUARDED')]).toEqual([
    [null, null],
    ['GUARDED', 'door'],
    ['STRICT', 'door'],
    ['STRICT', 'door'],
    ['GUARDED', 'door'],
  ]);
  await gate.pass(await gate.session(), 'memory_set_mode', { mode: 'STRICT' });
  expect([await says('GUARDED'), await says(null), await says('PASSIVE'), await says('GUARDED')]).toEqual([
    ['STRICT', 'agent'],
    ['STRICT', 'agent'],
    ['PASSIVE', 'door'],
    ['GUARDED', 'door'],
  ]);
});

test('calls that open one session at the same time open it once', async () => {
  const gate = await gateForThisTest();
  const process = { pid: 7, started: 'then', proven: true, via: 'hook' as const };
  const open = () => gate.kernel.turns.openSession(gate.identity('main'), 'GUARDED', process);
  const opened = await Promise.all(Array.from({ length: 5 }, open));
  expect(new Set(opened.map(({ session }) => session)).size).toBe(1);
  expect((await gate.records()).map(({ event }) => event.type)).toEqual([
    'daemon_started',
    'session_opened',
    'mode_declared',
    'agent_process_proven',
  ]);
});

test('a door that speaks while the agent speaks does not have the last word', async () => {
  const gate = await gateForThisTest();
  const session = await gate.session('main', 'GUARDED');
  const settling = () => gate.appends.filter(({ types }) => types.includes('mode_declared')).length;
  const before = settling();
  const said = gate.pass(session, 'memory_set_mode', { mode: 'PASSIVE' });
  while (settling() === before) await new Promise(setImmediate);
  await Promise.all([said, gate.session('main', 'STRICT')]);
  expect([summaryOf(await said), gate.kernel.state.sessions.get(session)]).toMatchObject(['settled', { mode: 'PASSIVE', modeBy: 'agent' }]);
});

test('an agent’s process is reported once for each session, and again when its number is another process', async () => {
  const gate = await gateForThisTest();
  const report = (nativeSession: string, pid: number, started: string, via: 'hook' | 'mcp' = 'hook') =>
    gate.kernel.turns.openSession(gate.identity(nativeSession), null, { pid, started, proven: true, via });
  const { session: first } = await report('a', 7, 'monday');
  await report('a', 7, 'monday', 'mcp');
  await report('a', 8, 'monday', 'mcp');
  const { session: second } = await report('b', 8, 'monday');
  const { session: third } = await report('c', 7, 'tuesday');
  const reports = (await gate.events('agent_process_proven')).map(({ data: { pid, started, via, session } }) => [
    pid,
    started,
    via,
    session,
  ]);
  expect(reports).toEqual([
    [7, 'monday', 'hook', first],
    [8, 'monday', 'mcp', first],
    [8, 'monday', 'hook', second],
    [7, 'tuesday', 'hook', third],
  ]);
  const { presence } = gate.kernel.state;
  expect([...presence.all()].map(({ pid, started, sessions }) => [pid, started, ...sessions])).toEqual([
    [7, 'tuesday', third],
    [8, 'monday', first, second],
  ]);
});

test('what is only said of a process is recorded as said, and as proven once it is', async () => {
  const gate = await gateForThisTest();
  const report = (proven: boolean) =>
    gate.kernel.turns.openSession(gate.identity('a'), null, { pid: 7, started: 'monday', proven, via: 'hook' });
  for (const proven of [false, false, true, true, false]) await report(proven);
  const types = (await gate.records()).map(({ event }) => event.type).filter((type) => type.startsWith('agent_process'));
  expect(types).toEqual(['agent_process_reported', 'agent_process_proven']);
});

test('opening a session that is known writes nothing', async () => {
  const gate = await gateForThisTest();
  const session = await gate.session('main', 'GUARDED');
  const { size } = gate.store.head();
  const { recorded } = await gate.kernel.turns.openSession(gate.identity('main'), 'GUARDED', null);
  expect([outcomeOf(recorded.outcome, 'noted').output, gate.store.head().size]).toEqual([{ session }, size]);
});
