// The fault for every write to a ledger that does not verify, and every answer from it.

import type { Problem } from '../../ledger/index.ts';
import { Fault } from '../../protocol/index.ts';

export const brokenLedger = ({ segment, line, how, message }: Problem): Fault =>
  new Fault('INTEGRITY_BROKEN', `The ledger does not verify: ${segment}, line ${line} (${how}). ${message}`, {
    fix: 'Keep the files as they are for whoever looks into it, and restore the ledger from a backup.',
  });
