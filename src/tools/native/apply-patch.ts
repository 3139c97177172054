// apply_patch: changes to several files, all of them or none.

import { z } from 'zod';
import { Fault, type JudgedPlace } from '../../protocol/index.ts';
import { changeFiles, type FileChange, sha256Of } from '../../workspace/index.ts';
import type { ToolDeps } from '../tool.ts';
import { applyHunks } from './apply-hunks.ts';
import { decodeOf, encode, missing, readExpected, realPathOf, touch } from './file-place.ts';
import { defineFileTool, readAgain } from './file-tool.ts';
import { parsePatch } from './patch.ts';
import type { FilePatch } from './patch-lines.ts';

/** A patch names what it replaces, and never adds a file over an existing one. */
const EXACT = { targeted: true } as const;

export const applyPatch = defineFileTool({
  name: 'apply_patch',
  description:
    'Applies a patch, a unified diff or *** Begin Patch … *** End Patch, to files: adds, updates, moves, deletes. Context has to match exactly. All files change or none.',
  input: z.strictObject({ patch: z.string().min(1) }),
  output: z.looseObject({ files: z.array(z.looseObject({ path: z.string(), sha256: z.string().nullable() })) }),
  declare: ({ patch }) => ({
    effects: ['write'],
    resources: parsePatch(patch).flatMap((file) => {
      if (file.kind === 'delete') return [touch('delete', file.path, EXACT)];
      if (file.kind === 'add' || file.to === null) return [touch('write', file.path, EXACT)];
      return [touch('delete', file.path, EXACT), touch('write', file.to, EXACT)];
    }),
    leaves: (path, before) => textAfter(path, before, parsePatch(patch)),
  }),
  surfaces: ['contract'],
  run: async ({ patch }, { place }, deps) => {
    const changes: FileChange[] = [];
    for (const file of parsePatch(patch)) changes.push(...(await changesOf(place, file, deps)));
    await changeFiles(place.root, changes);
    return { output: { files: changes.map(({ path, content }) => ({ path, sha256: content && sha256Of(content) })) } };
  },
});

/** What a file holds once the patch is applied. The target of a move holds what was moved, which is not known here. */
function textAfter(path: string, before: string | null, files: readonly FilePatch[]): string | null {
  const file = files.find((each) => each.path === path);
  if (!file) throw new Fault('BAD_REQUEST', `${path} is moved there`);
  if (file.kind === 'add') return file.content;
  if (file.kind === 'delete' || file.to !== null) return null;
  return applyHunks(path, before ?? '', file.hunks, file.knowsEnd);
}

async function changesOf(place: JudgedPlace, file: FilePatch, deps: ToolDeps): Promise<FileChange[]> {
  if (file.kind === 'add') {
    const path = await realPathOf(place, file.path, 'write', deps);
    return [{ path, content: encode(path, file.content), expect: null, ...(file.executable ? { mode: 0o755 } : {}) }];
  }
  const access = file.kind === 'delete' || file.to !== null ? 'delete' : 'write';
  const path = await realPathOf(place, file.path, access, deps);
  const old = await readExpected(place, { given: file.path, path, access });
  if (!old) throw missing(place.root, path);
  const removal: FileChange = { path, content: null, expect: old.sha256 };
  if (file.kind === 'delete') {
    if (file.hunks !== null && applyHunks(path, decodeOf(path, old.bytes), file.hunks, true) !== '')
      throw new Fault('BAD_REQUEST', `${path} holds more than the patch deletes; nothing was changed`, {
        fix: 'Read the file again',
        remedy: readAgain(path),
      });
    return [removal];
  }
  // Without hunks the file only moves, and need not be text.
  const content =
    file.hunks.length === 0 ? old.bytes : encode(path, applyHunks(path, decodeOf(path, old.bytes), file.hunks, file.knowsEnd));
  if (file.to === null) return [{ path, content, expect: old.sha256 }];
  const to = await realPathOf(place, file.to, 'write', deps);
  return [removal, { path: to, content, expect: null, mode: old.mode }];
}
