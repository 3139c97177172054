// The file that the ledger grows in. Knows what is safely on the disk and what was only written, and after a failure goes back
// to the former before anything is written again.

import { close, constants, fdatasync, fdatasyncSync, fstatSync, ftruncate, fsync, open, write, writeSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { segmentName } from '../../ledger/index.ts';

const openFile = promisify(open);
const closeFile = promisify(close);
const truncateFile = promisify(ftruncate);
const syncData = promisify(fdatasync);
const syncAll = promisify(fsync);
const writeFile = promisify(write);

/** Written bytes that are not synced are kept in memory until they are; beyond this, a write is synced whether asked or not. */
const MAX_UNSYNCED_BYTES = 1024 * 1024;

/** Writing this much to the kernel's memory is faster than waking another thread for it. The sync, which waits for the disk, has one. */
const WRITTEN_HERE_BYTES = 256 * 1024;

/** If the disk syncs faster than another thread can be woken and answer, the sync runs in this thread. */
const SYNCED_HERE_MS = 0.1;

export async function syncDirectory(path: string): Promise<void> {
  const fd = await openFile(path, constants.O_RDONLY);
  try {
    await syncAll(fd);
  } finally {
    await closeFile(fd);
  }
}

/** INVARIANT: `[0, syncedBytes)` of the file is what was acknowledged as durable; `unsynced` follows it once it was written. */
export class SegmentFile {
  readonly #dir: string;
  readonly #rollAt: number;
  #number: number;
  #syncedBytes: number;
  #unsynced: Buffer[] = [];
  #unsyncedBytes = 0;
  /** Null until the first append, and after a failure. */
  #fd: number | null = null;
  #lastSyncMs = Infinity;
  #isSyncing = false;

  constructor(dir: string, rollAt: number, at: { readonly segment: number; readonly offset: number }) {
    this.#dir = dir;
    this.#rollAt = rollAt;
    this.#number = at.segment;
    this.#syncedBytes = at.offset;
  }

  get number(): number {
    return this.#number;
  }

  /** Where the next batch will begin. */
  get offset(): number {
    return this.#syncedBytes + this.#unsyncedBytes;
  }

  /** Whether all that was written is safely on the disk. */
  get isSynced(): boolean {
    return this.#unsyncedBytes === 0;
  }

  /** Whether a sync is under way in another thread, and this thread is idle meanwhile. */
  get isSyncing(): boolean {
    return this.#isSyncing;
  }

  /** Makes ready for a batch: opens the file, and begins another one when this one is full. Nothing is promised when it throws. */
  async prepare(): Promise<void> {
    try {
      this.#fd ??= await this.#reopen();
      this.#checkNoOtherWriter(this.#fd);
      if (this.offset >= this.#rollAt) await this.#roll(this.#fd);
    } catch (error) {
      await this.#giveUp();
      throw error;
    }
  }

  /** One batch, in one write. When it throws, nothing of the batch counts as written. */
  async append(batch: Buffer, durable: boolean): Promise<void> {
    if (this.#fd === null) throw new Error('append before prepare');
    try {
      // Not waited for when it is written here: so the sync is under way when this returns.
      if (batch.length <= WRITTEN_HERE_BYTES) writeHere(this.#fd, batch, this.offset);
      else await writeElsewhere(this.#fd, batch, this.offset);
      if (durable || this.#unsyncedBytes + batch.length > MAX_UNSYNCED_BYTES) {
        await this.#sync(this.#fd);
        this.#markSynced(batch.length);
      } else {
        this.#unsynced.push(batch);
        this.#unsyncedBytes += batch.length;
      }
    } catch (error) {
      await this.#giveUp();
      throw error;
    }
  }

  async close(): Promise<void> {
    const fd = this.#fd;
    this.#fd = null;
    if (fd === null) return;
    try {
      if (this.#unsyncedBytes > 0) await syncData(fd);
    } finally {
      await closeFile(fd);
    }
  }

  // A disk that becomes slow blocks this thread once: the next sync runs in another thread again.
  async #sync(fd: number): Promise<void> {
    const begun = performance.now();
    try {
      if (this.#lastSyncMs < SYNCED_HERE_MS) fdatasyncSync(fd);
      else {
        this.#isSyncing = true;
        await syncData(fd);
      }
    } finally {
      this.#isSyncing = false;
      this.#lastSyncMs = performance.now() - begun;
    }
  }

  #markSynced(more: number): void {
    this.#syncedBytes += this.#unsyncedBytes + more;
    this.#unsynced = [];
    this.#unsyncedBytes = 0;
  }

  async #reopen(): Promise<number> {
    const creating = this.#syncedBytes === 0;
    const flags = constants.O_RDWR | constants.O_NOFOLLOW | (creating ? constants.O_CREAT : 0);
    const fd = await openFile(join(this.#dir, segmentName(this.#number)), flags, 0o600);
    try {
      const { size } = fstatSync(fd);
      if (size < this.#syncedBytes) throw new Error(`${segmentName(this.#number)} has lost bytes that were acknowledged`);
      await truncateFile(fd, this.#syncedBytes);
      if (this.#unsyncedBytes > 0) await writeElsewhere(fd, Buffer.concat(this.#unsynced), this.#syncedBytes);
      await syncData(fd);
      if (creating) await syncDirectory(this.#dir);
      this.#markSynced(0);
      return fd;
    } catch (error) {
      await closeFile(fd);
      throw error;
    }
  }

  async #roll(fd: number): Promise<void> {
    if (this.#unsyncedBytes > 0) {
      await syncData(fd);
      this.#markSynced(0);
    }
    await closeFile(fd);
    this.#fd = null;
    this.#number += 1;
    this.#syncedBytes = 0;
    this.#fd = await this.#reopen();
  }

  // If the file was deleted, the write would be lost; if it was shortened, it would leave a hole.
  #checkNoOtherWriter(fd: number): void {
    const { nlink, size } = fstatSync(fd);
    const name = segmentName(this.#number);
    if (nlink === 0) throw new Error(`${name} was deleted`);
    if (size !== this.offset) throw new Error(`${name} was changed by someone else`);
  }

  // The failed batch is cut off at once where that is possible: left there, the next start would read it as written.
  async #giveUp(): Promise<void> {
    const fd = this.#fd;
    this.#fd = null;
    if (fd === null) return;
    try {
      if (fstatSync(fd).size > this.offset) await truncateFile(fd, this.offset);
      await closeFile(fd);
    } catch {
      // The caller's error says more; reopening tries the cut again before the next write.
    }
  }
}

function writeHere(fd: number, bytes: Buffer, position: number): void {
  for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done, bytes.length - done, position + done);
}

async function writeElsewhere(fd: number, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length;) done += (await writeFile(fd, bytes, done, bytes.length - done, position + done)).bytesWritten;
}
