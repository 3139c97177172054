// The writer by itself, as a store other than the embedded one would use it.

import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadOrCreateKeys, type RecordPlace, sha256Hex, verifyLedger } from '../../ledger/index.ts';
import { type Event, Fault, type LedgerRecord } from '../../protocol/index.ts';
import type { LedgerWriter } from './ledger-writer.ts';
import { type ChainFollower, ledgerFilesIn, openLedgerWriter } from './open-ledger-writer.ts';
import { takeWriterLock } from './writer-lock.ts';

const said = (message: string): Event => ({ type: 'defect_caught', data: { door: 'test', message } });
const say = (writer: LedgerWriter, message: string, durable = true) =>
  writer.append([{ stream: 'talk', expected_seq: writer.streamSeq('talk'), events: [said(message)] }], { durable });

async function ledgerForThisTest() {
  const dir = mkdtempSync(join(tmpdir(), 'countersign-writer-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const keys = await loadOrCreateKeys(join(dir, 'keys'));
  const files = ledgerFilesIn(dir);
  const open = async (mustStartAgain = false) => {
    const seen: RecordPlace[] = [];
    const from: (number | null)[] = [];
    const follower: ChainFollower = { take: (place) => void seen.push(place), mustStartAgain: () => mustStartAgain, abandon: () => {} };
    const { writer } = await openLedgerWriter(files, { keys }, (resumed) => {
      from.push(resumed?.size ?? null);
      return follower;
    });
    onTestFinished(() => writer.close());
    return { writer, seen, from };
  };
  return { dir, keys, files, open, segment: join(files.ledgerDir, '00000001.jsonl') };
}

test('a store takes each record once: those that were there while the chain is read, the others before their append resolves', async () => {
  const { files, keys, open } = await ledgerForThisTest();
  const first = await open();
  const heard: (string | number)[] = [];
  const onBatch = (places: readonly RecordPlace[], records: readonly LedgerRecord[]) => {
    expect(places.map(({ seq, stream, type }) => [seq, stream, type])).toEqual(
      records.map(({ seq, stream, event }) => [seq, stream, event.type]),
    );
    heard.push(...records.map(({ seq }) => seq));
  };
  first.writer.follow({ onBatch, onIdle: () => {} });
  const tell = async (message: string, durable?: boolean) => {
    await say(first.writer, message, durable);
    heard.push(`${message} resolved`);
  };
  await tell('one');
  await Promise.all([tell('two'), tell('three', false)]);
  expect(heard.filter((each) => typeof each === 'number')).toEqual([1, 2, 3]);
  for (const [at, message] of ['one', 'two', 'three'].entries())
    expect(heard.indexOf(`${message} resolved`)).toBeGreaterThan(heard.indexOf(at + 1));
  await first.writer.close();

  const again = await open();
  expect([again.from, again.seen.map(({ seq, type }) => ({ seq, type }))]).toEqual([
    [null],
    [1, 2, 3].map((seq) => ({ seq, type: 'defect_caught' })),
  ]);
  expect(again.writer.head()).toEqual(first.writer.head());
  await again.writer.close();
  expect((await open(true)).seen.map(({ seq }) => seq)).toEqual([1, 2, 3, 1, 2, 3]);
  expect((await verifyLedger({ dir: files.ledgerDir, publicKeyPem: keys.publicKeyPem, hmac: keys.hmac })).ok).toBe(true);
});

test('a torn tail is recorded before anything else that a store appends, asked to or not', async () => {
  for (const asked of [true, false]) {
    const { open, segment } = await ledgerForThisTest();
    const { writer } = await open();
    await say(writer, 'one');
    await writer.close();
    const torn = readFileSync(segment).subarray(0, 100);
    appendFileSync(segment, torn);
    const again = await open();
    const records: LedgerRecord[] = [];
    again.writer.follow({ onBatch: (_places, batch) => records.push(...batch), onIdle: () => {} });
    if (asked) await again.writer.recordRepair();
    await say(again.writer, 'two');
    await again.writer.recordRepair();
    expect(records.map(({ event }) => event)).toEqual([
      { type: 'ledger_repaired', data: { segment: '00000001.jsonl', dropped_bytes: 100, dropped_sha256: sha256Hex(torn) } },
      said('two'),
    ]);
  }
});

test('an opening that fails lets the store go of what it holds before another writer may come', async () => {
  const { keys, files, open, segment } = await ledgerForThisTest();
  const { writer } = await open();
  await say(writer, 'one');
  await writer.close();
  const bytes = readFileSync(segment);
  bytes[60]! ^= 1;
  writeFileSync(segment, bytes);
  const codeOf = (work: () => unknown): string => {
    try {
      work();
      return 'free';
    } catch (error) {
      return error instanceof Fault ? error.code : String(error);
    }
  };
  const lock = () => codeOf(() => takeWriterLock(files.lockPath).release());
  let whenAbandoned = '';
  const follower = { take: () => {}, mustStartAgain: () => false, abandon: () => void (whenAbandoned = lock()) };
  const fault = await openLedgerWriter(files, { keys }, () => follower).catch((error: unknown) => error);
  expect([(fault as Fault).code, whenAbandoned, lock()]).toEqual(['INTEGRITY_BROKEN', 'CONFLICT', 'free']);
});

test('what is drained takes nothing more and still holds the lock', async () => {
  const { files, open } = await ledgerForThisTest();
  const { writer } = await open();
  const last = say(writer, 'one');
  await writer.drain();
  expect((await last).map(({ seq }) => seq)).toEqual([1]);
  await expect(say(writer, 'two')).rejects.toMatchObject({ code: 'AUDIT_UNAVAILABLE' });
  expect(() => takeWriterLock(files.lockPath)).toThrow('Another daemon is writing');
  await writer.close();
  takeWriterLock(files.lockPath).release();
});
