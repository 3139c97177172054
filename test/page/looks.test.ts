// The page on a phone and on a desktop, in light and dark mode, and with a screen reader.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ControlRoom, openControlRoom, type Visitor } from './control-room.ts';

const LONG = 'a-very-long-name-without-a-space-'.repeat(8);

let room: ControlRoom;
let visitor: Visitor;
let page: Page;
const asked: Promise<unknown>[] = [];
beforeAll(async () => {
  room = await openControlRoom();
  expect((await room.human(['intent', `fix login ${LONG.slice(0, 150)}`, 'src/auth'])).code).toBe(0);
  const [agent, other] = [room.agent('alpha'), room.agent('beta')];
  await agent.start();
  await agent.beginWork();
  for (const name of ['session.ts', `${LONG.slice(0, 200)}.ts`]) {
    const file_path = join(room.repo.path, 'src/auth', name);
    await agent.call('Write', { file_path, content: LONG }, () => writeFile(file_path, LONG).then(() => ({ filePath: file_path })));
  }
  await agent.ask('Write', { file_path: join(room.repo.path, 'src/payments/index.ts'), content: '' });
  await other.ask('Edit', { file_path: join(room.repo.path, 'src/auth/login.ts'), old_string: 'null', new_string: 'none' });
  visitor = await room.enter();
  page = visitor.page;
  asked.push(agent.ask('Bash', { command: `rm -rf src/auth/${LONG}` }));
  await page.getByRole('article').first().waitFor();
  await other.beginWork();
  asked.push(other.ask(`mcp__${LONG}`, { path: LONG, list: [LONG] }));
  await page.getByRole('article').nth(1).waitFor();
});
afterAll(async () => {
  await room.dispose();
  await Promise.all(asked);
});

describe.each(['light', 'dark'] as const)('in a %s room', (colorScheme) => {
  test.each([390, 1440])('at %i pixels nothing is wider than the window, with cards, lists and the panel', async (width) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    const folded = page.locator('details:not([open]) > summary');
    while ((await folded.count()) > 0) await folded.first().click();
    expect(await tooWide()).toEqual([]);
    await page.getByRole('row').filter({ hasText: 'session.ts' }).click();
    await page.getByRole('region', { name: 'Receipt' }).waitFor();
    expect(await tooWide()).toEqual([]);
    await page.keyboard.press('Escape');

    const texts = page.locator('.line-verdict, .line-time, .line-agent, .line-tool');
    expect(await texts.evaluateAll(overlaps)).toEqual([]);
    expect(visitor.complaints).toEqual([]);
  });
});

/** The window itself, and whatever overflows it. */
const tooWide = () =>
  page.evaluate(() => [
    ...(document.documentElement.scrollWidth > innerWidth ? ['the window scrolls sideways'] : []),
    ...[...document.querySelectorAll('#room *:not(svg *)')]
      .filter((element) => element.getBoundingClientRect().right > innerWidth + 1 && element.closest('.unseen, td, thead') === null)
      .map((element) => element.outerHTML.slice(0, 80)),
  ]);

/** Cells of one row that overlap. */
function overlaps(cells: Element[]): string[] {
  const boxes = cells.map((cell) => ({ row: cell.parentElement, box: cell.getBoundingClientRect(), text: cell.textContent }));
  return boxes.flatMap((a, at) =>
    boxes
      .slice(at + 1)
      .filter(
        (b) =>
          a.row === b.row &&
          a.box.left < b.box.right - 1 &&
          b.box.left < a.box.right - 1 &&
          a.box.top < b.box.bottom - 1 &&
          b.box.top < a.box.bottom - 1,
      )
      .map((b) => `${a.text} lies on ${b.text}`),
  );
}

describe('for those who do not see it', () => {
  test('everything that can be used has a name', async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('row').filter({ hasText: 'session.ts' }).click();
    await page.getByRole('region', { name: 'Receipt' }).waitFor();
    const session = await visitor.context.newCDPSession(page);
    const { nodes } = await session.send('Accessibility.getFullAXTree');
    const usable = nodes.filter(
      ({ ignored, role }) =>
        !ignored &&
        ['button', 'link', 'textbox', 'combobox', 'region', 'article', 'table', 'DisclosureTriangle'].includes(String(role?.value)),
    );
    expect(usable.length).toBeGreaterThan(15);
    expect(usable.filter(({ name }) => String(name?.value ?? '').trim() === '')).toEqual([]);
    await page.keyboard.press('Escape');
  });

  test('every stop of the Tab key shows where it is', async () => {
    const stops: string[] = [];
    const dark: string[] = [];
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    for (let tabs = 0; tabs < 40; tabs++) {
      await page.keyboard.press('Tab');
      const stop = await page.evaluate(() => {
        const element = document.activeElement!;
        if (element === document.body) return null;
        const ring = [element, element.closest('tr')].some(
          (shown) =>
            shown !== null && parseFloat(getComputedStyle(shown).outlineWidth) > 0 && getComputedStyle(shown).outlineStyle !== 'none',
        );
        return { ring, name: element.getAttribute('placeholder') ?? element.textContent.slice(0, 20) };
      });
      if (stop === null) break;
      stops.push(stop.name);
      if (!stop.ring) dark.push(stop.name);
    }
    expect(dark).toEqual([]);
    expect(stops.slice(0, 7)).toEqual([
      '2 waiting',
      'Countersign',
      'Reason, optional',
      'Reject',
      'Countersign',
      'Reason, optional',
      'Reject',
    ]);
  });

  test.each([390, 1440])('at %i pixels the record is a table with headers, one for each cell', async (width) => {
    await page.setViewportSize({ width, height: 900 });
    const table = page.getByRole('table', { name: 'Actions' });
    const headers = await table.getByRole('columnheader').count();
    expect(await table.locator('th').allTextContents()).toEqual([
      'Verdict',
      'Time',
      'Agent',
      'Tool',
      'Subject',
      'Why',
      'Intent',
      'Receipt',
    ]);
    expect(await table.getByRole('row').count()).toBeGreaterThan(5);
    // A column that has no room is gone with its header.
    if (width === 1440) {
      expect(headers).toBe(8);
      expect(await table.getByRole('row').nth(1).getByRole('cell').count()).toBe(8);
    }
  });

  test('a new question is announced, politely and in words', async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    const third = room.agent('gamma');
    await third.beginWork();
    asked.push(third.ask('Bash', { command: 'rm -rf src/auth/build' }));
    await page.getByRole('article').nth(2).waitFor();
    const live = page.locator('#waiting > [aria-live=polite]');
    expect(await live.getAttribute('role')).toBe('status');
    expect(await live.textContent()).toBe(
      'claude-code waits on you: Bash. This waits for a human (deletes): rm with this option deletes whole folders and cannot be undone.',
    );
    expect(await page.getByRole('link', { name: '3 waiting' }).getAttribute('href')).toBe('#waiting');
  });
});
