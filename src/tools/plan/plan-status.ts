// plan_status: the work of the session, its plan, what each node waits for, and which of its evidence has changed.

import { z } from 'zod';
import { staleEvidence } from '../../plan/index.ts';
import type { StaleEvidence, WorkView } from '../../protocol/index.ts';
import { defineTool, observe } from '../tool.ts';
import { artifactRefs } from './artifact-refs.ts';
import { packByRef } from './review.ts';

export const planStatus = defineTool({
  name: 'plan_status',
  description:
    'Shows the plan that you work by: its nodes, which are ready, which wait and for what, and which cited lines have changed since. Always allowed.',
  input: z.strictObject({
    contextPackRef: z.string().min(1).max(256).optional().describe('Returns this context pack of your work too'),
  }),
  declare: observe,
  readOnly: true,
  surfaces: ['hooked', 'contract'],
  run: async ({ contextPackRef }, context, deps) => {
    const now = context.work();
    const found = contextPackRef === undefined ? null : await packByRef(context, deps, contextPackRef);
    if (found && 'refused' in found) return found.refused;
    const stale = await staleIn(now, { root: context.place.root, privateFolders: deps.privateFolders });
    const replan = 'Lines that the plan cites have changed: read them again, and submit the plan with what they say now if it still holds.';
    return {
      output: {
        ...statusOf(now),
        ...(stale.length > 0 ? { staleEvidence: stale, next: replan } : {}),
        ...(found ? { contextPack: found.pack } : {}),
      },
    };
  },
});

/** What the plan itself has changed is not stale: that is what the plan is for. */
export async function staleIn(
  work: WorkView | null,
  tree: { readonly root: string; readonly privateFolders: readonly string[] },
): Promise<readonly StaleEvidence[]> {
  if (!work?.plan) return [];
  const { graph, nodes } = work.plan;
  const begun = new Set(nodes.filter(({ status }) => status === 'started' || status === 'done').map(({ nodeId }) => nodeId));
  const done = new Set(nodes.filter(({ status }) => status === 'done').map(({ nodeId }) => nodeId));
  const ownChanges = new Set(graph.nodes.flatMap((node) => (node.kind === 'change' && begun.has(node.nodeId) ? [node.targetFile] : [])));
  return staleEvidence(graph, done, { ...tree, ownChanges });
}

export function statusOf(work: WorkView | null): Record<string, unknown> {
  if (!work) return { state: 'PLAN_REQUIRED', plan: null, next: 'There is no plan. Submit one with submit_execution_plan.' };
  const { plan, workId } = work;
  return {
    workId,
    state: work.state,
    plan: plan && {
      version: plan.version,
      approval: plan.approval,
      acceptedAt: plan.acceptedAt,
      nodes: plan.graph.nodes.map((node) => {
        const view = plan.nodes.find(({ nodeId }) => nodeId === node.nodeId);
        return {
          ...{ nodeId: node.nodeId, kind: node.kind, status: view?.status, waitsFor: view?.waitsFor },
          ...('targetFile' in node ? { targetFile: node.targetFile, targetSymbols: node.targetSymbols } : {}),
          ...('verificationHooks' in node ? { verificationHooks: node.verificationHooks } : {}),
          ...artifactRefs(workId, node.nodeId),
        };
      }),
    },
    next: nextOf(work),
  };
}

function nextOf({ plan, state }: WorkView): string {
  if (state === 'COMPLETED' || state === 'FAILED') return 'This work is over.';
  if (!plan) return 'Submit a plan with submit_execution_plan.';
  if (plan.approval === 'waiting') return "The plan waits for a human's yes: countersign approvals shows it.";
  if (plan.approval === 'rejected') return 'A human rejected this plan. Ask what they would accept, and submit another.';
  const ready = plan.nodes.filter(({ status }) => status === 'ready' || status === 'started').map(({ nodeId }) => nodeId);
  if (ready.length > 0) return `Ready: ${ready.join(', ')}.`;
  return plan.nodes.every(({ status }) => status === 'done')
    ? 'Every node is done: call signal_task_complete.'
    : 'No node is ready; see what each waits for.';
}
