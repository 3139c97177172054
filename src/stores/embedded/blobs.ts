// Payloads, by the digest of their content: `blobs/ab/abcdef…`.

import { randomBytes } from 'node:crypto';
import { type Stats, statSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sha256Hex } from '../../ledger/index.ts';
import { Fault, Sha256 } from '../../protocol/index.ts';
import type { ExpiredBlobs } from '../event-store.ts';
import { auditUnavailable } from '../ledger-files/audit-unavailable.ts';
import { syncDirectory } from '../ledger-files/segment-file.ts';

const RENEW_AFTER_MS = 24 * 3600 * 1000;

export class Blobs {
  readonly #dir: string;

  constructor(dir: string) {
    this.#dir = dir;
  }

  /** Without `durable` it survives the daemon's death and not the machine's: for contents that are kept in case they are asked for. */
  async put(bytes: Uint8Array, { durable = true }: { readonly durable?: boolean } = {}): Promise<string> {
    const sha256 = sha256Hex(bytes);
    const path = this.#path(sha256);
    // One of another size was torn by a machine crash: it is written again.
    const present = statsOf(path);
    if (present?.size === bytes.length) {
      await this.#renew(path, present.mtimeMs);
      return sha256;
    }
    try {
      await this.#write(path, bytes, durable);
    } catch (error) {
      throw auditUnavailable(this.#dir, error);
    }
    return sha256;
  }

  /** Null when there is none. A blob whose content does not match its name is never returned. */
  async get(sha256: string): Promise<Uint8Array | null> {
    if (!Sha256.safeParse(sha256).success) return null;
    const bytes = await readFile(this.#path(sha256)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
    if (bytes !== null && sha256Hex(bytes) !== sha256) {
      throw new Fault('INTEGRITY_BROKEN', `The blob ${sha256} does not have that digest.`, {
        fix: 'Restore it from a backup, or delete it.',
      });
    }
    return bytes;
  }

  /** Contents that were stored again since then are kept. Temporary files of a writer that died are removed too. */
  async expire(olderThan: Date): Promise<ExpiredBlobs> {
    let [count, bytes] = [0, 0];
    for (const folder of await readdir(this.#dir).catch(() => [])) {
      for (const name of await readdir(join(this.#dir, folder)).catch(() => [])) {
        const path = join(this.#dir, folder, name);
        const found = await stat(path).catch(() => null);
        if (!found || found.mtimeMs >= olderThan.getTime()) continue;
        await rm(path, { force: true });
        count += 1;
        bytes += found.size;
      }
    }
    return { count, bytes };
  }

  /** Once a day is enough for what is kept for days. */
  async #renew(path: string, putMs: number): Promise<void> {
    const now = new Date();
    if (now.getTime() - putMs > RENEW_AFTER_MS) await utimes(path, now, now).catch(() => {});
  }

  #path(sha256: string): string {
    return join(this.#dir, sha256.slice(0, 2), sha256);
  }

  async #write(path: string, bytes: Uint8Array, durable: boolean): Promise<void> {
    const dir = dirname(path);
    await mkdir(dir, { recursive: true, mode: 0o700 });
    const temporary = `${path}.${randomBytes(8).toString('hex')}`;
    try {
      const file = await open(temporary, 'wx', 0o600);
      try {
        await file.writeFile(bytes);
        if (durable) await file.sync();
      } finally {
        await file.close();
      }
      await rename(temporary, path);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
    if (!durable) return;
    await syncDirectory(dir);
    await syncDirectory(dirname(dir));
  }
}

/** Asked before every change; most contents are there already, and a look costs a tenth of a trip to another thread. */
function statsOf(path: string): Stats | null {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}
