import { z } from 'zod';

/** The newest head that was safely on the disk, saved apart from the ledger. */
export const SavedCheckpoint = z.object({
  size: z.int().min(1),
  chain: z.string(),
  /** The file that the head is in, and the offset after its line. */
  segment: z.string().regex(/^\d{8}\.jsonl$/),
  end: z.int().min(1),
});
export type SavedCheckpoint = z.infer<typeof SavedCheckpoint>;

/** What a human keeps elsewhere, as `countersign status --json` prints it under `ledger`. */
export const CheckpointFile = z.object({ size: z.int().min(0), chain: z.string() });
