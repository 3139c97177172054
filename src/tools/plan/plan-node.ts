// The node of the accepted plan that a call names, if it may go.

import type { PlanNode, RunContext, ToolResult } from '../../protocol/index.ts';
import { refuse } from '../tool.ts';

type NodeOf<K extends PlanNode['kind']> = Extract<PlanNode, { kind: K }>;

interface Named<K extends PlanNode['kind']> {
  readonly node: NodeOf<K> | null;
  readonly refusal: ToolResult | null;
}

const LOOK = { tool: 'plan_status', args: {} };

/** `kind` undefined: any. A node that waits for others, or for a human, may not go. */
export function nodeNamed<K extends PlanNode['kind'] = PlanNode['kind']>(
  { work, collisionOf }: Pick<RunContext, 'work' | 'collisionOf'>,
  nodeId: string,
  kind?: K,
): Named<K> {
  const plan = work()?.plan ?? null;
  const refused = (message: string, todo: string): Named<K> => ({
    node: null,
    refusal: refuse('PLAN_SCOPE_VIOLATION', message, todo, LOOK),
  });
  const node = plan?.graph.nodes.find((each) => each.nodeId === nodeId);
  const wanted = plan?.graph.nodes.filter((each) => kind === undefined || each.kind === kind).map((each) => each.nodeId) ?? [];
  const names = wanted.length > 0 ? `Name one of ${wanted.join(', ')}` : 'Submit a plan that has one';
  if (!plan) return refused('There is no accepted plan.', 'Submit a plan with submit_execution_plan');
  if (!node) return refused(`The plan has no node ${nodeId}.`, names);
  if (kind !== undefined && node.kind !== kind) return refused(`Node ${nodeId} is a ${node.kind} node, not a ${kind} node.`, names);
  const view = plan.nodes.find((each) => each.nodeId === nodeId);
  if (view?.status === 'blocked')
    return refused(`Node ${nodeId} is not ready: it waits for ${view.waitsFor.join(', ')}.`, 'Do first what it waits for');
  const held = collisionOf(nodeId);
  if (held)
    return {
      node: null,
      refusal: refuse(
        'EXEC_SIDE_EFFECT_COLLISION',
        `${held.agent} has reserved the ${held.kind.replace('_', ' ')} ${held.name} for node ${held.node} of ${held.work} (${held.session}).`,
        'Work on another node, or wait until that node is done or its reservation ends',
        LOOK,
      ),
    };
  return { node: node as NodeOf<K>, refusal: null };
}
