// A finished segment, read in place: decoded only on request.

import { DEFINITION_KINDS, type DefinitionKind, REFERENCE_ROLES, type ReferenceRole } from '../model.ts';
import { aligned, LANGUAGES } from './builder.ts';
import {
  FILE_COLUMNS,
  FILE_STARTS,
  FILE_WIDTH,
  MAGIC,
  SECTIONS,
  SEGMENT_VERSION,
  type SectionName,
  TABLE_NAMES,
  type TableName,
  widthOf,
} from './tables.ts';

export class Segment {
  readonly #bytes: ReadonlyMap<SectionName, Uint8Array>;
  readonly files: Int32Array;
  readonly fileCount: number;
  readonly trigramKeys: Int32Array;
  readonly trigramStarts: Int32Array;
  readonly trigramFiles: Uint16Array;
  readonly fileLengths: Int32Array;
  readonly #tables: Readonly<Record<TableName, Int32Array>>;
  readonly #strings: StringTable;
  readonly #terms: StringTable;
  readonly byteLength: number;

  /** Throws when the bytes are not a whole segment of this version. */
  constructor(buffer: ArrayBufferLike, offset = 0, length = buffer.byteLength - offset) {
    this.byteLength = length;
    const header = 4 * (2 + SECTIONS.length);
    if (length < header || offset % 4 !== 0) throw new Error('it is cut short');
    const head = new Int32Array(buffer, offset, header / 4);
    if (head[0] !== MAGIC || head[1] !== SEGMENT_VERSION) throw new Error('it is of another version');
    const bytes = new Map<SectionName, Uint8Array>();
    let at = header;
    for (const [number, name] of SECTIONS.entries()) {
      const size = head[2 + number]!;
      if (size < 0 || at + size > length) throw new Error('it is cut short');
      bytes.set(name, new Uint8Array(buffer, offset + at, size));
      at += aligned(size);
    }
    this.#bytes = bytes;
    this.files = this.#numbers('files');
    this.fileCount = this.files.length / FILE_WIDTH;
    this.#tables = Object.fromEntries(TABLE_NAMES.map((table) => [table, this.#numbers(table)])) as Record<TableName, Int32Array>;
    this.#strings = new StringTable(this.#numbers('stringStarts'), this.#part('stringBytes'));
    this.#terms = new StringTable(this.#numbers('termStarts'), this.#part('termBytes'));
    this.trigramKeys = this.#numbers('trigramKeys');
    this.trigramStarts = this.#numbers('trigramStarts');
    const trigramFiles = this.#part('trigramFiles');
    this.trigramFiles = new Uint16Array(trigramFiles.buffer, trigramFiles.byteOffset, trigramFiles.byteLength / 2);
    this.fileLengths = this.#numbers('fileLengths');
  }

  #part(name: SectionName): Uint8Array {
    return this.#bytes.get(name)!;
  }

  #numbers(name: SectionName): Int32Array {
    const part = this.#part(name);
    return new Int32Array(part.buffer, part.byteOffset, part.byteLength / 4);
  }

  string(id: number): string {
    return this.#strings.at(id);
  }

  maybe(id: number): string | null {
    return id < 0 ? null : this.#strings.at(id);
  }

  /** -1: no file of this segment has it. */
  idOf(text: string): number {
    return this.#strings.find(text);
  }

  path(file: number): string {
    return this.string(this.files[file * FILE_WIDTH + FILE_COLUMNS.path]!);
  }

  fileRow(file: number): {
    readonly language: (typeof LANGUAGES)[number];
    readonly bytes: number;
    readonly lines: number;
    readonly error: string | null;
    readonly sha256: string;
  } {
    const at = file * FILE_WIDTH;
    const hash = Buffer.from(this.files.buffer, this.files.byteOffset + 4 * (at + FILE_COLUMNS.sha256), 32);
    return {
      language: LANGUAGES[this.files[at + FILE_COLUMNS.language]!]!,
      bytes: this.files[at + FILE_COLUMNS.bytes]!,
      lines: this.files[at + FILE_COLUMNS.lines]!,
      error: this.maybe(this.files[at + FILE_COLUMNS.error]!),
      sha256: hash.toString('hex'),
    };
  }

  table(name: TableName): Int32Array {
    return this.#tables[name];
  }

  /** The first row of a file in a table, and the first one that is another file's. */
  rowsOf(file: number, table: TableName): readonly [number, number] {
    const column = FILE_STARTS + TABLE_NAMES.indexOf(table);
    const end = file + 1 < this.fileCount ? this.files[(file + 1) * FILE_WIDTH + column]! : this.#tables[table].length / widthOf(table);
    return [this.files[file * FILE_WIDTH + column]!, end];
  }

  /** The file that a row belongs to. */
  fileOf(row: number, table: TableName): number {
    const column = FILE_STARTS + TABLE_NAMES.indexOf(table);
    let low = 0;
    let high = this.fileCount;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.files[middle * FILE_WIDTH + column]! <= row) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  definitionRows(name: number): Int32Array {
    return this.#posted('definitionStarts', 'definitionRows', name);
  }

  referenceRows(name: number): Int32Array {
    return this.#posted('referenceStarts', 'referenceRows', name);
  }

  #posted(starts: SectionName, rows: SectionName, name: number): Int32Array {
    const from = this.#numbers(starts);
    return this.#numbers(rows).subarray(from[name], from[name + 1]);
  }

  #definedNames: readonly string[] | null = null;

  /** Each defined name, once. Cached: every search for similar names needs all of them. */
  definedNames(): readonly string[] {
    if (this.#definedNames) return this.#definedNames;
    const starts = this.#numbers('definitionStarts');
    const names: string[] = [];
    for (let id = 0; id + 1 < starts.length; id++) if (starts[id] !== starts[id + 1]) names.push(this.#strings.at(id));
    return (this.#definedNames = names);
  }

  kind(row: number): DefinitionKind {
    return DEFINITION_KINDS[this.#tables.definitions[row * widthOf('definitions') + 1]!]!;
  }

  role(row: number): ReferenceRole {
    return REFERENCE_ROLES[this.#tables.references[row * widthOf('references') + 1]!]!;
  }

  /** The files with a term, and beside each how often. */
  posting(term: string): { readonly files: Uint16Array; readonly counts: Int32Array } | null {
    const id = this.#terms.find(term);
    if (id < 0) return null;
    const starts = this.#numbers('termPostingStarts');
    const files = this.#part('termFiles');
    return {
      files: new Uint16Array(files.buffer, files.byteOffset, files.byteLength / 2).subarray(starts[id], starts[id + 1]),
      counts: this.#numbers('termCounts').subarray(starts[id], starts[id + 1]),
    };
  }

  /** The files that have a trigram. */
  filesWith(trigram: number): Uint16Array {
    let low = 0;
    let high = this.trigramKeys.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.trigramKeys[middle]! < trigram) low = middle + 1;
      else high = middle;
    }
    if (this.trigramKeys[low] !== trigram) return this.trigramFiles.subarray(0, 0);
    return this.trigramFiles.subarray(this.trigramStarts[low], this.trigramStarts[low + 1]);
  }
}

class StringTable {
  readonly #starts: Int32Array;
  readonly #bytes: Buffer;

  constructor(starts: Int32Array, bytes: Uint8Array) {
    this.#starts = starts;
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  at(id: number): string {
    return this.#bytes.toString('utf8', this.#starts[id], this.#starts[id + 1]);
  }

  find(text: string): number {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.at(middle) < text) low = middle + 1;
      else high = middle;
    }
    return low < this.#starts.length - 1 && this.at(low) === text ? low : -1;
  }
}
