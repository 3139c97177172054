// list_scoped_files: the files of the work tree.

import { z } from 'zod';
import { listFiles } from '../native/list-files.ts';
import { renamed } from './renamed.ts';

export const listScopedFiles = renamed({
  name: 'list_scoped_files',
  description: 'Lists the files of the work tree, without dependencies, build output and caches.',
  input: z.strictObject({ glob: z.string().min(1).max(1_024).optional() }),
  tool: listFiles,
  as: ({ glob }) => ({ glob: glob ?? '**' }),
});
