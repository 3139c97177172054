// The checkpoint that the daemon saves apart from the ledger. A ledger that was cut off exactly after a signed head looks like one that
// never grew further; a saved later head shows the difference. It was synced first, so no crash or power cut leaves the ledger behind it.
//
// It is in the same home: whoever can roll back the one can roll back the other. `docs/verify-the-record.md` says to keep one elsewhere.

import { open, rm } from 'node:fs/promises';
import path from 'node:path';
import { newestSavedCheckpoint, readLine, verifyLedger } from '../ledger/index.ts';
import { Fault, type SavedCheckpoint } from '../protocol/index.ts';
import type { Home } from '../client/node.ts';
import { writePrivateFile } from '../workspace/index.ts';

/** More than a head's line has. */
const HEAD_BYTES = 1024;

type CheckpointFiles = Pick<Home, 'savedCheckpoint' | 'oldSavedCheckpoint'>;

export class CheckpointSaver {
  readonly #home: CheckpointFiles;
  #newest: SavedCheckpoint | null = null;
  #saved: SavedCheckpoint | null = null;
  #writing: Promise<void> | null = null;

  constructor(home: CheckpointFiles) {
    this.#home = home;
  }

  /** Kept in memory only: `save` writes it. */
  note(head: SavedCheckpoint): void {
    this.#newest = head;
  }

  /** To be called now and then, and at the end. */
  async save(): Promise<void> {
    await this.#writing;
    const head = this.#newest;
    if (head === null || head === this.#saved) return;
    this.#writing = this.#write(head)
      .then(() => void (this.#saved = head))
      .finally(() => (this.#writing = null));
    await this.#writing;
  }

  async #write(head: SavedCheckpoint): Promise<void> {
    await writePrivateFile(this.#home.savedCheckpoint, `${JSON.stringify(head)}\n`);
    // Not before the new file is written: without either, a rollback would not be noticed.
    if (this.#saved === null) await rm(this.#home.oldSavedCheckpoint, { recursive: true, force: true });
  }
}

/** Before anything is written: a record appended to a rolled-back ledger would hide the rollback. */
export async function refuseRolledBack(home: Home, publicKeyPem: string): Promise<void> {
  const found = await newestSavedCheckpoint([home.savedCheckpoint, home.oldSavedCheckpoint]);
  if (found === null) return;
  const { file, checkpoint: saved } = found;
  if (await isInSegment(path.join(home.dir, 'ledger', saved.segment), saved)) return;
  // Lines before it may have been changed, so that it moved: the store reports that more precisely.
  const { problem } = await verifyLedger({ dir: path.join(home.dir, 'ledger'), publicKeyPem, savedCheckpoint: saved });
  if (problem?.how !== 'rolled back' && problem?.how !== 'torn') return;
  throw new Fault(
    'INTEGRITY_BROKEN',
    `The ledger was rolled back: record ${saved.size}, which was safely on the disk, is not where it was (${saved.segment}, byte ${saved.end}).`,
    {
      fix: `Put the newest copy of ${path.join(home.dir, 'ledger')} back. If this is the newest, move ${file} away: what is missing stays missing`,
    },
  );
}

async function isInSegment(file: string, { size, chain, end }: SavedCheckpoint): Promise<boolean> {
  const segment = await open(file, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (segment === null) return false;
  try {
    const from = Math.max(0, end - HEAD_BYTES);
    const { buffer, bytesRead } = await segment.read(Buffer.alloc(end - from), 0, end - from, from);
    if (bytesRead < end - from || buffer[bytesRead - 1] !== 10) return false;
    const head = readLine(buffer.subarray(buffer.lastIndexOf(10, -2) + 1, -1));
    return head?.kind === 'head' && head.head === size && head.prev === chain;
  } finally {
    await segment.close();
  }
}
