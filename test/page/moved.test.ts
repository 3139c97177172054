// A tab that stays open while the daemon moves: another program has its port, so the next daemon has another one. The tab cannot know
// where that is; it says what happened and which command shows the way.

import { createServer, type Server } from 'node:http';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type ControlRoom, eventually, openControlRoom } from './control-room.ts';

let room: ControlRoom;
let page: Page;
let stranger: Server | null = null;
/** What the tab asked of the other program. */
let asked = 0;
beforeAll(async () => {
  room = await openControlRoom();
  ({ page } = await room.enter());
});
afterEach(async () => {
  stranger?.closeAllConnections();
  await new Promise<void>((resolve) => (stranger === null ? resolve() : stranger.close(() => resolve())));
  stranger = null;
});
afterAll(() => room.dispose());

/** Another program, which has a page for every address. */
async function takePort(port: number, status: number, type: string, body: string): Promise<void> {
  asked = 0;
  const server = createServer((_request, response) => {
    asked++;
    response.writeHead(status, { 'content-type': type }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  stranger = server;
}

test.each([
  ['no such page', 404, 'text/html', '<h1>Not found</h1>'],
  ['a page of its own', 200, 'text/html', '<h1>Welcome</h1>'],
  ['JSON of its own', 200, 'application/json', '{"hello":"world"}'],
  ['a login of its own', 401, 'application/json', '{"error":"who are you?"}'],
])(
  'the port answers with %s: the tab says that the daemon may be elsewhere, and the next link leads there',
  async (_, status, type, body) => {
    const before = new URL(room.address()).port;
    await room.killDaemon();
    await takePort(Number(before), status, type, body);
    await room.moveDaemon();
    expect(new URL(room.address()).port).not.toBe(before);

    await eventually('the tab asks the other program twice', async () => asked > 1);
    const notice = page.getByRole('alert').filter({ hasText: 'has another address: countersign open' });
    await notice.waitFor();
    expect(await page.getByText('live', { exact: true }).count()).toBe(0);
    expect(await page.getByText('Signed out').count()).toBe(0);

    await page.goto(await room.loginLink());
    await page.getByText('live', { exact: true }).waitFor();
    expect(new URL(page.url()).port).toBe(new URL(room.address()).port);
  },
);
