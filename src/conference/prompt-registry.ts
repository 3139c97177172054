// The registry of prompts: global words, then the user's, then the project's. Whoever comes later wins, and a core tool whose words were
// replaced is named in a warning.

import { GROUNDING_TOOLS, type PromptEntry, PromptFile, type PromptLayer, type PromptsView } from '../protocol/index.ts';
import { GLOBAL_PARTS, GLOBAL_TOOL_WORDS } from './global-prompts.ts';

export interface PromptSource {
  readonly layer: Exclude<PromptLayer, 'global'>;
  /** As a warning names it. */
  readonly name: string;
  /** Null: there is no such file. Rejects when it cannot be read. */
  readonly read: () => Promise<string | null>;
}

export const USER_PROMPTS_FILE = 'prompts.json';
export const PROJECT_PROMPTS_FILE = '.control-room/prompts/prompts.json';

const globalEntries = (): PromptEntry[] => [
  ...GROUNDING_TOOLS.map((tool): PromptEntry => ({ id: tool.replaceAll('_', '-'), tool, text: GLOBAL_TOOL_WORDS[tool], layer: 'global' })),
  ...Object.entries(GLOBAL_PARTS).map(([id, text]): PromptEntry => ({ id, tool: null, text, layer: 'global' })),
];

/** A file that cannot be read changes nothing, and says so. */
export async function readPrompts(sources: readonly PromptSource[]): Promise<PromptsView> {
  const prompts = new Map(globalEntries().map((entry) => [entry.id, entry]));
  const warnings: string[] = [];
  for (const { layer, name, read } of sources) {
    const found = await readLayer(read).catch((error: unknown) => ({ trouble: error instanceof Error ? error.message : String(error) }));
    if ('trouble' in found) {
      warnings.push(`${name} is not used: ${found.trouble}`);
      continue;
    }
    for (const { id: given, text } of found.prompts) {
      const id = given.replaceAll('_', '-');
      const before = prompts.get(id);
      if (!before) {
        warnings.push(`${name}: there is no prompt ${JSON.stringify(given)}. There are: ${[...prompts.keys()].join(', ')}`);
        continue;
      }
      if (before.tool !== null)
        warnings.push(`${name} replaces the words of the core tool ${before.tool}. Its arguments stay as they are.`);
      prompts.set(id, { ...before, text, layer });
    }
  }
  return { prompts: [...prompts.values()], warnings };
}

async function readLayer(
  read: PromptSource['read'],
): Promise<{ readonly prompts: readonly { readonly id: string; readonly text: string }[] }> {
  const text = await read();
  if (text === null) return { prompts: [] };
  const parsed = PromptFile.safeParse(JSON.parse(text));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(`${issue?.path.join('.') || 'the file'}: ${issue?.message ?? 'does not fit'}`);
}

/** The words of a tool or of a part, as they hold. */
export const wordsOf = ({ prompts }: PromptsView, id: string): string =>
  prompts.find((entry) => entry.id === id || entry.tool === id)?.text ?? '';
