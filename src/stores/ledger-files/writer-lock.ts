// One writer. The lock is an exclusive transaction that is never committed: the kernel frees it the moment the process dies.
// Nothing else in this process may open the lock file: closing any descriptor of it would free the lock.

import { Fault } from '../../protocol/index.ts';
import { openSqlite } from '../sqlite.ts';

/** Long enough for a daemon that is just closing, short enough for a client that waits. */
const TIMEOUT_MS = 250;

const SQLITE_BUSY = 5;

export interface WriterLock {
  release(): void;
}

export function takeWriterLock(path: string): WriterLock {
  const database = openSqlite(path, TIMEOUT_MS);
  try {
    database.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error;
    throw new Fault('CONFLICT', `Another daemon is writing the ledger that ${path} guards.`, {
      fix: 'Use the daemon that is running, or stop it first.',
      cause: error,
    });
  }
  return { release: () => database.close() };
}
