// Comma-separated values as RFC 4180 has them, with the line on which each row begins. A reader that guessed at a stray quote would move
// every column behind it.

import { invalid } from './draft.ts';

export interface CsvRow {
  readonly line: number;
  /** By the column's name; a name that is there several times has all its values. */
  readonly get: (name: string) => string;
  readonly all: (name: string) => string[];
}

export interface Csv {
  readonly columns: readonly string[];
  readonly rows: readonly CsvRow[];
}

export function readCsv(file: string, text: string): Csv {
  const [head, ...records] = recordsOf(file, text.replace(/^\ufeff/, ''));
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

interface CsvRecord {
  readonly line: number;
  readonly cells: string[];
}

/** More than any tracker exports at once. */
const MOST_ROWS = 20_000;

function recordsOf(file: string, text: string): CsvRecord[] {
  const records: CsvRecord[] = [];
  let at = 0;
  let line = 1;
  while (at < text.length) {
    const record: CsvRecord = { line, cells: [] };
    if (records.push(record) > MOST_ROWS) throw invalid(file, line, `there are more than ${MOST_ROWS} rows; export it in parts`);
    for (;;) {
      const { cell, next, lines } = cellAt(file, text, at, line);
      record.cells.push(cell);
      line += lines;
      at = next;
      if (text[at] !== ',') break;
      at++;
    }
    if (text[at] === '\r') at++;
    if (text[at] === '\n') at++;
    line++;
  }
  return records;
}

function cellAt(file: string, text: string, start: number, line: number): { cell: string; next: number; lines: number } {
  if (text[start] !== '"') {
    const plain = /[^,\r\n]*/y;
    plain.lastIndex = start;
    const cell = plain.exec(text)?.[0] ?? '';
    if (cell.includes('"')) throw invalid(file, line, 'a quote stands inside a cell that has none around it');
    return { cell, next: start + cell.length, lines: 0 };
  }
  const quoted = /"(?:[^"]|"")*"/y;
  quoted.lastIndex = start;
  const found = quoted.exec(text)?.[0];
  if (found === undefined) throw invalid(file, line, 'a quote is opened here and never closed');
  const next = start + found.length;
  const lines = found.split('\n').length - 1;
  if (next < text.length && !/[,\r\n]/.test(text[next] ?? ''))
    throw invalid(file, line + lines, 'there is something behind a closing quote');
  return { cell: found.slice(1, -1).replaceAll('""', '"'), next, lines };
}
