import { readFile } from 'node:fs/promises';

/** Null when the file is missing or is not valid. */
export async function readJsonFile(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as unknown;
  } catch {
    return null;
  }
}
