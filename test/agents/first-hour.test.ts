// The first hour of someone who never saw it, with the real Claude Code: it works, asks, is answered in a terminal, on the page and in `watch`,
// the gate is paused, and what happened is read back.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApprovalRow, ReceiptRow } from '../../src/protocol/index.ts';
import { openBrowser } from '../lab/browser.ts';
import { eventually } from '../lab/eventually.ts';
import { makeWorld, type World } from '../lab/world.ts';
import { verifies } from '../verifies.ts';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
  expect((await world.human(['init', '--yes', '--agent', 'claude', '--intent', 'fix the login', '--paths', 'src'])).code).toBe(0);
});
afterAll(() => world.dispose());

const beginWork = { tool: 'mcp__countersign__begin_work', args: {} };
const bash = (command: string) => ({ tool: 'Bash', args: { command, description: 'tidies up' } });

describe('the first hour', () => {
  verifies('N15', 'the agent’s first edit in scope passes without a question', async () => {
    const file_path = join(world.repo.path, 'src/auth/login.ts');
    const { model } = await world.agent('return a copy', [
      beginWork,
      { tool: 'Read', args: { file_path } },
      { tool: 'Edit', args: { file_path, old_string: 'return user;', new_string: 'return { ...user };' } },
    ]);
    expect(model.toolResults().at(-1)).not.toContain('Countersign');
    expect(await world.file('src/auth/login.ts')).toContain('return { ...user };');
  });

  verifies('N21', 'what waits is answered in a terminal without an id, on the page and in watch, and the agent goes on', async () => {
    for (const folder of ['one', 'two', 'three']) {
      await mkdir(join(world.repo.path, 'src/auth', folder), { recursive: true });
      await writeFile(join(world.repo.path, 'src/auth', folder, 'file'), 'x');
    }
    const browser = await openBrowser();
    try {
      const page = await browser.newPage();
      await page.goto((await world.ask<{ link: string }>('open')).link);
      const working = world.agent('tidy up', [
        beginWork,
        bash('rm -rf src/auth/one'),
        bash('rm -rf src/auth/two'),
        bash('rm -rf src/auth/three'),
      ]);
      await eventually('a question', async () => (await world.ask<ApprovalRow[]>('approvals'))[0]);
      const status = (await world.human(['status'])).output;
      expect(status).toContain('claude-code Bash: rm -rf src/auth/one');
      const { output } = await world.human(['approve'], [{ after: 'Approve this? [y/N]', type: 'y\n' }]);
      expect(output).toMatch(/│ rm -rf src\/auth\/one\n {2}deletes:\n[^]* is approved, once, for exactly this input\./);
      const card = page.getByRole('article').filter({ hasText: 'rm -rf src/auth/two' });
      await card.getByText('deletes', { exact: true }).waitFor();
      await card.getByRole('button', { name: /countersign/i }).click();
      const { code } = await world.human(
        ['watch'],
        [
          { after: 'rm -rf src/auth/three', type: 'y', readsMs: 1_000 },
          { after: 'is approved', type: 'q' },
        ],
      );
      expect(code).toBe(0);
      expect((await working).model.toolResults().join('\n')).not.toContain('APPROVAL_REQUIRED');
    } finally {
      await browser.close();
    }
    // What was approved is no violation; that this model returns no stamps is one, and is not called a refusal.
    const states = async (state: string) => (await world.ask<unknown[]>('violations', '--status', state)).length;
    expect([await states('untracked'), await states('refused'), (await states('unstamped')) > 0]).toEqual([0, 0, true]);
  });

  test('a pause is shown everywhere, and ends', async () => {
    await world.human(['pause', '--for', '30m', '--reason', 'by hand']);
    expect((await world.human(['pause'])).output).toMatch(/^Paused since \d\d:\d\d:\d\d, until [\d: -]+: by hand\./);
    expect((await world.human(['status'])).output).toContain('PAUSED since');
    expect((await world.human(['pause', '--end'])).output).toContain('The pause has ended');
  });

  verifies('N21', 'an hour later one edit is found by its path, with its difference and its reason', async () => {
    const listed = (await world.human(['receipts', '--path', 'src/auth/login.ts', '--since', '2h'])).output;
    const [, short = ''] = /rcp_…(\w{6}) {2}● ran +claude-code +Edit +INT-001 +src\/auth\/login\.ts/.exec(listed) ?? [];
    const { output } = await world.human(['show', short]);
    expect(output).toContain('reason   INT-001  fix the login\n');
    expect(output).toMatch(/^- +return user;\n\+ +return \{ \.\.\.user \};$/m);
    const [row] = await world.ask<ReceiptRow[]>('receipts', '--path', 'src/auth/login.ts');
    expect(row).toMatchObject({ word: 'ran', timestamp: expect.stringMatching(/Z$/) });
  });
});
