// A patch as read: the change of each file. Two dialects are read, unified diffs (git's too) and `*** Begin Patch`.
//
// INVARIANT: what is declared to the gate and what is applied come from the same reading. A line that belongs to neither dialect
// is refused: skipped, it could make two readers see two patches.

import { parseBeginPatch } from './patch-begin.ts';
import { type FilePatch, headerOf, LineReader } from './patch-lines.ts';
import { parseUnifiedDiff } from './patch-unified.ts';

export function parsePatch(patch: string): FilePatch[] {
  const lines = patch.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const first = lines.findIndex((line) => line.trim() !== '');
  const reader = new LineReader(lines, Math.max(first, 0));
  const files = headerOf(lines[first] ?? '') === '*** Begin Patch' ? parseBeginPatch(reader) : parseUnifiedDiff(reader);
  if (files.length === 0) reader.refuse('there is no file in it');
  const named = files.flatMap((file) => (file.kind === 'update' && file.to !== null ? [file.path, file.to] : [file.path]));
  const twice = named.find((path, index) => named.indexOf(path) !== index);
  if (twice !== undefined) reader.refuse(`${twice} is named twice; put all that happens to it in one part`);
  return files;
}
