// Changes of files as the record knows them: by an agent, with a receipt, or found afterwards.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Gate, outcomeOf } from '../kernel/gate.fixture.ts';
import { type EventOf, streams } from '../protocol/index.ts';

type Seen = EventOf<'untracked_mutation'>['data'];
export type Sureness = Pick<Seen, 'attribution' | 'actions'>;

/** The action's id. */
export async function changeByAgent(gate: Gate, session: string, path: string, content: string): Promise<string> {
  const { action } = outcomeOf(await gate.write(session, path, content), 'admitted');
  put(gate, path, content);
  await gate.kernel.spine.after(action.id, { output: 'done', failed: false });
  return action.id;
}

/** A look found that the file had become this. */
export async function seenChange(gate: Gate, path: string, before: string | null, after: string | null, how: Sureness): Promise<void> {
  const at = '2026-01-01T00:00:00.000Z';
  const hash = async (text: string | null) => (text === null ? null : gate.store.putBlob(Buffer.from(text)));
  await record(gate, path, await hash(before), await hash(after), at, how);
  if (after === null) rmSync(join(gate.root, path));
  else put(gate, path, after);
}

/** The same where the content before was not kept. */
export async function seenWithoutContent(gate: Gate, path: string, after: string, how: Sureness): Promise<void> {
  await record(gate, path, 'f'.repeat(64), await gate.store.putBlob(Buffer.from(after)), '2026-01-01T00:00:00.000Z', how);
  put(gate, path, after);
}

function put(gate: Gate, path: string, content: string): void {
  mkdirSync(dirname(join(gate.root, path)), { recursive: true });
  writeFileSync(join(gate.root, path), content);
}

async function record(gate: Gate, path: string, before_sha256: string | null, after_sha256: string | null, at: string, how: Sureness) {
  const { workspace, root } = gate;
  const data: Seen = { workspace, root, path, before_sha256, after_sha256, window: { from: at, to: at }, ...how };
  const stream = streams.tree(workspace);
  await gate.store.append([{ stream, expected_seq: null, events: [{ type: 'untracked_mutation', data }] }]);
}
