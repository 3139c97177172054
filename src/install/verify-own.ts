import path from 'node:path';
import type { DaemonClient, Home } from '../client/node.ts';
import { readSavedCheckpoint, type Verification, verifyFolder } from '../ledger/index.ts';

/** The user's own ledger: also checked against the head that the daemon keeps, and, if a daemon answers, with its check of the HMACs. */
export async function verifyOwn(home: Home, headFile: string | undefined, client: DaemonClient): Promise<Verification> {
  const kept = headFile ?? ((await readSavedCheckpoint(home.savedCheckpoint)) ? home.savedCheckpoint : undefined);
  const result = await verifyFolder(path.join(home.dir, 'ledger'), kept);
  if (!result.ok || !(await client.isAlive())) return result;
  const { ok, hmac, problem } = await client.ask('verification', {});
  return { ...result, ok, hmac, problem };
}
