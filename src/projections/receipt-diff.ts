// The difference that one receipt stands for, read from the contents that undo and blame use.

import path from 'node:path';
import { Fault, type FileRef, isRedacted, type QueryOutput } from '../protocol/index.ts';
import type { EventStore } from '../stores/index.ts';
import { shortDiff } from '../workspace/index.ts';
import { signedReceipt } from './signed-receipt.ts';

export interface DiffContext {
  readonly store: Pick<EventStore, 'find' | 'getBlob'>;
  readonly secretIn: (absolute: string) => string | null;
}

type FileDiff = QueryOutput<'receipt_diff'>['files'][number];

export async function receiptDiff({ store, secretIn }: DiffContext, id: string): Promise<QueryOutput<'receipt_diff'>> {
  const receipt = await receiptNamed(store, id);
  const files: FileDiff[] = [];
  for (const file of receipt.file_refs) {
    const secret = secretIn(path.join(receipt.root ?? '/', file.path));
    const why = isRedacted(file.path) || secret !== null ? 'it may hold secrets' : null;
    files.push(why === null ? await diffOf(store, file) : { path: file.path, diff: null, why });
  }
  return { id, files };
}

async function receiptNamed(store: DiffContext['store'], id: string) {
  let before: number | undefined;
  for (;;) {
    const records = await store.find({
      types: ['action_settled', 'changes_undone'],
      limit: 500,
      ...(before === undefined ? {} : { before }),
    });
    for (const record of records) {
      const receipt = signedReceipt(record);
      if (receipt?.receipt_id === id) return receipt;
    }
    if (records.length === 0)
      throw new Fault('NOT_FOUND', `There is no receipt ${id} of a change.`, { fix: 'countersign receipts lists them' });
    before = records.at(-1)?.seq;
  }
}

async function diffOf(store: DiffContext['store'], { path: name, before_sha256, after_sha256 }: FileRef): Promise<FileDiff> {
  const kept = async (sha256: string | null) => (sha256 === null ? null : store.getBlob(sha256));
  const [before, after] = await Promise.all([kept(before_sha256), kept(after_sha256)]);
  const isGone = (sha256: string | null, bytes: Uint8Array | null) => sha256 !== null && !bytes;
  if (isGone(before_sha256, before) || isGone(after_sha256, after))
    return { path: name, diff: null, why: 'its content was not kept (it is too large, or older than the settings keep it)' };
  return { path: name, diff: shortDiff(name, before, after), why: null };
}
