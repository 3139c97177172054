// run_automation_recipe: a named recipe for a node. `run_targeted_validation` runs the checks of a validate node: the workspace's own by name, commands as the
// gate runs any other. Whether the node is done comes from their outcome.

import { z } from 'zod';
import { CheckName, PathId, type RunContext, type ToolResult, type ValidateNode } from '../../protocol/index.ts';
import { artifactRefs } from '../plan/artifact-refs.ts';
import { nodeNamed } from '../plan/plan-node.ts';
import { defineTool, plan, refuse } from '../tool.ts';

const LOOK = { tool: 'plan_status', args: {} };

export const runAutomationRecipe = defineTool({
  name: 'run_automation_recipe',
  description: 'Runs a named recipe for a node of the accepted plan.',
  input: z.strictObject({
    recipeId: z.string().min(1).max(64),
    planNodeId: PathId,
    artifactBundleRef: z.string().min(1).max(256),
    diffSummaryRef: z.string().min(1).max(256),
    params: z.record(z.string(), z.unknown()).optional(),
  }),
  declare: plan,
  surfaces: [],
  run: async ({ recipeId, planNodeId, artifactBundleRef, diffSummaryRef }, context) => {
    if (recipeId === 'replace_lexeme_in_file')
      return refuse(
        'NOT_AVAILABLE',
        'This version cannot run replace_lexeme_in_file yet; nothing was changed.',
        'Send the change as edits of apply_code_patch',
        LOOK,
      );
    if (recipeId !== 'run_targeted_validation')
      return refuse('PLAN_SCOPE_VIOLATION', `There is no recipe ${recipeId}.`, 'Name run_targeted_validation', LOOK);
    const { node, refusal } = nodeNamed(context, planNodeId, 'validate');
    if (!node || refusal) return refusal!;
    const refs = artifactRefs(context.work()!.workId, planNodeId);
    if (artifactBundleRef !== refs.artifactBundleRef || diffSummaryRef !== refs.diffSummaryRef)
      return refuse(
        'PLAN_SCOPE_VIOLATION',
        `The refs of node ${planNodeId} are ${refs.artifactBundleRef} and ${refs.diffSummaryRef}.`,
        'Send the refs that came with the accepted plan',
        { tool: 'run_automation_recipe', args: { recipeId, planNodeId, ...refs } },
      );
    return runChecks(context, node);
  },
});

async function runChecks(context: RunContext, node: ValidateNode): Promise<ToolResult> {
  const names = node.verificationHooks.filter((hook) => CheckName.safeParse(hook).success);
  const commands = node.verificationHooks.filter((hook) => !names.includes(hook));
  const results: unknown[] = [];
  if (names.length > 0) {
    const { output, refusal } = await context.child('validate', { checks: names }, { wait: false });
    if (refusal) return { output: refusal, refusal };
    results.push(output);
  }
  for (const command of commands) {
    const { output, refusal } = await context.child('run_command', { command }, { wait: false });
    if (refusal) return { output: refusal, refusal };
    results.push({ command, ...(output as object) });
  }
  const status = context.work()?.plan?.nodes.find(({ nodeId }) => nodeId === node.nodeId)?.status ?? 'blocked';
  const passed = status === 'done';
  return { output: { node: node.nodeId, validationOutcome: passed ? 'passed' : 'failed', results }, ...(passed ? {} : { failed: true }) };
}
