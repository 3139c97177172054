import { expect, test } from 'vitest';
import type { Descent } from '../protocol/index.ts';
import { judgeCaller, type KnownAgents } from './index.ts';

const link = (pid: number, started = `at ${pid}`) => ({ pid, started });
/** From the calling process up: a command, a shell, a terminal. */
const chain = [link(30), link(20), link(10)];
const descent = (terminal: boolean, unbroken: boolean): Descent => ({ chain, terminal, unbroken });
const agents = (processes: Readonly<Record<number, { started: string; session: string }>>, anyAlive = true): KnownAgents => ({
  sessionOf: ({ pid, started }) => (processes[pid]?.started === started ? processes[pid].session : null),
  anyAlive,
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
  const told = [true, false].map((alive) => {
    const known = agents({}, alive);
    return [descent(true, true), descent(true, false), descent(false, true), descent(false, false), null].map((way) =>
      judgeCaller(way, known, 'cli'),
    );
  });
  expect(told).toEqual([
    [byLogin, cutOff, noTerminal, noTerminal, noTerminal],
    [byLogin, unproven, unproven, unproven, unproven],
  ]);
});
