// How a plan can be split between agents: parts that touch no file of one another and do not wait for one another.

import { NO_SUB_AGENTS, type PlanGraph, type PlanNode, type SubAgentHints } from '../protocol/index.ts';

const SPLITS_MAX = 8;

export function subAgentHints({ nodes }: Pick<PlanGraph, 'nodes'>): SubAgentHints {
  const changes = nodes.filter(({ kind }) => kind === 'change');
  if (changes.length < 2) return { ...NO_SUB_AGENTS, reason: 'The plan changes one file, so there is nothing to split.' };
  const parts = partsOf(nodes).filter((part) => part.some(({ kind }) => kind === 'change'));
  if (parts.length < 2) return { ...NO_SUB_AGENTS, reason: 'All changes are connected: they share files, boundaries or dependencies.' };
  const splits = joined(parts).map((part, at) => ({
    name: `part-${at + 1}`,
    nodeIds: part.map(({ nodeId }) => nodeId),
    files: [...new Set(part.flatMap(filesOf))].toSorted(),
  }));
  return { recommended: true, reason: `${splits.length} parts share no file and do not wait for one another.`, splits };
}

const filesOf = (node: PlanNode): readonly string[] =>
  node.kind === 'change' ? [node.targetFile, ...(node.renameTo === null ? [] : [node.renameTo])] : [];

/** Nodes that have to stay with one agent, in the order of the plan. A node that waits for several parts belongs to none: it joins them again. */
function partsOf(nodes: readonly PlanNode[]): readonly (readonly PlanNode[])[] {
  const leader = new Map(nodes.map(({ nodeId }) => [nodeId, nodeId]));
  const find = (id: string): string => {
    let at = id;
    while (leader.get(at) !== at) at = leader.get(at)!;
    return at;
  };
  const join = (one: string, other: string): void => void leader.set(find(other), find(one));
  const owners = new Map<string, string>();
  for (const node of nodes) {
    if (node.kind !== 'change') continue;
    for (const key of [...filesOf(node).map((file) => `file ${file}`), `boundary ${node.atomicityBoundary}`]) {
      const owner = owners.get(key);
      if (owner === undefined) owners.set(key, node.nodeId);
      else join(owner, node.nodeId);
    }
  }
  const linksOf = (node: PlanNode): readonly string[] =>
    [...node.dependsOn, ...(node.kind === 'validate' ? node.mapsToNodeIds : [])].filter((id) => leader.has(id));
  // Changes and escalations hold what depends on them together; a check or an effect over several parts comes after all of them.
  for (const node of nodes) if (node.kind === 'change') for (const id of linksOf(node)) join(id, node.nodeId);
  for (const node of nodes) {
    if (node.kind === 'change') continue;
    const linked = new Set(linksOf(node).map(find));
    if (linked.size === 1) join([...linked][0]!, node.nodeId);
  }
  const parts = new Map<string, PlanNode[]>();
  for (const node of nodes) parts.set(find(node.nodeId), [...(parts.get(find(node.nodeId)) ?? []), node]);
  return [...parts.values()];
}

/** No more parts than agents are worth starting: the smallest go together. */
function joined(parts: readonly (readonly PlanNode[])[]): readonly (readonly PlanNode[])[] {
  let all = [...parts];
  while (all.length > SPLITS_MAX) {
    const [first, second, ...rest] = all.toSorted((a, b) => a.length - b.length);
    all = [...rest, [...first!, ...second!]];
  }
  return all;
}
