// Before a human signs: what exactly, shown on the terminal; then the passphrase; then the key, for this one command.

import type { Client, Signer } from '../client/index.ts';
import { statementText } from '../ledger/index.ts';
import type { ApproverRow } from '../protocol/index.ts';
import { Fault } from '../protocol/plain.ts';
import { approverFolder, keysIn, unlock, type UnlockedKey } from './approver-key.ts';
import { openTerminal } from './passphrase.ts';

const TRIES = 3;

/** Null: no enrolled key is on this machine, or there is no terminal. The daemon then decides whether that is enough. */
export async function unlockKey(client: Client, shown: string, say: (text: string) => void): Promise<Signer | null> {
  const counts = ({ removed_at, proof }: ApproverRow) => removed_at === null && proof === 'passphrase';
  const enrolled = (await client.ask('approvers', {})).filter(counts).map(({ key }) => key);
  if (enrolled.length === 0) return null;
  const file = (await keysIn(approverFolder())).find(({ key }) => enrolled.includes(key));
  if (!file) {
    say(`None of the enrolled keys is in ${approverFolder()}: this is not signed.`);
    return null;
  }
  const terminal = openTerminal();
  if (!terminal) {
    say('There is no terminal to ask for a passphrase on: this is not signed.');
    return null;
  }
  try {
    terminal.show(shown);
    for (let left = TRIES; left > 0; left--) {
      const key = await unlock(file, await terminal.secret(`Passphrase of ${file.key}: `));
      if (key) return signerOf(key);
      if (left > 1) terminal.show('That is not the passphrase.');
    }
  } finally {
    terminal.close();
  }
  throw new Fault('UNAUTHENTICATED', `That was not the passphrase, ${TRIES} times. Nothing was done.`, {
    fix: 'Run it again; a passphrase that is lost cannot be recovered (countersign approver --help)',
  });
}

export const signerOf = ({ key, sign }: UnlockedKey): Signer => ({
  key,
  sign: (statement, challenge) => ({ key, signature: sign(statementText(statement, challenge)) }),
});
