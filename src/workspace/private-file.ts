// Files that only the owner may read, replaced whole: a reader sees the old content or the new, never a part.

import { randomBytes } from 'node:crypto';
import { rename, unlink, writeFile } from 'node:fs/promises';

export async function writePrivateFile(file: string, content: string | Uint8Array): Promise<void> {
  const temporary = `${file}.${randomBytes(8).toString('hex')}`;
  try {
    await writeFile(temporary, content, { mode: 0o600, flag: 'wx' });
    await rename(temporary, file);
  } catch (error) {
    await unlink(temporary).catch(() => {});
    throw error;
  }
}
