// A receipt as the audit files and the audit endpoints of the contract show it. The ledger's record is the original; this is a view of it.

import { z } from 'zod';
import { Instant, ReceiptId, Sha256 } from '../ids.ts';
import { ReadRef } from '../receipt.ts';

export const ToolReceipt = z.strictObject({
  receipt_id: ReceiptId,
  /** One of the two. Of a conversation without a task packet `task_id` is the session. */
  conference_id: z.string().optional(),
  task_id: z.string().optional(),
  turn_id: z.string(),
  agent_id: z.string(),
  tool_id: z.string(),
  inputs: z.record(z.string(), z.unknown()),
  status: z.enum(['done', 'failed']),
  /** The whole output where it is short; otherwise its beginning, its hash and its size. */
  outputs: z.string().optional(),
  excerpt: z.string().optional(),
  sha256: Sha256.optional(),
  full_size: z.int().optional(),
  /** What it read. */
  file_refs: z.array(ReadRef),
  timestamp: Instant,
  signature: Sha256,
  signature_alg: z.literal('HMAC-SHA256'),
});
export type ToolReceipt = z.infer<typeof ToolReceipt>;
