// What the graph says of policies, recipes, memories and other rows otherwise than the seeds: rows that can be put into a seed file
// as they are, and the ids of rows that the graph does not have.

import { createHash } from 'node:crypto';
import { ANCHOR, DERIVED_ID, FILE, type Graph, type GraphEdge, type GraphNode, type Json, sortKey, SYMBOL } from './graph-model.ts';
import type { SeedRow, Seeds } from './seed-rows.ts';

export interface Delta {
  readonly upserts: number;
  readonly deletes: number;
  readonly digest: string;
  /** JSON Lines; empty when there is nothing to say. */
  readonly text: string;
}

/** Read out of the code, and rebuilt from it at any time. */
const DERIVED = new Set([ANCHOR, FILE, SYMBOL]);
const ROWS_MAX = 100_000;

export async function deltaBetween(graph: Graph, { rows }: Seeds, now: Date): Promise<Delta> {
  const { labels } = await graph.summary();
  const lines: string[] = [];
  const seen = new Set<string>();
  for (const label of Object.keys(labels).filter((each) => !DERIVED.has(each)))
    for (const node of await graph.find({ label, limit: ROWS_MAX })) {
      if (DERIVED_ID.test(node.id)) continue;
      seen.add(node.id);
      const written = rows.get(node.id)?.row;
      const row = written && sameRow(node, written) ? null : await rowOf(graph, node, now);
      if (row && !(written && JSON.stringify(sorted(row)) === JSON.stringify(sorted(written)))) lines.push(JSON.stringify(row));
    }
  const upserts = lines.length;
  const deleted = [...rows.keys()].filter((id) => !seen.has(id)).sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
  for (const id of deleted) lines.push(JSON.stringify({ op: 'delete', id }));
  const text = lines.map((line) => `${line}\n`).join('');
  return { upserts, deletes: deleted.length, text, digest: createHash('sha256').update(text).digest('hex') };
}

const sameRow = (node: GraphNode, written: SeedRow): boolean => JSON.stringify(sorted(node.data)) === JSON.stringify(sorted(written));

/** A node that no row made, as a row. */
async function rowOf(graph: Graph, { id, label, name, data }: GraphNode, now: Date): Promise<SeedRow> {
  if (data['id'] === id) return data as SeedRow;
  const { edges } = await graph.around({ ids: [id], direction: 'out', depth: 1, limit: 200 });
  return {
    id,
    type: label.replace(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toLowerCase(),
    version: 1,
    updated_at: now.toISOString(),
    updated_by: 'graph',
    title: name,
    ...data,
    edges: edges.filter(({ from }) => from === id).map(({ type, to }: GraphEdge) => ({ type, to })),
  };
}

/** Keys in one order, so that rows can be compared as text. */
function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map((each: Json) => sorted(each));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, inner]): [string, Json] => [key, sorted(inner)])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}
