// Whether the nodes fit together: ids, dependencies, boundaries.

import type { PlanError } from '../../protocol/index.ts';
import type { FilledNode } from './fill-in.ts';
import { cycleIn } from './order.ts';
import { inNode, planError, remove, replace } from './plan-error.ts';
import type { PlanDraft } from './read-plan.ts';

export function checkStructure(nodes: readonly FilledNode[], draft: PlanDraft): readonly PlanError[] {
  const duplicates = duplicateIds(draft);
  // While two nodes share an id, nothing says which of them a dependency means.
  return [...duplicates, ...unknownIds(nodes, draft), ...(duplicates.length > 0 ? [] : cycles(nodes)), ...boundaries(nodes)];
}

function duplicateIds({ ids }: PlanDraft): readonly PlanError[] {
  const taken = new Set(ids);
  const seen = new Set<string>();
  return ids.flatMap((nodeId, at) => {
    if (!seen.has(nodeId)) {
      seen.add(nodeId);
      return [];
    }
    const free = freeId(nodeId, taken);
    taken.add(free);
    return [
      planError({
        code: 'PLAN_MISSING_REQUIRED_FIELDS',
        at: inNode({ at, nodeId }, 'nodeId'),
        message: `Two nodes have the id ${JSON.stringify(nodeId)}.`,
        fix: `Give this one another id, such as ${JSON.stringify(free)}, and name that in dependsOn where it is meant`,
        patch: [replace(['nodes', at, 'nodeId'], free)],
      }),
    ];
  });
}

function freeId(id: string, taken: ReadonlySet<string>): string {
  const stem = id.slice(0, 60);
  for (let number = 2; ; number++) if (!taken.has(`${stem}-${number}`)) return `${stem}-${number}`;
}

function unknownIds(nodes: readonly FilledNode[], draft: PlanDraft): readonly PlanError[] {
  const known = new Set(draft.ids);
  const changes = new Set(nodes.filter(({ node }) => node.kind === 'change').map(({ node }) => node.nodeId));
  const errors: PlanError[] = [];
  for (const { at, node } of nodes) {
    const place = { at, nodeId: node.nodeId };
    const complain = (field: string, list: readonly string[], says: string): void => {
      for (const id of new Set(list.filter((each) => !known.has(each))))
        errors.push(
          planError({
            code: 'PLAN_MISSING_REQUIRED_FIELDS',
            at: inNode(place, field, list.indexOf(id)),
            message: `It ${says} ${JSON.stringify(id)}, and no node has that id.`,
            fix: `Remove it, or name one of ${draft.ids.slice(0, 20).join(', ')}`,
            patch: [
              replace(
                ['nodes', at, field],
                list.filter((each) => each !== id),
              ),
            ],
          }),
        );
    };
    complain('dependsOn', node.dependsOn, 'depends on');
    if (node.kind !== 'validate') continue;
    complain('mapsToNodeIds', node.mapsToNodeIds, 'validates');
    if (changes.size > 0 && !node.mapsToNodeIds.some((id) => known.has(id)))
      errors.push(
        planError({
          code: 'PLAN_VERIFICATION_WEAK',
          at: inNode(place, 'mapsToNodeIds'),
          message: 'The validate node maps to no node, so nothing is validated by it.',
          fix: `Name the nodes that it validates: ${[...changes].join(', ')}; or leave the field out, then all changes before it are meant`,
          patch: [remove(['nodes', at, 'mapsToNodeIds'])],
        }),
      );
  }
  return errors;
}

function cycles(nodes: readonly FilledNode[]): readonly PlanError[] {
  const cycle = cycleIn(nodes.map(({ node }) => node));
  if (!cycle) return [];
  const last = nodes.find(({ node }) => node.nodeId === cycle.at(-1))!;
  const index = last.node.dependsOn.indexOf(cycle[0]!);
  return [
    planError({
      code: 'PLAN_MISSING_REQUIRED_FIELDS',
      at: inNode({ at: last.at, nodeId: last.node.nodeId }, 'dependsOn', index),
      message: `These nodes wait for one another, so none of them can be done: ${[...cycle, cycle[0]].join(' → ')}.`,
      fix: `Remove ${JSON.stringify(cycle[0])} from dependsOn of ${JSON.stringify(last.node.nodeId)}, or the dependency that is not needed`,
      patch: [
        replace(
          ['nodes', last.at, 'dependsOn'],
          last.node.dependsOn.filter((id) => id !== cycle[0]),
        ),
      ],
    }),
  ];
}

/** What is kept or reverted together must be possible to revert: a side effect is not. */
function boundaries(nodes: readonly FilledNode[]): readonly PlanError[] {
  const changed = new Map(nodes.flatMap(({ node }) => (node.kind === 'change' ? [[node.atomicityBoundary, node.nodeId] as const] : [])));
  const taken = new Set(nodes.map(({ node }) => node.atomicityBoundary));
  return nodes.flatMap(({ at, node }) => {
    const change = node.kind === 'side_effect' ? changed.get(node.atomicityBoundary) : undefined;
    if (change === undefined) return [];
    const own = taken.has(node.nodeId) ? freeId(node.nodeId, taken) : node.nodeId;
    return [
      planError({
        code: 'PLAN_NOT_ATOMIC',
        at: inNode({ at, nodeId: node.nodeId }, 'atomicityBoundary'),
        message: `The side effect is in the boundary ${JSON.stringify(node.atomicityBoundary)} of the change ${JSON.stringify(change)}; it cannot be reverted with it.`,
        fix: `Give the side effect a boundary of its own, such as ${JSON.stringify(own)}, and let it depend on the change`,
        patch: [replace(['nodes', at, 'atomicityBoundary'], own)],
      }),
    ];
  });
}
