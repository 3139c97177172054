// What a reply is checked against: the files as its agent sees them, virtual ones included, and the receipts of its own session.

import type { ReplyToCheck } from '../conference/index.ts';
import { sourcesOfRole, sourceText, type Vfs } from '../packs/index.ts';
import { receiptsOfSession } from '../projections/index.ts';
import type { ReplyReceipt, ReplySources, SignedReceipt } from '../protocol/index.ts';
import type { EventStore } from '../stores/index.ts';
import { coveringGlob } from '../workspace/index.ts';

export interface SourceOptions {
  readonly store: EventStore;
  readonly vfsOf: (root: string) => Promise<Vfs>;
}

export async function replySources({ store, vfsOf }: SourceOptions, { root, session, turn, agent }: ReplyToCheck): Promise<ReplySources> {
  let receipts: Promise<SignedReceipt[]> | null = null;
  const ofSession = () => (receipts ??= receiptsOfSession(store, session));
  const vfs = await vfsOf(root);
  const paths = (await vfs.tree()).map(({ path }) => path);
  const sources = sourcesOfRole(agent.role);
  // A role of a story asks for nothing where there is no story.
  const hasSources = paths.some((path) => coveringGlob(sources, path) !== null);
  return {
    read: (path) => sourceText(vfs, path),
    paths: () => Promise.resolve(paths),
    ...(hasSources ? { role: { name: agent.name, sources } } : {}),
    receipt: async (id) => (await ofSession()).filter(({ receipt_id }) => receipt_id === id).map(replyReceipt)[0] ?? null,
    receipts: async () => (await ofSession()).filter(({ turn_id }) => turn_id === turn).map(replyReceipt),
  };
}

const replyReceipt = ({ receipt_id, tool_id, status, inputs, reads = [] }: SignedReceipt): ReplyReceipt => ({
  ...{ receipt_id, tool_id, status, dry: inputs['dry_run'] === true },
  reads: reads.map(({ path }) => path),
});
