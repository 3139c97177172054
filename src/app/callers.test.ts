import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { PresentAgents, State } from '../kernel/index.ts';
import type { ProcessLink } from '../protocol/index.ts';
import { Callers } from './callers.ts';
import { processEntry, processStarted } from '../sandbox/process-tree.ts';

const UNPROVEN = { kind: 'uncertain', why: 'the calling process did not prove which one it is' };

function callersForThisTest() {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-callers-')));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const state = new State();
  const now = () => new Date();
  const agents = new PresentAgents({
    ...{ state, hostsMany: () => false, processStarted, bootedAt: now, now },
    ...{ startedAtMs: (pid) => processEntry(pid)?.startedAtMs ?? null, survivors: { livedAt: () => false } },
  });
  return { dir, state, callers: new Callers(dir, viewsOf(state), agents) };
}

const viewsOf = ({ presence }: State) => ({
  sessionOfProcess: (link: ProcessLink) => [...(presence.at(link)?.sessions ?? [])].at(-1) ?? null,
});

const report = (state: State, pid: number, started: string) =>
  state.presence.apply(
    { type: 'agent_process_proven', data: { session: 'ses_agent', pid, started, via: 'hook' } },
    new Date().toISOString(),
  );

async function judgedHolding(callers: Callers, pid: number): Promise<unknown> {
  const { proof, open } = await callers.challenge();
  const held = openSync(open, 'r');
  try {
    return await callers.judge(pid, proof);
  } finally {
    closeSync(held);
  }
}

test('whoever holds the file open is the process that it says; without a present agent it is a human', async () => {
  const { callers, dir } = callersForThisTest();
  expect(await judgedHolding(callers, process.pid)).toMatchObject({ kind: 'human', human: { via: 'cli' } });
  expect(readdirSync(dir)).toEqual([]);
});

verifies('N14', 'a process that names another one’s pid proves nothing', async () => {
  const { callers } = callersForThisTest();
  const child = spawn('sh', ['-c', 'echo here; read line'], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.stdin.end());
  await new Promise((resolve) => child.stdout.once('data', resolve));
  // This process holds the file and names the child; then no process holds it.
  expect(await judgedHolding(callers, child.pid!)).toEqual(UNPROVEN);
  const { proof } = await callers.challenge();
  expect(await callers.judge(process.pid, proof)).toEqual(UNPROVEN);
});

test('a proof counts once, and one that was never asked for not at all', async () => {
  const { callers } = callersForThisTest();
  const { proof, open } = await callers.challenge();
  const held = openSync(open, 'r');
  onTestFinished(() => closeSync(held));
  expect(await callers.judge(process.pid, proof)).toMatchObject({ kind: 'human' });
  expect(await callers.judge(process.pid, proof)).toEqual(UNPROVEN);
  expect(await callers.judge(process.pid, '')).toEqual(UNPROVEN);
  expect(await callers.judge(process.pid, '../../etc/passwd')).toEqual(UNPROVEN);
});

test('a question without an answer is forgotten, and its file removed', async () => {
  const { callers } = callersForThisTest();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { proof, open } = await callers.challenge();
  const held = openSync(open, 'r');
  onTestFinished(() => closeSync(held));
  vi.advanceTimersByTime(30_000);
  expect([existsSync(open), await callers.judge(process.pid, proof)]).toEqual([false, UNPROVEN]);
});

verifies('N14', 'a process below one that is known as an agent’s is the agent’s', async () => {
  const { callers, state } = callersForThisTest();
  report(state, process.ppid, processStarted(process.ppid)!);
  expect(await judgedHolding(callers, process.pid)).toEqual({
    kind: 'agent',
    session: 'ses_agent',
    why: `the command runs below process ${process.ppid}, which is an agent's`,
    challenge: expect.any(String) as string,
  });
  expect(callers.judgeOwn(process.pid)).toMatchObject({ kind: 'agent' });
});

test('a pid that was given to another process since does not make an agent', async () => {
  const { callers, state } = callersForThisTest();
  report(state, process.ppid, '1');
  expect(await judgedHolding(callers, process.pid)).toMatchObject({ kind: 'human' });
});

verifies('I13', 'judged by the real process tree: below a reported process, and not once its number is another’s', () => {
  const started = processStarted(process.ppid);
  const none = { isAnyOnThisMachine: () => false, oldestStartedAtMs: () => Infinity, couldHaveStarted: () => false };
  const said = (state: State, at: string) =>
    state.presence.apply(
      { type: 'agent_process_reported', data: { session: 'ses_agent', pid: process.ppid, started: at, via: 'hook' } },
      new Date().toISOString(),
    );
  const below = new State();
  said(below, started!);
  expect(new Callers('unused', viewsOf(below), none).judgeOwn(process.pid)).toMatchObject({ kind: 'agent', session: 'ses_agent' });
  const reused = new State();
  said(reused, `${started}0`);
  // No process that was reported is alive, so no agent can be mistaken for the caller.
  expect(new Callers('unused', viewsOf(reused), none).judgeOwn(process.pid).kind).toBe('human');
});
