import { expect, test } from 'vitest';
import type { Event, LedgerRecord } from '../protocol/index.ts';
import { Answers } from './answers.ts';

/** Longer than a test may take: a test that waits for it fails. */
const LONG = 600_000;
const never = () => new AbortController().signal;

test('whoever waits for an answer is woken by it, all of them, and only for that question', async () => {
  const answers = new Answers();
  const gone = new AbortController();
  const waiting = [answers.wait('a', LONG, never()), answers.wait('a', LONG, never()), answers.wait('b', LONG, gone.signal)];
  answers.wake('a');
  gone.abort();
  expect(await Promise.all(waiting)).toEqual([true, true, false]);
});

test('after the timeout, with a timeout of 0, or aborted before it began: not answered', async () => {
  const answers = new Answers();
  expect(
    await Promise.all([
      answers.wait('a', 1, never()),
      answers.wait('a', 0, never()),
      answers.wait('a', -5, never()),
      answers.wait('a', LONG, AbortSignal.abort()),
    ]),
  ).toEqual([false, false, false, false]);
});

test('waking without a waiter does nothing, and is not remembered', async () => {
  const answers = new Answers();
  answers.wake('a');
  const gone = new AbortController();
  const waiting = answers.wait('a', LONG, gone.signal);
  gone.abort();
  expect(await waiting).toBe(false);
});

test('nothing is kept of a wait that has ended, however it ended', async () => {
  const answers = new Answers();
  const gone = new AbortController();
  const aborted = answers.wait('a', LONG, gone.signal);
  const woken = answers.wait('b', LONG, gone.signal);
  const late = answers.wait('c', 1, gone.signal);
  answers.wake('b');
  await late;
  gone.abort();
  expect([await aborted, await woken, await late]).toEqual([false, true, false]);
  expect(answers).toEqual(new Answers());
});

test('an answer takes the timer away: left behind, it would keep the daemon from ending', async () => {
  const answers = new Answers();
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
  const before = timers();
  const waiting = answers.wait('a', LONG, never());
  const meanwhile = timers();
  answers.wake('a');
  expect([meanwhile - before, timers() - before]).toEqual([1, 0]);
  await waiting;
});

test('one who is woken may wait again at once', async () => {
  const answers = new Answers();
  const rounds: boolean[] = [];
  const waiter = (async () => {
    for (let round = 0; round < 3; round++) rounds.push(await answers.wait('a', LONG, never()));
  })();
  for (let round = 0; round < 3; round++) {
    answers.wake('a');
    await new Promise(setImmediate);
  }
  await waiter;
  expect(rounds).toEqual([true, true, true]);
});

test('a record that ends a question wakes whoever waits for it', async () => {
  const answers = new Answers();
  const human = { proof: 'login', via: 'cli' } as const;
  const ends: readonly Event[] = [
    { type: 'approval_answered', data: { approval: 'a', answer: 'approved', reason: null, human } },
    { type: 'approval_expired', data: { approval: 'b' } },
    { type: 'approval_withdrawn', data: { approval: 'c', policy_revision: 'r2' } },
  ];
  const waiting = ['a', 'b', 'c'].map((id) => answers.wait(id, LONG, never()));
  answers.onRecords(ends.map((event) => ({ event }) as LedgerRecord));
  expect(await Promise.all(waiting)).toEqual([true, true, true]);
});
