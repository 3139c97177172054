// The edits of apply_code_patch: exact replacements and codemods with checked parameters, worked out to one text.

import { z } from 'zod';
import { type Codemod, isDeclined, replaced } from '../../codeindex/index.ts';
import { replaceExactly } from '../native/exact-edits.ts';
import type { ToolDeps } from '../tool.ts';

export const Replacement = z.strictObject({
  type: z.literal('replace_text').optional(),
  /** Empty or absent in a file that the node creates. */
  oldText: z.string().optional(),
  newText: z.string(),
  replaceAll: z.boolean().optional(),
});

const Word = z.string().min(1).max(512);
const CodemodEdit = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('rename_identifier_in_file'), from: Word, to: Word }),
  /** Without `module`: the module that is imported from. With it: a name that is imported from that module. */
  z.strictObject({ type: z.literal('update_import_specifier'), from: Word, to: Word, module: Word.optional() }),
  z.strictObject({ type: z.literal('update_route_path_literal'), from: z.string().max(512), to: z.string().max(512) }),
  z.strictObject({ type: z.literal('rewrite_template_tag'), from: Word, to: Word }),
]);

export const Edit = z.union([CodemodEdit, Replacement]);
export type Edit = z.infer<typeof Edit>;

export const isCodemod = (edit: Edit): edit is Codemod & Edit => edit.type !== undefined && edit.type !== 'replace_text';

const TEMPLATE = /\.html?$/i;

/** The text after all edits; or why a codemod changes nothing. Throws where an exact text is not there. */
export async function edited(
  path: string,
  before: string,
  edits: readonly Edit[],
  { code, templateTags }: Pick<ToolDeps, 'code' | 'templateTags'>,
): Promise<{ readonly text: string } | { readonly declined: string }> {
  let text = before;
  for (const edit of edits) {
    if (!isCodemod(edit)) {
      const { oldText = '', newText, replaceAll } = edit;
      text = replaceExactly(path, text, [{ old_text: oldText, new_text: newText, ...(replaceAll ? { replace_all: true } : {}) }]).text;
      continue;
    }
    if (edit.type === 'rewrite_template_tag' && TEMPLATE.test(path)) {
      const found = await templateTags(path, text, edit.from, edit.to);
      if ('declined' in found) return found;
      if (found.places.length === 0) return { declined: `<${edit.from}> does not occur in ${path}` };
      text = replaced(text, found.places);
      continue;
    }
    const rewritten = await code.rewrite(path, text, [edit]);
    if (isDeclined(rewritten)) return rewritten;
    text = rewritten.text;
  }
  return { text };
}

/** The smallest run of lines that differs, widened until it occurs only once: what edit_file takes. */
export function oneExactEdit(before: string, after: string): { readonly old_text: string; readonly new_text: string } {
  const [old, now] = [before.split('\n'), after.split('\n')];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let tail = 0;
  while (tail < old.length - start && tail < now.length - start && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  const textOf = (lines: readonly string[]) => lines.slice(start, lines.length - tail).join('\n');
  const isOnce = () => textOf(old) !== '' && before.indexOf(textOf(old)) === before.lastIndexOf(textOf(old));
  while (!isOnce() && (start > 0 || tail > 0)) {
    start = Math.max(0, start - 1);
    tail = Math.max(0, tail - 1);
  }
  return { old_text: textOf(old), new_text: textOf(now) };
}
