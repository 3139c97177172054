import path from 'node:path';
import type { DaemonClient, Home } from '../client/node.ts';
import { newestSavedCheckpoint, type Verification, verifyFolder } from '../ledger/index.ts';

/** The user's own ledger: also checked against the checkpoint that the daemon saves, and, if a daemon answers, with its check of the HMACs. */
export async function verifyOwn(home: Home, headFile: string | undefined, client: DaemonClient): Promise<Verification> {
  const saved = headFile ?? (await newestSavedCheckpoint([home.savedCheckpoint, home.oldSavedCheckpoint]))?.file;
  const result = await verifyFolder(path.join(home.dir, 'ledger'), saved);
  if (!result.ok || !(await client.isAlive())) return result;
  const { ok, hmac, problem } = await client.ask('verification', {});
  return { ...result, ok, hmac, problem };
}
