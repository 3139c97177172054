// What a human does to the memory of a workspace.

import { z } from 'zod';
import { Citation, CLAIM_LIMITS, ClaimKind } from '../claim.ts';
import { ClaimId } from '../ids.ts';
import { MemoryRow } from '../rows.ts';
import { SCOPE_LIMITS } from '../scope-limits.ts';
import { ANY_HUMAN, AT_TERMINAL, type CommandDeclaration, Here } from './command.ts';

const OneMemory = z.strictObject({ id: ClaimId, cwd: z.string() });

export const MemoryImportView = z.strictObject({
  kept: z.int(),
  merged: z.int(),
  /** What this machine cannot check counts for less here. */
  weakened: z.array(z.strictObject({ line: z.int(), kind: ClaimKind, because: z.string() })),
});
export type MemoryImportView = z.infer<typeof MemoryImportView>;

export const memoryCommands = {
  add_memory: {
    who: ANY_HUMAN,
    input: Here.extend({
      kind: ClaimKind,
      statement: z.string().trim().min(1).max(CLAIM_LIMITS.statement),
      rationale: z.string().trim().min(1).max(CLAIM_LIMITS.rationale).nullable().default(null),
      citations: z
        .array(Citation.omit({ sha256: true }))
        .max(CLAIM_LIMITS.citations)
        .default([]),
      scope: z.array(z.string().min(1).max(SCOPE_LIMITS.characters)).max(CLAIM_LIMITS.scope).default([]),
    }),
    output: MemoryRow,
  },
  approve_memory: { who: ANY_HUMAN, input: OneMemory, output: MemoryRow },
  retire_memory: {
    who: ANY_HUMAN,
    input: OneMemory.extend({ reason: z.string().trim().min(1).max(500) }),
    output: z.strictObject({ id: ClaimId }),
  },
  import_memory: {
    who: AT_TERMINAL,
    input: Here.extend({ file: z.string().min(1) }),
    output: MemoryImportView,
  },
  export_memory: {
    who: AT_TERMINAL,
    input: Here,
    output: z.strictObject({ memories: z.int(), text: z.string() }),
  },
} as const satisfies Record<string, CommandDeclaration>;
