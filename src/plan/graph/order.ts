// The order that dependencies allow.

import type { PlanGraph, PlanNode } from '../../protocol/index.ts';

type Linked = Pick<PlanNode, 'nodeId' | 'dependsOn'>;

/** Node ids so that each comes after those it depends on, otherwise as in the plan; null when there is a cycle. */
export function executionOrder(nodes: readonly Linked[]): readonly string[] | null {
  const done = new Set<string>();
  const order: string[] = [];
  const known = new Set(nodes.map(({ nodeId }) => nodeId));
  let waiting = nodes;
  while (waiting.length > 0) {
    const isReady = ({ dependsOn }: Linked): boolean => dependsOn.every((id) => done.has(id) || !known.has(id));
    const ready = waiting.filter(isReady);
    if (ready.length === 0) return null;
    for (const { nodeId } of ready) {
      done.add(nodeId);
      order.push(nodeId);
    }
    waiting = waiting.filter(({ nodeId }) => !done.has(nodeId));
  }
  return order;
}

/** The nodes of one cycle, in its order; null when there is none. */
export function cycleIn(nodes: readonly Linked[]): readonly string[] | null {
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const finished = new Set<string>();
  for (const { nodeId: start } of nodes) {
    // Without recursion: a chain may be as long as the plan.
    const path: string[] = [];
    const onPath = new Set<string>();
    const stack: { readonly id: string; next: number }[] = finished.has(start) ? [] : [{ id: start, next: 0 }];
    while (stack.length > 0) {
      const top = stack.at(-1)!;
      if (top.next === 0) {
        path.push(top.id);
        onPath.add(top.id);
      }
      const next = byId.get(top.id)?.dependsOn[top.next++];
      if (next === undefined) {
        stack.pop();
        path.pop();
        onPath.delete(top.id);
        finished.add(top.id);
      } else if (onPath.has(next)) return path.slice(path.indexOf(next));
      else if (byId.has(next) && !finished.has(next)) stack.push({ id: next, next: 0 });
    }
  }
  return null;
}

/** Nodes that are not done and whose dependencies all are. */
export const readyNodes = (plan: Pick<PlanGraph, 'nodes'>, done: ReadonlySet<string>): readonly PlanNode[] =>
  plan.nodes.filter(({ nodeId, dependsOn }) => !done.has(nodeId) && dependsOn.every((id) => done.has(id)));
