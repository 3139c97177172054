// What anybody hears who would write onto a ledger that does not verify, or answer from it.

import type { Problem } from '../../ledger/index.ts';
import { Fault, type FaultCode } from '../../protocol/index.ts';

export const brokenLedger = ({ segment, line, how, message }: Problem, code: FaultCode = 'INTEGRITY_BROKEN'): Fault =>
  new Fault(code, `The ledger does not verify: ${segment}, line ${line} (${how}). ${message}`, {
    fix: 'Keep the files as they are for whoever looks into it, and restore the ledger from a backup.',
  });
