// Search for text in the tree. `TextSearch` is the seam: an index of the code can answer the same question faster.
// This one reads every file. Patterns are matched in linear time (RE2), line by line; files that are binary or large are left out.

import { RE2JS, RE2JSException } from 're2js';
import { Fault } from '../protocol/index.ts';
import { globBelow } from './list-files.ts';
import { readPlainFile } from './plain-file.ts';
import { type Visibility, walkFiles } from './walk-files.ts';

export interface TextQuery {
  readonly root: string;
  /** A real folder or file, relative to the root; `''` is everything. */
  readonly under: string;
  readonly pattern: string;
  /** Otherwise the pattern is literal text. */
  readonly regex: boolean;
  readonly glob: string | null;
  readonly limit: number;
  /** Aborted when the caller no longer waits for the answer. */
  readonly signal?: AbortSignal;
}

export interface TextMatch {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

export interface TextMatches {
  readonly matches: TextMatch[];
  /** Why there may be more; null when this is all. */
  readonly incomplete: string | null;
}

export interface TextSearch {
  search(query: TextQuery): Promise<TextMatches>;
}

export const SEARCH_LIMITS = {
  patternCharacters: 1000,
  fileBytes: 2 * 1024 * 1024,
  allBytes: 512 * 1024 * 1024,
  shownCharacters: 300,
} as const;

export const searchByReading = (visibility: Visibility = {}): TextSearch => ({
  search: async (query) => {
    const finds = finder(query);
    const covers = query.glob === null ? () => true : globBelow(query.under, query.glob);
    const matches: TextMatch[] = [];
    let room: number = SEARCH_LIMITS.allBytes;
    for await (const { path, folder, name } of walkFiles(query.root, query.under, visibility)) {
      if (query.signal?.aborted) return { matches, incomplete: 'cancelled' };
      if (!covers(path)) continue;
      const file = await readPlainFile(folder.at(name), SEARCH_LIMITS.fileBytes);
      if (file.kind !== 'file' || file.bytes.includes(0)) continue;
      room -= file.bytes.length;
      if (room < 0) return { matches, incomplete: `stopped after ${SEARCH_LIMITS.allBytes} bytes; name a path or a glob` };
      for (const [index, text] of Buffer.from(file.bytes).toString('utf8').split('\n').entries()) {
        if (!finds(text)) continue;
        if (matches.length === query.limit) return { matches, incomplete: `more than ${query.limit} matches` };
        matches.push({ path, line: index + 1, text: shown(text) });
      }
    }
    return { matches, incomplete: null };
  },
});

function finder({ pattern, regex }: TextQuery): (line: string) => boolean {
  if (pattern === '' || pattern.length > SEARCH_LIMITS.patternCharacters)
    throw new Fault('BAD_REQUEST', `The pattern has to have 1 to ${SEARCH_LIMITS.patternCharacters} characters`);
  if (!regex) return (line) => line.includes(pattern);
  try {
    const compiled = RE2JS.compile(pattern);
    return (line) => compiled.matcher(line.endsWith('\r') ? line.slice(0, -1) : line).find();
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw new Fault('BAD_REQUEST', `The pattern cannot be read: ${error.message}`, {
      fix: 'Write it in the syntax of RE2, without look-around and back references, or search for plain text',
    });
  }
}

const shown = (line: string): string => {
  const text = line.trimEnd();
  return text.length > SEARCH_LIMITS.shownCharacters ? `${text.slice(0, SEARCH_LIMITS.shownCharacters).toWellFormed()}…` : text;
};
