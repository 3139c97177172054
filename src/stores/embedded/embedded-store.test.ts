import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { verifies } from '../../../test/verifies.ts';
import { loadOrCreateKeys, sha256Hex, verifyLedger } from '../../ledger/index.ts';
import type { LedgerKeys } from '../../ledger/index.ts';
import { Fault } from '../../protocol/index.ts';
import type { Event } from '../../protocol/index.ts';
import { storeContract } from '../contract.ts';
import type { EventStore } from '../event-store.ts';
import { openEmbeddedStore } from './open-embedded-store.ts';
import type { EmbeddedStoreOptions } from './open-embedded-store.ts';

async function inTemporaryFolder(options: Partial<EmbeddedStoreOptions> = {}) {
  const root = mkdtempSync(join(tmpdir(), 'countersign-store-'));
  const keys: LedgerKeys = await loadOrCreateKeys(join(root, 'keys'));
  const dir = join(root, 'data');
  let store = await openEmbeddedStore({ dir, keys, ...options });
  return {
    dir,
    keys,
    store,
    segment: (number: number) => join(dir, 'ledger', `0000000${number}.jsonl`),
    close: () => store.close(),
    reopen: async (): Promise<EventStore> => {
      await store.close();
      store = await openEmbeddedStore({ dir, keys, ...options });
      return store;
    },
    destroy: async () => {
      await store.close();
      rmSync(root, { recursive: true });
    },
  };
}

async function forThisTest(options: Partial<EmbeddedStoreOptions> = {}) {
  const it = await inTemporaryFolder(options);
  onTestFinished(() => it.destroy());
  return it;
}

const said = (message: string): Event => ({ type: 'defect_caught', data: { door: 'test', message } });

async function say(store: EventStore, ...messages: readonly string[]): Promise<void> {
  for (const message of messages) await store.append([{ stream: 'talk', expected_seq: null, events: [said(message)] }]);
}

async function heard(store: EventStore): Promise<readonly string[]> {
  const messages: string[] = [];
  for await (const { event } of store.read()) messages.push(event.type === 'defect_caught' ? event.data.message : event.type);
  return messages;
}

async function faultOf(promise: Promise<unknown>): Promise<Fault> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Fault)) throw new Error('There was no fault.', { cause: error });
  return error;
}

// On the disk, where syncs take time and writers meet in batches.
storeContract('the embedded store in many small segments', () => inTemporaryFolder({ segmentBytes: 2000 }), 70);

test('a second writer is refused, and may come once the first has left', async () => {
  const { dir, keys, store, close } = await forThisTest();
  const fault = await faultOf(openEmbeddedStore({ dir, keys }));
  expect([fault.code, fault.fix]).toEqual(['CONFLICT', 'Use the daemon that is running, or stop it first.']);
  await say(store, 'still mine');
  await close();
  const next = await openEmbeddedStore({ dir, keys });
  expect(await heard(next)).toEqual(['still mine']);
  await next.close();
});

test('files are for their owner only, and the public key lies beside the segments', async () => {
  const { dir, keys, store, segment } = await forThisTest();
  await say(store, 'one');
  expect([statSync(join(dir, 'ledger')).mode & 0o777, statSync(segment(1)).mode & 0o777]).toEqual([0o700, 0o600]);
  expect(readFileSync(join(dir, 'ledger', 'public.pem'), 'utf8')).toBe(keys.publicKeyPem);
});

verifies('N2', 'a ledger over several segments verifies with nothing but its folder', async () => {
  const { dir, store, segment } = await forThisTest({ segmentBytes: 1500 });
  await say(store, ...Array.from({ length: 12 }, (_, i) => `message ${i}`));
  const ledger = join(dir, 'ledger');
  const report = await verifyLedger({
    dir: ledger,
    publicKeyPem: readFileSync(join(ledger, 'public.pem'), 'utf8'),
    savedCheckpoint: store.head(),
  });
  expect(report).toEqual({
    ok: true,
    size: 12,
    heads: 12,
    chain: store.head().chain,
    torn_tail_bytes: 0,
    hmac: 'not checked',
    problem: null,
  });
  expect(statSync(segment(4)).size).toBeGreaterThan(0);
});

test('a torn tail is cut off whole and the repair is recorded', async () => {
  const { dir, keys, store, segment, reopen } = await forThisTest();
  await say(store, 'one', 'two');
  const whole = readFileSync(segment(1));
  await say(store, 'three');
  await store.close();
  const cut = statSync(segment(1)).size - 40;
  truncateSync(segment(1), cut);
  const torn = readFileSync(segment(1)).subarray(whole.length);
  const again = await reopen();
  expect(await heard(again)).toEqual(['one', 'two', 'ledger_repaired']);
  const [repair] = await again.find({ types: ['ledger_repaired'], limit: 1 });
  expect(repair?.event).toEqual({
    type: 'ledger_repaired',
    data: { segment: '00000001.jsonl', dropped_bytes: torn.length, dropped_sha256: sha256Hex(torn) },
  });
  expect([repair?.stream, (await again.positions(['talk'])).get('talk')]).toEqual(['daemon', 2]);
  expect((await verifyLedger({ dir: join(dir, 'ledger'), publicKeyPem: keys.publicKeyPem })).ok).toBe(true);
});

test('a chain that does not verify is not written onto', async () => {
  const { dir, keys, store, segment, close } = await forThisTest();
  await say(store, 'one', 'two', 'three');
  await close();
  const bytes = readFileSync(segment(1));
  bytes[bytes.indexOf('two')] = 'T'.charCodeAt(0);
  writeFileSync(segment(1), bytes);
  const fault = await faultOf(openEmbeddedStore({ dir, keys }));
  expect([fault.code, fault.message.includes('00000001.jsonl, line 3 (edited)')]).toEqual(['INTEGRITY_BROKEN', true]);
  expect(readFileSync(segment(1))).toEqual(bytes);
});

for (const where of ['in the index', 'without an index'] as const) {
  test(`what was changed under an open store answers no question, found ${where}, and nothing is written any more`, async () => {
    const { dir, store, segment, close, reopen } = await forThisTest();
    await say(store, 'one', 'two', 'three');
    await close();
    if (where === 'without an index') {
      rmSync(join(dir, 'index.sqlite'));
      mkdirSync(join(dir, 'index.sqlite'));
    }
    const again = await reopen();
    const bytes = readFileSync(segment(1));
    bytes[bytes.indexOf('two')] = 'T'.charCodeAt(0);
    writeFileSync(segment(1), bytes);
    const fault = await faultOf(again.find({ limit: 2 }));
    expect([fault.code, fault.message]).toEqual([
      'INTEGRITY_BROKEN',
      'Record 2 was changed after it was written: its signature does not fit.',
    ]);
    expect([again.writable(), (await faultOf(say(again, 'four'))).code]).toEqual([false, 'AUDIT_UNAVAILABLE']);
  });
}

test('a line that is no longer one, or another record, under an open store is not read over', async () => {
  const { store, segment } = await forThisTest();
  await say(store, 'one', 'two', 'three');
  const bytes = readFileSync(segment(1));
  const changed = (text: string, by: string): Buffer => Buffer.from(bytes.toString('latin1').replace(text, by), 'latin1');
  const second = bytes.toString('latin1').split('\n')[2] as string;
  for (const wrong of [
    changed('"seq":2,', '"seq":9,'),
    changed(second, `${second.slice(0, 34)}h${second.slice(35)}`),
    changed('two', 't\0o'),
  ]) {
    writeFileSync(segment(1), wrong);
    const read: string[] = [];
    const fault = await faultOf(
      (async () => {
        for await (const { event } of store.read()) read.push(event.type);
      })(),
    );
    expect([fault.code, fault.message, read.length]).toEqual([
      'INTEGRITY_BROKEN',
      'Record 2 was changed after it was written: another line is there.',
      1,
    ]);
  }
});

test('another signing key does not take the ledger over', async () => {
  const { dir, store, close } = await forThisTest();
  await say(store, 'one');
  await close();
  const other = await loadOrCreateKeys(join(dir, 'other-keys'));
  expect((await faultOf(openEmbeddedStore({ dir, keys: other }))).code).toBe('INTEGRITY_BROKEN');
});

test('an index that is gone, damaged, behind, ahead or of another ledger is rebuilt', async () => {
  const { dir, store, reopen, close, keys } = await forThisTest();
  const index = join(dir, 'index.sqlite');
  await say(store, 'one', 'two');
  await close();
  const early = readFileSync(index);
  const asked = async (opened: EventStore) => (await opened.find({ stream: 'talk', limit: 2 })).map(({ seq }) => seq);

  rmSync(index);
  expect(await asked(await reopen())).toEqual([2, 1]);
  await close();

  writeFileSync(index, 'this is no database, and longer than a header would be '.repeat(40));
  let again = await reopen();
  expect(await asked(again)).toEqual([2, 1]);
  await say(again, 'three');
  await close();

  writeFileSync(index, readFileSync(index).fill(0xff, 4096));
  expect(await asked(await reopen())).toEqual([3, 2]);
  await close();

  writeFileSync(index, early);
  again = await reopen();
  expect(await asked(again)).toEqual([3, 2]);
  await close();

  const elsewhere = join(dir, 'elsewhere');
  const other = await openEmbeddedStore({ dir: elsewhere, keys });
  await say(other, 'a', 'b', 'c', 'd', 'e');
  await other.close();
  writeFileSync(index, readFileSync(join(elsewhere, 'index.sqlite')));
  again = await reopen();
  expect(await asked(again)).toEqual([3, 2]);
  await close();

  const database = new DatabaseSync(index);
  database.exec('UPDATE records SET offset = offset + 7');
  database.close();
  again = await reopen();
  expect(await asked(again)).toEqual([3, 2]);
});

test('a subscriber that throws fails neither the append nor the other subscribers', async () => {
  const defects: unknown[] = [];
  const { store } = await forThisTest({ onDefect: (error) => defects.push(error) });
  const defect = new Error('bad projection');
  const others: number[] = [];
  store.subscribe(() => {
    throw defect;
  });
  store.subscribe((records) => others.push(records.length));
  await say(store, 'one');
  expect([defects, others, await heard(store)]).toEqual([[defect], [1], ['one']]);
});

test('a blob that was changed is not given out', async () => {
  const { dir, store } = await forThisTest();
  const sha256 = await store.putBlob(Buffer.from('content'));
  const path = join(dir, 'blobs', sha256.slice(0, 2), sha256);
  chmodSync(path, 0o600);
  writeFileSync(path, 'CONTENT');
  expect((await faultOf(store.getBlob(sha256))).code).toBe('INTEGRITY_BROKEN');
});
