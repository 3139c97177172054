import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { loadOrCreateKeys, newestSavedCheckpoint } from '../ledger/index.ts';
import { openEmbeddedStore } from '../stores/index.ts';
import { homeOf } from '../client/node.ts';
import { CheckpointSaver, refuseRolledBack } from './saved-checkpoint.ts';

async function place() {
  const dir = mkdtempSync('/tmp/cs-');
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const home = homeOf(dir);
  const saver = new CheckpointSaver(home);
  const saved = async () => (await newestSavedCheckpoint([home.savedCheckpoint]))?.checkpoint ?? null;
  const keys = await loadOrCreateKeys(home.keys);
  const open = () => openEmbeddedStore({ dir, keys, segmentBytes: 1500, onSynced: (head) => saver.note(head) });
  const store = await open();
  const append = (message: string, durable = true) =>
    store.append([{ stream: 's', expected_seq: null, events: [{ type: 'defect_caught', data: { door: 'test', message } }] }], { durable });
  const refusal = () =>
    refuseRolledBack(home, keys.publicKeyPem).then(
      () => null,
      (error: { code: string; message: string }) => `${error.code}: ${error.message}`,
    );
  return { home, saver, saved, store, append, refusal, ledger: join(dir, 'ledger') };
}

verifies('N2', 'only what is safely on the disk is saved, and the ledger has it at that position', async () => {
  const { saver, saved, store, append, refusal } = await place();
  await saver.save();
  expect(await saved()).toBe(null);
  await append('one');
  await append('not synced', false);
  await saver.save();
  expect(await saved()).toMatchObject({ size: 1, segment: '00000001.jsonl' });
  await append('two');
  await saver.save();
  expect(await saved()).toMatchObject(store.head());
  expect(await refusal()).toBe(null);
  for (let more = 0; more < 5; more++) await append('x'.repeat(600));
  expect(await refusal()).toBe(null);
  await saver.save();
  expect([await saved(), await refusal()]).toEqual([expect.objectContaining({ segment: '00000004.jsonl' }), null]);
  await store.close();
});

verifies('N2', 'a ledger cut back behind a head, or without its last file, is detected by the saved checkpoint', async () => {
  const { saver, store, append, refusal, ledger, home } = await place();
  const file = join(ledger, '00000001.jsonl');
  await append('one');
  const early = readFileSync(file);
  await append('two');
  await store.close();
  await saver.save();
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

test('a file that is not a checkpoint proves nothing', async () => {
  const { home, saved, refusal, store } = await place();
  onTestFinished(() => store.close());
  for (const text of ['', '{', '{"size":1,"chain":"x","segment":"../x","end":3}', '[]']) {
    writeFileSync(home.savedCheckpoint, text);
    expect([text, await saved(), await refusal()]).toEqual([text, null, null]);
  }
  rmSync(home.savedCheckpoint);
  mkdirSync(home.savedCheckpoint);
  expect(await refusal()).toBe(null);
});

verifies('N2', 'a checkpoint under its old name is read, and replaced at the next save; the one over more records counts', async () => {
  const { home, saver, saved, store, append, refusal, ledger } = await place();
  const file = join(ledger, '00000001.jsonl');
  await append('one');
  const early = readFileSync(file);
  await saver.save();
  const first = readFileSync(home.savedCheckpoint);
  await append('two');
  await saver.save();
  // As an older version left it.
  renameSync(home.savedCheckpoint, home.oldSavedCheckpoint);
  const whole = readFileSync(file);
  writeFileSync(file, early);
  const rolledBack = expect.stringContaining('record 2, which was safely on the disk') as string;
  expect(await refusal()).toEqual(rolledBack);
  // The older version ran again after this one had written.
  writeFileSync(home.savedCheckpoint, first);
  expect(await refusal()).toEqual(rolledBack);
  writeFileSync(file, whole);
  expect(await refusal()).toBe(null);
  await store.close();
  const next = new CheckpointSaver(home);
  next.note(JSON.parse(readFileSync(home.oldSavedCheckpoint, 'utf8')) as Parameters<typeof next.note>[0]);
  await next.save();
  expect([(await saved())?.size, existsSync(home.oldSavedCheckpoint)]).toEqual([2, false]);
});
