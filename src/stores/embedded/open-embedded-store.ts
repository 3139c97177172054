// Opens the embedded store: the ledger's files, the index brought up to them while they are read, and the blobs.

import { join } from 'node:path';
import type { ChainPosition } from '../../ledger/index.ts';
import type { EventStore } from '../event-store.ts';
import { ledgerFilesIn, openLedgerWriter, rethrowLater } from '../ledger-files/open-ledger-writer.ts';
import type { LedgerWriterOptions } from '../ledger-files/open-ledger-writer.ts';
import { Blobs } from './blobs.ts';
import { EmbeddedStore } from './embedded-store.ts';
import { IndexCatchUp } from './index-catch-up.ts';

export interface EmbeddedStoreOptions extends LedgerWriterOptions {
  readonly dir: string;
}

export async function openEmbeddedStore({ dir, ...options }: EmbeddedStoreOptions): Promise<EventStore> {
  const { keys, onDefect = rethrowLater } = options;
  const files = ledgerFilesIn(dir);
  const indexPath = join(dir, 'index.sqlite');
  const catchUp = (resumed: ChainPosition | null) => new IndexCatchUp(indexPath, resumed);
  const { writer, follower, resumedAt } = await openLedgerWriter(files, options, catchUp);
  const store = new EmbeddedStore({
    ledgerDir: files.ledgerDir,
    keys,
    writer,
    blobs: new Blobs(join(dir, 'blobs')),
    indexKnew: follower.knew,
    index: follower.finish(),
    indexPath,
    resumedAt,
    onDefect,
  });
  try {
    await writer.recordRepair();
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}
