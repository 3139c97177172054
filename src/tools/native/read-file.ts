// read_file: lines of a file, and the hash of all of it, which is what a later change is checked against.

import { z } from 'zod';
import { readInRoot } from '../../workspace/index.ts';
import { decode, missing, Path, realPathOf, touches } from './file-place.ts';
import { defineFileTool } from './file-tool.ts';

const MAX_LINES = 2_000;
const MAX_CHARACTERS = 100_000;

export const readFile = defineFileTool({
  name: 'read_file',
  description: `Reads a file: up to ${MAX_LINES} lines a call, with the sha256 of the whole file.`,
  input: z.strictObject({ path: Path, start_line: z.int().optional().describe('The first line is 1'), end_line: z.int().optional() }),
  output: z.looseObject({ path: z.string(), content: z.string(), sha256: z.string() }),
  declare: ({ path, start_line, end_line }) =>
    touches(
      'read',
      path,
      start_line === undefined && end_line === undefined
        ? { whole: true }
        : { lines: { start: Math.max(1, start_line ?? 1), end: end_line === undefined ? null : Math.max(0, end_line) } },
    ),
  readOnly: true,
  surfaces: ['contract'],
  run: async ({ path: given, start_line, end_line }, { place }, deps) => {
    const path = await realPathOf(place, given, 'read', deps);
    const file = await readInRoot(place.root, path);
    if (!file) throw missing(place.root, path);
    const text = decode(file.bytes);
    const read = (start: number, end: number) => ({ reads: [{ path, sha256: file.sha256, start_line: start, end_line: end }] });
    if (text === null) return { output: { path, content: '', sha256: file.sha256, binary: true, bytes: file.bytes.length }, ...read(0, 0) };

    const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
    const start = Math.max(1, start_line ?? 1);
    const wanted = lines.slice(start - 1, Math.min(end_line ?? lines.length, start - 1 + MAX_LINES));
    const { content, count } = within(MAX_CHARACTERS, wanted);
    const last = start - 1 + count;
    return {
      output: {
        path,
        content,
        sha256: file.sha256,
        lines: lines.length,
        ...(content === text ? {} : { start_line: start, end_line: last }),
        ...(last < Math.min(end_line ?? lines.length, lines.length) ? { hint: `Call again with start_line ${last + 1} for more` } : {}),
      },
      ...read(count === 0 ? 0 : start, count === 0 ? 0 : last),
    };
  },
});

/** As many whole lines as fit; a first line that is too long alone is cut. */
function within(characters: number, lines: readonly string[]): { content: string; count: number } {
  let content = '';
  let count = 0;
  for (const line of lines) {
    if (content.length + line.length > characters) break;
    content += line;
    count++;
  }
  const [first] = lines;
  return count === 0 && first !== undefined ? { content: first.slice(0, characters).toWellFormed(), count: 1 } : { content, count };
}
