// edit_file: exact replacements in one file, all of them or none.

import { z } from 'zod';
import { changeFiles, sha256Of } from '../../workspace/index.ts';
import { replaceExactly } from './exact-edits.ts';
import { BaseSha256, decodeOf, encode, missing, Path, readExpected, realPathOf, touches } from './file-place.ts';
import { defineFileTool } from './file-tool.ts';

const Edit = z.strictObject({
  old_text: z.string().describe('Has to occur exactly once, unless replace_all is true'),
  new_text: z.string(),
  replace_all: z.boolean().optional(),
});

export const editFile = defineFileTool({
  name: 'edit_file',
  description: 'Replaces exact texts in a file, one edit after the other.',
  input: z.strictObject({ path: Path, edits: z.array(Edit).min(1), base_sha256: BaseSha256 }),
  output: z.looseObject({ path: z.string(), sha256: z.string() }),
  declare: ({ path, edits, base_sha256 }) => ({
    ...touches('write', path, { base_sha256, targeted: true }),
    leaves: (_path, before) => replaceExactly(path, before ?? '', edits).text,
  }),
  surfaces: ['contract'],
  run: async ({ path: given, edits, base_sha256 }, { place }, deps) => {
    const path = await realPathOf(place, given, 'write', deps);
    const old = await readExpected(place, { given, path, access: 'write', base: base_sha256 });
    if (!old) throw missing(place.root, path);
    const { text, replaced } = replaceExactly(path, decodeOf(path, old.bytes), edits);
    const content = encode(path, text);
    await changeFiles(place.root, [{ path, content, expect: old.sha256 }]);
    return { output: { path, sha256: sha256Of(content), replaced } };
  },
});
