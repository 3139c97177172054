// Logging in. The page belongs to the holder of the cookie, so access is by a one-time link from a terminal.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ControlRoom, openControlRoom } from './control-room.ts';

let room: ControlRoom;
beforeAll(async () => {
  room = await openControlRoom();
});
afterAll(() => room.dispose());

/** The browser itself writes these into its console for every answer of 401. */
const unauthorized = 'Failed to load resource: the server responded with a status of 401 (Unauthorized)';

test('a link logs a browser in, its code leaves the address, and a reload stays logged in', async () => {
  const { page, complaints } = await room.visit();
  const link = await room.loginLink();
  await page.goto(link);
  await page.getByText('live', { exact: true }).waitFor();
  expect(page.url()).toBe(`${room.address()}/ui/`);
  expect(await page.evaluate(() => [history.length, document.cookie])).toEqual([2, '']);
  expect(JSON.stringify(await page.context().storageState())).not.toContain(link.split('=')[1]);

  await page.reload();
  await page.getByText('live', { exact: true }).waitFor();
  expect(await page.getByRole('heading', { level: 2 }).allInnerTexts()).toEqual([
    'Waiting on you',
    'Intents',
    'Sessions',
    'Grants',
    'Actions',
  ]);
  expect(complaints).toEqual([]);
});

test('a link that was used is reported in a sentence, with the command that makes a new one', async () => {
  const link = await room.loginLink();
  const first = await room.visit();
  await first.page.goto(link);
  await first.page.getByText('live', { exact: true }).waitFor();

  const { page, complaints } = await room.visit();
  await page.goto(link);
  await page.getByRole('heading', { name: 'Signed out' }).waitFor();
  expect(await page.getByRole('main').locator('p, pre').allInnerTexts()).toEqual([
    'Countersign',
    'This login link was used before or is too old.',
    'To sign in, run this in a terminal. It prints a link that works once, for a short time.',
    'countersign open',
    expect.stringContaining('only a terminal can let somebody in'),
  ]);
  expect(page.url()).toBe(`${room.address()}/ui/`);
  expect(complaints).toEqual([unauthorized, unauthorized]);
});

test('without a login nothing of the room is shown, and a link opened in the same tab opens it', async () => {
  const { page, complaints } = await room.visit();
  await page.goto(room.address());
  await page.getByRole('heading', { name: 'Signed out' }).waitFor();
  expect(await page.getByText('countersign open', { exact: true }).count()).toBe(1);
  expect(await page.getByText(room.repo.path).count()).toBe(0);

  await page.goto(await room.loginLink());
  await page.getByText('live', { exact: true }).waitFor();
  expect(page.url()).toBe(`${room.address()}/ui/`);
  expect(complaints).toEqual([unauthorized]);
});
