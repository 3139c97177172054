// What agents ask people in words, answered on the page.

import type { Client } from '@modelcontextprotocol/client';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ApprovalRow, IntentRow } from '../../src/protocol/index.ts';
import { verifies } from '../verifies.ts';
import { armed, cardWith } from './cards.ts';
import { type ControlRoom, openControlRoom, type Visitor } from './control-room.ts';

let room: ControlRoom;
let client: Client;
let visitor: Visitor;
let page: Page;
/** What the page sent: one line for each answer. */
const sent: string[] = [];
beforeAll(async () => {
  room = await openControlRoom();
  await room.human(['intent', 'fix login', 'src/auth']);
  client = await room.mcpClient();
  await client.callTool({ name: 'begin_work', arguments: {} });
  visitor = await room.enter();
  page = visitor.page;
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(request.postData() ?? '');
  });
});
afterAll(async () => {
  await client.close();
  await room.dispose();
});
beforeEach(async () => {
  await page.reload();
  await page.getByText('live', { exact: true }).waitFor();
  sent.length = 0;
});

/** Repeating the call returns the answer, if the first one did not wait for it. */
async function asked(name: string, args: Record<string, unknown>, meanwhile: () => Promise<void>): Promise<unknown> {
  const ask = () => client.callTool({ name, arguments: args });
  const first = ask();
  await meanwhile();
  const heard = await first;
  return (heard.isError ? await ask() : heard).structuredContent;
}
const pending = async (): Promise<ApprovalRow[]> => room.client.ask('approvals', { state: 'pending' });
const focused = () =>
  page.evaluate(() => document.activeElement?.getAttribute('placeholder') ?? document.activeElement?.textContent ?? null);
async function tabTo(name: string): Promise<void> {
  for (let tabs = 0; tabs < 30; tabs++) {
    await page.keyboard.press('Tab');
    if ((await focused()) === name) return;
  }
  throw new Error(`Tab does not lead to ${name}`);
}
/** A question's buttons are disabled like any other's; its Answer also while there is no text. */
const restedOff = (text: string) => cardWith(page, text).locator('.reject[aria-disabled=false]').waitFor();

test('a link to one question marks its card among the others', async () => {
  const asking = ['Which one?', 'And which other?'].map((question) => client.callTool({ name: 'request_human', arguments: { question } }));
  await expect.poll(async () => (await pending()).length).toBe(2);
  const other = (await pending()).find(({ message }) => message.includes('And which other?'))!;
  await page.goto(`${page.url().split('#')[0]}#approval=${other.id}`);
  await page.reload();
  await page.locator('[aria-current=true]').getByText('And which other?').waitFor();
  expect(await page.locator('[aria-current=true]').count()).toBe(1);
  for (const { id } of await pending()) await room.human(['approve', id]);
  await Promise.all(asking);
});

describe('a question', () => {
  test('with options: one button each, Space chooses, Enter never does', async () => {
    const question = { question: 'Which database?', options: ['SQLite', 'Post\u202egres', 'Reject'] };
    const answer = await asked('request_human', question, async () => {
      await restedOff('Which database?');
      const card = cardWith(page, 'Which database?');
      expect(await card.getByRole('list', { name: 'Answers that the agent offers' }).getByRole('button').allTextContents()).toEqual([
        '1SQLite',
        '2Post⟦U+202E⟧gres',
        '3Reject',
      ]);
      await tabTo('1SQLite');
      for (const key of ['Enter', 'NumpadEnter', 'Control+Enter']) await page.keyboard.press(key);
      expect([sent, (await pending()).length]).toEqual([[], 1]);
      await page.keyboard.press('Space');
      await card.getByText(/^Answered/).waitFor();
      expect(await focused()).toMatch(/^Answered(, and the agent has heard it)?: SQLite$/);
    });
    expect(answer).toMatchObject({ answered: true, answer: 'SQLite' });
    expect(sent).toEqual(['{"answer":"approved","reason":"SQLite"}']);
  });

  test.each([
    ['with options', { question: 'Which colour?', options: ['red'] }, 'Or in your own words'],
    ['without', { question: 'Which name?\nA short one.' }, 'Your answer'],
  ])('%s takes words of a person’s own; Enter in the field sends nothing', async (_how, question, placeholder) => {
    const answer = await asked('request_human', question, async () => {
      await restedOff(question.question);
      const card = cardWith(page, question.question);
      const button = card.getByRole('button', { name: 'Answer', exact: true });
      expect(await button.getAttribute('aria-disabled')).toBe('true');
      await tabTo(placeholder);
      await page.keyboard.type('  <b>Ada</b> ');
      await page.keyboard.press('Enter');
      expect(sent).toEqual([]);
      await armed(card);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      expect(sent).toEqual([]);
      await page.keyboard.press('Space');
      await card.getByText(/^Answered/).waitFor();
    });
    expect(answer).toMatchObject({ answered: true, answer: '<b>Ada</b>' });
    expect(sent).toEqual(['{"answer":"approved","reason":"<b>Ada</b>"}']);
  });

  test('can be rejected with a reason like anything else', async () => {
    const answer = await asked('request_human', { question: 'May I stop?' }, async () => {
      await restedOff('May I stop?');
      const card = cardWith(page, 'May I stop?');
      await card.getByPlaceholder('Reason, optional').fill('not yet');
      await card.getByRole('button', { name: 'Reject', exact: true }).click();
      await card.getByText(/^Rejected/).waitFor();
    });
    expect(answer).toMatchObject({ error_code: 'APPROVAL_REJECTED', message: expect.stringContaining('A human rejected this: not yet') });
  });

  test('that arrives leaves the focus and half a sentence where they are', async () => {
    const first = asked('request_human', { question: 'First?' }, async () => {
      await restedOff('First?');
      await tabTo('Your answer');
      await page.keyboard.type('half a ');
      const other = await room.mcpClient();
      const second = other.callTool({ name: 'request_human', arguments: { question: 'Second?' } });
      await cardWith(page, 'Second?').waitFor();
      await page.keyboard.type('sentence');
      expect(await cardWith(page, 'First?').getByPlaceholder('Your answer').inputValue()).toBe('half a sentence');
      await armed(cardWith(page, 'First?'));
      await page.keyboard.press('Tab');
      await page.keyboard.press('Space');
      await cardWith(page, 'First?')
        .getByText(/^Answered/)
        .waitFor();
      for (const { id } of await pending()) await room.human(['reject', id]);
      await second;
      await other.close();
    });
    expect(await first).toMatchObject({ answered: true, answer: 'half a sentence' });
  });
});

verifies('I8', 'the page shows the paths an agent wants and grants them', async () => {
  const request = { intent_id: 'INT-001', paths: ['src/session/**', 'docs/\u202eauth.md'], reason: 'the session is there' };
  const granted = await asked('request_scope', request, async () => {
    const card = cardWith(page, 'the session is there');
    await armed(card);
    expect(await card.getByText('Wants more scope for').innerText()).toBe('Wants more scope for INT-001 fix login:');
    expect(await card.locator('.asked-paths > li').allTextContents()).toEqual(['src/session/**', 'docs/⟦U+202E⟧auth.md']);
    await card.getByRole('button', { name: 'Countersign' }).click();
    await card.getByText(/^Granted/).waitFor();
  });
  expect(granted).toMatchObject({ intent: 'INT-001', owned_scope: ['src/auth/**', 'src/session/**', 'docs/\u202eauth.md'] });
  const [intent] = await room.client.ask('intents', { id: 'INT-001' });
  expect((intent as IntentRow).owned_scope).toContain('src/session/**');
});

test('nothing of all this made the browser complain', () => {
  expect(visitor.complaints).toEqual([]);
});
