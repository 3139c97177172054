// What the page's tests share: an installation whose daemon can be killed and comes back at the same address, agents that
// speak through the real hook client and MCP pipe, and browsers that write down every complaint.

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { openBrowser } from '../lab/browser.ts';
import { CLI, hasEnded, type Installation, makeInstallation } from '../lab/installation.ts';
import { type Agent, makeAgent } from './agent.ts';

/** A browser of its own: no cookie is shared with another. */
export interface Visitor {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What the browser's console complained about, uncaught errors, and violations of the page's policy, in every tab. */
  readonly complaints: readonly string[];
}

export interface ControlRoom extends Installation {
  readonly address: () => string;
  /** Kills the daemon without a warning, as a crash would. */
  readonly killDaemon: () => Promise<void>;
  /** The next daemon, at the same address. `cli`: of another product than the clone's. */
  readonly startDaemon: (cli?: string) => Promise<void>;
  /** The next daemon, at an address of its own: another program has the old one. */
  readonly moveDaemon: () => Promise<void>;
  readonly configure: (settings: object) => Promise<void>;
  readonly agent: (name: string) => Agent;
  /** By a link that a human asked for in a terminal. */
  readonly loginLink: () => Promise<string>;
  readonly visit: (options?: BrowserContextOptions) => Promise<Visitor>;
  /** The same, logged in and live. */
  readonly enter: (options?: BrowserContextOptions) => Promise<Visitor>;
}

export async function openControlRoom(): Promise<ControlRoom> {
  const installation = await makeInstallation();
  const { home, repo, env, client } = installation;
  let daemon: ChildProcess | null = null;
  let port = 0;
  let browser: Browser | null = null;

  const killDaemon: ControlRoom['killDaemon'] = async () => {
    // Whichever process started it: an agent's hook does when none runs.
    const pid = await installation.daemonPid().catch(() => daemon?.pid);
    if (pid === undefined) return;
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
    await hasEnded(pid);
    daemon = null;
  };
  const startDaemon: ControlRoom['startDaemon'] = async (cli = CLI) => {
    daemon = spawn(cli, ['daemon', '--home', home], {
      cwd: repo.path,
      env: { PATH: process.env['PATH'], ...env, MCP_DASHBOARD_PORT: String(port) },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    await eventually('the daemon answers', () => client.isAlive());
    // Its socket answers a moment before the port is in the hook file.
    await eventually('the daemon tells its port', async () => {
      port = Number((await readFile(join(home, 'run/hook'), 'utf8').catch(() => '')).split(' ')[0]);
      return port > 0;
    });
  };
  const moveDaemon: ControlRoom['moveDaemon'] = async () => {
    port = 0;
    await startDaemon();
  };
  const configure: ControlRoom['configure'] = async (settings) => {
    const file = join(repo.path, '.ai/config/env.local.json');
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, JSON.stringify(settings));
  };
  const loginLink: ControlRoom['loginLink'] = async () => (await installation.ask<{ link: string }>('open')).link;
  const visit: ControlRoom['visit'] = async (options) => {
    browser ??= await openBrowser();
    const context = await browser.newContext(options);
    const complaints: string[] = [];
    context.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
    });
    context.on('weberror', (error) => complaints.push(String(error.error())));
    await context.exposeFunction('reportViolation', (text: string) => complaints.push(text));
    await context.addInitScript(() =>
      document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
        const { reportViolation } = window as unknown as { reportViolation: (text: string) => void };
        reportViolation(`policy ${violatedDirective} blocked ${blockedURI}`);
      }),
    );
    return { page: await context.newPage(), context, complaints };
  };

  await configure({ mode: { minimum: 'GUARDED' } });
  await startDaemon();
  return {
    ...installation,
    address: () => `http://127.0.0.1:${port}`,
    killDaemon,
    startDaemon,
    moveDaemon,
    configure,
    agent: (name) => makeAgent({ name, home, root: repo.path, env: { ...env, MCP_DASHBOARD_PORT: String(port) } }),
    loginLink,
    visit,
    enter: async (options) => {
      const visitor = await visit(options);
      await visitor.page.goto(await loginLink());
      await visitor.page.getByText('live', { exact: true }).waitFor();
      return visitor;
    },
    dispose: async () => {
      await browser?.close();
      await killDaemon();
      await installation.dispose();
    },
  };
}

/** For changes without an event. */
export async function eventually(what: string, look: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    if (await look()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`never happened: ${what}`);
}
