// What every command has available. Data goes to standard output, prose to standard error.

import type { Signer } from '../client/index.ts';
import type { Intent } from '../protocol/index.ts';
import { Fault, visible } from '../protocol/plain.ts';
import type { DaemonClient } from '../client/node.ts';

export interface CommandContext {
  readonly client: DaemonClient;
  readonly json: boolean;
  readonly cwd: string;
  /** To standard output. */
  readonly print: (text: string) => void;
  /** To standard error; silent with --json. */
  readonly say: (text: string) => void;
  readonly signal: AbortSignal;
  /** Shows what will be signed and asks for the passphrase of the human's key. Null: no key to sign with. */
  readonly unlock: (shown: string) => Promise<Signer | null>;
  /** Of a list of changes, as it is signed. */
  readonly digest: (files: readonly { readonly path: string; readonly after_sha256: string | null }[]) => Promise<string>;
  /** Of an intent, as it is signed and confirmed. */
  readonly intentDigest: (intent: Intent) => Promise<string>;
}

/** With --json the value as it is, otherwise the words. */
export const show = ({ json, print }: CommandContext, value: unknown, words: string): void =>
  print(json ? JSON.stringify(value, null, 2) : words);

/** Reported here, in words: the daemon would only return the pattern. */
export function checkId(form: RegExp, id: string, what: string, fix: string): void {
  if (!form.test(id)) throw new Fault('BAD_REQUEST', `${visible(id)} is not ${what}.`, { fix });
}

/** A list is of the workspace that one stands in. */
/** `filtered`: nothing is said of what the filters leave out. */
export const nothingHere = (what: string, all: boolean, filtered: boolean): string => {
  if (filtered) return `No ${what} fit these filters${all ? '' : ' in this workspace'}.`;
  return all ? `No ${what} yet.` : `No ${what} in this workspace; --all shows the others.`;
};
