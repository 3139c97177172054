// What an accepted plan will touch. The kernel holds what was reserved, and says who collides (`kernel/plan-facts.ts`).

import type { PlanGraph, PlanNode, Reservation } from '../protocol/index.ts';

/** The one graph of a work tree: `graph sync` reserves it. */
export const CODE_GRAPH = 'code';
/** Effects on what every run shares; another branch or tag is another thing. */
const SHARED_EFFECTS = new Set(['git_commit', 'git_push']);

export const reservationsOf = ({ workId, nodes }: Pick<PlanGraph, 'workId' | 'nodes'>): readonly Reservation[] =>
  nodes.flatMap((node) => nodeReservations(workId, node));

function nodeReservations(workId: string, node: PlanNode): readonly Reservation[] {
  const of = (kind: Reservation['kind'], name: string): Reservation => ({ kind, name, workId, nodeId: node.nodeId });
  if (node.kind === 'side_effect')
    return [
      of(
        'side_effect',
        SHARED_EFFECTS.has(node.sideEffectType) ? node.sideEffectType : `${node.sideEffectType} ${node.sideEffectPayloadRef}`,
      ),
    ];
  if (node.kind !== 'change') return [];
  return [
    of('file', node.targetFile),
    ...(node.renameTo === null ? [] : [of('file', node.renameTo)]),
    // What is created, deleted or renamed is a file as a whole.
    ...(node.operation === 'modify' ? node.targetSymbols : []).map((symbol) => of('symbol', `${node.targetFile}#${symbol}`)),
    // A seed row is part of the graph, whatever file it is in.
    ...(node.targetFile.startsWith('.ai/graph/seed/') ? [of('graph', CODE_GRAPH)] : []),
  ];
}
