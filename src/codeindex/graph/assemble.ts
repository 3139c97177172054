// One graph out of what many say: the index, the seeds, memory, packs.

import { adjacencyOf } from './adjacency.ts';
import { byKey, type GraphContent, type GraphEdge, type GraphNode, sortKey } from './graph-model.ts';

export interface Assembled extends GraphContent {
  /** Of each edge the numbers of its nodes: looking ids up takes most of the time that a large graph takes. */
  readonly ends: EdgeEnds;
  /** Edges to or from an unknown node. */
  readonly dangling: readonly GraphEdge[];
}

export interface EdgeEnds {
  readonly from: Uint32Array;
  readonly to: Uint32Array;
}

/** Of two nodes with one id the later one counts; of two edges between the same nodes, the one that comes first in the code. */
export function assemble(parts: readonly GraphContent[]): Assembled {
  const byId = new Map<string, GraphNode>();
  for (const part of parts) for (const node of part.nodes) byId.set(node.id, node);
  const nodes = [...byId.values()]
    .map((node) => ({ key: sortKey(node.id), node }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ node }) => node);
  const ranks = new Map(nodes.map(({ id }, rank) => [id, rank]));
  const edges: GraphEdge[] = [];
  const dangling: GraphEdge[] = [];
  const from: number[] = [];
  const to: number[] = [];
  for (const part of parts)
    for (const edge of part.edges) {
      const [left, right] = [ranks.get(edge.from), ranks.get(edge.to)];
      if (left === undefined || right === undefined) dangling.push(edge);
      else {
        edges.push(edge);
        from.push(left);
        to.push(right);
      }
    }
  return { nodes, dangling, ...sortedOnce(edges, { from: Uint32Array.from(from), to: Uint32Array.from(to) }, nodes.length) };
}

/** By numbers, node by node. */
function sortedOnce(edges: readonly GraphEdge[], { from, to }: EdgeEnds, nodes: number): Pick<Assembled, 'edges' | 'ends'> {
  const types = new Map([...new Set(edges.map(({ type }) => type))].sort(byKey).map((type, rank) => [type, rank]));
  const type = Uint32Array.from(edges, (edge) => types.get(edge.type)!);
  const { start, edge: grouped } = adjacencyOf(nodes, from);
  const sameEnd = (a: number, b: number): number => type[a]! - type[b]! || to[a]! - to[b]!;
  const kept: number[] = [];
  for (let node = 0; node < nodes; node++) {
    const own = [...grouped.subarray(start[node], start[node + 1])].sort((a, b) => sameEnd(a, b) || byPlace(edges[a]!, edges[b]!) || a - b);
    for (let at = 0; at < own.length; at++) if (at === 0 || sameEnd(own[at - 1]!, own[at]!) !== 0) kept.push(own[at]!);
  }
  return {
    edges: kept.map((edge) => edges[edge]!),
    ends: { from: Uint32Array.from(kept, (edge) => from[edge]!), to: Uint32Array.from(kept, (edge) => to[edge]!) },
  };
}

/** Edges without a location come last. */
function byPlace(a: GraphEdge, b: GraphEdge): number {
  if (a.path === null || b.path === null) return Number(a.path === null) - Number(b.path === null);
  return byKey(a.path, b.path) || (a.line ?? 0) - (b.line ?? 0);
}
