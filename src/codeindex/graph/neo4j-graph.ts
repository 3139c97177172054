// The same graph in Neo4j, as a projection that can be rebuilt. A new graph is written beside the current one and replaces it in one small
// transaction: a reader sees the old or the new one, and the next sync removes what a crash left behind. Other data in the same database is
// never touched.

import { randomBytes } from 'node:crypto';
import {
  type Around,
  type AroundQuery,
  EDGES_PER_NODE,
  type Graph,
  type GraphEdge,
  type GraphNode,
  type GraphSummary,
  type Json,
  type NodeQuery,
  type Step,
  type Trail,
} from './graph-model.ts';
import type { Neo4jConnection, Row } from './neo4j-connection.ts';

const NODE = 'CountersignNode';
const META = 'CountersignGraph';
/** A graph that is replaced again and again while it is read is asked at most so often. */
const READS_MAX = 5;
const NAME_OF_TYPE = /^[A-Z][A-Z0-9_]{0,63}$/;
const ONE_NODE = '{.id, .label, .name, .path, .line, .data}';

/** What Neo4j holds under a name. */
export interface Projection {
  /** Every node of it has this as `graph`. */
  readonly graph: string;
  readonly digest: string;
  readonly synced_at: string;
}

export const newGraphKey = (name: string): string => `${name}@${randomBytes(8).toString('hex')}`;

export async function projectionOf({ read }: Neo4jConnection, name: string): Promise<Projection | null> {
  const [row] = await read(`MATCH (g:${META} {name: $name}) RETURN g {.graph, .digest, .synced_at} AS g`, { name });
  return row ? (row['g'] as Projection) : null;
}

/** Constraints and names of the schema, for writers. */
export const NEO4J_SCHEMA = { node: NODE, meta: META };

export class Neo4jGraph implements Graph {
  readonly backend = 'neo4j';
  readonly #line: Neo4jConnection;
  readonly #name: string;
  /** The key that was current at the last check. */
  #graph: string | null = null;

  constructor(line: Neo4jConnection, name: string) {
    this.#line = line;
    this.#name = name;
  }

  summary(): Promise<GraphSummary> {
    return this.#read(async (graph) => {
      const counted = async (cypher: string): Promise<Record<string, number>> => {
        const rows = await this.#line.read(cypher, { graph });
        const counts = rows.map((row): [string, number] => [String(row['name']), Number(row['count'])]);
        return Object.fromEntries(counts.sort(([a], [b]) => (a < b ? -1 : 1)));
      };
      const labels = await counted(`MATCH (n:${NODE} {graph: $graph}) RETURN n.label AS name, count(*) AS count`);
      const types = await counted(
        `MATCH (n:${NODE} {graph: $graph})-[r]->(m:${NODE} {graph: $graph}) RETURN type(r) AS name, count(*) AS count`,
      );
      return { nodes: total(labels), edges: total(types), labels, types };
    });
  }

  async node(id: string): Promise<GraphNode | null> {
    const [found] = await this.#read((graph) => this.#nodes(graph, [id]));
    return found ?? null;
  }

  find({ label, name, path, limit }: NodeQuery): Promise<readonly GraphNode[]> {
    const wanted = Object.entries({ label, name, path }).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const where = wanted.map(([field]) => ` AND n.${field} = $${field}`).join('');
    return this.#read(async (graph) => {
      const rows = await this.#line.read(
        `MATCH (n:${NODE}) WHERE n.graph = $graph${where} RETURN n ${ONE_NODE} AS node ORDER BY n.key LIMIT $limit`,
        { graph, ...Object.fromEntries(wanted), limit: this.#line.whole(limit) },
      );
      return rows.map(({ node }) => nodeFrom(node));
    });
  }

  around({ ids, direction, types: wanted, depth, limit }: AroundQuery): Promise<Around> {
    const types = wanted ?? null;
    const arrow = { out: '-[r]->', in: '<-[r]-', both: '-[r]-' }[direction];
    return this.#read(async (graph) => {
      const distance = new Map<string, number>();
      let truncated = false;
      const take = (rows: readonly Row[], at: number): string[] => {
        const taken = rows.slice(0, Math.max(0, limit - distance.size)).map(({ id }) => String(id));
        if (taken.length < rows.length) truncated = true;
        for (const id of taken) distance.set(id, at);
        return taken;
      };
      /** One more than there is room for, so that it shows when something is left out. */
      const room = () => this.#line.whole(Math.max(0, limit - distance.size) + 1);
      let frontier = take(
        await this.#line.read(`MATCH (n:${NODE}) WHERE n.graph = $graph AND n.id IN $ids RETURN n.id AS id ORDER BY n.key LIMIT $room`, {
          graph,
          ids: [...ids],
          room: room(),
        }),
        0,
      );
      for (let at = 1; at <= depth && frontier.length > 0; at++) {
        const rows = await this.#line.read(
          `MATCH (n:${NODE})${arrow}(m:${NODE}) WHERE n.graph = $graph AND n.id IN $frontier AND m.graph = $graph
             AND NOT m.id IN $seen AND ($types IS NULL OR type(r) IN $types)
           WITH DISTINCT m RETURN m.id AS id ORDER BY m.key LIMIT $room`,
          { graph, frontier, seen: [...distance.keys()], types, room: room() },
        );
        frontier = take(rows, at);
      }
      const chosen = [...distance.keys()];
      const most = limit * EDGES_PER_NODE;
      const between = await this.#line.read(
        `MATCH (n:${NODE})-[r]->(m:${NODE}) WHERE n.graph = $graph AND n.id IN $chosen AND m.graph = $graph AND m.id IN $chosen
           AND ($types IS NULL OR type(r) IN $types)
         RETURN n.id AS from, type(r) AS type, m.id AS to, r.path AS path, r.line AS line
         ORDER BY n.key, type(r), m.key LIMIT $most`,
        { graph, chosen, types, most: this.#line.whole(most + 1) },
      );
      const byId = new Map((await this.#nodes(graph, chosen)).map((node) => [node.id, node]));
      return {
        nodes: chosen.map((id) => ({ ...byId.get(id)!, distance: distance.get(id)! })),
        edges: between.slice(0, most).map(edgeFrom),
        truncated: truncated || between.length > most,
      };
    });
  }

  follow(start: string, steps: readonly Step[], limit: number): Promise<readonly Trail[]> {
    // No edge has such a type, and Cypher takes types only as a part of its text.
    if (steps.some(({ type }) => !NAME_OF_TYPE.test(type))) return Promise.resolve([]);
    // A clause for each step: within one clause Cypher never takes the same edge twice.
    const clauses = steps.map(({ type, direction }, index) => {
      const [left, right] = direction === 'out' ? ['-', '->'] : ['<-', '-'];
      const label = `$label${index}`;
      return `MATCH (n${index})${left}[r${index}:${type}]${right}(n${index + 1}:${NODE})
              WHERE n${index + 1}.graph = $graph AND (${label} IS NULL OR n${index + 1}.label = ${label})`;
    });
    const nodes = [...steps.keys(), steps.length].map((index) => `n${index} ${ONE_NODE}`);
    const edges = steps.map(
      (_, index) =>
        `{from: startNode(r${index}).id, type: type(r${index}), to: endNode(r${index}).id, path: r${index}.path, line: r${index}.line}`,
    );
    const order = [...steps.keys(), steps.length].map((index) => `n${index}.key`).join(', ');
    const cypher = `MATCH (n0:${NODE} {graph: $graph, id: $start}) ${clauses.join(' ')}
      RETURN [${nodes.join(', ')}] AS nodes, [${edges.join(', ')}] AS edges ORDER BY ${order} LIMIT $limit`;
    const labels = Object.fromEntries(steps.map(({ label }, index) => [`label${index}`, label ?? null]));
    return this.#read(async (graph) => {
      const rows = await this.#line.read(cypher, { graph, start, ...labels, limit: this.#line.whole(limit) });
      return rows.map(({ nodes: found, edges: between }) => ({
        nodes: (found as readonly unknown[]).map(nodeFrom),
        edges: (between as readonly Row[]).map(edgeFrom),
      }));
    });
  }

  async #nodes(graph: string, ids: readonly string[]): Promise<readonly GraphNode[]> {
    const rows = await this.#line.read(`MATCH (n:${NODE}) WHERE n.graph = $graph AND n.id IN $ids RETURN n ${ONE_NODE} AS node`, {
      graph,
      ids,
    });
    return rows.map(({ node }) => nodeFrom(node));
  }

  /** An answer from one graph: if another replaced it during the query, the query runs again. */
  async #read<T>(work: (graph: string) => Promise<T>): Promise<T> {
    const now = async (): Promise<string> => (await projectionOf(this.#line, this.#name))?.graph ?? '';
    this.#graph ??= await now();
    for (let turn = 1; ; turn++) {
      const answer = await work(this.#graph);
      const after = await now();
      if (after === this.#graph || turn === READS_MAX) return answer;
      this.#graph = after;
    }
  }
}

const total = (counts: Readonly<Record<string, number>>): number => Object.values(counts).reduce((sum, count) => sum + count, 0);

function nodeFrom(found: unknown): GraphNode {
  const { id, label, name, path, line, data } = found as Record<keyof GraphNode, string | number | null>;
  return {
    id: String(id),
    label: String(label),
    name: String(name),
    path: path as string | null,
    line: line as number | null,
    // What a script of Cypher made may have none.
    data: data === null ? {} : (JSON.parse(String(data)) as Record<string, Json>),
  };
}

const edgeFrom = ({ from, type, to, path, line }: Row): GraphEdge => ({
  from: String(from),
  type: String(type),
  to: String(to),
  path: path as string | null,
  line: line as number | null,
});
