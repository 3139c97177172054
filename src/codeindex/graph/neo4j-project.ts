// Writing the graph to Neo4j: all of it beside the old one, or what changed in one transaction.

import { createHash } from 'node:crypto';
import { Fault } from '../../protocol/index.ts';
import { cypherStatements } from './cypher-statements.ts';
import { type GraphContent, type GraphEdge, type GraphNode, sortKey } from './graph-model.ts';
import type { Neo4jConnection, Row } from './neo4j-connection.ts';
import { NEO4J_SCHEMA, newGraphKey, type Projection, projectionOf } from './neo4j-graph.ts';
import type { SeedFile } from './seed-rows.ts';

const { node: NODE, meta: META } = NEO4J_SCHEMA;
const ROWS_AT_ONCE = 2_000;
const PLAIN_NAME = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;
/** Ours; a row's own field of that name stays in `data` only. */
const OWN_FIELDS = new Set(['graph', 'id', 'key', 'label', 'name', 'path', 'line', 'data']);

const SCHEMA = [
  `CREATE CONSTRAINT countersign_node IF NOT EXISTS FOR (n:${NODE}) REQUIRE (n.graph, n.id) IS UNIQUE`,
  `CREATE CONSTRAINT countersign_graph IF NOT EXISTS FOR (g:${META}) REQUIRE g.name IS UNIQUE`,
  `CREATE INDEX countersign_label IF NOT EXISTS FOR (n:${NODE}) ON (n.graph, n.label)`,
  `CREATE INDEX countersign_name IF NOT EXISTS FOR (n:${NODE}) ON (n.graph, n.name)`,
  `CREATE INDEX countersign_path IF NOT EXISTS FOR (n:${NODE}) ON (n.graph, n.path)`,
];

export function digestOf({ nodes, edges }: GraphContent): string {
  const hash = createHash('sha256');
  for (const node of nodes) hash.update(`${JSON.stringify(node)}\n`);
  for (const edge of edges) hash.update(`${JSON.stringify(edge)}\n`);
  return hash.digest('hex');
}

export interface ProjectionRequest {
  readonly name: string;
  readonly content: GraphContent;
  /** Cypher that runs on the new graph before it counts, with `$graph` as its key. */
  readonly scripts: readonly SeedFile[];
  readonly now: () => Date;
}

/** Drops what is there under the name, and puts the content in its place; when anything fails, what was there stays. */
export async function projectWhole(line: Neo4jConnection, { name, content, scripts, now }: ProjectionRequest): Promise<Projection> {
  for (const statement of SCHEMA) await line.run(statement, {});
  await line.run('CALL db.awaitIndexes(60)', {});
  const before = await projectionOf(line, name);
  await sweep(line, name, before?.graph ?? null);
  const projection = { graph: newGraphKey(name), digest: digestOf(content), synced_at: now().toISOString() };
  try {
    for (const statement of [
      ...nodeStatements(projection.graph, content.nodes, 'CREATE'),
      ...edgeStatements(projection.graph, content.edges, 'CREATE'),
    ])
      await line.write([statement]);
    await runScripts(line, scripts, projection.graph);
    await line.write([switchTo(name, projection)]);
  } catch (error) {
    await drop(line, projection.graph).catch(() => undefined);
    throw error;
  }
  await sweep(line, name, projection.graph);
  return projection;
}

export interface ContentChange {
  readonly removedNodes: readonly string[];
  readonly writtenNodes: readonly GraphNode[];
  readonly removedEdges: readonly GraphEdge[];
  readonly writtenEdges: readonly GraphEdge[];
}

export const sizeOf = (change: ContentChange): number =>
  Object.values(change).reduce((sum, list: readonly unknown[]) => sum + list.length, 0);

/** Null when only a full rewrite is possible: Neo4j keeps every label that a node once had. */
export function changeBetween(before: GraphContent, after: GraphContent): ContentChange | null {
  const labels = new Map(before.nodes.map(({ id, label }) => [id, label]));
  if (after.nodes.some(({ id, label }) => labels.has(id) && labels.get(id) !== label)) return null;
  const edgeKey = ({ from, type, to }: GraphEdge): string => `${from}\n${type}\n${to}`;
  const nodes = difference(before.nodes, after.nodes, ({ id }) => id);
  const edges = difference(before.edges, after.edges, edgeKey);
  return {
    removedNodes: nodes.removed.map(({ id }) => id),
    writtenNodes: nodes.written,
    removedEdges: edges.removed,
    writtenEdges: edges.written,
  };
}

function difference<T>(
  before: readonly T[],
  after: readonly T[],
  keyOf: (item: T) => string,
): { removed: readonly T[]; written: readonly T[] } {
  const old = new Map(before.map((item) => [keyOf(item), item]));
  const written = after.filter((item) => {
    const known = old.get(keyOf(item));
    old.delete(keyOf(item));
    return known === undefined || (known !== item && JSON.stringify(known) !== JSON.stringify(item));
  });
  return { removed: [...old.values()], written };
}

/** What changed, in one transaction. `projection` is what the change starts from. */
export async function projectChange(
  line: Neo4jConnection,
  name: string,
  projection: Projection,
  change: ContentChange,
  next: { readonly digest: string; readonly synced_at: string },
): Promise<Projection> {
  const { graph } = projection;
  const changed = { graph, ...next };
  await line.write([
    ...byType(change.removedEdges).flatMap(([type, edges]) =>
      chunks(edges).map((rows) => ({
        cypher: `UNWIND $rows AS row MATCH (:${NODE} {graph: $graph, id: row.from})-[r:\`${type}\`]->(:${NODE} {graph: $graph, id: row.to}) DELETE r`,
        parameters: { graph, rows },
      })),
    ),
    ...chunks(change.removedNodes).map((ids) => ({
      cypher: `MATCH (n:${NODE}) WHERE n.graph = $graph AND n.id IN $ids DETACH DELETE n`,
      parameters: { graph, ids },
    })),
    ...nodeStatements(graph, change.writtenNodes, 'MERGE'),
    ...edgeStatements(graph, change.writtenEdges, 'MERGE'),
    switchTo(name, changed),
  ]);
  return changed;
}

interface Statement {
  readonly cypher: string;
  readonly parameters: Row;
}

const switchTo = (name: string, { graph, digest, synced_at }: Projection): Statement => ({
  cypher: `MERGE (g:${META} {name: $name}) SET g.graph = $graph, g.digest = $digest, g.synced_at = $synced_at`,
  parameters: { name, graph, digest, synced_at },
});

/** `CREATE` where nothing exists yet: it does not search first. */
type Writing = 'CREATE' | 'MERGE';

function nodeStatements(graph: string, nodes: readonly GraphNode[], writing: Writing): Statement[] {
  return [...Map.groupBy(nodes, ({ label }) => label)].flatMap(([label, some]) =>
    chunks(some).map((rows) => ({
      cypher: `UNWIND $rows AS row ${writing} (n:${NODE} {graph: $graph, id: row.id}) SET n = row, n.graph = $graph${
        PLAIN_NAME.test(label) ? ` SET n:\`${label}\`` : ''
      }`,
      parameters: { graph, rows: rows.map(fieldsOf) },
    })),
  );
}

function fieldsOf({ id, label, name, path, line, data }: GraphNode): Row {
  const flat = Object.entries(data).filter(([key, value]) => PLAIN_NAME.test(key) && !OWN_FIELDS.has(key) && isStorable(value));
  return { ...Object.fromEntries(flat), id, key: sortKey(id), label, name, path, line, data: JSON.stringify(data) };
}

/** What a property can be: one plain value, or a list of texts. */
const isStorable = (value: unknown): boolean =>
  ['string', 'number', 'boolean'].includes(typeof value) || (Array.isArray(value) && value.every((each) => typeof each === 'string'));

function edgeStatements(graph: string, edges: readonly GraphEdge[], writing: Writing): Statement[] {
  return byType(edges).flatMap(([type, some]) =>
    chunks(some).map((rows) => ({
      cypher: `UNWIND $rows AS row MATCH (a:${NODE} {graph: $graph, id: row.from}) MATCH (b:${NODE} {graph: $graph, id: row.to})
               ${writing} (a)-[r:\`${type}\`]->(b) SET r.path = row.path, r.line = row.line`,
      parameters: { graph, rows },
    })),
  );
}

function byType(edges: readonly GraphEdge[]): readonly (readonly [string, readonly GraphEdge[]])[] {
  const groups = [...Map.groupBy(edges, ({ type }) => type)];
  const odd = groups.find(([type]) => !PLAIN_NAME.test(type));
  if (odd) throw new Fault('BAD_REQUEST', `${JSON.stringify(odd[0])} is no type of an edge.`);
  return groups;
}

async function runScripts(line: Neo4jConnection, scripts: readonly SeedFile[], graph: string): Promise<void> {
  for (const { path, text } of scripts)
    for (const { text: statement, line: at } of cypherStatements(text))
      await line.run(statement, { graph }).catch((cause: unknown) => {
        throw new Fault('DOCUMENT_INVALID', `${path}:${at}: Neo4j says: ${cause instanceof Error ? cause.message : 'no'}`, {
          fix: `Fix the statement in ${path}; the graph stays as it was`,
          cause,
        });
      });
}

/** Graphs of this name that are not the current one: replaced, or left behind by an interrupted sync. */
async function sweep(line: Neo4jConnection, name: string, keep: string | null): Promise<void> {
  const rows = await line.read(
    `MATCH (n:${NODE}) WHERE n.graph STARTS WITH $prefix AND n.graph <> $keep RETURN DISTINCT n.graph AS graph`,
    { prefix: `${name}@`, keep: keep ?? '' },
  );
  for (const { graph } of rows) await drop(line, String(graph));
}

/** In parts: a transaction that deletes everything at once needs memory for all of it. */
async function drop(line: Neo4jConnection, graph: string): Promise<void> {
  for (;;) {
    const [row] = await line.write([
      {
        cypher: `MATCH (n:${NODE} {graph: $graph}) WITH n LIMIT $rows DETACH DELETE n RETURN count(*) AS gone`,
        parameters: { graph, rows: line.whole(ROWS_AT_ONCE) },
      },
    ]);
    if (Number(row?.['gone'] ?? 0) < ROWS_AT_ONCE) return;
  }
}

function chunks<T>(items: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / ROWS_AT_ONCE) }, (_, index) =>
    items.slice(index * ROWS_AT_ONCE, (index + 1) * ROWS_AT_ONCE),
  );
}
