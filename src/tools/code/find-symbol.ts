// find_symbol: where a name is defined, from the code index.

import { z } from 'zod';
import { DEFINITION_KINDS } from '../../codeindex/index.ts';
import { defineTool, type ToolDeps } from '../tool.ts';
import { Cited, citationOf, DEFAULT_LIMIT, indexState, Limit, Name, openIndex, readsTree } from './code-place.ts';

export const findSymbol = defineTool({
  name: 'find_symbol',
  description:
    'Finds where a name is defined: a function, class, method, type, heading or key, in every language of the tree. Each hit has a citation that memory_write and submit_execution_plan take as it is.',
  input: z.strictObject({
    name: Name.describe('name or Outer.name; without an exact hit, similar names are returned'),
    kind: z.enum(DEFINITION_KINDS).optional(),
    limit: Limit,
  }),
  output: z.looseObject({ symbols: z.array(Cited) }),
  declare: readsTree,
  readOnly: true,
  surfaces: ['hooked', 'contract'],
  run: async ({ name, kind, limit }, { place }, { code }) => ({ output: await symbolsNamed(code, place.root, { name, kind, limit }) }),
});

export interface SymbolQuestion {
  readonly name: string;
  readonly kind?: (typeof DEFINITION_KINDS)[number] | undefined;
  readonly limit?: number | undefined;
}

export async function symbolsNamed(code: ToolDeps['code'], root: string, { name, kind, limit = DEFAULT_LIMIT }: SymbolQuestion) {
  const index = await openIndex(code, root);
  const question = { name, kinds: kind === undefined ? undefined : [kind], limit };
  const exact = await index.definitions(question);
  const isExact = exact.hits.length > 0;
  const { hits, incomplete } = isExact ? exact : await index.definitions({ ...question, fuzzy: true });
  return {
    symbols: hits.map(({ id, name: found, kind: what, path, line, container, signature, exported, citation }) => ({
      symbol: id,
      name: found,
      kind: what,
      path,
      line,
      container,
      signature,
      exported,
      citation: citationOf(citation),
      text: citation.excerpt,
    })),
    ...(isExact || hits.length === 0 ? {} : { note: `Nothing is named exactly ${name}; these names are similar.` }),
    ...(await indexState(index, incomplete)),
  };
}
