// Opens a ledger's files for writing: takes the lock, reads the chain, refuses a broken one, and leaves a torn tail to be cut and recorded.

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type ChainPosition,
  EMPTY_CHAIN,
  type LedgerKeys,
  readChain,
  type RecordPlace,
  segmentName,
  writePublicKey,
} from '../../ledger/index.ts';
import { type EventOf, Fault } from '../../protocol/index.ts';
import type { StoreMark } from '../event-store.ts';
import { auditUnavailable } from './audit-unavailable.ts';
import { brokenLedger } from './broken-ledger.ts';
import { LedgerWriter } from './ledger-writer.ts';
import type { SyncedHead } from './ledger-writer.ts';
import { positionIn } from './resume.ts';
import { SegmentFile } from './segment-file.ts';
import { takeWriterLock } from './writer-lock.ts';
import type { WriterLock } from './writer-lock.ts';

export interface LedgerFiles {
  /** The folder with the ledger's folder, the lock, and the store's other files. */
  readonly dir: string;
  readonly ledgerDir: string;
  readonly lockPath: string;
}

export const ledgerFilesIn = (dir: string): LedgerFiles => ({ dir, ledgerDir: join(dir, 'ledger'), lockPath: join(dir, 'lock.sqlite') });

/** Receives every record while the chain is read. */
export interface ChainFollower {
  take(place: RecordPlace): void;
  /** True when it needs all of them once more, from the first one on. */
  mustStartAgain(): boolean;
  /** The opening failed. The lock is still held. */
  abandon(): void;
}

export interface LedgerWriterOptions {
  readonly keys: LedgerKeys;
  /** A segment that has reached this size gets no further batch. */
  readonly segmentBytes?: number;
  readonly clock?: () => Date;
  /** What `position` gave, from a source that is trusted. One that does not match the files is ignored, and everything is read. */
  readonly resumeFrom?: StoreMark;
  /** Called with errors that must not fail an append. By default they become uncaught errors of the process. */
  readonly onDefect?: (error: unknown) => void;
  /** Called with each head that is safely on the disk. It must not throw. */
  readonly onSynced?: (head: SyncedHead) => void;
}

export interface OpenedWriter<Follower> {
  readonly writer: LedgerWriter;
  /** Has received every record. */
  readonly follower: Follower;
  /** How many records were not read, because a mark vouched for them. */
  readonly resumedAt: number;
}

const SEGMENT_BYTES = 64 * 1024 * 1024;

/** `following` is called once it is known where the reading begins: null, from the first record on. */
export async function openLedgerWriter<Follower extends ChainFollower>(
  files: LedgerFiles,
  options: LedgerWriterOptions,
  following: (resumed: ChainPosition | null) => Follower,
): Promise<OpenedWriter<Follower>> {
  const lock = await makeFolders(files);
  let follower: Follower | null = null;
  try {
    const resumed = options.resumeFrom === undefined ? null : await positionIn(files.ledgerDir, options.resumeFrom);
    follower = following(resumed);
    const writer = await openLocked(files, lock, options, resumed, follower);
    return { writer, follower, resumedAt: resumed?.size ?? 0 };
  } catch (error) {
    follower?.abandon();
    lock.release();
    throw error instanceof Fault ? error : auditUnavailable(files.dir, error);
  }
}

async function makeFolders({ dir, ledgerDir, lockPath }: LedgerFiles): Promise<WriterLock> {
  try {
    await mkdir(ledgerDir, { recursive: true, mode: 0o700 });
    return takeWriterLock(lockPath);
  } catch (error) {
    throw auditUnavailable(dir, error);
  }
}

async function openLocked(
  { ledgerDir }: LedgerFiles,
  lock: WriterLock,
  options: LedgerWriterOptions,
  resumed: ChainPosition | null,
  follower: ChainFollower,
): Promise<LedgerWriter> {
  const { keys, segmentBytes = SEGMENT_BYTES, clock = () => new Date(), onDefect = rethrowLater, onSynced = () => {} } = options;
  const chain = { dir: ledgerDir, publicKeyPem: keys.publicKeyPem, onPlace: (place: RecordPlace) => follower.take(place) };
  const { position, tornTailBytes, problem } = await readChain({ ...chain, resumeFrom: resumed ?? EMPTY_CHAIN });
  // A chain that does not verify is never written onto.
  if (problem !== null) throw brokenLedger(problem);
  if (follower.mustStartAgain()) await readChain(chain);
  const repair = tornTailBytes === 0 ? null : await describeRepair(ledgerDir, position, tornTailBytes);
  await writePublicKey(join(ledgerDir, 'public.pem'), keys.publicKeyPem);
  const segment = new SegmentFile(ledgerDir, segmentBytes, position);
  return new LedgerWriter({ ledgerDir, keys, lock, segment, position, repair, clock, onSynced, onDefect });
}

/** The tail itself is cut by the first append, before it writes. */
async function describeRepair(ledgerDir: string, position: ChainPosition, bytes: number): Promise<EventOf<'ledger_repaired'>> {
  const segment = segmentName(position.segment);
  const sha256 = await sha256From(join(ledgerDir, segment), position.offset);
  return { type: 'ledger_repaired', data: { segment, dropped_bytes: bytes, dropped_sha256: sha256 } };
}

async function sha256From(path: string, start: number): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { start })) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

export function rethrowLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
