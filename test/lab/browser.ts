// A real Chromium without a network. $COUNTERSIGN_CHROMIUM names the executable, because playwright-core brings none.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';

// Without --no-sandbox it does not start as root; the others keep it from looking for hosts that an offline machine cannot reach.
const offlineFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The caller closes it. Every launch has a user data directory and a home of its own, removed on close. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = process.env['COUNTERSIGN_CHROMIUM'];
  if (executablePath === undefined || executablePath === '') {
    throw new Error('set COUNTERSIGN_CHROMIUM to the path of a Chromium executable');
  }
  const home = mkdtempSync(join(tmpdir(), 'countersign-browser-'));
  const removeHome = (): void => rmSync(home, { recursive: true, force: true });
  try {
    const env = { PATH: process.env['PATH'], TMPDIR: process.env['TMPDIR'], HOME: home };
    const browser = await chromium.launch({ executablePath, headless: true, args: offlineFlags, env });
    browser.once('disconnected', removeHome);
    return browser;
  } catch (fault) {
    removeHome();
    throw fault;
  }
}
