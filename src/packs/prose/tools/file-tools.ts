// file_locator and file_reader.

import { coveringGlob } from '../../../workspace/index.ts';
import { groundingTool, unmet } from './grounding-tool.ts';

const RESULTS_DEFAULT = 12;
const RESULTS_MAX = 200;
const HITS_MAX = 3;
/** So many files are searched through by DEEP_SCAN. */
const SCANNED_MAX = 2_000;

export const fileLocator = groundingTool({
  name: 'file_locator',
  description: 'Finds files by path, name or, with DEEP_SCAN, by words that they contain.',
  touches: () => 'tree',
  run: async (
    { search_criteria, scan_mode = 'FAST_SCAN', max_results = RESULTS_DEFAULT, include_globs = false },
    { vfs, read, signal },
  ) => {
    const words = wordsOf(search_criteria);
    const limit = Math.min(max_results, RESULTS_MAX);
    const tree = await vfs.tree();
    const byName = tree.flatMap((entry) => {
      const score = include_globs
        ? Number(coveringGlob([search_criteria], entry.path) !== null)
        : nameScore(entry.path, search_criteria, words);
      return score > 0 ? [{ ...entry, score }] : [];
    });
    if (scan_mode === 'FAST_SCAN') return listing(byName, limit);
    const inText: (typeof byName)[number][] = [];
    for (const entry of tree.slice(0, SCANNED_MAX)) {
      signal.throwIfAborted();
      const { lines } = await read(entry.path);
      const hits = lines.flatMap((line, at) =>
        words.some((word) => line.toLowerCase().includes(word)) ? [{ line: at + 1, quote: line.trim().slice(0, 200).toWellFormed() }] : [],
      );
      const found = words.filter((word) => hits.some(({ quote }) => quote.toLowerCase().includes(word))).length;
      const name = byName.find(({ path }) => path === entry.path)?.score ?? 0;
      if (found + name > 0)
        inText.push({ ...entry, score: found / Math.max(1, words.length) + name, ...{ hits: hits.slice(0, HITS_MAX) } });
    }
    return listing(inText, limit, tree.length > SCANNED_MAX);
  },
});

const wordsOf = (text: string): readonly string[] => [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? [])];

/** The whole path, then its end, then a part, then how many of the words it has. */
function nameScore(path: string, criteria: string, words: readonly string[]): number {
  const [lower, wanted] = [path.toLowerCase(), criteria.toLowerCase().replace(/^\.?\//, '')];
  if (lower === wanted) return 10;
  if (lower.endsWith(`/${wanted}`)) return 8;
  if (lower.includes(wanted)) return 5;
  return words.length === 0 ? 0 : words.filter((word) => lower.includes(word)).length / words.length;
}

function listing(
  found: readonly { readonly path: string; readonly score: number }[],
  limit: number,
  isCut = false,
): Record<string, unknown> {
  // Next to a file that is named so, one that shares a word is noise.
  const least = Math.max(0, ...found.map(({ score }) => score)) / 4;
  const sorted = found.filter(({ score }) => score >= least).toSorted((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1));
  return {
    files: sorted.slice(0, limit).map(({ score: _, ...entry }) => entry),
    found: sorted.length,
    ...(sorted.length > limit ? { hint: `There are ${sorted.length}; max_results is ${limit}` } : {}),
    ...(isCut ? { incomplete: `Only the first ${SCANNED_MAX} files were searched` } : {}),
  };
}

const LINES_MAX = 400;

export const fileReader = groundingTool({
  name: 'file_reader',
  description: `Reads lines of a file, up to ${LINES_MAX} a call.`,
  touches: ({ path }) => [path],
  run: async ({ path, start_line = 1, end_line }, { read, vfs }) => {
    if (end_line !== undefined && end_line < start_line)
      throw unmet(`end_line ${end_line} is before start_line ${start_line}`, 'Name the first line as start_line and the last as end_line');
    const { lines } = await vfs.read(path);
    if (start_line > Math.max(1, lines.length))
      throw unmet(`${path} has ${lines.length} lines, so it has no line ${start_line}`, 'Name a line that it has');
    const end = Math.min(end_line ?? lines.length, lines.length, start_line + LINES_MAX - 1);
    const file = await read(path, start_line, end);
    return {
      path: file.path,
      start_line,
      end_line: end,
      lines: file.lines.length,
      content: file.lines
        .slice(start_line - 1, end)
        .map((text, at) => `${start_line + at}: ${text}`)
        .join('\n'),
      ...(file.source
        ? { source: { path: file.source.path, start_line: Math.max(1, start_line - file.source.first_line + file.source.source_line) } }
        : {}),
      ...(end < Math.min(end_line ?? lines.length, lines.length) ? { hint: `Call again with start_line ${end + 1} for more` } : {}),
    };
  },
});
