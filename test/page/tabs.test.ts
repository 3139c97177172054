// Many tabs of one browser: one line to the daemon, and all of them live.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Agent } from './agent.ts';
import { type ControlRoom, openControlRoom, type Visitor } from './control-room.ts';

const TABS = 10;
/** Ten tabs draw themselves here. */
const PATIENCE_MS = 120_000;

let room: ControlRoom;
let agent: Agent;
let visitor: Visitor;
let tabs: Page[];
let calls = 0;
beforeAll(async () => {
  room = await openControlRoom();
  await room.human(['intent', 'tidy up', '.']);
  agent = room.agent('alpha');
  await agent.start();
  await agent.beginWork();
  visitor = await room.enter();
  tabs = [visitor.page, ...(await Promise.all(Array.from({ length: TABS - 1 }, openTab)))];
}, PATIENCE_MS);
afterAll(() => room.dispose());

async function openTab(): Promise<Page> {
  const page = await visitor.context.newPage();
  await page.goto(`${room.address()}/ui/`);
  return page;
}
const live = (page: Page) => page.getByText('live', { exact: true }).waitFor();
/** Something new happens; every one of these tabs shows it without being loaded again. */
async function allSee(pages: readonly Page[]): Promise<void> {
  const name = `seen-${++calls}.md`;
  await agent.call('Read', { file_path: `${room.repo.path}/${name}` }, async () => ({}));
  await Promise.all(pages.map((page) => page.getByRole('button', { name, exact: true }).waitFor()));
}
/** Streams that the tabs opened themselves. */
async function ownStreams(): Promise<string[]> {
  const asked = await Promise.all(
    tabs.map((page) => page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))),
  );
  return asked.flat().filter((name) => name.includes('/stream/events'));
}
/** The addresses of the browser's shared workers, as its own debugger lists them. */
async function workers(): Promise<string[]> {
  const session = await visitor.context.browser()!.newBrowserCDPSession();
  const { targetInfos } = await session.send('Target.getTargets', { filter: [{ type: 'shared_worker' }] });
  await session.detach();
  return targetInfos.map(({ url }) => new URL(url).pathname);
}

test(
  'ten tabs of one browser are all live and all answer, over one stream',
  async () => {
    await Promise.all(tabs.map(live));
    await allSee(tabs);
    // No tab has a stream of its own: the worker has the only one.
    expect(await ownStreams()).toEqual([]);
    expect(await workers()).toEqual([expect.stringMatching(/^\/ui\/assets\/stream-worker-/)]);
    // With the line open in all of them there is still room to ask.
    const answers = await Promise.all(tabs.map((page) => page.evaluate(() => fetch('/api/status').then(({ status }) => status))));
    expect(answers).toEqual(tabs.map(() => 200));
    expect(visitor.complaints).toEqual([]);
  },
  PATIENCE_MS,
);

test(
  'closing the tab that came first, and others, takes nothing from those that stay',
  async () => {
    for (const page of tabs.splice(0, 3)) await page.close();
    await allSee(tabs);
    await Promise.all(tabs.map(live));
    const late = await openTab();
    tabs.push(late);
    await live(late);
    await allSee(tabs);
  },
  PATIENCE_MS,
);

test(
  'after the daemon was killed every tab finds the next one, asks for a new login, and then shows what happened meanwhile',
  async () => {
    await room.killDaemon();
    await Promise.all(tabs.map((page) => page.getByRole('status').filter({ hasText: 'reconnecting' }).waitFor()));
    await room.startDaemon();
    const name = `seen-${++calls}.md`;
    await agent.call('Read', { file_path: `${room.repo.path}/${name}` }, async () => ({}));
    // A login is for one start: whoever took the port of a dead daemon may have collected it.
    await Promise.all(tabs.map((page) => page.getByRole('heading', { name: 'Signed out' }).waitFor()));
    await tabs[0]!.goto(await room.loginLink());
    await live(tabs[0]!);
    await Promise.all(tabs.slice(1).map((page) => page.goto(`${room.address()}/ui/`)));
    await Promise.all(tabs.map(live));
    await Promise.all(tabs.map((page) => page.getByRole('button', { name, exact: true }).waitFor()));
    await allSee(tabs);
  },
  PATIENCE_MS,
);

test(
  'a login that ends in one tab ends in all of them',
  async () => {
    await visitor.context.clearCookies();
    await room.killDaemon();
    await room.startDaemon();
    await Promise.all(tabs.map((page) => page.getByRole('heading', { name: 'Signed out' }).waitFor()));
  },
  PATIENCE_MS,
);

test(
  'without a shared worker the newest tab follows, and an older one when its human comes back',
  async () => {
    const single = await room.visit();
    await single.context.addInitScript(() => Reflect.deleteProperty(globalThis, 'SharedWorker'));
    await single.page.goto(await room.loginLink());
    await live(single.page);
    const newer = await single.context.newPage();
    await newer.goto(`${room.address()}/ui/`);
    await live(newer);
    await single.page.getByText('Newer tabs of this browser follow now.').waitFor();
    await allSee([newer]);
    await single.page.evaluate(() => dispatchEvent(new Event('focus')));
    await live(single.page);
    await newer.getByText('Newer tabs of this browser follow now.').waitFor();
    await allSee([single.page]);
  },
  PATIENCE_MS,
);
