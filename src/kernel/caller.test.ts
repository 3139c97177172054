import { expect, test } from 'vitest';
import type { Descent, TopProcess } from '../protocol/index.ts';
import { judgeCaller, type KnownAgents } from './index.ts';

const link = (pid: number, started = `at ${pid}`) => ({ pid, started });
/** From the calling process up: a command, a shell, a terminal. */
const chain = [link(30), link(20), link(10)];
const top = (startedAtMs: number, kind: TopProcess['kind'] = 'other', attached: readonly Descent[] = []): TopProcess => ({
  ...{ startedAtMs, kind, attached },
});
/** Older than every agent, unless the test says otherwise. */
const descent = (terminal: boolean, unbroken: boolean, uppermost: TopProcess | null = top(1), marked = false): Descent => ({
  ...{ chain, terminal, unbroken, top: uppermost, marked },
});
const agents = (processes: Readonly<Record<number, { started: string; session: string }>>, anyAlive = true): KnownAgents => ({
  sessionOf: ({ pid, started }) => (processes[pid]?.started === started ? processes[pid].session : null),
  anyAlive,
  // The agent began at 100 and ran a command from 200 to 300.
  oldestStartedAtMs: 100,
  couldHaveStarted: (at) => at >= 200 && at <= 300,
});
const byLogin = { kind: 'human', human: { proof: 'login', via: 'cli' } };
const unproven = { kind: 'human', human: { proof: 'none', via: 'cli' } };
const cutOff = { kind: 'uncertain', why: 'its parent process is gone, so it is unknown whether an agent started it' };
const noTerminal = { kind: 'uncertain', why: 'it has no terminal, and an agent is running that could have started it' };

test('whoever runs below an agent’s process is the agent, however good the terminal looks', () => {
  for (const at of [30, 20, 10]) {
    const known = agents({ [at]: { started: `at ${at}`, session: 'ses_x' } }, false);
    const judged = { kind: 'agent', session: 'ses_x', why: `the command runs below process ${at}, which is an agent's` };
    for (const terminal of [true, false])
      for (const unbroken of [true, false]) expect(judgeCaller(descent(terminal, unbroken), known, 'cli')).toEqual(judged);
  }
});

test('of two agents above the caller the nearer one speaks: the sub-agent, not its parent', () => {
  const known = agents({ 20: { started: 'at 20', session: 'near' }, 10: { started: 'at 10', session: 'far' } });
  expect(judgeCaller(descent(true, true), known, 'cli')).toMatchObject({ kind: 'agent', session: 'near' });
});

test('a process that only has the number of an ended agent is not that agent', () => {
  const known = agents({ 20: { started: 'long before', session: 'ses_x' } });
  expect(judgeCaller(descent(true, true), known, 'cli')).toEqual(byLogin);
});

test('what is known without an agent above: all cases', () => {
  const reported = [true, false].map((alive) => {
    const known = agents({}, alive);
    return [descent(true, true), descent(true, false), descent(false, true), descent(false, false), null].map((way) =>
      judgeCaller(way, known, 'cli'),
    );
  });
  expect(reported).toEqual([
    [byLogin, cutOff, noTerminal, noTerminal, noTerminal],
    [byLogin, unproven, unproven, unproven, unproven],
  ]);
});

test('on a terminal, the beginning of its line of processes decides', () => {
  const known = agents({});
  const judged = (uppermost: TopProcess | null, marked = false) => judgeCaller(descent(true, true, uppermost, marked), known, 'cli');
  const opened = { kind: 'uncertain', why: expect.stringContaining('its terminal was opened while a command of an agent ran') as string };
  // A terminal older than the agent, one opened between its commands, a new login, a connection from outside the container.
  for (const way of [top(99), top(150), top(400), top(250, 'login'), top(250, 'outside'), null]) expect(judged(way)).toEqual(byLogin);
  expect(judged(top(250))).toEqual(opened);
  // Left with cron or at: it comes when no command runs, and no person is there.
  for (const at of [99, 150, 400]) expect(judged(top(at, 'later'))).toMatchObject({ kind: 'uncertain' });
  expect(judged(top(99), true)).toMatchObject({ kind: 'uncertain', why: 'it has the environment that an agent gives its commands' });
});

test('in a terminal multiplexer the attached clients decide, however old its server is', () => {
  const known = agents({ 77: { started: 'at 77', session: 'ses_x' } });
  const client = (uppermost: TopProcess, own = chain): Descent => ({
    chain: own,
    terminal: true,
    unbroken: true,
    top: uppermost,
    marked: false,
  });
  const judged = (...clients: Descent[]) => judgeCaller(descent(true, true, top(50, 'multiplexer', clients)), known, 'cli');
  expect(judged(client(top(99)))).toEqual(byLogin);
  expect(judged(client(top(250)), client(top(400)))).toEqual(byLogin);
  expect(judged()).toMatchObject({ kind: 'uncertain', why: expect.stringContaining('no terminal of a human is attached') as string });
  expect(judged(client(top(250)))).toMatchObject({ kind: 'uncertain' });
  expect(judged(client(top(400)), client(top(99), [link(77)]))).toMatchObject({ kind: 'agent', session: 'ses_x' });
  // Where the system does not say who is attached, only a server that no living agent can have started counts.
  const unproven = (at: number) => ({ ...top(at, 'multiplexer', [client(top(99))]), unproven: true }) as const;
  expect(judgeCaller(descent(true, true, unproven(99)), known, 'cli')).toEqual(byLogin);
  expect(judgeCaller(descent(true, true, unproven(150)), known, 'cli')).toMatchObject({ kind: 'uncertain' });
});
