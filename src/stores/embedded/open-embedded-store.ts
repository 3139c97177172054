// Opens the embedded store: takes the lock, reads the chain, refuses a broken one, and leaves a torn tail to be cut and recorded.

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { EMPTY_CHAIN, readChain, segmentName, writePublicKey } from '../../ledger/index.ts';
import type { ChainPosition, ChainReading, LedgerKeys, RecordPlace } from '../../ledger/index.ts';
import { Fault } from '../../protocol/index.ts';
import type { EventOf } from '../../protocol/index.ts';
import type { EventStore, StoreMark } from '../event-store.ts';
import { auditUnavailable } from './audit-unavailable.ts';
import { Blobs } from './blobs.ts';
import { brokenLedger } from './broken-ledger.ts';
import { EmbeddedStore } from './embedded-store.ts';
import type { SyncedHead } from './embedded-store.ts';
import { IndexCatchUp } from './index-catch-up.ts';
import { positionIn } from './resume.ts';
import { SegmentFile } from './segment-file.ts';
import { takeWriterLock } from './writer-lock.ts';
import type { WriterLock } from './writer-lock.ts';

export interface EmbeddedStoreOptions {
  readonly dir: string;
  readonly keys: LedgerKeys;
  /** A segment that has reached this size gets no further batch. */
  readonly segmentBytes?: number;
  readonly clock?: () => Date;
  /** What `mark` gave, from a source that is trusted. One that does not fit the files is passed over, and all is read. */
  readonly resumeFrom?: StoreMark;
  /** Hears what a subscriber threw; it cannot fail the append. The default lets the process see it as uncaught. */
  readonly onDefect?: (error: unknown) => void;
  /** Hears each head that is safely on the disk. It must not throw. */
  readonly onSynced?: (head: SyncedHead) => void;
}

const SEGMENT_BYTES = 64 * 1024 * 1024;

export async function openEmbeddedStore(options: EmbeddedStoreOptions): Promise<EventStore> {
  const { dir } = options;
  const ledgerDir = join(dir, 'ledger');
  const lock = await makeFolders(dir, ledgerDir);
  try {
    return await openLocked(options, ledgerDir, lock);
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function makeFolders(dir: string, ledgerDir: string): Promise<WriterLock> {
  try {
    await mkdir(ledgerDir, { recursive: true, mode: 0o700 });
    return takeWriterLock(join(dir, 'lock.sqlite'));
  } catch (error) {
    throw auditUnavailable(dir, error);
  }
}

async function openLocked(options: EmbeddedStoreOptions, ledgerDir: string, lock: WriterLock): Promise<EventStore> {
  const { dir, keys, segmentBytes = SEGMENT_BYTES, clock = () => new Date(), onDefect = rethrowLater, onSynced = () => {} } = options;
  const indexPath = join(dir, 'index.sqlite');
  const resumed = options.resumeFrom === undefined ? null : await positionIn(ledgerDir, options.resumeFrom);
  const catchUp = new IndexCatchUp(indexPath, resumed);
  try {
    const { position, tornTailBytes } = await readLedger({ dir: ledgerDir, publicKeyPem: keys.publicKeyPem, resumed }, catchUp);
    const repair = tornTailBytes === 0 ? null : await describeRepair(ledgerDir, position, tornTailBytes);
    await writePublicKey(join(ledgerDir, 'public.pem'), keys.publicKeyPem);
    const segment = new SegmentFile(ledgerDir, segmentBytes, position);
    const blobs = new Blobs(join(dir, 'blobs'));
    const store = new EmbeddedStore({
      ledgerDir,
      keys,
      lock,
      segment,
      blobs,
      index: catchUp.finish(),
      indexPath,
      position,
      resumedAt: resumed?.size ?? 0,
      clock,
      onDefect,
      onSynced,
    });
    if (repair !== null) await store.recordRepair(repair);
    return store;
  } catch (error) {
    catchUp.abandon();
    throw error instanceof Fault ? error : auditUnavailable(dir, error);
  }
}

/** The tail itself is cut by the first append, before it writes. */
async function describeRepair(ledgerDir: string, position: ChainPosition, bytes: number): Promise<EventOf<'ledger_repaired'>> {
  const segment = segmentName(position.segment);
  const sha256 = await sha256From(join(ledgerDir, segment), position.offset);
  return { type: 'ledger_repaired', data: { segment, dropped_bytes: bytes, dropped_sha256: sha256 } };
}

/** The chain as it stands, and the index brought up to it. A chain that does not verify is never written onto. */
async function readLedger(
  { dir, publicKeyPem, resumed }: { readonly dir: string; readonly publicKeyPem: string; readonly resumed: ChainPosition | null },
  catchUp: IndexCatchUp,
): Promise<ChainReading> {
  const onPlace = (place: RecordPlace): void => catchUp.take(place);
  const reading = await readChain({ dir, publicKeyPem, onPlace, resumeFrom: resumed ?? EMPTY_CHAIN });
  if (reading.problem !== null) throw brokenLedger(reading.problem);
  if (catchUp.mustStartAgain()) await readChain({ dir, publicKeyPem, onPlace });
  return reading;
}

function rethrowLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}

async function sha256From(path: string, start: number): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { start })) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
