// Undoing what agents did to files: shown first, then done.

import { z } from 'zod';
import { ActionId, IntentId, ReceiptId, SessionId, Sha256 } from '../ids.ts';
import { ANY_HUMAN, type CommandDeclaration, Here } from './command.ts';

/** Null: of the session that was active last. A session includes its sub-agents. */
export const UndoTarget = z.union([
  z.strictObject({ action: ActionId }),
  z.strictObject({ turn: SessionId.nullable() }),
  z.strictObject({ session: SessionId.nullable() }),
  z.strictObject({ intent: IntentId }),
]);
export type UndoTarget = z.infer<typeof UndoTarget>;

export const UndoView = z.strictObject({
  target: z.string(),
  plan: z.string(),
  files: z.array(
    z.strictObject({
      path: z.string(),
      /** `merged`: what happened to the file since stays in it. */
      change: z.enum(['restored', 'removed', 'changed', 'merged']),
      before_sha256: Sha256.nullable(),
      after_sha256: Sha256.nullable(),
      diff: z.string(),
    }),
  ),
  kept: z.array(z.strictObject({ path: z.string(), why: z.string() })),
  /** False for a preview. */
  done: z.boolean(),
  /** One for each part of the record; none for a preview. */
  receipts: z.array(ReceiptId),
});
export type UndoView = z.infer<typeof UndoView>;

export const undoCommands = {
  undo: {
    who: ANY_HUMAN,
    input: Here.extend({
      target: UndoTarget,
      dry_run: z.boolean(),
      /** The plan that was shown: nothing else is done. Null: the plan as it is now. */
      plan: z.string().nullable().default(null),
    }),
    output: UndoView,
  },
} as const satisfies Record<string, CommandDeclaration>;
