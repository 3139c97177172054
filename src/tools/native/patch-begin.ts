// The `*** Begin Patch` dialect: files are added, deleted, or updated by hunks that are found by their context; `@@ line` names a
// line that comes before a hunk, several of them one after the other.

import { type FilePatch, headerOf, type Hunk, hunkLine, isHunkLine, type LineReader, type PatchLine } from './patch-lines.ts';

export function parseBeginPatch(reader: LineReader): FilePatch[] {
  reader.take();
  const files: FilePatch[] = [];
  while (reader.takeHeader('*** End Patch') === null) {
    const file = parseFile(reader);
    files.push(file);
  }
  while (reader.peek() !== undefined) if (reader.take()?.trim() !== '') reader.refuse('something follows *** End Patch');
  return files;
}

function parseFile(reader: LineReader): FilePatch {
  const added = reader.takeHeader('*** Add File: ');
  if (added !== null) {
    let content = '';
    while (reader.peek()?.startsWith('+')) content += `${reader.take()?.slice(1)}\n`;
    return { kind: 'add', path: named(reader, added), content, executable: false };
  }
  const deleted = reader.takeHeader('*** Delete File: ');
  if (deleted !== null) return { kind: 'delete', path: named(reader, deleted), hunks: null };
  const updated = reader.takeHeader('*** Update File: ');
  if (updated === null) return reader.refuse('expected *** Add File, *** Delete File, *** Update File or *** End Patch');
  const to = reader.takeHeader('*** Move to: ');
  const hunks: Hunk[] = [];
  while (isHunkLine(reader.peek()) || reader.peek()?.startsWith('@@')) hunks.push(parseHunk(reader));
  if (hunks.length === 0 && to === null) reader.refuse(`nothing is said about ${updated}`);
  return { kind: 'update', path: named(reader, updated), to: to === null ? null : named(reader, to), hunks, knowsEnd: false };
}

const named = (reader: LineReader, path: string): string => (path.trim() === '' ? reader.refuse('a path is missing') : path.trim());

function parseHunk(reader: LineReader): Hunk {
  const anchors: string[] = [];
  while (reader.peek()?.startsWith('@@')) {
    const anchor = headerOf(reader.take() ?? '')
      .slice(2)
      .trim();
    if (anchor !== '') anchors.push(anchor);
  }
  const lines: PatchLine[] = [];
  while (isHunkLine(reader.peek())) lines.push(hunkLine(reader.take() ?? ''));
  const atEnd = reader.takeHeader('*** End of File') !== null;
  if (!lines.some(({ kind }) => kind !== 'context')) reader.refuse('a part that starts with @@ changes nothing');
  return { before: null, anchors, lines, atEnd };
}
