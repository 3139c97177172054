// Importing rules and plans from files of other tools: shown first, then recorded.

import { z } from 'zod';
import { ClaimId, CommandRuleId, IntentId } from '../ids.ts';
import { SCOPE_LIMITS } from '../scope-limits.ts';
import { AT_TERMINAL, type CommandDeclaration, Here } from './command.ts';

export const ImportKind = z.enum(['github', 'jira', 'linear', 'spec-kit', 'rules']);
export type ImportKind = z.infer<typeof ImportKind>;

const Known = z.enum(['new', 'known']);

export const ImportView = z.strictObject({
  dry_run: z.boolean(),
  kind: z.string(),
  intents: z.array(
    z.strictObject({
      id: IntentId.nullable(),
      name: z.string(),
      source: z.string(),
      owned_scope: z.array(z.string()),
      state: z.enum(['new', 'known', 'no paths']),
    }),
  ),
  rules: z.array(z.strictObject({ id: ClaimId.nullable(), statement: z.string(), line: z.int(), state: Known })),
  /** Patterns of commands to allow: proposed, until a human puts each in force. */
  command_rules: z.array(z.strictObject({ id: CommandRuleId.nullable(), pattern: z.string(), line: z.int(), state: Known })),
  /** What is in the file and not taken over. `line` null: an issue or a specification. */
  left_out: z.array(z.strictObject({ line: z.int().nullable(), text: z.string(), why: z.string() })),
  plan: z.string(),
});
export type ImportView = z.infer<typeof ImportView>;

export const importCommands = {
  import_drafts: {
    who: AT_TERMINAL,
    input: Here.extend({
      file: z.string().min(1),
      /** Null: recognised from the file. */
      as: ImportKind.nullable().default(null),
      /** What the intents may change; empty: what their text names. */
      paths: z.array(z.string().min(1)).max(SCOPE_LIMITS.globs).default([]),
      /** Also what is closed. */
      all: z.boolean().default(false),
      dry_run: z.boolean(),
      /** Of the view that the human has seen; null: none. */
      plan: z.string().nullable().default(null),
    }),
    output: ImportView,
  },
} as const satisfies Record<string, CommandDeclaration>;
