// delete_file: one plain file. Folders go when the last file in them does, by git's view of them; they are not deleted here.

import { z } from 'zod';
import { changeFiles } from '../../workspace/index.ts';
import { BaseSha256, missing, Path, readExpected, realPathOf, touches } from './file-place.ts';
import { defineFileTool } from './file-tool.ts';

export const deleteFile = defineFileTool({
  name: 'delete_file',
  description: 'Deletes a file.',
  input: z.strictObject({ path: Path, base_sha256: BaseSha256 }),
  output: z.looseObject({ path: z.string(), was_sha256: z.string() }),
  declare: ({ path, base_sha256 }) => touches('delete', path, { base_sha256 }),
  surfaces: ['contract'],
  run: async ({ path: given, base_sha256 }, { place }, deps) => {
    const path = await realPathOf(place, given, 'delete', deps);
    const old = await readExpected(place, { given, path, access: 'delete', base: base_sha256 });
    if (!old) throw missing(place.root, path);
    await changeFiles(place.root, [{ path, content: null, expect: old.sha256 }]);
    return { output: { path, was_sha256: old.sha256 } };
  },
});
