// search_code: lines that hold a text or match a pattern, or the places that fit words best, from the code index.

import { z } from 'zod';
import { Fault } from '../../protocol/index.ts';
import { defineTool, type ToolDeps } from '../tool.ts';
import { Cited, citationOf, DEFAULT_LIMIT, indexState, Limit, openIndex, readsTree } from './code-place.ts';

export const searchCode = defineTool({
  name: 'search_code',
  description:
    'Searches the work tree by its index: `pattern` finds lines with that text (or, with regex: true, that RE2 pattern), `query` ranks the places that fit words best. Each hit has a citation that memory_write and submit_execution_plan take as it is.',
  input: z.strictObject({
    query: z.string().trim().min(1).max(2_000).optional(),
    pattern: z.string().min(1).max(1_000).optional(),
    regex: z.boolean().optional(),
    glob: z.string().min(1).max(1_024).optional(),
    limit: Limit,
  }),
  output: z.looseObject({ hits: z.array(Cited) }),
  declare: readsTree,
  readOnly: true,
  surfaces: ['hooked', 'contract'],
  run: async ({ query, pattern, regex, glob, limit = DEFAULT_LIMIT }, { place }, { code }) => {
    if (pattern !== undefined) return { output: await linesMatching(code, place.root, { pattern, regex, glob, limit }) };
    if (query === undefined)
      throw new Fault('BAD_REQUEST', 'search_code: say what to look for.', { fix: 'Send pattern for a text, or query for words' });
    const index = await openIndex(code, place.root);
    const { hits, incomplete } = await index.rank(query, limit);
    return {
      output: {
        hits: hits.map(({ path, words, definition, citation }) => ({
          path,
          line: citation.start_line,
          because: `has ${words.join(', ')}`,
          symbol: definition?.id ?? null,
          citation: citationOf(citation),
          text: citation.excerpt,
        })),
        ...(await indexState(index, incomplete)),
      },
    };
  },
});

interface TextSearch {
  readonly pattern: string;
  readonly regex?: boolean | undefined;
  readonly glob?: string | undefined;
  readonly limit: number;
}

export async function linesMatching(code: ToolDeps['code'], root: string, question: TextSearch) {
  const index = await openIndex(code, root);
  const { hits, incomplete } = await index.search(question);
  return {
    hits: hits.map(({ path, line, text, citation }) => ({ path, line, text, citation: citationOf(citation) })),
    ...(await indexState(index, incomplete)),
  };
}
