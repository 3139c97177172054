// Text that an agent chose, so that it looks like something else, or does something, on the page that a human decides by.

import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Agent } from './agent.ts';
import { answer, cardWith } from './cards.ts';
import { type ControlRoom, openControlRoom, type Visitor } from './control-room.ts';

let room: ControlRoom;
let agent: Agent;
let visitor: Visitor;
let page: Page;
beforeAll(async () => {
  room = await openControlRoom();
  await room.human(['intent', `<b onclick="ran()">fix</b> \u202egol\u202c`, '.']);
  agent = room.agent('alpha');
  await agent.start();
  await agent.beginWork();
  visitor = await room.enter();
  page = visitor.page;
});
afterAll(() => room.dispose());
afterEach(async () => {
  expect(await page.locator('#room :is(img, b, i, script, iframe, style, [onclick], [onerror])').count()).toBe(0);
  expect(visitor.complaints).toEqual([]);
});

const HIDDEN = 'echo ok \u001b[2K\u001b[1A# \u202etxt.exe\u202c zero\u200bwidth no\u00a0break \u2800 \u{e0041} \r rm -rf src';
const VISIBLE =
  'echo ok ⟦U+001B⟧[2K⟦U+001B⟧[1A# ⟦U+202E⟧txt.exe⟦U+202C⟧ zero⟦U+200B⟧width no⟦U+00A0⟧break ⟦U+2800⟧ ⟦U+E0041⟧ ⟦U+000D⟧ rm -rf src';
const HTML = '<img src=x onerror="document.title=1"><script>document.title=2</script>&lt;i&gt;';

test('what hides in a command is marked in its row and, whole, in the panel', async () => {
  await agent.ask('Bash', { command: HIDDEN });
  const row = page.getByRole('row').filter({ hasText: 'echo ok' });
  await row.waitFor();
  expect(await row.getByRole('button').textContent()).toBe(VISIBLE);
  expect(await row.getByRole('button').getAttribute('title')).toBe(VISIBLE);
  await row.click();
  const panel = page.getByRole('complementary');
  expect(await panel.locator('pre').first().textContent()).toBe(VISIBLE);
  expect(await panel.locator('figcaption').first().innerText()).toContain('9 hidden characters made visible');
  await page.keyboard.press('Escape');
});

test('what hides in the input of a tool is marked on the card that asks about it', async () => {
  const asking = agent.ask('mcp__deploy__run', { text: HIDDEN, html: HTML });
  const card = page.getByRole('article').filter({ hasText: 'mcp__deploy__run' });
  await card.waitFor();
  const shown = await card.locator('pre').allTextContents();
  // As it is recorded, with its names in order. JSON has escapes of its own for control characters.
  expect(shown).toEqual([
    'mcp__deploy__run',
    JSON.stringify({ html: HTML, text: HIDDEN }, null, 2).replaceAll(/[\u00a0\u200b\u202c\u202e\u2800\u{e0041}]/gu, marked),
  ]);
  expect(await card.locator('.raw-warning').innerText()).toMatch('6 hidden characters made visible');
  await answer(card, 'Reject');
  expect((await asking).permission).toBe('deny');
});

const marked = (hidden: string) => `⟦U+${hidden.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟧`;

test('letters that run from right to left stay in the order in which they will be run', async () => {
  const command = 'rm -rf אבג/src # دهو';
  const asking = agent.ask('Bash', { command });
  const card = cardWith(page, command);
  await card.waitFor();
  const box = card.locator('pre').first();
  expect(await box.textContent()).toBe(command);
  const places = await box.evaluate((element) => {
    const text = element.firstChild!;
    return Array.from(text.textContent!, (_, at) => {
      const range = document.createRange();
      range.setStart(text, at);
      range.setEnd(text, at + 1);
      return range.getBoundingClientRect().left;
    });
  });
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  await answer(card, 'Reject');
  await asking;
});

test('a very long command is there to its last character, and the box says that it scrolls', async () => {
  const command = `rm -rf ${Array.from({ length: 300 }, (_, at) => `part-${at}${at % 3 === 0 ? ' \\\n ' : ''}`).join(' ')} ${'x'.repeat(4_000)} THE-END`;
  const asking = agent.ask('Bash', { command });
  const card = page.getByRole('article').filter({ hasText: 'THE-END' });
  await card.waitFor();
  const box = card.locator('pre').first();
  expect(await box.textContent()).toBe(command);
  await card.getByText(`scroll inside the box to read all of it`).waitFor();
  // By keyboard too: the box takes part in the tab order and has a name.
  expect(await card.getByRole('region', { name: 'command' }).getAttribute('tabindex')).toBe('0');
  await answer(card, 'Reject');
  await asking;
});

test('markup in paths, tools, intents and reasons is text', async () => {
  const path = `src/${HTML.replaceAll('/', '')}`;
  await agent.ask('Write', { file_path: join(room.repo.path, path), content: '' });
  const row = page.getByRole('row').filter({ hasText: '<img src=x' }).first();
  await row.waitFor();
  expect(await row.getByRole('button').textContent()).toBe(path);
  expect(await page.locator('.side-lead strong').first().textContent()).toBe('<b onclick="ran()">fix</b> ⟦U+202E⟧gol⟦U+202C⟧');

  const asking = agent.ask(`mcp__${HTML}`, {});
  const card = page.getByRole('article').filter({ hasText: 'mcp__<' });
  expect(await card.locator('.card-tool').textContent()).toBe(`mcp__${HTML}`);
  await card.getByRole('textbox').fill(HTML);
  await answer(card, 'Reject');
  expect((await asking).reason).toContain(HTML);
  expect(await card.getByRole('status').innerText()).toBe(`Rejected. The agent gets the reason: ${HTML}`);
  expect(await page.title()).toBe('Countersign');
});
