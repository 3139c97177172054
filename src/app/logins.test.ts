import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openLogins } from './logins.ts';

function fileForThisTest(): string {
  const dir = mkdtempSync(join(tmpdir(), 'countersign-logins-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return join(dir, 'logins.json');
}

function clockForThisTest(): (ms: number) => void {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  return (ms) => vi.setSystemTime(Date.now() + ms);
}

const now = () => new Date();

test('a code buys one cookie to look and one token to decide, also when it is offered twice at once', async () => {
  const logins = openLogins(fileForThisTest(), now);
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
  const logins = openLogins(fileForThisTest(), now);
  const [inTime, late] = [logins.issueCode(), logins.issueCode()];
  wait(119_000);
  expect(await logins.exchange(inTime)).not.toBeNull();
  wait(1_000);
  expect(await logins.exchange(late)).toBeNull();
});

test('a cookie ends after twelve hours, and is then forgotten', async () => {
  const wait = clockForThisTest();
  const file = fileForThisTest();
  const logins = openLogins(file, now);
  const first = (await logins.exchange(logins.issueCode()))!;
  const may = () => [logins.mayRead(first.cookie), logins.mayDecide(first.cookie, first.pageToken)];
  wait(12 * 3_600_000 - 1);
  expect(may()).toEqual([true, true]);
  wait(1);
  expect(may()).toEqual([false, false]);
  await logins.exchange(logins.issueCode());
  expect(Object.keys(JSON.parse(readFileSync(file, 'utf8')) as object)).toHaveLength(1);
});

test('a login survives a restart; a code does not; the file contains neither', async () => {
  const file = fileForThisTest();
  const before = openLogins(file, now);
  const { cookie, pageToken } = (await before.exchange(before.issueCode()))!;
  const code = before.issueCode();
  const after = openLogins(file, now);
  expect([after.mayDecide(cookie, pageToken), await after.exchange(code)]).toEqual([true, null]);
  const kept = readFileSync(file, 'utf8');
  expect([kept.includes(cookie) || kept.includes(pageToken), statSync(file).mode & 0o777]).toEqual([false, 0o600]);
  const [hash] = Object.keys(JSON.parse(kept) as object);
  expect(after.mayRead(hash!)).toBe(false);
});

test('a file that cannot be read means that no login is valid', async () => {
  const file = fileForThisTest();
  for (const text of ['', '{', '[]', '{"x":"soon"}', 'null']) {
    writeFileSync(file, text);
    const logins = openLogins(file, now);
    expect(logins.mayRead('x')).toBe(false);
    expect(await logins.exchange(logins.issueCode())).not.toBeNull();
  }
});
