// The receipt that a record carries, with the record's own signature. An undo's receipt is made of its record: nothing in it is from
// anywhere else, so the signature covers it.

import { sha256Hex } from '../ledger/index.ts';
import type { EventOf, SignedReceipt } from '../protocol/index.ts';
import type { SignedRecord } from '../stores/index.ts';

/** Null: this record carries none. */
export function signedReceipt({ event, seq, at, signature }: SignedRecord): SignedReceipt | null {
  const signed = { seq, signature, signature_alg: 'HMAC-SHA256' as const };
  if (event.type === 'changes_undone') {
    const receipt = undoReceipt(event.data, at);
    return receipt && { ...receipt, ...signed };
  }
  if (event.type === 'action_observed') return event.data.receipt && { ...event.data.receipt, ...signed };
  if (event.type !== 'action_settled') return null;
  const { receipt, overtaken_by } = event.data;
  return { ...receipt, ...signed, ...(overtaken_by === undefined ? {} : { overtaken_by }) };
}

type Undone = EventOf<'changes_undone'>['data'];

function undoReceipt({ workspace, root, target, files, kept, receipt, human }: Undone, at: string) {
  if (!receipt) return null;
  const text = JSON.stringify({ kept });
  return {
    ...receipt,
    ...{ action_id: null, task_id: null, workspace, root, turn_id: '0', agent_id: 'human', tool_id: 'undo' },
    inputs: { target, proof: human.proof },
    ...(text.length <= EXCERPT_CHARACTERS ? { outputs: text } : { excerpt: text.slice(0, EXCERPT_CHARACTERS).toWellFormed() }),
    ...{ sha256: sha256Hex(text), full_size: Buffer.byteLength(text) },
    file_refs: files,
    intent: null,
    timestamp: at,
  };
}

const EXCERPT_CHARACTERS = 2_000;
