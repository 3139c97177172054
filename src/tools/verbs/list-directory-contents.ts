// list_directory_contents: the entries of one folder.

import { z } from 'zod';
import { listFiles } from '../native/list-files.ts';
import { renamed } from './renamed.ts';

export const listDirectoryContents = renamed({
  name: 'list_directory_contents',
  description: 'Lists the entries of one folder.',
  input: z.strictObject({ targetDir: z.string().min(1).max(1_024) }),
  tool: listFiles,
  as: ({ targetDir }) => ({ path: targetDir }),
});
