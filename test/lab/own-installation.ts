// An installation of its own, for one test that ends the daemon or counts over all workspaces; and a ledger that does not verify.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { hasEnded, type Installation, makeInstallation, type Place } from './installation.ts';

export async function ownInstallation(): Promise<Installation> {
  const place = await makeInstallation();
  onTestFinished(() => place.dispose());
  return place;
}

/** Ends the daemon and changes one bit of the record: no daemon comes up here any more. */
export async function spoilLedger(place: Place): Promise<void> {
  const pid = await place.daemonPid();
  process.kill(pid, 'SIGKILL');
  await hasEnded(pid);
  const segment = join(place.home, 'ledger/00000001.jsonl');
  const bytes = await readFile(segment);
  bytes[100]! ^= 1;
  await writeFile(segment, bytes);
}
