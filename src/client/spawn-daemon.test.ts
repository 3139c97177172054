import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadOrCreateKeys } from '../ledger/index.ts';
import { openEmbeddedStore } from '../stores/index.ts';
import { PROGRAM } from '../install/wiring/program-paths.ts';
import { homeOf } from './home.ts';
import { ensureDaemon } from './spawn-daemon.ts';

test('whoever needs a daemon while another one is starting waits, is shown progress, and is not asked to stop it', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'countersign-spawn-'));
  const home = homeOf(dir);
  const reading = await openEmbeddedStore({ dir, keys: await loadOrCreateKeys(home.keys) });
  onTestFinished(async () => {
    await reading.close();
    rmSync(dir, { recursive: true, force: true });
  });
  const words: string[] = [];
  const wait = { withinMs: 3500, say: (text: string) => words.push(text) };
  await expect(ensureDaemon({ isAlive: async () => false }, home, PROGRAM, wait)).rejects.toMatchObject({
    code: 'DAEMON_UNAVAILABLE',
    message: expect.stringMatching(/^The daemon is still starting after \d+ s\.$/),
    fix: `Try again in a moment: a busy machine or a large record makes it slow. Its output is in ${home.log}`,
  });
  expect(words).toEqual([expect.stringMatching(/^Waiting for the daemon to start \(\d+ s\) …$/)]);
});
