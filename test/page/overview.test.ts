// The state of a workspace that no question shows: a pause, edits that wait, grants, changes without a receipt, and who signed.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { agentProcess } from '../lab/agent-process.ts';
import { CLI } from '../lab/installation.ts';
import { runInTerminal } from '../lab/terminal.ts';
import { verifies } from '../verifies.ts';
import type { Agent } from './agent.ts';
import { answer, cardWith } from './cards.ts';
import { type ControlRoom, openControlRoom, type Visitor } from './control-room.ts';

const PASSPHRASE = 'correct horse battery';

let room: ControlRoom;
let agent: Agent;
let visitor: Visitor;
let page: Page;
beforeAll(async () => {
  room = await openControlRoom();
  await room.human(['intent', 'tidy up', '.']);
  agent = room.agent('alpha');
  await agent.start();
  await agent.beginWork();
  visitor = await room.enter({ viewport: { width: 1280, height: 900 } });
  page = visitor.page;
});
afterAll(() => room.dispose());

const facts = async (place: Locator) => Object.fromEntries(await place.locator('.card-facts > div').evaluateAll(pairs)) as object;
const pairs = (rows: Element[]) => rows.map((row) => [row.querySelector('dt')!.textContent, row.querySelector('dd')!.textContent]);
const aTime = expect.stringMatching(/^\d\d:\d\d:\d\d$/) as string;
const sideList = (title: string, on = page) => on.locator('.side-list').filter({ has: on.getByRole('heading', { name: title }) });
/** By keyboard: Enter first, which a yes never takes. */
async function signs(button: Locator): Promise<void> {
  await button.focus();
  await button.page().keyboard.press('Enter');
  await button.page().keyboard.press('Space');
}

verifies('N18', 'a pause is reported on the page: since when, by whom, why and until when, and it is ended there', async () => {
  await room.human(['pause', '--for', '30m', '--reason', 'a release is \u202ekcuts']);
  const notice = page.getByRole('alert', { name: 'The gate is paused' });
  await notice.waitFor();
  expect(await facts(notice)).toEqual({ since: aTime, until: aTime, by: 'in a terminal, proof: login', why: 'a release is ⟦U+202E⟧kcuts' });
  await notice.getByRole('button', { name: 'End the pause' }).press('Enter');
  await notice.waitFor({ state: 'detached' });
  expect((await room.client.ask('status', {})).workspaces[0]?.paused).toBe(null);
  expect(visitor.complaints).toEqual([]);
});

verifies('N18', 'what waits goes on waiting in a pause: notice, card and row say so, and only its answer runs it', async () => {
  const held = agent.ask('Bash', { command: 'rm -rf build/old' });
  const card = cardWith(page, 'rm -rf build/old');
  await card.waitFor();
  expect(await card.getByText('The gate is paused').count()).toBe(0);
  await room.human(['pause', '--for', '30m', '--reason', 'my own work']);
  const notice = page.getByRole('alert', { name: 'The gate is paused' });
  await notice.getByText('One call waits for your answer. A pause gives none.').waitFor();
  await card.getByText('The gate is paused, but this still waits for your answer.').waitFor();
  expect((await agent.ask('Bash', { command: 'rm -rf build/new' })).permission).not.toBe('deny');
  const line = (command: string) => page.getByRole('row').filter({ has: page.getByText(command, { exact: true }) });
  await line('rm -rf build/new').getByText('passed in a pause').waitFor();
  await line('rm -rf build/old').getByText('waiting').waitFor();
  await line('rm -rf build/new').click();
  await page.getByText('It passed while the gate was paused. What would have stopped it:').waitFor();
  await page.keyboard.press('Escape');
  await answer(card, 'Countersign');
  expect((await held).permission).not.toBe('deny');
  await notice.getByText('One call waits').waitFor({ state: 'detached' });
  await notice.getByRole('button', { name: 'End the pause' }).press('Enter');
  await notice.waitFor({ state: 'detached' });
  expect(visitor.complaints).toEqual([]);
});

verifies('N18', 'a pause is made on the page too: with a reason and a time, never by Enter; Escape drops what was typed', async () => {
  const form = sideList('Pause the gate');
  const why = form.getByLabel('Why nothing is to be stopped');
  const summary = form.locator('summary');
  const isPaused = async () => (await room.client.ask('status', {})).workspaces[0]?.paused !== null;
  await summary.press('Enter');
  await why.fill('half a thought');
  await why.press('Escape');
  expect([await form.getAttribute('open'), await summary.evaluate((each) => each === document.activeElement)]).toEqual([null, true]);
  await summary.press('Enter');
  expect(await why.inputValue()).toBe('');
  await form.getByRole('button', { name: 'Pause' }).press('Space');
  await why.fill('dropped');
  await form.getByRole('button', { name: 'Never mind' }).press('Enter');
  expect([await form.getAttribute('open'), await isPaused()]).toEqual([null, false]);

  await summary.press('Enter');
  await why.fill('a release is stuck');
  await form.getByLabel('for', { exact: true }).selectOption('2 hours');
  await form.getByRole('button', { name: 'Pause' }).press('Enter');
  expect(await isPaused()).toBe(false);
  await signs(form.getByRole('button', { name: 'Pause' }));
  const notice = page.getByRole('alert', { name: 'The gate is paused' });
  await notice.waitFor();
  expect(await facts(notice)).toMatchObject({ by: 'on the page, proof: login', why: 'a release is stuck' });
  const { from, until } = (await room.client.ask('status', {})).workspaces[0]!.paused!;
  // The record is written a moment after the time was counted.
  expect(Math.round((Date.parse(until!) - Date.parse(from)) / 60_000)).toBe(120);
  expect(await form.count()).toBe(0);
  await notice.getByRole('button', { name: 'End the pause' }).press('Enter');
  await summary.waitFor();
  expect(visitor.complaints).toEqual([]);
});

verifies('I3', 'an edit that waits is shown line by line; the yes holds for that text only, and never by Enter', async () => {
  const file = join(room.repo.path, '.orchestration/active_intents.yaml');
  await expect.poll(() => readFile(file, 'utf8').catch(() => '')).toContain('INT-001');
  const granted = await readFile(file, 'utf8');
  // An agent whose process lives: without one the edit would be a human's, and hold at once.
  const living = await agentProcess({ home: room.home, root: room.repo.path }, 'beta');
  await living.hook('SessionStart', { source: 'startup' });
  const widen = async (glob: string) => {
    await writeFile(
      file,
      granted.replace('tidy up', 'tidy \u202eup').replace(/^( *)constraints:.*$/m, `$1constraints:\n$1  - ${JSON.stringify(glob)}`),
    );
    await living.hook('UserPromptSubmit', { prompt: 'go on', prompt_id: glob });
  };
  await widen('first');
  const card = page.getByRole('article').filter({ hasText: 'INT-001 was edited' });
  await card.waitFor();
  expect(await page.title()).toBe('(1) Countersign');
  expect(await card.locator('.change').allTextContents()).toEqual(['-no longer: tidy up', '+new: tidy ⟦U+202E⟧up']);
  const [{ sha256 } = { sha256: '' }] = (await room.client.ask('status', {})).workspaces[0]!.edits;
  expect(await facts(card)).toMatchObject({
    'in a terminal': `countersign intents confirm INT-001 --text ${sha256.slice(0, 32)}`,
  });

  await card.locator('.countersign[aria-disabled=false]').waitFor();
  const name = async () => (await room.client.ask('intents', { cwd: room.repo.path, id: 'INT-001' }))[0]!.name;
  await card.getByRole('button', { name: 'Let it hold' }).press('Enter');
  expect(await name()).toBe('tidy up');
  await signs(card.getByRole('button', { name: 'Let it hold' }));
  await card.waitFor({ state: 'detached' });
  expect(await name()).toBe('tidy \u202eup');
  expect(await sideList('Intents').locator('.side-more').first().innerText()).toContain('confirmed on the page, proof: login');
  expect(visitor.complaints).toEqual([]);
});

verifies('N21', 'a proposed intent waits in the same list, is shown whole, and is granted there', async () => {
  await agent.own('propose_intent', { name: 'tidy docs', owned_scope: ['docs/**'] });
  const card = page.getByRole('article').filter({ hasText: 'INT-002 is proposed' });
  await card.waitFor();
  expect(await page.title()).toBe('(1) Countersign');
  expect(await card.locator('.change').allTextContents()).toEqual(['+new: docs/**']);
  expect(await facts(card)).toMatchObject({ 'in a terminal': 'countersign intents activate INT-002' });
  await card.locator('.countersign[aria-disabled=false]').waitFor();
  await signs(card.getByRole('button', { name: 'Grant it' }));
  await card.waitFor({ state: 'detached' });
  expect(await room.client.ask('intents', { cwd: room.repo.path, id: 'INT-002' })).toMatchObject([{ status: 'active', proof: 'login' }]);
  expect(await page.title()).toBe('Countersign');
  expect(visitor.complaints).toEqual([]);
});

verifies('I13', 'grants are always listed: for what, until when, how often used, by whom; each is ended here', async () => {
  const grants = sideList('Grants');
  expect(await grants.innerText()).toContain('Nothing passes in advance');
  const asking = agent.ask('mcp__jira__create', { title: 'one' });
  await page.getByRole('article').waitFor();
  const [row] = await room.client.ask('approvals', { state: 'pending' });
  await room.human(['approve', row!.id, '--grant', 'mcp__jira__*', '--for', '2h']);
  await asking;
  await grants.getByText('never used').waitFor();
  await agent.call('mcp__jira__create', { title: 'two' }, async () => ({}));
  await grants.getByText('used once').waitFor();
  expect(await grants.locator('li p').allInnerTexts()).toEqual([
    'mcp__jira__*',
    expect.stringMatching(/^for INT-001 · until \d\d:\d\d:\d\d$/),
    expect.stringMatching(/^used once, last \d\d:\d\d:\d\d$/),
    expect.stringMatching(/^\s*in a terminal, proof: login$/),
    'End it',
  ]);
  await grants.getByRole('button', { name: /^End the grant grt_/ }).press('Enter');
  await grants.getByText('Nothing passes in advance').waitFor();
  expect(await room.client.ask('grants', {})).toEqual([]);
  expect(visitor.complaints).toEqual([]);
});

verifies('I13', 'a grant is made on the page, within its intent; what cannot be undone has none', async () => {
  // A refusal is written into the console of its browser.
  const own = await room.enter({ viewport: { width: 1280, height: 900 } });
  const asking = agent.ask('mcp__jira__close', { title: 'one' });
  const card = own.page.getByRole('article').filter({ hasText: 'mcp__jira__close' });
  await card.locator('.countersign[aria-disabled=false]').first().waitFor();
  const form = card.locator('.grant-form');
  await form.locator('summary').press('Enter');
  const pattern = form.getByLabel('What may pass; * matches any text');
  expect(await pattern.inputValue()).toBe('mcp__jira__close');
  await pattern.fill('mcp__other__*');
  const button = form.getByRole('button', { name: 'Countersign and grant' });
  const rested = form.locator('.countersign[aria-disabled=false]');
  await rested.waitFor();
  await signs(button);
  await form.getByText('does not fit all of it').waitFor();
  await pattern.fill('mcp__jira__*');
  await rested.waitFor();
  await signs(button);
  await asking;
  const grants = sideList('Grants', own.page);
  await grants.getByText('never used').waitFor();
  const [made] = await room.client.ask('grants', {});
  expect(made).toMatchObject({ pattern: 'mcp__jira__*', intent: 'INT-001', proof: 'login', state: 'open' });
  expect(Date.parse(made!.expires_at!) - Date.parse(made!.made_at)).toBe(1800 * 1000);
  await grants.getByRole('button', { name: /^End the grant grt_/ }).press('Enter');
  await grants.getByText('Nothing passes in advance').waitFor();

  const deleting = agent.ask('Bash', { command: 'git reset --hard' });
  const worse = own.page.getByRole('article').filter({ hasText: 'git reset --hard' });
  await worse.waitFor();
  expect(await worse.locator('.grant-form').count()).toBe(0);
  await answer(worse, 'Reject');
  await deleting;
  expect(own.complaints).toEqual([expect.stringContaining('403')]);
});

verifies('N18', 'changes without a receipt wait here for an acknowledgement, which says seen and not written', async () => {
  await writeFile(join(room.repo.path, 'nobody\u202e.md'), 'by nobody\n');
  await room.humanTries(['reconcile']);
  const list = sideList('Without a receipt');
  await list.waitFor();
  expect(await list.locator('li').allInnerTexts()).toEqual([
    expect.stringMatching(/^nobody⟦U\+202E⟧\.md\s+new, .* · seen \d\d:\d\d:\d\d$/),
  ]);
  await signs(list.getByRole('button', { name: 'Acknowledge it' }));
  await list.waitFor({ state: 'detached' });
  const [acknowledged] = await room.client.ask('untracked', { all: true });
  expect(acknowledged).toMatchObject({ path: 'nobody\u202e.md', acknowledged: 'login' });
  expect(visitor.complaints).toEqual([]);
});

const atTerminal = (args: readonly string[], ...typed: [after: string, text: string][]) =>
  runInTerminal(CLI, args, {
    cwd: room.repo.path,
    env: room.env,
    input: typed.map(([after, text]) => ({ after, type: `${text}\r` })),
    echo: true,
  });

verifies('I13', 'with a key the page names the command that signs; an answer says who signed, and that it is true', async () => {
  const login = agent.ask('Bash', { command: 'rm -rf build' });
  const card = cardWith(page, 'rm -rf build');
  await answer(card, 'Countersign');
  expect(await card.getByRole('status').innerText()).toMatch(/^Countersigned[^]*on the page, proof: login$/);
  await login;

  await atTerminal(['approver', 'enroll', '--name', 'ada'], ['New passphrase', PASSPHRASE], ['The same again', PASSPHRASE]);
  const asking = agent.ask('Bash', { command: 'rm -rf old' });
  const destructive = cardWith(page, 'rm -rf old');
  await destructive.waitFor();
  const [row] = await room.client.ask('approvals', { state: 'pending' });
  expect(await destructive.getByRole('button').allInnerTexts()).toEqual(['Reject']);
  expect(await destructive.locator('.answer-elsewhere').innerText()).toBe(
    ` This needs a proof by passphrase, which no page gives. In a terminal: countersign approve ${row!.id}`,
  );
  // Shown for a moment only, so it is checked while the command still runs.
  const [signed, words] = await Promise.all([
    atTerminal(['approve', row!.id], ['Passphrase of apk_', PASSPHRASE]),
    destructive.getByRole('status').evaluate((said: HTMLElement) => [said.innerText, said.querySelector('code')?.title]),
  ]);
  const [key] = await room.client.ask('approvers', {});
  expect([signed.code, words]).toEqual([
    0,
    [expect.stringMatching(/in a terminal, proof: passphrase, signed by ada apk_….{6}, verified$/), key!.key],
  ]);
  await asking;

  await page.getByRole('row').filter({ hasText: 'rm -rf old' }).click();
  expect(await page.getByRole('complementary').locator('.peek-approval').innerText()).toMatch(/signed by ada apk_….{6}, verified\.$/);
  await page.keyboard.press('Escape');
  expect(visitor.complaints).toEqual([]);
});

test('at both widths, by day and by night, nothing of it is wider than the window', async () => {
  await writeFile(join(room.repo.path, `${'long-name-'.repeat(20)}.md`), 'x\n');
  await room.humanTries(['reconcile']);
  await sideList('Without a receipt').waitFor();
  expect(await sideList('Without a receipt').innerText()).toContain('Only your key signs for these. In a terminal: countersign ack --all');
  await atTerminal(['pause', '--for', '30m', '--reason', 'r'.repeat(300)], ['Passphrase of apk_', PASSPHRASE]);
  await page.getByRole('alert', { name: 'The gate is paused' }).getByText('verified').waitFor();
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [400, 1280]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      for (const list of await page.locator('details:not([open]) summary').all()) await list.click();
      expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false);
    }
  }
  expect(visitor.complaints).toEqual([]);
});
