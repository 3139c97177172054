// Whether a record was written. Without a ledger what only looks goes on, and what changes something does not.

import { Fault } from '../protocol/index.ts';

export const isUnavailable = (error: unknown): boolean => error instanceof Fault && error.code === 'AUDIT_UNAVAILABLE';

/** False while the ledger cannot be written. Any other failure is thrown. */
export async function isWritten(writing: Promise<unknown>): Promise<boolean> {
  try {
    await writing;
    return true;
  } catch (error) {
    if (isUnavailable(error)) return false;
    throw error;
  }
}
