// The words that models are given, in layers: what the program brings, the user's own, the project's. Overrides change words, never schemas.

import { z } from 'zod';

export const PromptLayer = z.enum(['global', 'user', 'project']);
export type PromptLayer = z.infer<typeof PromptLayer>;

/** As a layer's file writes it. Tools are named with hyphens there: `file-locator`. */
export const PromptOverride = z.strictObject({ id: z.string().min(1).max(64), text: z.string().min(1).max(8_000) });
export const PromptFile = z.strictObject({ prompts: z.array(PromptOverride).max(100) });

export const PromptEntry = z.strictObject({
  id: z.string(),
  /** The tool that it describes; null: another part of the prompt. */
  tool: z.string().nullable(),
  text: z.string(),
  /** Whose words these are. */
  layer: PromptLayer,
});
export type PromptEntry = z.infer<typeof PromptEntry>;

export const PromptsView = z.strictObject({ prompts: z.array(PromptEntry), warnings: z.array(z.string()) });
export type PromptsView = z.infer<typeof PromptsView>;
