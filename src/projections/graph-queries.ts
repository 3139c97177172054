// Questions about the graph, proof chains and retrieval.

import path from 'node:path';
import { firstScan, LATE, traceGraph, unlessLate } from '../codeindex/index.ts';
import type { Memory } from '../memory/index.ts';
import { CHAIN_PROVERS } from '../packs/index.ts';
import { type ChainProver, retrieve } from '../plan/index.ts';
import { Fault, type QUERIES, type QueryOutput } from '../protocol/index.ts';
import type { GraphSyncs } from './graph-syncs.ts';
import type { TreeGraphs } from './tree-graphs.ts';

type GraphQuery = 'graph' | 'graph_summary' | 'graph_sync' | 'proof_chains' | 'retrieve';
type Parsed<N extends GraphQuery> = ReturnType<(typeof QUERIES)[N]['input']['parse']>;
export type GraphAnswers = { readonly [N in GraphQuery]: (input: Parsed<N>) => Promise<QueryOutput<N>> };

export interface GraphQueryContext {
  readonly graphs: TreeGraphs;
  readonly graphSyncs: GraphSyncs;
  readonly locate: (dir: string) => Promise<{ readonly id: string; readonly root: string }>;
  readonly memory: Memory;
}

/** By its name, or by how it begins: `aggrid` for `aggrid_origin`. */
function proverOf(kind: string): ChainProver {
  const kinds = Object.keys(CHAIN_PROVERS);
  const found = kinds.find((each) => each === kind) ?? kinds.find((each) => each.startsWith(`${kind}_`));
  if (found === undefined) throw new Fault('BAD_REQUEST', `There is no chain ${kind}.`, { fix: `The chains are ${kinds.join(', ')}` });
  return CHAIN_PROVERS[found]!;
}

/** Answers are parsed nowhere on the way out, so that what is read-only inside becomes what the registry says. */
const plain = <T>(value: unknown): T => value as T;

export function graphAnswers({ graphs, graphSyncs, locate, memory }: GraphQueryContext): GraphAnswers {
  const treeAt = async (cwd: string) => {
    const { id: workspace, root } = await locate(cwd);
    const tree = graphs.of(root, workspace);
    await firstScan(tree.index);
    return { workspace, root, ...tree };
  };
  const open = async (cwd: string) => {
    const { graph: tree, ...place } = await treeAt(cwd);
    const current = await unlessLate(tree.current());
    if (current === LATE)
      throw new Fault('DAEMON_UNAVAILABLE', 'The graph of this tree is still being made.', { fix: 'Ask again in a moment' });
    const { graph, notes } = current;
    return { ...place, graph, answered: { backend: graph.backend, notes } };
  };
  const fromRoot = (root: string, cwd: string, file: string | undefined): string | undefined =>
    file === undefined ? undefined : path.relative(root, path.resolve(cwd, file)).split(path.sep).join('/');

  return {
    graph: async ({ cwd, file, symbol, query, direction, types, depth, limit }) => {
      const { root, index, graph, answered } = await open(cwd);
      const request = { file: fromRoot(root, cwd, file), symbol, query, direction, types: types?.split(','), depth, limit };
      return plain({ ...answered, ...(await traceGraph(graph, index, request, await graphs.anchorsOf(root))) });
    },
    graph_summary: async ({ cwd }) => {
      const { graph, answered } = await open(cwd);
      return plain({ ...answered, ...(await graph.summary()) });
    },
    graph_sync: ({ cwd }) => graphSyncs.lastSync(cwd),
    proof_chains: async ({ cwd, kind, file, field, limit }) => {
      const { root, index, graph, answered } = await open(cwd);
      const request = { file: fromRoot(root, cwd, file), field, limit };
      return plain({ ...answered, chains: await proverOf(kind).prove({ graph, index }, request) });
    },
    retrieve: async ({ cwd, question, limit }) => {
      const { workspace, index, graph, answered } = await open(cwd);
      const recall = (query: string, most: number) => memory.recall(workspace, { query, limit: most, now: new Date() });
      // Artefacts come from connectors; until there are any, this lane has only the documents of the tree.
      return plain({ ...answered, ...(await retrieve({ index, graph, recall, artifacts: () => [] }, question, limit)) });
    },
  };
}
