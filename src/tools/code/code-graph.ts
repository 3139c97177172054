// code_graph: what is around a symbol, a file or words, from the graph of the work tree.

import { z } from 'zod';
import { type GraphTrace, traceGraph } from '../../codeindex/index.ts';
import type { RunContext } from '../../protocol/index.ts';
import { defineTool, type ToolDeps } from '../tool.ts';
import { citationOf, fromRoot, Name, openGraph, readsTree } from './code-place.ts';

const DEFAULT_DEPTH = 1;
const NODES = 100;
/** Citing reads the file: the nearest places are what a plan cites. */
const CITED = 20;

export const codeGraph = defineTool({
  name: 'code_graph',
  description:
    'Shows what is around a symbol, a file or words: who calls it, what it uses, what contains it, and the policies and memories that apply there. The nearest places come with citations that submit_execution_plan takes as they are.',
  input: z.strictObject({
    symbol: Name.optional(),
    path: z.string().min(1).max(1_024).optional(),
    query: z.string().trim().min(1).max(2_000).optional(),
    depth: z.int().min(1).max(5).optional().describe(`How many steps away at most; ${DEFAULT_DEPTH} without it`),
  }),
  output: z.looseObject({ starts: z.array(z.looseObject({ id: z.string(), because: z.string() })) }),
  declare: readsTree,
  readOnly: true,
  surfaces: ['hooked', 'contract'],
  run: async (input, context, { code }) => ({ output: await graphAround(code, context, input) }),
});

export interface GraphQuestion {
  readonly symbol?: string | undefined;
  readonly path?: string | undefined;
  readonly query?: string | undefined;
  readonly depth?: number | undefined;
}

export async function graphAround(
  code: ToolDeps['code'],
  context: Pick<RunContext, 'place' | 'session'>,
  { symbol, path, query, depth = DEFAULT_DEPTH }: GraphQuestion,
) {
  const { place } = context;
  const { graph, notes } = await openGraph(code, context);
  const index = code.indexOf(place.root);
  const file = path === undefined ? undefined : fromRoot(place, path);
  const trace = await traceGraph(
    graph,
    index,
    { symbol, file, query, direction: 'both', depth, limit: NODES },
    await code.anchorsOf(place.root),
  );
  return {
    starts: trace.starts,
    nodes: await cited(trace.nodes),
    edges: trace.edges,
    anchors: trace.anchors,
    applies: trace.applies,
    ...(trace.truncated ? { incomplete: `only the nearest ${NODES} are shown` } : {}),
    ...(notes.length > 0 ? { notes } : {}),
  };

  async function cited(nodes: GraphTrace['nodes']) {
    return Promise.all(
      nodes.map(async ({ id, label, name, path: at, line }, rank) => {
        const lines = rank < CITED && at !== null && line !== null ? await index.cite(at, line, line) : null;
        return { id, label, name, path: at, line, ...(lines ? { citation: citationOf(lines) } : {}) };
      }),
    );
  }
}
