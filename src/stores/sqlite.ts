// Opens a store's databases, and refuses a SQLite with the WAL-reset bug, which can lose committed pages.

import { DatabaseSync } from 'node:sqlite';

const OLDEST = [3, 51, 3] as const;

export function openSqlite(path: string, timeout: number): DatabaseSync {
  // Not asked of the database: preparing any statement reads it, and fails while another process holds it.
  const version = process.versions.sqlite ?? '0';
  if (isTooOld(version))
    throw new Error(`This Node brings SQLite ${version}, which can corrupt a database; it takes ${OLDEST.join('.')} or newer`);
  return new DatabaseSync(path, { timeout });
}

export function isTooOld(version: string): boolean {
  const parts = version.split('.').map(Number);
  for (const [i, wanted] of OLDEST.entries()) {
    const part = parts[i] ?? 0;
    if (part !== wanted) return part < wanted;
  }
  return false;
}
