// lookup_symbol_definition: where a name is defined.

import { z } from 'zod';
import { DEFINITION_KINDS } from '../../codeindex/index.ts';
import { Name } from '../code/code-place.ts';
import { findSymbol } from '../code/find-symbol.ts';
import { renamed } from './renamed.ts';

export const lookupSymbolDefinition = renamed({
  name: 'lookup_symbol_definition',
  description: 'Finds where a name is defined.',
  input: z.strictObject({ symbol: Name, kind: z.enum(DEFINITION_KINDS).optional() }),
  tool: findSymbol,
  as: ({ symbol, kind }) => ({ name: symbol, ...(kind === undefined ? {} : { kind }) }),
});
