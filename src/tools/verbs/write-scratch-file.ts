// write_scratch_file: a file in the scratch folder of the session's work. The folder is made of the work's own id, so no path leads out of it.

import path from 'node:path';
import { z } from 'zod';
import { changeFiles, readInRoot, resolveInRoot, sha256Of } from '../../workspace/index.ts';
import { defineTool, plan, refuse } from '../tool.ts';

export const scratchFolder = (workId: string): string => `.ai/tmp/work/${workId}/scratch`;

const MAX_CHARACTERS = 1_000_000;

export const writeScratchFile = defineTool({
  name: 'write_scratch_file',
  description: 'Writes a file into the scratch folder of this work.',
  input: z.strictObject({ relativePath: z.string().min(1).max(512), content: z.string().max(MAX_CHARACTERS) }),
  declare: plan,
  surfaces: [],
  run: async ({ relativePath, content }, { work, place: { root } }) => {
    const folder = scratchFolder(work()?.workId ?? 'none');
    const wanted = path.posix.normalize(path.posix.join(folder, relativePath));
    const isInside = (real: string) => real.startsWith(`${folder}/`);
    // Both as it is written and where links lead to.
    const { real } = isInside(wanted) && !path.posix.isAbsolute(relativePath) ? await resolveInRoot(root, wanted, root) : { real: null };
    if (real === null || !isInside(real))
      return refuse(
        'PLAN_SCOPE_VIOLATION',
        `${relativePath} leads out of the scratch folder ${folder}.`,
        'Name a path inside it, such as notes.md',
        {
          tool: 'write_scratch_file',
          args: { relativePath: path.posix.basename(wanted) || 'notes.md', content },
        },
      );
    const old = await readInRoot(root, real);
    const bytes = Buffer.from(content.toWellFormed());
    await changeFiles(root, [{ path: real, content: bytes, expect: old?.sha256 ?? null }]);
    return { output: { path: real, sha256: sha256Of(bytes) }, files: [{ path: real, before_sha256: old?.sha256 ?? null }] };
  },
});
