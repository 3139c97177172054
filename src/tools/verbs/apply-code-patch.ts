// apply_code_patch: exact replacements in the file of a change node. The change itself is a child action, held to the plan like every other one.

import { z } from 'zod';
import { PathId, type RunContext, type ToolResult } from '../../protocol/index.ts';
import { nodeNamed } from '../plan/plan-node.ts';
import { defineTool, plan, refuse } from '../tool.ts';

const Replacement = z.strictObject({
  type: z.literal('replace_text').optional(),
  /** Empty or absent in a file that the node creates. */
  oldText: z.string().optional(),
  newText: z.string(),
  replaceAll: z.boolean().optional(),
});
const Codemod = z.looseObject({ type: z.string() });

export const applyCodePatch = defineTool({
  name: 'apply_code_patch',
  description: 'Changes the file of a change node of the accepted plan.',
  input: z.strictObject({
    planNodeId: PathId,
    targetFile: z.string().min(1).max(1_024),
    edits: z
      .array(z.union([Replacement, Codemod]))
      .min(1)
      .max(100),
  }),
  declare: plan,
  surfaces: [],
  run: async ({ planNodeId, targetFile, edits }, context) => {
    const { node, refusal } = nodeNamed(context, planNodeId, 'change');
    if (!node || refusal) return refusal!;
    if (node.targetFile !== targetFile)
      return refuse(
        'PLAN_SCOPE_VIOLATION',
        `Node ${planNodeId} changes ${node.targetFile}, not ${targetFile}.`,
        `Send targetFile ${node.targetFile}`,
        {
          tool: 'plan_status',
          args: {},
        },
      );
    const replacements = edits.map((edit) => Replacement.safeParse(edit));
    const [other] = edits.filter((_edit, index) => !replacements[index]!.success);
    if (other !== undefined) {
      const what = typeof other.type === 'string' ? `the codemod ${other.type}` : 'this form of edit';
      return refuse(
        'NOT_AVAILABLE',
        `This version knows no ${what}; nothing was changed.`,
        'Send edits as [{"oldText": "…", "newText": "…"}]',
        {
          tool: 'read_file_lines',
          args: { targetFile },
        },
      );
    }
    return change(
      context,
      targetFile,
      node.operation,
      replacements.map(({ data }) => data!),
    );
  },
});

async function change(
  { child }: RunContext,
  path: string,
  operation: string,
  edits: readonly z.infer<typeof Replacement>[],
): Promise<ToolResult> {
  const [first] = edits;
  const isNew = operation === 'create' && edits.length === 1 && !first?.oldText;
  const { output, refusal, receiptId } =
    operation === 'delete'
      ? await child('delete_file', { path }, { wait: false })
      : isNew
        ? await child('write_file', { path, content: first!.newText }, { wait: false })
        : await child(
            'edit_file',
            {
              path,
              edits: edits.map(({ oldText = '', newText, replaceAll }) => ({
                old_text: oldText,
                new_text: newText,
                ...(replaceAll === undefined ? {} : { replace_all: replaceAll }),
              })),
            },
            { wait: false },
          );
  if (refusal) return { output: refusal, refusal };
  return { output: { ...(output as object), receipt: receiptId } };
}
