import { mkdtempSync, readFileSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { MEMORY_FOLDER } from '../../../test/lab/memory-folder.ts';
import { verifies } from '../../../test/verifies.ts';
import { type LedgerKeys, loadOrCreateKeys, sha256Hex } from '../../ledger/index.ts';
import type { Event } from '../../protocol/index.ts';
import type { EventStore, StoreMark } from '../event-store.ts';
import { openEmbeddedStore } from './open-embedded-store.ts';

const said = (message: string): Event => ({ type: 'defect_caught', data: { door: 'test', message } });

/** Records 1 to 40 over several segments, a mark, records 41 to 50. */
async function markedLedger() {
  const root = mkdtempSync(join(MEMORY_FOLDER, 'countersign-resume-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const keys: LedgerKeys = await loadOrCreateKeys(join(root, 'keys'));
  const dir = join(root, 'data');
  const open = async (resumeFrom?: StoreMark): Promise<EventStore> => {
    const store = await openEmbeddedStore({ dir, keys, segmentBytes: 4_000, ...(resumeFrom && { resumeFrom }) });
    onTestFinished(() => store.close());
    return store;
  };
  const store = await open();
  for (let i = 1; i <= 40; i++) await say(store, `s${i % 3}`, String(i));
  // As it would be read back from a file.
  const mark = structuredClone(store.mark());
  for (let i = 41; i <= 50; i++) await say(store, `s${i % 3}`, String(i));
  await store.close();
  const segment = (number: number) => join(dir, 'ledger', `0000000${number}.jsonl`);
  return { dir, open, mark, segment };
}

async function say(store: EventStore, stream: string, message: string): Promise<void> {
  await store.append([{ stream, expected_seq: null, events: [said(message)] }]);
}

async function heard(store: EventStore, from?: number): Promise<string[]> {
  const messages: string[] = [];
  for await (const { event } of store.read(from)) messages.push(event.type === 'defect_caught' ? event.data.message : event.type);
  return messages;
}

const numbers = (from: number, to: number): string[] => Array.from({ length: to - from + 1 }, (_, i) => String(from + i));

function flip(path: string, at: number): void {
  const bytes = readFileSync(path);
  bytes[at]! ^= 1;
  writeFileSync(path, bytes);
}

test('a start from a mark is the same store as one from the beginning', async () => {
  const { open, mark } = await markedLedger();
  const resumed = await open(mark);
  expect([resumed.resumedAt, resumed.head().size, await heard(resumed), await heard(resumed, 41)]).toEqual([
    ...[40, 50, numbers(1, 50), numbers(41, 50)],
  ]);
  await say(resumed, 's0', '51');
  const after = { mark: resumed.mark(), at: await resumed.positions(['s0', 's1', 's2']) };
  await resumed.close();
  const whole = await open();
  expect({ mark: whole.mark(), at: await whole.positions(['s0', 's1', 's2']) }).toEqual(after);
  expect(await heard(whole)).toEqual(numbers(1, 51));
});

verifies('N2', 'a change before the mark is found after the start, and nothing is written from then on', async () => {
  const { open, mark, segment } = await markedLedger();
  flip(segment(1), 100);
  await expect(open()).rejects.toThrow('The ledger does not verify: 00000001.jsonl, line 1 (edited)');
  const resumed = await open(mark);
  await say(resumed, 's0', '51');
  const broken = await resumed.verifyPast(AbortSignal.timeout(60_000));
  expect(broken?.message).toContain('00000001.jsonl, line 1 (edited)');
  expect(resumed.writable()).toBe(false);
  await expect(say(resumed, 's0', '52')).rejects.toMatchObject({ code: 'AUDIT_UNAVAILABLE' });
  expect((await heard(resumed, 45)).length).toBe(7);
});

test('what a mark vouched for and is whole stays writable', async () => {
  const { open, mark } = await markedLedger();
  const resumed = await open(mark);
  expect([await resumed.verifyPast(AbortSignal.timeout(60_000)), resumed.writable()]).toEqual([null, true]);
});

test('a change behind the mark is found by the start itself', async () => {
  const { open, mark, segment } = await markedLedger();
  const { segment: last, offset } = mark as StoreMark & { segment: number; offset: number };
  flip(segment(last), offset + 100);
  await expect(open(mark)).rejects.toMatchObject({ code: 'INTEGRITY_BROKEN' });
});

test('a mark that does not fit the files is passed over', async () => {
  const { open, mark, segment } = await markedLedger();
  const { segment: last, offset } = mark as StoreMark & { segment: number; offset: number };
  const other = await markedLedger();
  for (const strange of [other.mark, { ...mark, offset: offset + 1 }, { ...mark, segment: 99 }, { ...mark, prev: sha256Hex('x') }]) {
    const store = await open(strange);
    expect([store.resumedAt, store.head().size]).toEqual([0, 50]);
    await store.close();
  }
  truncateSync(segment(last), offset - 1);
  await expect(open(mark)).rejects.toMatchObject({ code: 'INTEGRITY_BROKEN' });
});

test('without an index, or with one that lags, the answers are the same', async () => {
  const { dir, open, mark } = await markedLedger();
  const before = await open(mark);
  const newest = await before.find({ stream: 's1', limit: 5 });
  await before.close();
  rmSync(join(dir, 'index.sqlite'));
  const after = await open(mark);
  expect([after.resumedAt, await after.find({ stream: 's1', limit: 5 })]).toEqual([40, newest]);
});

test('an index that is rebuilt gives the same answers, also about what came meanwhile', async () => {
  const { open } = await markedLedger();
  const store = await open();
  const questions = [{ limit: 100 }, { stream: 's2', limit: 7 }, { types: ['defect_caught'] as const, before: 30, limit: 9 }];
  const answers = () => Promise.all(questions.map((question) => store.find(question)));
  const before = await answers();
  expect(await store.reindex()).toBe(50);
  expect(await answers()).toEqual(before);
  const meanwhile = Promise.all(numbers(51, 120).map((message) => say(store, `m${message}`, message)));
  const [count] = await Promise.all([store.reindex(), meanwhile]);
  expect(count).toBeGreaterThanOrEqual(50);
  expect((await store.find({ limit: 500 })).map(({ seq }) => seq)).toEqual(numbers(1, 120).map(Number).toReversed());
  expect(await store.reindex()).toBe(120);
});

test('a ledger that does not verify gives no new index, and the old one stays', async () => {
  const { open, segment } = await markedLedger();
  const store = await open();
  flip(segment(2), 200);
  await expect(store.reindex()).rejects.toMatchObject({ code: 'INTEGRITY_BROKEN' });
  expect((await store.find({ limit: 3 })).map(({ seq }) => seq)).toEqual([50, 49, 48]);
});

test('contents go when they are older than asked, and not those that were needed again', async () => {
  const { dir, open } = await markedLedger();
  const store = await open();
  const [old, again] = [await store.putBlob(Buffer.from('old')), await store.putBlob(Buffer.from('again'))];
  const longAgo = new Date(Date.now() - 10 * 24 * 3600 * 1000);
  for (const sha256 of [old, again]) utimesSync(join(dir, 'blobs', sha256.slice(0, 2), sha256), longAgo, longAgo);
  const young = await store.putBlob(Buffer.from('young'));
  await store.putBlob(Buffer.from('again'));
  expect(await store.expireBlobs(new Date(Date.now() - 5 * 24 * 3600 * 1000))).toEqual({ count: 1, bytes: 3 });
  expect(await Promise.all([old, again, young].map(async (sha256) => (await store.getBlob(sha256)) !== null))).toEqual([false, true, true]);
});
