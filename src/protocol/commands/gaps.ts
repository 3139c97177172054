// What the gate did not control: pauses, and changes that no receipt explains.

import { z } from 'zod';
import { ApprovalId, Instant, Sha256, WorkspaceId } from '../ids.ts';
import { Proof } from '../intent.ts';
import { ANY_HUMAN, type CommandDeclaration, Here, Signed } from './command.ts';
import { commandStatements } from './statements.ts';

/** A working day: a longer pause has to be asked for again. */
export const PAUSE_SECONDS = { least: 60, most: 8 * 3600 } as const;

/** The second form: hooks that were removed while no daemon ran are restored. */
export const PauseEndedView = z.union([
  z.strictObject({ ended: z.boolean() }),
  z.strictObject({
    workspace: WorkspaceId,
    root: z.string(),
    because: z.enum(['human', 'expired']),
    restored: z.array(z.string()),
    left: z.array(z.string()),
  }),
]);
export type PauseEndedView = z.infer<typeof PauseEndedView>;

export const gapCommands = {
  pause: {
    who: ANY_HUMAN,
    input: Here.extend({
      seconds: z.int().min(PAUSE_SECONDS.least).max(PAUSE_SECONDS.most),
      reason: z.string().trim().min(1).max(500),
      signed: Signed,
    }),
    /** `waiting`: calls that a human was asked about before; a pause does not release them. */
    output: z.strictObject({ until: Instant, reason: z.string(), proof: Proof, waiting: z.array(ApprovalId) }),
    statement: commandStatements.pause,
  },
  end_pause: { who: ANY_HUMAN, input: Here, output: PauseEndedView },
  acknowledge: {
    who: ANY_HUMAN,
    input: Here.extend({
      files: z
        .array(z.strictObject({ path: z.string(), after_sha256: Sha256.nullable() }))
        .min(1)
        .max(500),
      reason: z.string().trim().min(1).max(500).optional(),
      signed: Signed,
    }),
    output: z.strictObject({ acknowledged: z.int(), proof: Proof }),
    statement: commandStatements.acknowledge,
  },
} as const satisfies Record<string, CommandDeclaration>;
