// search_codebase_text: lines that hold a text or match a pattern.

import { z } from 'zod';
import { searchCode } from '../code/search-code.ts';
import { renamed } from './renamed.ts';

export const searchCodebaseText = renamed({
  name: 'search_codebase_text',
  description: 'Finds lines with a text or a pattern.',
  input: z.strictObject({
    pattern: z.string().min(1).max(1_000),
    regex: z.boolean().optional(),
    glob: z.string().min(1).max(1_024).optional(),
  }),
  tool: searchCode,
  as: (input) => input,
});
