// Collects what parsers find in a batch of files and lays it out as a segment.

import { DEFINITION_KINDS, type DefinitionKind, type Language, REFERENCE_ROLES, type ReferenceRole } from '../model.ts';
import { TermCollector } from '../text/terms.ts';
import { TRIGRAMS, trigramsIn } from '../text/trigrams.ts';
import { NumberRows } from './number-rows.ts';
import {
  FILE_COLUMNS,
  FILE_WIDTH,
  MAGIC,
  SECTIONS,
  SEGMENT_VERSION,
  type SectionName,
  TABLES,
  TABLE_NAMES,
  type TableName,
  widthOf,
} from './tables.ts';

export const LANGUAGES: readonly Language[] = [
  'typescript',
  'javascript',
  'python',
  'go',
  'rust',
  'java',
  'csharp',
  'cpp',
  'ruby',
  'php',
  'html',
  'json',
  'yaml',
  'markdown',
  'text',
];
export const IMPORT_KINDS = ['static', 'dynamic', 'require', 'reexport'] as const;
export const TEMPLATE_KINDS = ['element', 'attribute', 'input', 'output', 'two_way', 'reference', 'directive', 'pipe', 'text'] as const;

const KIND_NUMBERS = new Map(DEFINITION_KINDS.map((kind, number) => [kind, number]));
const ROLE_NUMBERS = new Map(REFERENCE_ROLES.map((role, number) => [role, number]));

/** A target that the file itself determines: the number of a definition or, from -2 down, of an import; -1: not known. */
export const importTarget = (row: number): number => -2 - row;

export interface NewDefinition {
  readonly name: string;
  readonly kind: DefinitionKind;
  readonly exported: boolean;
  readonly startLine: number;
  readonly startColumn: number;
  readonly endLine: number;
  readonly line: number;
  /** The number of the enclosing definition, counted in the file; -1 at the top. */
  readonly container: number;
  /** Offsets of the text that shows what it is. */
  readonly headStart: number;
  readonly headEnd: number;
}

export interface NewFile {
  readonly path: string;
  readonly language: Language;
  readonly sha256: Buffer;
  readonly bytes: number;
  readonly lines: number;
  readonly units: Uint16Array;
}

/** How many rows a file may have: beyond that it is generated, and what is left out is said. */
const ROWS_MAX = 200_000;

export class SegmentBuilder {
  readonly #ids = new Map<string, number>();
  readonly #strings: string[] = [];
  readonly #rows = Object.fromEntries(TABLE_NAMES.map((table) => [table, new NumberRows()])) as Record<TableName, NumberRows>;
  readonly #files = new NumberRows();
  readonly #trigrams: Int32Array[] = [];
  readonly #terms = new TermCollector();
  readonly #lengths: number[] = [];
  #starts: number[] = [];

  get fileCount(): number {
    return this.#files.length / FILE_WIDTH;
  }

  /** The rows that follow are this file's, until `endFile`. */
  beginFile(): void {
    this.#starts = TABLE_NAMES.map((table) => this.#rows[table].length / widthOf(table));
  }

  /** Removes the rows of the file so far: its parser failed half-way. */
  takeBack(): void {
    for (const [at, table] of TABLE_NAMES.entries()) this.#rows[table].cut(this.#starts[at]! * widthOf(table));
  }

  endFile(file: NewFile, error: string | null): void {
    const number = this.fileCount;
    const row = [
      this.#string(file.path),
      LANGUAGES.indexOf(file.language),
      file.bytes,
      file.lines,
      error === null ? -1 : this.#string(error),
    ];
    for (let at = 0; at < 8; at++) row.push(file.sha256.readInt32LE(4 * at));
    this.#files.push(...row, ...this.#starts);
    this.#trigrams.push(trigramsIn(file.units));
    this.#lengths.push(this.#terms.add(number, file.path, this.#definedNames(), file.units));
  }

  #definedNames(): string[] {
    const rows = this.#rows.definitions;
    const width = widthOf('definitions');
    const names: string[] = [];
    for (let at = this.#starts[0]! * width; at < rows.length; at += width) names.push(this.#strings[rows.at(at)]!);
    return names;
  }

  /** Its number in the file, or -1 when there are too many. */
  definition(found: NewDefinition): number {
    const number = this.#countIn(0);
    if (number >= ROWS_MAX) return -1;
    this.#rows.definitions.push(
      this.#string(found.name),
      KIND_NUMBERS.get(found.kind)!,
      found.exported ? 1 : 0,
      found.startLine,
      found.startColumn,
      found.endLine,
      found.line,
      found.container,
      found.headStart,
      found.headEnd,
    );
    return number;
  }

  /** Marks a definition that is exported by a list further down. */
  exportDefinition(number: number): void {
    this.#rows.definitions.set((this.#starts[0]! + number) * widthOf('definitions') + 2, 1);
  }

  endDefinition(number: number, endLine: number): void {
    this.#rows.definitions.set((this.#starts[0]! + number) * widthOf('definitions') + 5, endLine);
  }

  /** Its number in the file. */
  reference(name: string, role: ReferenceRole, line: number, column: number, of: string | null, within: number, target: number): number {
    const number = this.#countIn(1);
    if (number >= ROWS_MAX) return -1;
    this.#rows.references.push(this.#string(name), ROLE_NUMBERS.get(role)!, line, column, this.#maybe(of), within, target);
    return number;
  }

  call(reference: number, ofStart: number, ofEnd: number, argumentsStart: number, argumentsEnd: number): void {
    if (reference >= 0) this.#rows.calls.push(reference, ofStart, ofEnd, argumentsStart, argumentsEnd);
  }

  /** Its number in the file. */
  import(
    line: number,
    specifier: string,
    imported: string | null,
    local: string | null,
    kind: (typeof IMPORT_KINDS)[number],
    typeOnly: boolean,
  ): number {
    const number = this.#countIn(2);
    this.#rows.imports.push(
      line,
      this.#string(specifier),
      this.#maybe(imported),
      this.#maybe(local),
      IMPORT_KINDS.indexOf(kind),
      typeOnly ? 1 : 0,
    );
    return number;
  }

  export(line: number, name: string, local: string | null, from: string | null): void {
    this.#rows.exports.push(line, this.#string(name), this.#maybe(local), this.#maybe(from));
  }

  inherits(heir: number, base: string, how: 'extends' | 'implements', line: number): void {
    if (heir >= 0) this.#rows.inheritance.push(heir, this.#string(base), how === 'extends' ? 0 : 1, line);
  }

  decorator(on: number, name: string, line: number, argumentsStart: number, argumentsEnd: number): void {
    this.#rows.decorators.push(on, this.#string(name), line, argumentsStart, argumentsEnd);
  }

  component(found: object): void {
    this.#rows.components.push(this.#string(JSON.stringify(found)));
  }

  template(
    what: (typeof TEMPLATE_KINDS)[number],
    name: string,
    line: number,
    column: number,
    valueStart: number,
    valueEnd: number,
    element: string | null,
    of: number,
  ): void {
    if (this.#countIn(TABLE_NAMES.indexOf('templates')) >= ROWS_MAX) return;
    this.#rows.templates.push(
      TEMPLATE_KINDS.indexOf(what),
      this.#string(name),
      line,
      column,
      valueStart,
      valueEnd,
      this.#maybe(element),
      of,
    );
  }

  #countIn(table: number): number {
    const name = TABLE_NAMES[table]!;
    return this.#rows[name].length / widthOf(name) - this.#starts[table]!;
  }

  #maybe(text: string | null): number {
    return text === null ? -1 : this.#string(text);
  }

  #string(given: string): number {
    const known = this.#ids.get(given);
    if (known !== undefined) return known;
    // Half a character has no bytes of its own: two such strings would become one, and the order would be lost.
    const text = given.toWellFormed();
    let id = this.#ids.get(text);
    if (id === undefined) {
      id = this.#strings.length;
      this.#strings.push(text);
      this.#ids.set(text, id);
    }
    return id;
  }

  finish(): ArrayBuffer {
    const order = this.#strings.toSorted();
    const rank = new Int32Array(order.length);
    for (let place = 0; place < order.length; place++) rank[this.#ids.get(order[place]!)!] = place;
    const sections = new Map<SectionName, Int32Array | Uint8Array | Uint16Array>();
    const tables = {} as Record<TableName, Int32Array>;
    for (const table of TABLE_NAMES) {
      tables[table] = this.#rows[table].all();
      ranked(tables[table], widthOf(table), TABLES[table].strings, rank);
      sections.set(table, tables[table]);
    }
    const files = this.#files.all();
    ranked(files, FILE_WIDTH, [FILE_COLUMNS.path, FILE_COLUMNS.error], rank);
    sections.set('files', files);
    addStrings(sections, 'stringStarts', 'stringBytes', order);
    addPostings(sections, 'definitionStarts', 'definitionRows', tables.definitions, widthOf('definitions'), order.length);
    addPostings(sections, 'referenceStarts', 'referenceRows', tables.references, widthOf('references'), order.length);
    addTrigrams(sections, this.#trigrams);
    this.#addTerms(sections);
    sections.set('fileLengths', new Int32Array(this.#lengths));
    return packed(sections);
  }

  #addTerms(sections: Map<SectionName, Int32Array | Uint8Array | Uint16Array>): void {
    const { terms, starts, files, counts } = this.#terms.sorted();
    addStrings(sections, 'termStarts', 'termBytes', terms);
    sections.set('termPostingStarts', starts);
    sections.set('termFiles', files);
    sections.set('termCounts', counts);
  }
}

function ranked(rows: Int32Array, width: number, columns: readonly number[], rank: Int32Array): void {
  for (const column of columns) for (let at = column; at < rows.length; at += width) if (rows[at]! >= 0) rows[at] = rank[rows[at]!]!;
}

function addStrings(
  sections: Map<SectionName, Int32Array | Uint8Array | Uint16Array>,
  startsName: SectionName,
  bytesName: SectionName,
  strings: readonly string[],
): void {
  const bytes = Buffer.from(strings.join(''), 'utf8');
  const starts = new Int32Array(strings.length + 1);
  const isPlain = bytes.length === strings.reduce((sum, { length }) => sum + length, 0);
  for (let at = 0; at < strings.length; at++)
    starts[at + 1] = starts[at]! + (isPlain ? strings[at]!.length : Buffer.byteLength(strings[at]!));
  sections.set(startsName, starts);
  sections.set(bytesName, bytes);
}

/** The rows of each name, which is in the first column. */
function addPostings(
  sections: Map<SectionName, Int32Array | Uint8Array | Uint16Array>,
  startsName: SectionName,
  rowsName: SectionName,
  table: Int32Array,
  width: number,
  strings: number,
): void {
  const starts = new Int32Array(strings + 1);
  for (let at = 0; at < table.length; at += width) starts[table[at]! + 1]!++;
  for (let at = 0; at < strings; at++) starts[at + 1]! += starts[at]!;
  const next = starts.slice();
  const rows = new Int32Array(table.length / width);
  for (let at = 0, row = 0; at < table.length; at += width, row++) rows[next[table[at]!]!++] = row;
  sections.set(startsName, starts);
  sections.set(rowsName, rows);
}

function addTrigrams(sections: Map<SectionName, Int32Array | Uint8Array | Uint16Array>, byFile: readonly Int32Array[]): void {
  const counts = new Int32Array(TRIGRAMS + 1);
  let total = 0;
  for (const trigrams of byFile) {
    total += trigrams.length;
    for (let at = 0; at < trigrams.length; at++) counts[trigrams[at]!]!++;
  }
  const keys: number[] = [];
  const starts: number[] = [];
  let next = 0;
  for (let key = 0; key < TRIGRAMS; key++) {
    const count = counts[key]!;
    if (count === 0) continue;
    keys.push(key);
    starts.push(next);
    // From here on: where the next file of this trigram goes.
    counts[key] = next;
    next += count;
  }
  starts.push(next);
  const files = new Uint16Array(total);
  for (const [file, trigrams] of byFile.entries()) for (let at = 0; at < trigrams.length; at++) files[counts[trigrams[at]!]!++] = file;
  sections.set('trigramKeys', new Int32Array(keys));
  sections.set('trigramStarts', new Int32Array(starts));
  sections.set('trigramFiles', files);
}

function packed(sections: ReadonlyMap<SectionName, Int32Array | Uint8Array | Uint16Array>): ArrayBuffer {
  const header = 4 * (2 + SECTIONS.length);
  const lengths = SECTIONS.map((name) => sections.get(name)!.byteLength);
  const size = lengths.reduce((sum, length) => sum + aligned(length), header);
  const buffer = new ArrayBuffer(size);
  const head = new Int32Array(buffer, 0, header / 4);
  head.set([MAGIC, SEGMENT_VERSION, ...lengths]);
  let at = header;
  for (const name of SECTIONS) {
    const section = sections.get(name)!;
    new Uint8Array(buffer, at, section.byteLength).set(new Uint8Array(section.buffer, section.byteOffset, section.byteLength));
    at += aligned(section.byteLength);
  }
  return buffer;
}

export const aligned = (length: number): number => (length + 3) & ~3;
