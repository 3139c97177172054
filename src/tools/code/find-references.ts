// find_references: where a name is used, from the code index.

import { z } from 'zod';
import type { Definition, TreeIndex } from '../../codeindex/index.ts';
import { Fault } from '../../protocol/index.ts';
import { defineTool } from '../tool.ts';
import { Cited, citationOf, DEFAULT_LIMIT, fromRoot, indexState, Limit, Name, openIndex, readsTree } from './code-place.ts';

export const findReferences = defineTool({
  name: 'find_references',
  description:
    'Finds where something is used: say `symbol`, or `path` and `line` of its definition. `certainty` says how sure each hit is; each has a citation that memory_write and submit_execution_plan take as it is.',
  input: z.strictObject({
    symbol: Name.optional().describe('name, Outer.name, or the `symbol` that find_symbol gave'),
    path: z.string().min(1).max(1_024).optional(),
    line: z.int().min(1).optional(),
    limit: Limit,
  }),
  output: z.looseObject({ references: z.array(Cited) }),
  declare: readsTree,
  readOnly: true,
  surfaces: ['contract'],
  run: async ({ symbol, path, line, limit = DEFAULT_LIMIT }, { place }, { code }) => {
    const index = await openIndex(code, place.root);
    const name = symbol ?? (await definitionAt(index, fromRoot(place, fileGiven(path, line)), line!)).id;
    const { hits, incomplete } = await index.references({ name, limit });
    return {
      output: {
        symbol: name,
        references: hits.map(({ path: file, line: at, role, within, certainty, citation }) => ({
          path: file,
          line: at,
          role,
          within,
          certainty,
          citation: citationOf(citation),
          text: citation.excerpt,
        })),
        ...(await indexState(index, incomplete)),
      },
    };
  },
});

function fileGiven(path: string | undefined, line: number | undefined): string {
  if (path !== undefined && line !== undefined) return path;
  throw new Fault('BAD_REQUEST', 'find_references: say what to look for.', { fix: 'Send symbol, or path and line' });
}

/** The innermost definition that the line belongs to. */
async function definitionAt(index: TreeIndex, path: string, line: number): Promise<Definition> {
  const entries = (await index.outline(path))?.entries ?? [];
  const around = entries.filter(({ range }) => range.start_line <= line && line <= range.end_line);
  const innermost = around.toSorted((a, b) => b.range.start_line - a.range.start_line || a.range.end_line - b.range.end_line)[0];
  if (innermost) return innermost;
  throw new Fault('NOT_FOUND', entries.length > 0 ? `${path}:${line} is in no definition.` : `${path} is not in the index.`, {
    fix: 'Call find_symbol to see what is defined and where',
  });
}
