// On a disk that syncs at once, syncs run in this thread and not in another: the guarantees are the same.

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { checkStore, runUntilDead } from '../../../test/campaigns/kill-stores.ts';
import { loadOrCreateKeys } from '../../ledger/index.ts';
import { openEmbeddedStore } from './open-embedded-store.ts';

const MEMORY = '/dev/shm';

function folderInMemory(): string {
  const root = mkdtempSync(join(MEMORY, 'countersign-fast-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  return root;
}

test.skipIf(!existsSync(MEMORY))(
  'killed before, after and instead of a sync: nothing acknowledged is lost',
  async () => {
    for (const how of ['before', 'after', 'lost'] as const) {
      const root = folderInMemory();
      const { acknowledged, signal } = await runUntilDead(root, { call: 'fdatasync', point: 40, how });
      expect([how, signal, acknowledged.length > 0]).toEqual([how, 'SIGKILL', true]);
      expect([how, await checkStore(root, acknowledged)]).toEqual([how, { repaired: false }]);
    }
  },
  60_000,
);

test.skipIf(!existsSync(MEMORY))('one writer after another, and many at once: all are written, in the order of each', async () => {
  const root = folderInMemory();
  const heads: number[] = [];
  const store = await openEmbeddedStore({
    ...{ dir: join(root, 'data'), keys: await loadOrCreateKeys(join(root, 'keys')) },
    onSynced: ({ size }) => void heads.push(size),
  });
  const append = (stream: string, message: string) =>
    store.append([{ stream, expected_seq: null, events: [{ type: 'defect_caught', data: { door: 'test', message } }] }]);
  for (let i = 0; i < 40; i++) await append('alone', String(i));
  await Promise.all(
    Array.from({ length: 8 }, async (_, writer) => {
      for (let i = 0; i < 10; i++) await append(`writer:${writer}`, String(i));
    }),
  );
  const said = new Map<string, string[]>();
  for await (const { stream, event } of store.read())
    if (event.type === 'defect_caught') said.set(stream, [...(said.get(stream) ?? []), event.data.message]);
  await store.close();
  const upTo = (count: number) => Array.from({ length: count }, (_, i) => String(i));
  expect(said.get('alone')).toEqual(upTo(40));
  expect(Array.from({ length: 8 }, (_, writer) => said.get(`writer:${writer}`))).toEqual(Array.from({ length: 8 }, () => upTo(10)));
  // Written alone, each append has its own head, and no head is reported before it is safe.
  expect(heads.slice(0, 40)).toEqual(Array.from({ length: 40 }, (_, i) => i + 1));
  expect(heads.at(-1)).toBe(120);
});
