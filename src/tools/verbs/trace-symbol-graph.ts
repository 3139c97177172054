// trace_symbol_graph: what is around a symbol, a file or words.

import { z } from 'zod';
import { codeGraph } from '../code/code-graph.ts';
import { Name } from '../code/code-place.ts';
import { renamed } from './renamed.ts';

export const traceSymbolGraph = renamed({
  name: 'trace_symbol_graph',
  description: 'Shows what is around a symbol, a file or words.',
  input: z.strictObject({
    symbol: Name.optional(),
    targetFile: z.string().min(1).max(1_024).optional(),
    query: z.string().trim().min(1).max(2_000).optional(),
    depth: z.int().min(1).max(5).optional(),
  }),
  tool: codeGraph,
  // Of several, the most exact one counts.
  as: ({ symbol, targetFile, query, depth }) => ({
    ...(symbol !== undefined ? { symbol } : targetFile !== undefined ? { path: targetFile } : { query }),
    ...(depth === undefined ? {} : { depth }),
  }),
});
