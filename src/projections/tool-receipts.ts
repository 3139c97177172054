// The receipts of a session, in the form of the contract's audit files. The ledger's records are the originals; each signature was checked when
// it was read.

import { hasWholeOutput, outputIn, type SignedReceipt, streams, type ToolReceipt } from '../protocol/index.ts';
import type { EventStore } from '../stores/index.ts';
import { signedReceipt } from './signed-receipt.ts';

const PAGE = 500;

/** Oldest first. */
export async function receiptsOfSession(store: Pick<EventStore, 'find'>, session: string): Promise<SignedReceipt[]> {
  const found: SignedReceipt[] = [];
  for (let before: number | undefined; ;) {
    const records = await store.find({
      ...{ types: ['action_settled', 'action_observed'], stream: streams.session(session), limit: PAGE },
      ...(before === undefined ? {} : { before }),
    });
    for (const record of records) found.push(...[signedReceipt(record)].filter((receipt) => receipt !== null));
    if (records.length < PAGE) return found.toReversed();
    before = records.at(-1)?.seq;
  }
}

export function toolReceipt(receipt: SignedReceipt): ToolReceipt {
  const { receipt_id, part_of, turn_id, agent_id, tool_id, inputs, status, sha256, full_size, reads = [], timestamp } = receipt;
  const task_id = part_of?.task_id ?? receipt.task_id;
  return {
    receipt_id,
    ...(part_of?.conference_id !== undefined ? { conference_id: part_of.conference_id } : task_id === null ? {} : { task_id }),
    ...{ turn_id, agent_id, tool_id, inputs, status },
    ...(hasWholeOutput(receipt) ? { outputs: outputIn(receipt) } : { excerpt: outputIn(receipt), sha256, full_size }),
    file_refs: reads.map((read) => ({ ...read })),
    ...{ timestamp, signature: receipt.signature, signature_alg: receipt.signature_alg },
  };
}
