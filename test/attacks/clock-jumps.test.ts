// The machine's clock is set back, so that an approval, a grant or a login code that has ended lives again, and the record seems to run
// backwards.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { steadyClock } from '../../src/app/steady-clock.ts';
import { codeOf, startTestDaemon, type TestDaemon } from '../lab/daemon.ts';
import { verifies } from '../verifies.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** The offset of the wall clock, which a human may set, and of the monotonic one, which cannot be set. */
const added = { wall: 0, steady: 0 };
const now = steadyClock(
  () => Date.now() + added.wall,
  () => performance.now() + added.steady,
);
const pass = (ms: number) => {
  added.wall += ms;
  added.steady += ms;
};

let daemon: TestDaemon;
let login: Readonly<Record<string, string>>;
beforeAll(async () => {
  daemon = await startTestDaemon(now);
  await daemon.beginWork('src/**');
  login = await daemon.login();
});
afterAll(() => daemon.dispose());

let calls = 0;
const bash = async (command: string) =>
  JSON.stringify(await daemon.hook('PreToolUse', { tool_name: 'Bash', tool_input: { command }, tool_use_id: `toolu_${++calls}` }));
const questionIn = (answer: string) => /apr_\w+/.exec(answer)?.[0] ?? answer;
const answer = (id: string) => daemon.web('POST', `/api/approvals/${id}/answer`, { headers: login, body: { answer: 'approved' } });
const stateOf = async (id: string) => (await daemon.services().ask('approvals', { id }))[0]?.state;

verifies('I13', 'a question whose time is over stays over when the clock is set back', async () => {
  const [open, granted] = [questionIn(await bash('rm -rf src/open')), questionIn(await bash('rm -rf src/granted'))];
  expect((await answer(granted)).status).toBe(200);
  added.wall -= DAY;
  pass(14 * MINUTE);
  expect([await stateOf(open), await stateOf(granted)]).toEqual(['pending', 'approved']);
  pass(2 * MINUTE);
  const late = await answer(open);
  expect([late.status, codeOf(late)]).toEqual([403, 'APPROVAL_NOT_OPEN']);
  const again = await bash('rm -rf src/granted');
  expect([again.includes('APPROVAL_REQUIRED'), questionIn(again) === granted]).toEqual([true, false]);
  await daemon.services().kernel.approvals.expire();
  expect([await stateOf(open), await stateOf(granted)]).toEqual(['expired', 'expired']);
});

test('a login code of two minutes has two minutes, wherever the clock is set', async () => {
  const code = daemon.services().logins.issueCode();
  added.wall -= 7 * DAY;
  pass(3 * MINUTE);
  expect((await daemon.web('POST', '/api/login', { body: { code } })).status).toBe(401);
});

test('time that passed while the machine slept counts', async () => {
  const question = questionIn(await bash('rm -rf src/asleep'));
  // The monotonic clock stops during the sleep; the wall clock, which was set back before, is ahead on waking.
  added.wall += 9 * DAY;
  login = await daemon.login();
  expect(codeOf(await answer(question))).toBe('APPROVAL_NOT_OPEN');
});

verifies('N2', 'the record is in the order of its numbers, its times never run back', async () => {
  await bash('ls src');
  added.wall -= 300 * DAY;
  await bash('ls src/auth');
  const lines = (await readFile(join(daemon.home.dir, 'ledger/00000001.jsonl'), 'utf8')).trimEnd().split('\n');
  const records = lines.map((line) => JSON.parse(line) as { seq?: number; at?: string }).filter(({ seq }) => seq !== undefined);
  expect(records.map(({ seq }) => seq)).toEqual(records.map((_, at) => at + 1));
  const times = records.map(({ at }) => Date.parse(at ?? ''));
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(records.length).toBe(await daemon.ledgerSize());
});
