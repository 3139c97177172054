import { readFile } from 'node:fs/promises';
import { SavedCheckpoint } from '../protocol/index.ts';

/** Null when there is no such file, or it cannot be read: then nothing can be concluded. */
export async function readSavedCheckpoint(file: string): Promise<SavedCheckpoint | null> {
  try {
    return SavedCheckpoint.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return null;
  }
}
