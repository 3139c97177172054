import { expect, onTestFinished, test, vi } from 'vitest';
import { openLogins } from './logins.ts';

function clockForThisTest(): (ms: number) => void {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  return (ms) => vi.setSystemTime(Date.now() + ms);
}

const now = () => new Date();

test('a code buys one cookie to look and one token to decide, also when it is offered twice at once', async () => {
  const logins = openLogins(now);
  const code = logins.issueCode();
  const [bought, ...others] = await Promise.all([logins.exchange(code), logins.exchange(code), logins.exchange(code)]);
  expect(others).toEqual([null, null]);
  const { cookie, pageToken } = bought!;
  expect([cookie, pageToken, code, ''].map((secret) => logins.mayRead(secret))).toEqual([true, false, false, false]);
  expect([pageToken, cookie, code, ''].map((secret) => logins.mayDecide(cookie, secret))).toEqual([true, false, false, false]);
  expect(await logins.exchange('made up')).toBeNull();
});

test('a code ends after two minutes', async () => {
  const wait = clockForThisTest();
  const logins = openLogins(now);
  const [inTime, late] = [logins.issueCode(), logins.issueCode()];
  wait(119_000);
  expect(await logins.exchange(inTime)).not.toBeNull();
  wait(1_000);
  expect(await logins.exchange(late)).toBeNull();
});

test('a cookie ends after twelve hours', async () => {
  const wait = clockForThisTest();
  const logins = openLogins(now);
  const first = (await logins.exchange(logins.issueCode()))!;
  const may = () => [logins.mayRead(first.cookie), logins.mayDecide(first.cookie, first.pageToken)];
  wait(12 * 3_600_000 - 1);
  expect(may()).toEqual([true, true]);
  wait(1);
  expect(may()).toEqual([false, false]);
});

test('a login and a code are of one start of the daemon', async () => {
  const before = openLogins(now);
  const { cookie, pageToken } = (await before.exchange(before.issueCode()))!;
  const after = openLogins(now);
  expect([after.mayRead(cookie), after.mayDecide(cookie, pageToken), await after.exchange(before.issueCode())]).toEqual([
    false,
    false,
    null,
  ]);
});
