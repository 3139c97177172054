// The checkpoint that the daemon saves outside the ledger: a ledger that was cut back to before it is found.

import { readFile } from 'node:fs/promises';
import { SavedCheckpoint } from '../protocol/index.ts';

/** Null if there is no such file, or it cannot be read: then nothing can be concluded. */
async function readSavedCheckpoint(file: string): Promise<SavedCheckpoint | null> {
  try {
    return SavedCheckpoint.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return null;
  }
}

export interface FoundCheckpoint {
  readonly file: string;
  readonly checkpoint: SavedCheckpoint;
}

/** The checkpoint over the most records in these files. Null: none of them has one. */
export async function newestSavedCheckpoint(files: readonly string[]): Promise<FoundCheckpoint | null> {
  const found = await Promise.all(files.map(async (file) => ({ file, checkpoint: await readSavedCheckpoint(file) })));
  return found.reduce<FoundCheckpoint | null>(
    (newest, { file, checkpoint }) =>
      checkpoint === null || (newest !== null && newest.checkpoint.size >= checkpoint.size) ? newest : { file, checkpoint },
    null,
  );
}
