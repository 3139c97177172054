import fc from 'fast-check';
import { expect, test } from 'vitest';
import { steadyClock } from './steady-clock.ts';

function clocks(wall = 1_000_000) {
  const at = { wall, steady: 50 };
  const now = steadyClock(
    () => at.wall,
    () => at.steady,
  );
  /** Real time passes: both clocks go on. */
  const pass = (ms: number) => {
    at.wall += ms;
    at.steady += ms;
  };
  return { at, pass, ms: () => now().getTime() };
}

test('it is the wall clock as long as that is not set back', () => {
  const { pass, ms } = clocks();
  expect(ms()).toBe(1_000_000);
  pass(10);
  expect(ms()).toBe(1_000_010);
});

test('set back, it goes on at the pace of real time', () => {
  const { at, pass, ms } = clocks();
  pass(10);
  at.wall -= 900_000;
  expect(ms()).toBe(1_000_010);
  pass(5);
  expect([ms(), at.wall]).toEqual([1_000_015, 100_015]);
});

test('set back between two looks, it loses nothing that has passed', () => {
  const { at, pass, ms } = clocks();
  pass(3_000);
  at.wall = 0;
  expect(ms()).toBe(1_003_000);
});

test('it follows the wall clock forward: a suspend, or a clock that was wrong', () => {
  const { at, pass, ms } = clocks();
  at.wall += 3_600_000;
  expect(ms()).toBe(4_600_000);
  pass(1);
  expect(ms()).toBe(4_600_001);
});

test('whatever the clocks do, it never goes back and no time limit grows', () => {
  const step = fc.record({ jump: fc.integer({ min: -1_000_000, max: 1_000_000 }), passes: fc.nat(10_000) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 50 }), (steps) => {
      const { at, pass, ms } = clocks();
      for (const { jump, passes } of steps) {
        const before = ms();
        at.wall += jump;
        pass(passes);
        const after = ms();
        expect(after - before).toBeGreaterThanOrEqual(passes);
        expect(after).toBeGreaterThanOrEqual(at.wall);
      }
    }),
  );
});

test('the real clocks', () => {
  const before = Date.now();
  const now = steadyClock();
  expect(now().getTime()).toBeGreaterThanOrEqual(before);
});
