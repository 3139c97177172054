// list_files: one folder's entries, or every file below it that a glob covers.

import { z } from 'zod';
import { listFolder, listMatches } from '../../workspace/index.ts';
import { Path, realPathOf, touches } from './file-place.ts';
import { defineFileTool } from './file-tool.ts';

const MAX_FILES = 1_000;

export const listFiles = defineFileTool({
  name: 'list_files',
  description:
    'Lists a folder (folders end in /), or with a glob all files below it that match; a glob without / matches names at every depth. Dependencies, build output and caches are left out of globs.',
  input: z.strictObject({ path: Path.optional(), glob: z.string().optional() }),
  output: z.looseObject({ files: z.array(z.string()) }),
  declare: ({ path }, { cwd }) => touches('read', path ?? cwd),
  readOnly: true,
  surfaces: ['contract'],
  run: async ({ path, glob }, { place }, deps) => {
    const under = await realPathOf(place, path ?? place.cwd, 'read', deps);
    const visibility = { privateFolders: deps.privateFolders, paths: await deps.pathsOf(place.root) };
    const { files, complete } =
      glob === undefined
        ? await listFolder(place.root, under, MAX_FILES, visibility)
        : await listMatches(place.root, under, glob, MAX_FILES, visibility);
    return { output: { files, ...(complete ? {} : { hint: `There are more than ${MAX_FILES}; name a folder or a narrower glob` }) } };
  },
});
