// quality_format: applies the result of the workspace's formatter to files that an agent changed. Only the gate calls it: no surface has
// it. It ran on a copy; here the result becomes a change like any other, with a receipt of its own that names the formatter.

import { z } from 'zod';
import { Fault } from '../../protocol/index.ts';
import { changeFiles } from '../../workspace/index.ts';
import { readExpected, realPathOf, touch } from '../native/file-place.ts';
import { defineTool } from '../tool.ts';

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);

export const qualityFormat = defineTool({
  name: 'quality_format',
  description: 'Takes over what a formatter made of changed files.',
  input: z.strictObject({
    formatter: z.string().min(1),
    files: z
      .array(z.strictObject({ path: z.string().min(1), base_sha256: Sha256, sha256: Sha256 }))
      .min(1)
      .max(500),
  }),
  // Formatted from exactly this content, by a program that read all of it.
  declare: ({ files }) => ({ effects: ['write'], resources: files.map(({ path, base_sha256 }) => touch('write', path, { base_sha256 })) }),
  surfaces: [],
  run: async ({ files }, { place }, deps) => {
    const changes = [];
    for (const { path: given, base_sha256, sha256 } of files) {
      const path = await realPathOf(place, given, 'write', deps);
      await readExpected(place, { given, path, access: 'write', base: base_sha256 });
      const content = await deps.quality.contentOf(sha256);
      if (!content) throw new Fault('NOT_FOUND', `What the formatter made of ${path} is gone`);
      changes.push({ path, content, expect: base_sha256 });
    }
    await changeFiles(place.root, changes);
    return { output: { formatted: changes.map(({ path }) => path) } };
  },
});
