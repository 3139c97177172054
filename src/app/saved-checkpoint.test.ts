import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { loadOrCreateKeys } from '../ledger/index.ts';
import { openEmbeddedStore } from '../stores/index.ts';
import { homeOf } from '../client/node.ts';
import { CheckpointSaver, refuseRolledBack } from './saved-checkpoint.ts';
import { readSavedCheckpoint } from '../ledger/index.ts';

async function place() {
  const dir = mkdtempSync('/tmp/cs-');
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const home = homeOf(dir);
  const keeper = new CheckpointSaver(home.savedCheckpoint);
  const keys = await loadOrCreateKeys(home.keys);
  const open = () => openEmbeddedStore({ dir, keys, segmentBytes: 1500, onSynced: (head) => keeper.note(head) });
  const store = await open();
  const append = (message: string, durable = true) =>
    store.append([{ stream: 's', expected_seq: null, events: [{ type: 'defect_caught', data: { door: 'test', message } }] }], { durable });
  const refusal = () =>
    refuseRolledBack(home, keys.publicKeyPem).then(
      () => null,
      (error: { code: string; message: string }) => `${error.code}: ${error.message}`,
    );
  return { home, keeper, store, append, refusal, ledger: join(dir, 'ledger') };
}

verifies('N2', 'only what is safely on the disk is kept, and it stands where it was', async () => {
  const { home, keeper, store, append, refusal } = await place();
  await keeper.save();
  expect(await readSavedCheckpoint(home.savedCheckpoint)).toBe(null);
  await append('one');
  await append('not synced', false);
  await keeper.save();
  expect(await readSavedCheckpoint(home.savedCheckpoint)).toMatchObject({ size: 1, segment: '00000001.jsonl' });
  await append('two');
  await keeper.save();
  expect(await readSavedCheckpoint(home.savedCheckpoint)).toMatchObject(store.head());
  expect(await refusal()).toBe(null);
  for (let more = 0; more < 5; more++) await append('x'.repeat(600));
  expect(await refusal()).toBe(null);
  await keeper.save();
  expect([await readSavedCheckpoint(home.savedCheckpoint), await refusal()]).toEqual([
    expect.objectContaining({ segment: '00000004.jsonl' }),
    null,
  ]);
  await store.close();
});

verifies('N2', 'a ledger cut back behind a head, or without its last file, is told from the saved checkpoint', async () => {
  const { keeper, store, append, refusal, ledger, home } = await place();
  const file = join(ledger, '00000001.jsonl');
  await append('one');
  const early = readFileSync(file);
  await append('two');
  await store.close();
  await keeper.save();
  const whole = readFileSync(file);
  const summaryOf = (end: number) =>
    `INTEGRITY_BROKEN: The ledger was rolled back: record 2, which was safely on the disk, is not where it was (00000001.jsonl, byte ${end}).`;
  writeFileSync(file, early);
  expect(await refusal()).toBe(summaryOf(whole.length));
  rmSync(file);
  expect(await refusal()).toBe(summaryOf(whole.length));
  rmSync(home.savedCheckpoint);
  expect(await refusal()).toBe(null);
});

test('a saved checkpoint that is none tells nothing', async () => {
  const { home, refusal, store } = await place();
  onTestFinished(() => store.close());
  for (const text of ['', '{', '{"size":1,"chain":"x","segment":"../x","end":3}', '[]']) {
    writeFileSync(home.savedCheckpoint, text);
    expect([text, await readSavedCheckpoint(home.savedCheckpoint), await refusal()]).toEqual([text, null, null]);
  }
  rmSync(home.savedCheckpoint);
  mkdirSync(home.savedCheckpoint);
  expect(await refusal()).toBe(null);
});
