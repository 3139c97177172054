// What a start can see of a loss: keys that are gone, an index that knows more than the ledger has, a saved checkpoint that vanished. A lost
// key stops every start: a new one cannot vouch for the old record. The others are recorded and reported.

import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Home } from '../client/node.ts';
import { type Event, type EventOf, Fault, type LedgerRecord, streams } from '../protocol/index.ts';
import type { EventStore } from '../stores/index.ts';

const KEY_FILES = ['signing-key.pem', 'hmac.key'];
/** A daemon that ran longer has saved a checkpoint. */
const SAVED_WITHIN_MS = 10_000;

const isThere = async (file: string): Promise<boolean> => (await stat(file).catch(() => null)) !== null;

/** Before keys are made: once there is a record, a missing key is a loss. */
export async function refuseLostKeys(home: Home): Promise<void> {
  const ledger = path.join(home.dir, 'ledger');
  const segments = (await readdir(ledger).catch((): string[] => [])).filter((name) => name.endsWith('.jsonl'));
  const sizes = await Promise.all(segments.map(async (name) => (await stat(path.join(ledger, name))).size));
  if (!sizes.some((size) => size > 0)) return;
  for (const name of KEY_FILES) {
    if (await isThere(path.join(home.keys, name))) continue;
    throw new Fault('INTEGRITY_BROKEN', `${path.join(home.keys, name)} is gone, and the ledger was written with it: nothing is written.`, {
      fix: `Put ${name} back from a copy. A new key cannot vouch for the old record: to begin a new one, move ${home.dir} away`,
    });
  }
}

/** Before the store is opened: it saves a checkpoint. */
export const hasCheckpoint = async (home: Home): Promise<boolean> =>
  (await isThere(home.savedCheckpoint)) || (await isThere(home.oldSavedCheckpoint));

/** Recorded, so that it is still known after the index was rebuilt and a checkpoint saved. */
export async function recordSuspicions(store: EventStore, hadCheckpoint: boolean, report: (message: string) => void): Promise<void> {
  const { size } = store.head();
  const known = store.indexKnew ?? 0;
  const found: EventOf<'ledger_suspected'>['data'][] = [];
  if (known > size)
    found.push({
      why: 'index_longer',
      detail: `The index had ${known} records and the ledger has ${size}: records were removed from its end, or a power cut lost reads that were not synced yet.`,
    });
  if (!hadCheckpoint && (await livedMs(store)) > SAVED_WITHIN_MS)
    found.push({
      why: 'checkpoint_missing',
      detail: `The saved checkpoint was gone at a ledger of ${size} records: that none were removed from its end cannot be shown.`,
    });
  if (found.length === 0) return;
  for (const { detail } of found) report(`ledger: ${detail}`);
  const events = found.map((data): Event => ({ type: 'ledger_suspected', data }));
  await store.append([{ stream: streams.daemon, expected_seq: null, events }]);
}

/** From the first record to the last. */
async function livedMs(store: EventStore): Promise<number> {
  let first: LedgerRecord | null = null;
  for await (const record of store.read(1)) {
    first = record;
    break;
  }
  const [last] = await store.find({ limit: 1 });
  return first && last ? Date.parse(last.at) - Date.parse(first.at) : 0;
}
