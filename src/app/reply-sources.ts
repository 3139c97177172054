// What a reply is checked against: the files of the work tree as an agent may see them, and the receipts of its own session.

import type { ReplyToCheck } from '../conference/index.ts';
import { receiptsOfSession } from '../projections/index.ts';
import { Fault, type ReplyReceipt, type ReplySources, type SignedReceipt, type SourceText } from '../protocol/index.ts';
import type { EventStore } from '../stores/index.ts';
import { isHidden, listMatches, readInRoot, type Visibility } from '../workspace/index.ts';

/** More files than a model could ever have checked. */
const MOST_FILES = 20_000;

export interface SourceOptions {
  readonly store: EventStore;
  readonly visibility: (root: string) => Promise<Visibility>;
}

export function replySources({ store, visibility }: SourceOptions, { root, session, turn }: ReplyToCheck): ReplySources {
  let receipts: Promise<SignedReceipt[]> | null = null;
  const ofSession = () => (receipts ??= receiptsOfSession(store, session));
  return {
    read: async (path) => sourceText(root, path, await visibility(root)),
    paths: async () => (await listMatches(root, '', '**', MOST_FILES, await visibility(root))).files,
    receipt: async (id) => (await ofSession()).filter(({ receipt_id }) => receipt_id === id).map(replyReceipt)[0] ?? null,
    receipts: async () => (await ofSession()).filter(({ turn_id }) => turn_id === turn).map(replyReceipt),
  };
}

const replyReceipt = ({ receipt_id, tool_id, status, inputs, reads = [] }: SignedReceipt): ReplyReceipt => ({
  ...{ receipt_id, tool_id, status, dry: inputs['dry_run'] === true },
  reads: reads.map(({ path }) => path),
});

async function sourceText(root: string, given: string, visibility: Visibility): Promise<SourceText> {
  const path = given.replace(/^\.\//, '');
  if (isHidden(root, path, visibility)) return { kind: 'withheld', why: 'is not shown to agents' };
  try {
    const file = await readInRoot(root, path);
    if (!file) return { kind: 'missing', why: 'does not exist' };
    const text = new TextDecoder('utf-8', { fatal: true }).decode(file.bytes);
    return { kind: 'file', path, lines: text.split(/\r\n|\n|\r/) };
  } catch (error) {
    if (error instanceof Fault) return { kind: 'withheld', why: `cannot be read: ${error.message}` };
    if (error instanceof TypeError) return { kind: 'withheld', why: 'is not text' };
    throw error;
  }
}
