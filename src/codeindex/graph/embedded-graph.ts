// The graph in memory: numbers instead of ids, flat arrays instead of objects. Built whole from its content and never changed, so
// that a question sees one state of it.

import { type Adjacency, adjacencyOf } from './adjacency.ts';
import type { Assembled } from './assemble.ts';
import {
  type Around,
  type AroundQuery,
  EDGES_PER_NODE,
  type Graph,
  type GraphContent,
  type GraphEdge,
  type GraphNode,
  type GraphSummary,
  type NodeQuery,
  type Step,
  type Trail,
} from './graph-model.ts';

export class EmbeddedGraph implements Graph {
  readonly backend = 'embedded';
  readonly content: GraphContent;
  readonly #numbers = new Map<string, number>();
  readonly #from: Uint32Array;
  readonly #to: Uint32Array;
  /** Of each edge, its type's number. */
  readonly #type: Uint32Array;
  readonly #types = new Map<string, number>();
  readonly #out: Adjacency;
  readonly #in: Adjacency;
  /** Of each node, the question that last met it. */
  readonly #marks: Uint32Array;
  #lastMark = 0;

  constructor({ nodes, edges, ends }: Pick<Assembled, 'nodes' | 'edges' | 'ends'>) {
    this.content = { nodes, edges };
    nodes.forEach(({ id }, number) => this.#numbers.set(id, number));
    this.#from = ends.from;
    this.#to = ends.to;
    this.#type = Uint32Array.from(edges, ({ type }) => this.#numberOf(type));
    this.#marks = new Uint32Array(nodes.length);
    this.#out = adjacencyOf(nodes.length, this.#from);
    this.#in = adjacencyOf(nodes.length, this.#to);
  }

  async summary(): Promise<GraphSummary> {
    const { nodes, edges } = this.content;
    return {
      nodes: nodes.length,
      edges: edges.length,
      labels: countBy(nodes.map(({ label }) => label)),
      types: countBy(edges.map(({ type }) => type)),
    };
  }

  async node(id: string): Promise<GraphNode | null> {
    const number = this.#numbers.get(id);
    return number === undefined ? null : this.content.nodes[number]!;
  }

  async find({ label, name, path, limit }: NodeQuery): Promise<readonly GraphNode[]> {
    const found: GraphNode[] = [];
    for (const node of this.content.nodes) {
      if (found.length >= limit) break;
      if (fits(label, node.label) && fits(name, node.name) && fits(path, node.path)) found.push(node);
    }
    return found;
  }

  async around({ ids, direction, types, depth, limit }: AroundQuery): Promise<Around> {
    const { nodes } = this.content;
    const wanted = types && new Set(types.flatMap((type) => this.#types.get(type) ?? []));
    // Marks instead of a set: this is synchronous, so no other query can interfere.
    const met = (this.#lastMark += 2);
    const chosenMark = met + 1;
    const chosen: (GraphNode & { readonly distance: number })[] = [];
    const numbers: number[] = [];
    let truncated = false;
    /** Takes what was met, in the order of `sortKey`, which numbers follow. */
    const take = (fresh: Uint32Array, distance: number): void => {
      const room = limit - chosen.length;
      if (fresh.length > room) truncated = true;
      for (const number of fresh.sort().subarray(0, Math.max(0, room))) {
        this.#marks[number] = chosenMark;
        numbers.push(number);
        const { id, label, name, path, line, data } = nodes[number]!;
        chosen.push({ id, label, name, path, line, data, distance });
      }
    };
    take(new Uint32Array(new Set(ids.flatMap((id) => this.#numbers.get(id) ?? []))), 0);
    for (let at = 1, from = 0; at <= depth && from < numbers.length; at++) {
      const end = numbers.length;
      const fresh: number[] = [];
      for (; from < end; from++) {
        if (direction !== 'in') this.#meetAfter(numbers[from]!, wanted, met, fresh);
        if (direction !== 'out') this.#meetBefore(numbers[from]!, wanted, met, fresh);
      }
      take(new Uint32Array(fresh), at);
    }
    const most = limit * EDGES_PER_NODE;
    const shown: GraphEdge[] = [];
    // Node by node in their order the edges come in the order of `compareEdges`. One more than the limit shows that some are left out.
    for (const number of new Uint32Array(numbers).sort()) {
      this.#edgesTo(chosenMark, number, wanted, shown, most + 1);
      if (shown.length > most) break;
    }
    if (shown.length > most) {
      shown.length = most;
      truncated = true;
    }
    return { nodes: chosen, edges: shown, truncated };
  }

  /** The nodes that one leads to and that were not met before. Edges are kept by where they begin: those of one follow each other. */
  #meetAfter(number: number, wanted: ReadonlySet<number> | undefined, met: number, fresh: number[]): void {
    const end = this.#out.start[number + 1]!;
    for (let edge = this.#out.start[number]!; edge < end; edge++)
      if (!wanted || wanted.has(this.#type[edge]!)) this.#meet(this.#to[edge]!, met, fresh);
  }

  /** The same for those that lead to it. */
  #meetBefore(number: number, wanted: ReadonlySet<number> | undefined, met: number, fresh: number[]): void {
    this.#eachEdge(this.#in, number, wanted, (edge) => this.#meet(this.#from[edge]!, met, fresh));
  }

  #meet(other: number, met: number, fresh: number[]): void {
    if (this.#marks[other]! >= met) return;
    this.#marks[other] = met;
    fresh.push(other);
  }

  #edgesTo(mark: number, number: number, wanted: ReadonlySet<number> | undefined, found: GraphEdge[], most: number): void {
    const { edges } = this.content;
    const end = this.#out.start[number + 1]!;
    for (let edge = this.#out.start[number]!; edge < end && found.length < most; edge++)
      if (this.#marks[this.#to[edge]!] === mark && (!wanted || wanted.has(this.#type[edge]!))) found.push(edges[edge]!);
  }

  async follow(start: string, steps: readonly Step[], limit: number): Promise<readonly Trail[]> {
    const { nodes, edges } = this.content;
    const first = this.#numbers.get(start);
    const found: Trail[] = [];
    const walk = (number: number, at: number, trail: Trail): void => {
      if (found.length >= limit) return;
      const step = steps[at];
      if (!step) return void found.push(trail);
      const type = this.#types.get(step.type);
      if (type === undefined) return;
      const isOut = step.direction === 'out';
      const next: { edge: number; to: number }[] = [];
      this.#eachEdge(isOut ? this.#out : this.#in, number, new Set([type]), (edge) => {
        const to = (isOut ? this.#to : this.#from)[edge]!;
        if (fits(step.label, nodes[to]!.label)) next.push({ edge, to });
      });
      next.sort((a, b) => a.to - b.to);
      for (const { edge, to } of next) walk(to, at + 1, { nodes: [...trail.nodes, nodes[to]!], edges: [...trail.edges, edges[edge]!] });
    };
    if (first !== undefined) walk(first, 0, { nodes: [nodes[first]!], edges: [] });
    return found;
  }

  #numberOf(type: string): number {
    const known = this.#types.get(type);
    if (known === undefined) this.#types.set(type, this.#types.size);
    return known ?? this.#types.size - 1;
  }

  #eachEdge({ start, edge }: Adjacency, number: number, wanted: ReadonlySet<number> | undefined, take: (edge: number) => void): void {
    const end = start[number + 1]!;
    for (let at = start[number]!; at < end; at++) if (!wanted || wanted.has(this.#type[edge[at]!]!)) take(edge[at]!);
  }
}

const fits = (wanted: string | undefined, actual: string | null): boolean => wanted === undefined || wanted === actual;

function countBy(names: readonly string[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}
