// search_files: lines that hold a text or match a pattern. Behind a port, so that an index of the code can answer it.

import { z } from 'zod';
import { searchByReading } from '../../workspace/index.ts';
import { Path, realPathOf, touches } from './file-place.ts';
import { defineFileTool } from './file-tool.ts';

const DEFAULT_LIMIT = 100;

export const searchFiles = defineFileTool({
  name: 'search_files',
  description:
    'Finds lines with a text, or with regex: true a pattern in the syntax of RE2. A glob without / matches names at every depth. Binary files, dependencies, build output and caches are left out.',
  input: z.strictObject({
    pattern: z.string(),
    regex: z.boolean().optional(),
    path: Path.optional(),
    glob: z.string().optional(),
    limit: z.int().min(1).max(1_000).optional().describe(`How many lines at most; ${DEFAULT_LIMIT} without it`),
  }),
  output: z.looseObject({ matches: z.array(z.strictObject({ path: z.string(), line: z.int(), text: z.string() })) }),
  declare: ({ path }, { cwd }) => touches('read', path ?? cwd, { deep: true }),
  readOnly: true,
  surfaces: ['contract'],
  run: async ({ pattern, regex = false, path, glob = null, limit = DEFAULT_LIMIT }, { place, signal }, deps) => {
    const under = await realPathOf(place, path ?? place.cwd, 'read', deps);
    const { matches, incomplete } = await searchByReading({
      privateFolders: deps.privateFolders,
      paths: await deps.pathsOf(place.root),
    }).search({ root: place.root, under, pattern, regex, glob, limit, signal });
    return { output: { matches, ...(incomplete === null ? {} : { incomplete }) } };
  },
});
