// A receipt says what really happened, as the gate saw it. Its field names are contract. `signature` and `signature_alg` come from the
// ledger record that carries it, so they exist once it was written.

import { z } from 'zod';
import { PartOf } from './action.ts';
import { ActionId, Instant, ReceiptId, SessionId, Sha256, WorkspaceId } from './ids.ts';

/** A refactoring leaves what the program means as it is: names, places, layout and comments may change. `because` says what was seen. */
export const MutationClass = z.strictObject({ class: z.enum(['AST_REFACTOR', 'INTENT_EVOLUTION']), because: z.string() });
export type MutationClass = z.infer<typeof MutationClass>;

/** One file as the action left it. Null hashes mean: did not exist before, does not exist after. */
export const FileRef = z.strictObject({
  path: z.string(),
  before_sha256: Sha256.nullable(),
  after_sha256: Sha256.nullable(),
  /** Of a file that is gone: it could be run as a program, and so can what an undo brings back. */
  executable: z.literal(true).optional(),
  /** Lines of the new content that the action wrote; 1-based, inclusive. */
  ranges: z.array(z.strictObject({ start_line: z.int().min(1), end_line: z.int().min(1), sha256: Sha256 })),
  /** Whether the session had seen what it changed: `unread` when it never looked, `new` when there was nothing to see. */
  lock: z.enum(['checked', 'unread', 'new']).optional(),
  /** How certain it is that this action did it; absent: the gate knows. `window`: no other action was under way when the file changed. */
  attribution: z.literal('window').optional(),
  /** What kind of change it was, by the syntax trees before and after. */
  mutation: MutationClass.optional(),
});
export type FileRef = z.infer<typeof FileRef>;

/** A file that was read: the lines, the hash of the whole file, and the hash of the lines that were read. */
export const ReadRef = z.strictObject({
  path: z.string(),
  sha256: Sha256,
  start_line: z.int(),
  end_line: z.int(),
  /** Over the lines that were read, joined by line feeds. Absent in old receipts. */
  excerpt_sha256: Sha256.optional(),
});
export type ReadRef = z.infer<typeof ReadRef>;

export const ReceiptStatus = z.enum(['done', 'failed']);

export const Receipt = z.strictObject({
  receipt_id: ReceiptId,
  action_id: ActionId,
  /** The action that it was a step of. Absent: it was called by itself, or the receipt is old. */
  parent: ActionId.optional(),
  task_id: SessionId,
  /** Absent: it was called outside of conferences and task packets, or the receipt is old. */
  part_of: PartOf.optional(),
  /** Where it happened; `file_refs` are named from the root. Absent in old receipts: where the session of `task_id` worked. */
  workspace: WorkspaceId.optional(),
  root: z.string().optional(),
  turn_id: z.string(),
  agent_id: z.string(),
  model: z.string().optional(),
  tool_id: z.string(),
  inputs: z.record(z.string(), z.unknown()),
  status: ReceiptStatus,
  /** The whole output, where it is short; otherwise `excerpt`, its beginning. Old receipts have an `excerpt` in both cases. */
  outputs: z.string().optional(),
  excerpt: z.string().optional(),
  /** Of the whole output. */
  sha256: Sha256,
  full_size: z.int(),
  /** Where secrets were taken out before anything was hashed: JSON pointers that begin with `/inputs` or `/output`. Absent: nowhere. */
  redacted: z.array(z.string()).optional(),
  file_refs: z.array(FileRef),
  /** What was read: the lines, and the hash of the whole file. Absent: nothing, or an older receipt. */
  reads: z.array(ReadRef).optional(),
  intent: z.string().nullable(),
  /** Of a command that an agent ran, and of every call in a sealed run: the level that was in force, and what was taken back because no command may leave it. */
  walls: z
    .strictObject({
      level: z.enum(['hooked', 'walled', 'sealed']),
      taken_back: z.array(z.string()).optional(),
      /** It was given walls and did not ask for them: what the agent started was not the wall program. */
      bypassed: z.literal(true).optional(),
    })
    .optional(),
  /** The VCS revision that the work tree was on, where there is one. */
  revision: z.string().nullable(),
  timestamp: Instant,
});
export type Receipt = z.infer<typeof Receipt>;

export const SignedReceipt = Receipt.extend({
  /** Null: a human's own command, such as an undo. */
  action_id: ActionId.nullable(),
  task_id: SessionId.nullable(),
  /** The number of the record that carries it. */
  seq: z.int().min(1),
  /** Over that record's line, by the daemon's own key; checked against it when the receipt was read. */
  signature: Sha256,
  signature_alg: z.literal('HMAC-SHA256'),
  /** As the record says beside it: a later change of the same file that was admitted before this outcome came. */
  overtaken_by: ActionId.optional(),
});
export type SignedReceipt = z.infer<typeof SignedReceipt>;
