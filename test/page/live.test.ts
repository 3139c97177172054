// The page while agents work and while the daemon dies: what it shows is what was recorded, without a reload.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Receipt } from '../../src/protocol/index.ts';
import { verifies } from '../verifies.ts';
import type { Agent } from './agent.ts';
import { type ControlRoom, openControlRoom, type Visitor } from './control-room.ts';

let room: ControlRoom;
let agent: Agent;
let visitor: Visitor;
let page: Page;
beforeAll(async () => {
  room = await openControlRoom();
  visitor = await room.enter({ viewport: { width: 1440, height: 900 } });
  page = visitor.page;
  await page.evaluate(() => Object.assign(window, { neverReloaded: true }));
});
afterAll(async () => {
  expect(await page.evaluate(() => 'neverReloaded' in window)).toBe(true);
  await room.dispose();
});

const inRepo = (path: string) => join(room.repo.path, path);
const rowOf = (subject: string): Locator => page.getByRole('row').filter({ has: page.getByRole('button', { name: subject, exact: true }) });
const aTime = expect.stringMatching(/^\d\d:\d\d:\d\d$/) as string;

test('an empty room says how to begin', async () => {
  expect(await page.locator('.actions pre, .side pre').allInnerTexts()).toEqual([
    'countersign intent "fix login" src/auth',
    'countersign init',
    'countersign intent "fix login" src/auth',
  ]);
});

test('intents, sessions and actions appear by themselves', async () => {
  expect((await room.human(['intent', 'fix login', 'src/auth'])).code).toBe(0);
  await page.getByText('fix login', { exact: true }).waitFor();

  agent = room.agent('alpha');
  await agent.start();
  await agent.beginWork();
  const file_path = inRepo('src/auth/session.ts');
  const content = 'export const sessions = new Map();\n';
  await agent.call('Write', { file_path, content }, () => writeFile(file_path, content).then(() => ({ filePath: file_path })));

  await rowOf('src/auth/session.ts').getByText('ran', { exact: true }).waitFor();
  expect(await rowOf('src/auth/session.ts').getByRole('cell').allInnerTexts()).toEqual([
    'ran',
    aTime,
    'claude-code',
    'Write',
    'src/auth/session.ts',
    '',
    'INT-001',
    expect.stringMatching(/^rcp_….{6}$/),
  ]);
  expect(await page.locator('.side-list').nth(1).getByRole('listitem').count()).toBe(1);
  expect(visitor.complaints).toEqual([]);
});

test('a refused row says by which rule and why', async () => {
  await agent.ask('Write', { file_path: inRepo('src/payments/index.ts'), content: '' });
  const row = rowOf('src/payments/index.ts');
  await row.waitFor();
  expect(await row.getByRole('cell').allInnerTexts()).toEqual([
    'refused',
    aTime,
    'claude-code',
    'Write',
    'src/payments/index.ts',
    'SCOPE_VIOLATION Scope Violation: INT-001 is not authorized to edit src/payments/index.ts',
    'INT-001',
    '',
  ]);
  expect(await row.locator('.shape-square').count()).toBe(1);
  expect(visitor.complaints).toEqual([]);
});

verifies('C18', 'a row opens to the receipt of what it did, by keyboard too', async () => {
  const [receipt] = (await room.ask<Receipt[]>('receipts')).filter(({ tool_id }) => tool_id === 'write_file');
  await page.getByRole('button', { name: 'src/payments/index.ts' }).focus();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  const panel = page.getByRole('complementary');
  const shown = panel.getByRole('region', { name: 'Receipt' });
  await shown.waitFor();
  const facts = (await panel.locator('dd').allInnerTexts()).map((text) => text.trim());
  expect(facts).toEqual(expect.arrayContaining(['ran', receipt!.receipt_id, receipt!.action_id, 'INT-001 fix login', receipt!.revision]));
  const [file] = receipt!.file_refs;
  expect(await shown.locator('.files li').innerText()).toBe(
    `src/auth/session.ts\ncreated, line 1\nnothing → ${file!.after_sha256!.slice(0, 8)}…`,
  );
  expect(await shown.locator('.files code[title]').getAttribute('title')).toBe(file!.after_sha256);
  await shown.getByText('+export const sessions').waitFor();
  expect(await shown.locator('pre').allTextContents()).toEqual([
    '--- /dev/null\n+++ src/auth/session.ts\n@@ -0,0 +1 @@\n+export const sessions = new Map();',
    inRepo('src/auth/session.ts'),
    'export const sessions = new Map();\n',
    JSON.stringify({ filePath: inRepo('src/auth/session.ts') }),
  ]);

  await page.keyboard.press('k');
  await panel.getByText('It did not run, so there is no receipt.').waitFor();
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('src/payments/index.ts');
  expect(visitor.complaints).toEqual([]);
});

test('a killed daemon is reported in words; the next one is found by itself and asks for a new login; what ended unseen is unknown', async () => {
  expect((await agent.ask('Write', { file_path: inRepo('src/auth/lost.ts'), content: '' })).permission).toBe(null);
  await rowOf('src/auth/lost.ts').getByText('allowed').waitFor();
  await room.killDaemon();

  await page.getByRole('status').filter({ hasText: 'reconnecting' }).waitFor();
  expect(await page.getByRole('alert').innerText()).toMatch(
    /^Reconnecting\. What you see may be old, so nothing can be answered until the line is back\./,
  );
  expect(await rowOf('src/auth/session.ts').count()).toBe(1);

  await room.startDaemon();
  await page.getByRole('heading', { name: 'Signed out' }).waitFor();
  await page.goto(await room.loginLink());
  await page.getByText('live', { exact: true }).waitFor();
  const row = rowOf('src/auth/lost.ts');
  await row.getByText('unknown', { exact: true }).waitFor();
  expect(await row.getByRole('cell').allInnerTexts()).toEqual([
    'unknown',
    aTime,
    'claude-code',
    'Write',
    'src/auth/lost.ts',
    'UNKNOWN the daemon ended before it saw the outcome',
    'INT-001',
    '',
  ]);
  expect(await row.locator('.shape-dotted').count()).toBe(1);
  expect(await page.getByRole('alert').count()).toBe(0);

  // The new daemon's events arrive on the line that found it.
  await agent.call('Read', { file_path: inRepo('README.md') }, async () => ({}));
  await rowOf('README.md').waitFor();
  const expected = /^Failed to load resource: (net::ERR_(CONNECTION_|INCOMPLETE_)|.* 401 )/;
  expect(visitor.complaints.filter((text) => !expected.test(text))).toEqual([]);
});
