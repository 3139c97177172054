// write_file: a file's whole content. What was there is replaced in one step or not at all.

import { z } from 'zod';
import { changeFiles, sha256Of } from '../../workspace/index.ts';
import { BaseSha256, decode, encode, Path, readExpected, realPathOf, touches } from './file-place.ts';
import { defineFileTool } from './file-tool.ts';

/** From here on a rewrite costs more than an edit, and destroys more of others' work. */
const LARGE_LINES = 400;

export const writeFile = defineFileTool({
  name: 'write_file',
  description: 'Writes a whole file, and the folders that it needs. To change part of a file, edit_file is better.',
  input: z.strictObject({ path: Path, content: z.string(), base_sha256: BaseSha256 }),
  output: z.looseObject({ path: z.string(), sha256: z.string() }),
  declare: ({ path, content, base_sha256 }) => ({ ...touches('write', path, { base_sha256 }), leaves: () => content }),
  surfaces: ['contract'],
  run: async ({ path: given, content: text, base_sha256 }, { place }, deps) => {
    const path = await realPathOf(place, given, 'write', deps);
    const content = encode(path, text);
    const old = await readExpected(place, { given, path, access: 'write', base: base_sha256 });
    await changeFiles(place.root, [{ path, content, expect: old?.sha256 ?? null }]);
    const lines = old ? (decode(old.bytes)?.split('\n').length ?? 0) : 0;
    return {
      output: {
        path,
        sha256: sha256Of(content),
        created: old === null,
        ...(lines > LARGE_LINES ? { hint: `${path} had ${lines} lines; prefer edit_file, which changes only what has to change` } : {}),
      },
    };
  },
});
