// Every backend of the list keeps the contract, and a daemon uses the one that is chosen.

import { mkdtempSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { MEMORY_FOLDER } from '../../test/lab/memory-folder.ts';
import { startDaemon } from '../app/daemon.ts';
import { homeOf } from '../client/node.ts';
import { loadOrCreateKeys } from '../ledger/index.ts';
import { Fault } from '../protocol/index.ts';
import { storeContract } from './contract.ts';
import { type OpenStore, STORES, storeNamed } from './stores.ts';

async function inTemporaryFolder(open: OpenStore) {
  const root = mkdtempSync(join(MEMORY_FOLDER, 'countersign-store-'));
  const options = { dir: join(root, 'data'), keys: await loadOrCreateKeys(join(root, 'keys')) };
  let store = await open(options);
  return {
    store,
    reopen: async () => {
      await store.close();
      store = await open(options);
      return store;
    },
    destroy: async () => {
      await store.close();
      rmSync(root, { recursive: true });
    },
  };
}

for (const [name, open] of Object.entries(STORES)) storeContract(`the ${name} store`, () => inTemporaryFolder(open));

test('a store is chosen by its name; an unknown name is a fault that lists the names', () => {
  const other: OpenStore = (options) => STORES.embedded(options);
  const stores = { embedded: STORES.embedded, other };
  expect([undefined, '', 'embedded', 'other'].map((name) => storeNamed(name, stores))).toEqual([
    ...[STORES.embedded, STORES.embedded, STORES.embedded, other],
  ]);
  for (const name of ['postgres', 'toString']) {
    const fix = 'Set COUNTERSIGN_STORE to embedded or other, or unset it';
    expect(() => storeNamed(name, stores)).toThrow(new Fault('BAD_REQUEST', `There is no store "${name}".`, { fix }));
  }
});

test('a daemon keeps its record in the store that it is given', async () => {
  process.env['MCP_DASHBOARD_PORT'] = '0';
  const base = await mkdtemp('/tmp/cs-');
  onTestFinished(() => rm(base, { recursive: true, force: true }));
  const appended: string[] = [];
  const other: OpenStore = async (options) => {
    const store = await STORES.embedded(options);
    store.subscribe((records) => appended.push(...records.map(({ event }) => event.type)));
    return store;
  };
  const daemon = await startDaemon(homeOf(base), (message) => console.error(message), { openStore: other });
  daemon.stop();
  await daemon.ended;
  expect(appended).toContain('daemon_started');
});
