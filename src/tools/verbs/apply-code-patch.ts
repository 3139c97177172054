// apply_code_patch: exact replacements and codemods in the file of a change node. The change itself is a child action, held to the plan like every other one.

import { z } from 'zod';
import { type ChangeNode, PathId, type RunContext, type ToolResult } from '../../protocol/index.ts';
import { readInRoot } from '../../workspace/index.ts';
import { decodeOf, missing, realPathOf } from '../native/file-place.ts';
import { nodeNamed } from '../plan/plan-node.ts';
import { defineTool, plan, refuse, type ToolDeps } from '../tool.ts';
import { Edit, edited, isCodemod, oneExactEdit, Replacement } from './code-edits.ts';

export const applyCodePatch = defineTool({
  name: 'apply_code_patch',
  description: 'Changes the file of a change node of the accepted plan.',
  input: z.strictObject({
    planNodeId: PathId,
    targetFile: z.string().min(1).max(1_024),
    edits: z.array(Edit).max(100),
  }),
  declare: plan,
  surfaces: [],
  run: async ({ planNodeId, targetFile, edits }, context, deps) => {
    const { node, refusal } = nodeNamed(context, planNodeId, 'change');
    if (!node || refusal) return refusal!;
    if (node.targetFile !== targetFile)
      return refuse(
        'PLAN_SCOPE_VIOLATION',
        `Node ${planNodeId} changes ${node.targetFile}, not ${targetFile}.`,
        `Send targetFile ${node.targetFile}`,
        { tool: 'plan_status', args: {} },
      );
    const order = await orderFor(node, edits, context, deps);
    if ('declined' in order)
      return refuse(
        'CODEMOD_DECLINED',
        `Nothing was changed: ${order.declined}.`,
        'Send other parameters, or exact replacements: {"oldText", "newText"}',
        {
          tool: 'read_file_lines',
          args: { targetFile },
        },
      );
    return change(context, order);
  },
});

/** The tool that makes the change, and its input. */
interface Order {
  readonly tool: string;
  readonly input: Record<string, unknown>;
}

async function orderFor(
  { operation, renameTo, targetFile: path }: ChangeNode,
  edits: readonly Edit[],
  { place }: RunContext,
  deps: ToolDeps,
): Promise<Order | { readonly declined: string }> {
  if (operation === 'delete') return { tool: 'delete_file', input: { path } };
  if (operation === 'rename' && edits.length === 0) return { tool: 'move_file', input: { from: path, to: renameTo } };
  const [first] = edits;
  if (first === undefined) return { declined: 'there are no edits' };
  const plain = edits.every((edit) => !isCodemod(edit)) ? edits.map((edit) => Replacement.parse(edit)) : null;
  if (operation === 'create' && plain?.length === 1 && !plain[0]!.oldText)
    return { tool: 'write_file', input: { path, content: plain[0]!.newText } };
  if (plain) {
    const exact = plain.map(({ oldText = '', newText, replaceAll }) => ({
      ...{ old_text: oldText, new_text: newText },
      ...(replaceAll === undefined ? {} : { replace_all: replaceAll }),
    }));
    return { tool: 'edit_file', input: { path, edits: exact } };
  }
  const real = await realPathOf(place, path, 'read', deps);
  const file = await readInRoot(place.root, real);
  if (!file) throw missing(place.root, real);
  const before = decodeOf(real, file.bytes);
  const after = await edited(real, before, edits, deps);
  if ('declined' in after) return after;
  if (after.text === before) return { declined: 'the file already is so' };
  // The change is for exactly the text that the codemods were worked out on.
  return { tool: 'edit_file', input: { path, edits: [oneExactEdit(before, after.text)], base_sha256: file.sha256 } };
}

async function change({ child }: RunContext, { tool, input }: Order): Promise<ToolResult> {
  const { output, refusal, receiptId } = await child(tool, input, { wait: false });
  if (refusal) return { output: refusal, refusal };
  return { output: { ...(output as object), receipt: receiptId } };
}
