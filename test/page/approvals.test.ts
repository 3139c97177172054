// Questions to a human, answered on the page while an agent's hook waits for the decision.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ApprovalRow } from '../../src/protocol/index.ts';
import { verifies } from '../verifies.ts';
import type { Agent } from './agent.ts';
import { answer, armed, cardWith } from './cards.ts';
import { type ControlRoom, openControlRoom, type Visitor } from './control-room.ts';

let room: ControlRoom;
let agent: Agent;
let visitor: Visitor;
let page: Page;
/** What the page sent: one line for each answer. */
const sent: string[] = [];
beforeAll(async () => {
  room = await openControlRoom();
  await room.human(['intent', 'tidy up', '.']);
  agent = room.agent('alpha');
  await agent.start();
  await agent.beginWork();
  visitor = await room.enter();
  page = visitor.page;
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(request.postData() ?? '');
  });
});
afterAll(() => room.dispose());
beforeEach(async () => {
  // The cards of the test before go at once.
  await page.reload();
  await page.getByText('live', { exact: true }).waitFor();
  sent.length = 0;
});

const bash = (command: string) => agent.ask('Bash', { command });
const card = (text: string) => cardWith(page, text);
const approvalOf = async (command: string): Promise<ApprovalRow> => {
  const rows = await room.client.ask('approvals', {});
  return rows.find(({ input }) => input['command'] === command)!;
};
const focused = () => page.evaluate(() => document.activeElement?.textContent || document.activeElement?.getAttribute('placeholder'));
async function tabTo(name: string): Promise<void> {
  for (let tabs = 0; tabs < 30; tabs++) {
    await page.keyboard.press('Tab');
    if ((await focused()) === name) return;
  }
  throw new Error(`Tab does not lead to ${name}`);
}

describe('by keyboard alone', () => {
  verifies('I13', 'Space countersigns on the page, Enter never does, and the agent may do exactly this', async () => {
    const asking = bash('rm -rf build');
    await armed(card('rm -rf build'));
    expect(await page.title()).toBe('(1) Countersign');
    await tabTo('Countersign');
    for (const key of ['Enter', 'Enter', 'NumpadEnter', 'Control+Enter']) await page.keyboard.press(key);
    expect(await card('rm -rf build').getByRole('button', { name: 'Countersign' }).getAttribute('aria-disabled')).toBe('false');
    const { id, state } = await approvalOf('rm -rf build');
    expect([state, sent]).toEqual(['pending', []]);
    await page.keyboard.press('Space');
    expect(await asking).toEqual({ permission: 'allow', reason: `a human approved this exact call (${id})` });
    await card('rm -rf build').getByText('Countersigned, and the agent has used it.').waitFor();
    expect(await focused()).toMatch(/^Countersigned/);
    expect(sent).toEqual(['{"answer":"approved"}']);
    expect(await approvalOf('rm -rf build')).toMatchObject({ state: 'spent', proof: 'login' });
  });

  test.each([
    ['the button', 'rm -rf cache', ['Tab', 'Space']],
    ['Enter in the field', 'rm -rf logs', ['Enter']],
  ])('a reason for rejecting reaches the agent, by %s', async (_how, command, keys) => {
    const asking = bash(command);
    await armed(card(command));
    await tabTo('Reason, optional');
    await page.keyboard.type('  keep it: this is <b>wrong</b> ');
    for (const key of keys) await page.keyboard.press(key);
    const { id } = await approvalOf(command);
    expect(await asking).toEqual({
      permission: 'deny',
      reason: expect.stringMatching(
        RegExp(
          `^Countersign APPROVAL_REJECTED: A human rejected this: keep it: this is <b>wrong</b> \\(${id}\\)\\.\nWhat to do: Do not try this again`,
        ),
      ),
    });
    expect(await card(command).getByRole('status').innerText()).toBe('Rejected. The agent gets the reason: keep it: this is <b>wrong</b>');
    expect(await focused()).toMatch(/^Rejected/);
    expect(sent).toEqual(['{"answer":"rejected","reason":"keep it: this is <b>wrong</b>"}']);
  });
});

test('a card rests for 400 ms before a press counts, and says what became of it for 5 s', async () => {
  const { page, complaints } = await room.visit();
  await page.clock.install();
  await page.goto(await room.loginLink());
  await page.getByText('live', { exact: true }).waitFor();
  const answers: string[] = [];
  page.on('request', (request) => void (request.method() === 'POST' && answers.push(request.url())));

  await page.clock.pauseAt(Date.now() + 60_000);
  const asking = bash('rm -rf early');
  const fresh = cardWith(page, 'rm -rf early');
  // The clock is stopped; frames draw the card.
  while ((await fresh.count()) === 0) await page.clock.runFor(10);
  const yes = fresh.getByRole('button', { name: 'Countersign' });
  const atRest = () => yes.getAttribute('aria-disabled');
  const pressAndClick = async () => {
    await yes.focus();
    await page.keyboard.press('Space');
    await yes.click({ force: true });
    await fresh.getByRole('button', { name: 'Reject' }).click({ force: true });
  };
  await pressAndClick();
  await page.clock.runFor(300);
  expect(await atRest()).toBe('true');
  await pressAndClick();

  await yes.focus();
  await page.keyboard.down('Space');
  await page.clock.runFor(500);
  expect(await atRest()).toBe('false');
  // It began while the card rested.
  await page.keyboard.up('Space');
  expect(await atRest()).toBe('false');
  expect(answers).toEqual([]);
  expect((await approvalOf('rm -rf early')).state).toBe('pending');

  await page.keyboard.press('Space');
  expect((await asking).permission).toBe('allow');
  while ((await fresh.getByText('Countersigned, and the agent has used it.').count()) === 0) await page.clock.runFor(10);
  const focusOn = () => page.evaluate(() => document.activeElement?.textContent);
  expect(await focusOn()).toMatch(/^Countersigned/);
  expect(answers).toHaveLength(1);
  await page.clock.runFor(5_500);
  expect(await fresh.count()).toBe(0);
  // Without this a keyboard user would start again at the top of the page.
  expect(await focusOn()).toMatch(/^Waiting on you/);
  expect(complaints).toEqual([]);
  await page.context().close();
});

test('of two questions, answering one leaves the other as it was', async () => {
  const other = room.agent('beta');
  await other.beginWork();
  const [first, second] = [bash('rm -rf one'), other.ask('Bash', { command: 'rm -rf two' })];
  await armed(card('rm -rf one'));
  await armed(card('rm -rf two'));
  expect(await page.title()).toBe('(2) Countersign');
  await card('rm -rf two').getByRole('textbox').fill('half a sentence');

  await answer(card('rm -rf one'), 'Countersign');
  expect((await first).permission).toBe('allow');
  await card('rm -rf one').getByText('Countersigned, and the agent has used it.').waitFor();
  expect(await page.title()).toBe('(1) Countersign');
  expect(await card('rm -rf two').getByRole('textbox').inputValue()).toBe('half a sentence');
  expect((await approvalOf('rm -rf two')).state).toBe('pending');

  await answer(card('rm -rf two'), 'Reject');
  expect((await second).reason).toMatch('A human rejected this: half a sentence (');
});

verifies('I13', 'an answer in a terminal shows on the card that stands on the page', async () => {
  const asking = bash('rm -rf terminal');
  await armed(card('rm -rf terminal'));
  const { id } = await approvalOf('rm -rf terminal');
  expect((await room.human(['approve', id])).output).toContain(`${id} is approved, once, for exactly this input.\n`);
  expect((await asking).permission).toBe('allow');
  await card('rm -rf terminal')
    .getByText(/^Countersigned/)
    .waitFor();
  expect(await card('rm -rf terminal').getByRole('button').count()).toBe(0);
  expect(sent).toEqual([]);
});

test('an answer that comes too late is reported in its place, and changes nothing', async () => {
  // A second tab with a slow connection: it does not learn of the answer.
  const slow = await visitor.context.newPage();
  await slow.addInitScript(() => {
    MessagePort.prototype.addEventListener = function (this: MessagePort, type: string, listener: (event: Event) => void) {
      const hears = (event: Event) => (event as MessageEvent<{ topic?: string }>).data?.topic !== 'approval';
      EventTarget.prototype.addEventListener.call(this, type, (event) => void (hears(event) && listener(event)));
    } as typeof MessagePort.prototype.addEventListener;
  });
  const asking = bash('rm -rf late');
  await armed(card('rm -rf late'));
  await slow.goto(`${room.address()}/ui/`);
  await armed(cardWith(slow, 'rm -rf late'));
  await page.bringToFront();
  await answer(card('rm -rf late'), 'Reject');
  expect((await asking).permission).toBe('deny');
  await answer(cardWith(slow, 'rm -rf late'), 'Countersign');
  const reported = cardWith(slow, 'rm -rf late').getByRole('alert');
  await reported.waitFor();
  const { id, state } = await approvalOf('rm -rf late');
  expect(await reported.innerText()).toBe(
    `Your answer was not recorded. ${id} is rejected; it can no longer be answered. An answer is final; the agent may ask again once this question has expired APPROVAL_NOT_OPEN`,
  );
  expect(state).toBe('rejected');
  await slow.close();
});

test('a page that lost its own token may look, and says how to sign in again when it is asked to decide', async () => {
  const viewer = await room.enter();
  await viewer.page.evaluate(() => localStorage.clear());
  const asking = bash('rm -rf viewed');
  await answer(cardWith(viewer.page, 'rm -rf viewed'), 'Countersign');
  expect(await cardWith(viewer.page, 'rm -rf viewed').getByRole('alert').innerText()).toBe(
    'Your answer was not recorded. This needs a login. Run countersign open in a terminal UNAUTHENTICATED',
  );
  expect((await approvalOf('rm -rf viewed')).state).toBe('pending');

  await viewer.page.goto(await room.loginLink());
  await cardWith(viewer.page, 'rm -rf viewed').getByRole('button', { name: 'Countersign' }).click();
  expect((await asking).permission).toBe('allow');
  await viewer.context.close();
});

test('a question without an answer in time says so and can no longer be answered', async () => {
  await room.configure({ mode: { minimum: 'GUARDED' }, approvals: { ttlSeconds: 2 } });
  const asking = bash('rm -rf slowly');
  await armed(card('rm -rf slowly'));
  const { id } = await approvalOf('rm -rf slowly');
  await room.configure({ mode: { minimum: 'GUARDED' } });
  const words = 'Expired before anybody answered. The agent has to ask again.';
  await page.getByText(words).waitFor();
  expect(await page.getByRole('article').filter({ hasText: words }).locator('button[aria-disabled=false]').count()).toBe(0);
  const expired = page.getByRole('article').filter({ has: page.getByRole('status').filter({ hasText: words }) });
  await expired.waitFor();
  expect(await expired.getByRole('button').count()).toBe(0);
  expect((await room.client.ask('approvals', { id })).map(({ state }) => state)).toEqual(['expired']);
  expect((await asking).permission).toBe('deny');
  // More time for an answer grants more, and an agent is present.
  const edited = page.getByRole('article').filter({ hasText: 'the settings were edited' });
  const [, text = ''] = /--text (\w+)/.exec(await edited.innerText()) ?? [];
  await room.human(['settings', 'confirm', '--text', text]);
  await edited.waitFor({ state: 'detached' });
  expect(sent).toEqual([]);
});

verifies('I13', 'a question outlives the daemon, its answer counts once, and only for this input', async () => {
  const asking = bash('rm -rf rest');
  await armed(card('rm -rf rest'));
  const { id } = await approvalOf('rm -rf rest');
  await room.killDaemon();
  await page.getByRole('status').filter({ hasText: 'reconnecting' }).waitFor();
  expect(await card('rm -rf rest').locator('button[aria-disabled=false]').count()).toBe(0);

  // The agent's hook starts the next daemon at the same address, and keeps waiting for the same answer. A login is for one start.
  await page.getByRole('heading', { name: 'Signed out' }).waitFor();
  await page.goto(await room.loginLink());
  await armed(card('rm -rf rest'));
  await answer(card('rm -rf rest'), 'Countersign');
  expect(await asking).toEqual({ permission: 'allow', reason: `a human approved this exact call (${id})` });
  const similar = bash('rm -rf rest/');
  await answer(card('rm -rf rest/'), 'Reject');
  expect((await similar).permission).toBe('deny');

  const again = bash('rm -rf rest');
  await answer(card('rm -rf rest').last(), 'Reject');
  expect((await again).permission).toBe('deny');
});

test('nothing of all this made the browser complain, but for the answer that came too late and the killed daemon', () => {
  const others = visitor.complaints.filter((text) => !/^Failed to load resource: (net::ERR_(CONNECTION_|INCOMPLETE_)|.* 401 )/.test(text));
  expect(others).toEqual(['Failed to load resource: the server responded with a status of 403 (Forbidden)']);
});
