// Comma-separated values by column, with the line on which each row begins. A stray quote is refused: a reader that guessed would shift
// every later column.

import { CsvError, type Info, parse } from 'csv-parse/sync';
import { invalid } from './draft.ts';

export interface CsvRow {
  readonly line: number;
  /** By the column's name; a name that occurs several times has all its values. */
  readonly get: (name: string) => string;
  readonly all: (name: string) => string[];
}

export interface Csv {
  readonly columns: readonly string[];
  readonly rows: readonly CsvRow[];
}

export function readCsv(file: string, text: string): Csv {
  const [head, ...records] = recordsOf(file, text);
  if (!head) throw invalid(file, 1, 'there is no row with the names of the columns');
  const columns = head.cells.map((cell) => cell.trim());
  const rows = records
    .filter(({ cells }) => cells.some((cell) => cell !== ''))
    .map(({ line, cells }): CsvRow => {
      if (cells.length !== columns.length)
        throw invalid(file, line, `this row has ${cells.length} cells, and there are ${columns.length} columns`);
      const all = (name: string) => cells.filter((cell, at) => cell !== '' && columns[at]?.toLowerCase() === name.toLowerCase());
      return { line, all, get: (name) => all(name)[0] ?? '' };
    });
  return { columns, rows };
}

/** More than any tracker exports at once. */
const MAX_ROWS = 20_000;

const WRONG: Readonly<Record<string, string>> = {
  INVALID_OPENING_QUOTE: 'a quote is inside a cell without quotes around it',
  CSV_QUOTE_NOT_CLOSED: 'a quote is opened here and never closed',
  CSV_INVALID_CLOSING_QUOTE: 'there is something behind a closing quote',
};

function recordsOf(file: string, text: string): { line: number; cells: string[] }[] {
  try {
    // Line ends of two characters inside a cell are counted as two lines.
    const found = parse(text.replaceAll(/\r\n?/g, '\n'), {
      bom: true,
      info: true,
      record_delimiter: '\n',
      relax_column_count: true,
      to: MAX_ROWS + 1,
    }) as unknown as { info: Info; record: string[] }[];
    const records = found.map(({ info, record }) => ({ cells: record, line: info.lines - record.join('').split('\n').length + 1 }));
    const tooMany = records[MAX_ROWS];
    if (tooMany) throw invalid(file, tooMany.line, `there are more than ${MAX_ROWS} rows; export it in parts`);
    return records;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw invalid(file, Number(error['lines'] ?? 1), WRONG[error.code] ?? error.message);
  }
}
