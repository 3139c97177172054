import { expect, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { TurnQueue } from './turn-queue.ts';

const never = new AbortController().signal;

verifies('C4', 'turns of one workspace run one after the other, in the order in which they came', async () => {
  const queue = new TurnQueue();
  const seen: string[] = [];
  const turn = (name: string) =>
    queue.hold(
      'w',
      never,
      async () => {
        seen.push(`${name} begins`);
        await new Promise((resolve) => setImmediate(resolve));
        seen.push(`${name} ends`);
      },
      () => seen.push(`${name} waits`),
    );
  await Promise.all([turn('a'), turn('b'), turn('c')]);
  expect(seen).toEqual(['a begins', 'b waits', 'c waits', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
});

test('turns of two workspaces do not wait for each other', async () => {
  const queue = new TurnQueue();
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = queue.hold(
    'w',
    never,
    () => promise,
    () => {},
  );
  expect(
    await queue.hold(
      'v',
      never,
      async () => 'done',
      () => {},
    ),
  ).toBe('done');
  resolve();
  await first;
});

test('a turn that is cancelled while it waits never runs, and the one behind it keeps its place', async () => {
  const queue = new TurnQueue();
  const { promise, resolve } = Promise.withResolvers<void>();
  const seen: string[] = [];
  const first = queue.hold(
    'w',
    never,
    () => promise.then(() => void seen.push('first')),
    () => {},
  );
  const cancel = new AbortController();
  const second = queue.hold(
    'w',
    cancel.signal,
    async () => void seen.push('second'),
    () => {},
  );
  const third = queue.hold(
    'w',
    never,
    async () => void seen.push('third'),
    () => {},
  );
  cancel.abort(new Error('gone'));
  await expect(second).rejects.toThrow('gone');
  expect(seen).toEqual([]);
  resolve();
  await Promise.all([first, third]);
  expect(seen).toEqual(['first', 'third']);
});

test('a turn that fails lets the next one run', async () => {
  const queue = new TurnQueue();
  await expect(
    queue.hold(
      'w',
      never,
      () => Promise.reject(new Error('broken')),
      () => {},
    ),
  ).rejects.toThrow('broken');
  expect(
    await queue.hold(
      'w',
      never,
      async () => 'next',
      () => {},
    ),
  ).toBe('next');
});
