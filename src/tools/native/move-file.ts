// move_file: gives a file another path. Nothing is ever moved onto another file.

import { z } from 'zod';
import { moveFile as move } from '../../workspace/index.ts';
import { missing, Path, readExpected, realPathOf, touch } from './file-place.ts';
import { defineFileTool } from './file-tool.ts';

export const moveFile = defineFileTool({
  name: 'move_file',
  description: 'Moves or renames a file, and makes the folders that it needs. Fails if something is at the new path.',
  input: z.strictObject({ from: Path, to: Path }),
  output: z.looseObject({ from: z.string(), path: z.string(), sha256: z.string() }),
  declare: ({ from, to }) => ({ effects: ['write'], resources: [touch('delete', from, { targeted: true }), touch('write', to)] }),
  surfaces: ['contract'],
  run: async (input, { place }, deps) => {
    const from = await realPathOf(place, input.from, 'delete', deps);
    const path = await realPathOf(place, input.to, 'write', deps);
    const file = await readExpected(place, { given: input.from, path: from, access: 'delete' });
    if (!file) throw missing(place.root, from);
    await move(place.root, from, path, file.sha256);
    return { output: { from, path, sha256: file.sha256 } };
  },
});
