// An index made from the record alone, next to the one in use. If a record does not verify, none is made.

import { readChain } from '../../ledger/index.ts';
import { brokenLedger } from '../ledger-files/broken-ledger.ts';
import { LedgerIndex, removeIndex } from './ledger-index.ts';

export async function rebuildIndex(from: {
  readonly ledgerDir: string;
  readonly indexPath: string;
  readonly publicKeyPem: string;
}): Promise<LedgerIndex> {
  const path = `${from.indexPath}.new`;
  removeIndex(path);
  const index = new LedgerIndex(path);
  try {
    const { problem } = await readChain({ dir: from.ledgerDir, publicKeyPem: from.publicKeyPem, onPlace: (place) => index.add(place) });
    if (problem === null) {
      index.flush();
      return index;
    }
    throw brokenLedger(problem);
  } catch (error) {
    index.close();
    removeIndex(path);
    throw error;
  }
}
