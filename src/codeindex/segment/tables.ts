// The layout of a segment in memory and on disk: tables of 32-bit numbers over one sorted list of strings.
//
//   header   magic, version, byte length of each section in the order of SECTIONS
//   files    one row for each file; its last columns say where the file's rows begin in each table
//   tables   rows of definitions, references, …; rows of one file stand together
//   strings  where each string begins; the strings' bytes in UTF-8, in the order of their UTF-16 units
//   byName   for each string the rows of definitions and of references that have it as their name
//   trigrams the trigrams that occur, and the files of each
//   terms    the terms of ranking: their strings, and for each the files with counts
//
// INVARIANT: a segment never changes. A file that changed is in a newer segment; its old rows are dead and skipped.

export const MAGIC = 0x43_53_49_58;
/** Raised whenever a layout, the list of packs, or what a parser or a pack finds changes: segments of another version are rebuilt. */
export const SEGMENT_VERSION = 2;

/** Columns that hold strings are marked: their numbers are re-sorted when a segment is finished. `-1` means none. */
export const TABLES = {
  definitions: {
    columns: ['name', 'kind', 'exported', 'startLine', 'startColumn', 'endLine', 'line', 'container', 'headStart', 'headEnd'],
    strings: [0],
  },
  references: { columns: ['name', 'role', 'line', 'column', 'of', 'within', 'target'], strings: [0, 4] },
  imports: { columns: ['line', 'specifier', 'imported', 'local', 'kind', 'typeOnly'], strings: [1, 2, 3] },
  exports: { columns: ['line', 'name', 'local', 'from'], strings: [1, 2, 3] },
  /** `reference` is the row, counted from the file's first one. */
  calls: { columns: ['reference', 'ofStart', 'ofEnd', 'argumentsStart', 'argumentsEnd'], strings: [] },
  inheritance: { columns: ['heir', 'base', 'how', 'line'], strings: [1] },
  decorators: { columns: ['on', 'name', 'line', 'argumentsStart', 'argumentsEnd'], strings: [1] },
  /** A component is a text of JSON: there are few. */
  components: { columns: ['json'], strings: [0] },
  templates: { columns: ['what', 'name', 'line', 'column', 'valueStart', 'valueEnd', 'element', 'of'], strings: [1, 6] },
} as const;

export type TableName = keyof typeof TABLES;
export const TABLE_NAMES = Object.keys(TABLES) as readonly TableName[];
export const widthOf = (table: TableName): number => TABLES[table].columns.length;

/** Before the columns with the first row of each table. */
export const FILE_COLUMNS = { path: 0, language: 1, bytes: 2, lines: 3, error: 4, sha256: 5 } as const;
const SHA_WORDS = 8;
export const FILE_STARTS = FILE_COLUMNS.sha256 + SHA_WORDS;
export const FILE_WIDTH = FILE_STARTS + TABLE_NAMES.length;

export const SECTIONS = [
  'files',
  ...TABLE_NAMES,
  'stringStarts',
  'stringBytes',
  'definitionStarts',
  'definitionRows',
  'referenceStarts',
  'referenceRows',
  'trigramKeys',
  'trigramStarts',
  'trigramFiles',
  'termStarts',
  'termBytes',
  'termPostingStarts',
  'termFiles',
  'termCounts',
  'fileLengths',
] as const;
export type SectionName = (typeof SECTIONS)[number];
