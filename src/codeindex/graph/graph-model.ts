// The graph over a work tree: folders, files, symbols, what people wrote about them, and what packs read out of the code. Types of
// what it holds and of what can be asked; each backend answers the same.
//
// INVARIANT: a backend answers every question in the order of `sortKey`, so that limits cut the same everywhere.

/** What a seed row may hold. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

export interface GraphNode {
  readonly id: string;
  /** `DomainAnchor`, `File`, `Symbol`, `Policy`, `Recipe`, `Memory`, and the labels of packs and seeds. */
  readonly label: string;
  readonly name: string;
  readonly path: string | null;
  readonly line: number | null;
  /** Whatever else is known of it: a seed row as it was written, a symbol's kind. */
  readonly data: Readonly<Record<string, Json>>;
}

export interface GraphEdge {
  readonly from: string;
  /** In capitals: `CONTAINS`, `DEFINES`, `CALLS`. */
  readonly type: string;
  readonly to: string;
  /** Where it is written. */
  readonly path: string | null;
  readonly line: number | null;
}

/** Nodes in the order of `sortKey`, edges by both ends and type, none of them twice; an edge has both of its nodes. */
export interface GraphContent {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

export interface Step {
  readonly type: string;
  readonly direction: 'out' | 'in';
  /** Only nodes of this label. */
  readonly label?: string | undefined;
}

export interface AroundQuery {
  readonly ids: readonly string[];
  readonly direction: 'out' | 'in' | 'both';
  /** Without it, edges of every type. */
  readonly types?: readonly string[] | undefined;
  readonly depth: number;
  /** The most nodes that are returned. */
  readonly limit: number;
}

export interface Around {
  /** The nearest first. */
  readonly nodes: readonly (GraphNode & { readonly distance: number })[];
  /** Between these nodes, of the requested types. */
  readonly edges: readonly GraphEdge[];
  /** Whether the limit left something out. */
  readonly truncated: boolean;
}

export interface NodeQuery {
  readonly label?: string | undefined;
  readonly name?: string | undefined;
  readonly path?: string | undefined;
  readonly limit: number;
}

export interface Trail {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

export interface GraphSummary {
  readonly nodes: number;
  readonly edges: number;
  /** How many of each, by name. */
  readonly labels: Readonly<Record<string, number>>;
  readonly types: Readonly<Record<string, number>>;
}

export interface Graph {
  readonly backend: 'embedded' | 'neo4j';
  summary(): Promise<GraphSummary>;
  node(id: string): Promise<GraphNode | null>;
  find(query: NodeQuery): Promise<readonly GraphNode[]>;
  /** Everything within some steps. */
  around(query: AroundQuery): Promise<Around>;
  /** Every way that takes exactly these steps, the first ones in order. */
  follow(start: string, steps: readonly Step[], limit: number): Promise<readonly Trail[]>;
}

/** How many edges are returned for each returned node. */
export const EDGES_PER_NODE = 20;

/** ASCII only, so that every database and language sorts it alike. */
export const sortKey = (id: string): string =>
  /^[ -}]*$/.test(id) ? id : id.replace(/[^ -}]/g, (unit) => `~${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

export const byKey = (a: string, b: string): number => {
  const [left, right] = [sortKey(a), sortKey(b)];
  return left < right ? -1 : left > right ? 1 : 0;
};

export const compareEdges = (a: GraphEdge, b: GraphEdge): number => byKey(a.from, b.from) || byKey(a.type, b.type) || byKey(a.to, b.to);

export const ANCHOR = 'DomainAnchor';
export const FILE = 'File';
export const SYMBOL = 'Symbol';

export const anchorId = (folder: string): string => `anchor:${folder}`;
export const fileId = (path: string): string => `file:${path}`;
export const symbolId = (definition: string): string => `symbol:${definition}`;
/** Ids that come from the code; no seed row may take one. */
export const DERIVED_ID = /^(?:anchor|file|symbol|pack):/;
