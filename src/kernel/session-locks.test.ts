import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SessionLocks } from './session-locks.ts';

const turn = () => new Promise(setImmediate);

test('work of one session runs one after the other, in the order in which it was asked for', async () => {
  const locks = new SessionLocks();
  const log: string[] = [];
  const work = (name: string, turns: number) => async () => {
    log.push(`${name} begins`);
    for (let i = 0; i < turns; i++) await turn();
    log.push(`${name} ends`);
    return name;
  };
  const all = await Promise.all([locks.hold('s', work('a', 5)), locks.hold('s', work('b', 0)), locks.hold('s', work('c', 2))]);
  expect([all, log]).toEqual([
    ['a', 'b', 'c'],
    ['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'],
  ]);
});

test('sessions do not wait for each other', async () => {
  const locks = new SessionLocks();
  const { promise, resolve } = Promise.withResolvers<string>();
  const first = locks.hold('s', () => promise);
  expect(await locks.hold('t', async () => 'not held up')).toBe('not held up');
  resolve('done');
  expect(await first).toBe('done');
});

test('work that throws gives the lock back, and its error to its own caller only', async () => {
  const locks = new SessionLocks();
  const failing = locks.hold('s', () => Promise.reject(new Error('mine')));
  const thrown = locks.hold('s', () => {
    throw new Error('at once');
  });
  const next = locks.hold('s', async () => 'fine');
  expect(
    (await Promise.allSettled([failing, thrown, next])).map((result) =>
      result.status === 'fulfilled' ? result.value : String(result.reason),
    ),
  ).toEqual(['Error: mine', 'Error: at once', 'fine']);
});

test('never two at once, never out of order, nothing kept: any number of calls on any sessions', async () => {
  const call = fc.record({ session: fc.constantFrom('s', 't', 'u'), turns: fc.nat(3), fails: fc.boolean(), pause: fc.nat(2) });
  await fc.assert(
    fc.asyncProperty(fc.array(call, { maxLength: 30 }), async (calls) => {
      const locks = new SessionLocks();
      const inside = new Map<string, number>();
      const order = new Map<string, number[]>();
      const pending: Promise<unknown>[] = [];
      for (const [index, { session, turns, fails, pause }] of calls.entries()) {
        const work = async () => {
          inside.set(session, (inside.get(session) ?? 0) + 1);
          expect(inside.get(session)).toBe(1);
          order.set(session, [...(order.get(session) ?? []), index]);
          for (let i = 0; i < turns; i++) await turn();
          inside.set(session, 0);
          if (fails) throw new Error('failed');
        };
        pending.push(locks.hold(session, work).catch((error: unknown) => expect(String(error)).toBe('Error: failed')));
        for (let i = 0; i < pause; i++) await turn();
      }
      await Promise.all(pending);
      for (const indices of order.values()) expect(indices).toEqual(indices.toSorted((a, b) => a - b));
      expect([...order.values()].flat().length).toBe(calls.length);
      expect(locks).toEqual(new SessionLocks());
    }),
    { numRuns: 200 },
  );
});
