import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadOrCreateKeys } from '../ledger/index.ts';
import { openEmbeddedStore } from '../stores/index.ts';
import { PROGRAM } from '../install/wiring/program-paths.ts';
import { homeOf } from './home.ts';
import { ensureDaemon } from './spawn-daemon.ts';

test('whoever needs a daemon while another one still reads the record hears that it is starting, and not to stop it', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'countersign-spawn-'));
  const home = homeOf(dir);
  const reading = await openEmbeddedStore({ dir, keys: await loadOrCreateKeys(home.keys) });
  onTestFinished(async () => {
    await reading.close();
    rmSync(dir, { recursive: true, force: true });
  });
  await expect(ensureDaemon({ isAlive: async () => false }, home, PROGRAM, 3000)).rejects.toMatchObject({
    code: 'DAEMON_UNAVAILABLE',
    message: 'The daemon is still starting: it reads the whole record.',
    fix: `Try again in a moment; its output is in ${home.log}`,
  });
});
