// The file that the ledger grows in. Knows what is safely on the disk and what was only written, and after a failure goes back
// to the former before anything is written again.

import { close, constants, fdatasync, fstatSync, ftruncate, fsync, open, write, writeSync } from 'node:fs';
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

/** So much is in the kernel's memory sooner than another thread is woken to put it there. The sync, which waits for the disk, has one. */
const WRITTEN_HERE_BYTES = 256 * 1024;

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

  /** Makes ready for a batch: opens the file, and begins another one when this one is full. Nothing is promised when it throws. */
  async prepare(): Promise<void> {
    try {
      this.#fd ??= await this.#reopen();
      this.#checkNobodyElseWrote(this.#fd);
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
      await writeFully(this.#fd, batch, this.offset);
      if (durable || this.#unsyncedBytes + batch.length > MAX_UNSYNCED_BYTES) {
        await syncData(this.#fd);
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
      if (this.#unsyncedBytes > 0) await writeFully(fd, Buffer.concat(this.#unsynced), this.#syncedBytes);
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

  // Someone who deletes the file would otherwise have us write into nothing; one who shortens it, into a hole.
  #checkNobodyElseWrote(fd: number): void {
    const { nlink, size } = fstatSync(fd);
    const name = segmentName(this.#number);
    if (nlink === 0) throw new Error(`${name} was deleted`);
    if (size !== this.offset) throw new Error(`${name} was changed by somebody else`);
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

async function writeFully(fd: number, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const where = [done, bytes.length - done, position + done] as const;
    done += bytes.length <= WRITTEN_HERE_BYTES ? writeSync(fd, bytes, ...where) : (await writeFile(fd, bytes, ...where)).bytesWritten;
  }
}
