// Rows of a segment as the facts of the model. What is kept as a place in the text is cut out of it here.

import type {
  CallEdge,
  ComponentFact,
  Decorator,
  Definition,
  ExportEdge,
  FileFacts,
  ImportEdge,
  IndexedFile,
  Inheritance,
  Reference,
  TemplateFact,
} from '../model.ts';
import type { StoredComponent } from '../pack.ts';
import { IMPORT_KINDS, TEMPLATE_KINDS } from './builder.ts';
import type { Segment } from './segment.ts';
import { type TableName, widthOf } from './tables.ts';

const SIGNATURE_MAX = 240;
const ARGUMENTS_MAX = 400;
const DECORATOR_MAX = 4_000;
const VALUE_MAX = 1_000;

export interface Resolvers {
  /** The indexed file that a specifier leads to. */
  readonly target: (from: string, specifier: string) => string | null;
}

export function decodeFile(segment: Segment, file: number): IndexedFile {
  const { language, sha256, bytes, lines, error } = segment.fileRow(file);
  return { path: segment.path(file), language, sha256, bytes, lines, error };
}

/** Every definition of a file, in its order, with ids. */
export function decodeDefinitions(segment: Segment, file: number, text: string): Definition[] {
  const path = segment.path(file);
  const [first, end] = segment.rowsOf(file, 'definitions');
  const table = segment.table('definitions');
  const width = widthOf('definitions');
  const names: string[] = [];
  const seen = new Map<string, number>();
  const found: Definition[] = [];
  for (let row = first; row < end; row++) {
    const at = row * width;
    const name = segment.string(table[at]!);
    const container = table[at + 7]! < 0 ? null : (names[table[at + 7]!] ?? null);
    const qualified = container === null ? name : `${container}.${name}`;
    names.push(qualified);
    const count = (seen.get(qualified) ?? 0) + 1;
    seen.set(qualified, count);
    found.push({
      id: `${path}#${qualified}${count === 1 ? '' : `~${count}`}`,
      name,
      kind: segment.kind(row),
      path,
      range: { start_line: table[at + 3]!, start_column: table[at + 4]!, end_line: table[at + 5]! },
      line: table[at + 6]!,
      container,
      signature: cut(text, table[at + 8]!, table[at + 9]!, SIGNATURE_MAX) ?? name,
      exported: table[at + 2] === 1,
    });
  }
  return found;
}

/** On one line, shortened; null when there is no such place. */
export function cut(text: string, start: number, end: number, max: number): string | null {
  if (start < 0 || end < start) return null;
  const line = text
    .slice(start, Math.min(end, start + 4 * max))
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/\s*(?:=>|[{=:])?$/, '');
  return line.length > max ? `${line.slice(0, max - 1).toWellFormed()}…` : line;
}

/** As it is written, shortened. */
function written(text: string, start: number, end: number, max: number): string | null {
  if (start < 0 || end < start) return null;
  return end - start > max ? `${text.slice(start, start + max - 1).toWellFormed()}…` : text.slice(start, end);
}

export function decodeReference(segment: Segment, row: number, path: string, definitions: readonly Definition[]): Reference {
  const table = segment.table('references');
  const at = row * widthOf('references');
  return {
    name: segment.string(table[at]!),
    role: segment.role(row),
    path,
    line: table[at + 2]!,
    column: table[at + 3]!,
    of: segment.maybe(table[at + 4]!),
    within: definitions[table[at + 5]!]?.id ?? null,
  };
}

export function decodeImport(segment: Segment, row: number, path: string, { target }: Resolvers): ImportEdge {
  const table = segment.table('imports');
  const at = row * widthOf('imports');
  const specifier = segment.string(table[at + 1]!);
  return {
    path,
    line: table[at]!,
    specifier,
    target: target(path, specifier),
    imported: segment.maybe(table[at + 2]!),
    local: segment.maybe(table[at + 3]!),
    kind: IMPORT_KINDS[table[at + 4]!]!,
    type_only: table[at + 5] === 1,
  };
}

export function decodeExport(segment: Segment, row: number, path: string): ExportEdge {
  const table = segment.table('exports');
  const at = row * widthOf('exports');
  return {
    path,
    line: table[at]!,
    name: segment.string(table[at + 1]!),
    local: segment.maybe(table[at + 2]!),
    from: segment.maybe(table[at + 3]!),
  };
}

export function decodeCall(
  segment: Segment,
  row: number,
  firstReference: number,
  path: string,
  text: string,
  definitions: readonly Definition[],
): CallEdge {
  const table = segment.table('calls');
  const at = row * widthOf('calls');
  const reference = decodeReference(segment, firstReference + table[at]!, path, definitions);
  return {
    path,
    line: reference.line,
    column: reference.column,
    callee: reference.name,
    of: cut(text, table[at + 1]!, table[at + 2]!, SIGNATURE_MAX) ?? reference.of,
    caller: reference.within,
    is_new: reference.role === 'new',
    arguments: cutArguments(text, table[at + 3]!, table[at + 4]!),
  };
}

function cutArguments(text: string, start: number, end: number): string {
  const given = text
    .slice(start, Math.min(end, start + 4 * ARGUMENTS_MAX))
    .replace(/\s+/g, ' ')
    .trim();
  return given.length > ARGUMENTS_MAX ? `${given.slice(0, ARGUMENTS_MAX - 1).toWellFormed()}…` : given;
}

export function decodeFacts(segment: Segment, file: number, text: string, resolvers: Resolvers): FileFacts {
  const path = segment.path(file);
  const definitions = decodeDefinitions(segment, file, text);
  const idOf = (number: number): string | null => definitions[number]?.id ?? null;
  const each = <T>(table: TableName, decode: (row: number, at: number, numbers: Int32Array) => T): T[] => {
    const [first, end] = segment.rowsOf(file, table);
    const numbers = segment.table(table);
    return Array.from({ length: end - first }, (_, index) => decode(first + index, (first + index) * widthOf(table), numbers));
  };
  const [firstReference] = segment.rowsOf(file, 'references');
  return {
    file: decodeFile(segment, file),
    definitions,
    references: each('references', (row) => decodeReference(segment, row, path, definitions)),
    imports: each('imports', (row) => decodeImport(segment, row, path, resolvers)),
    exports: each('exports', (row) => decodeExport(segment, row, path)),
    calls: each('calls', (row) => decodeCall(segment, row, firstReference, path, text, definitions)),
    inheritance: each('inheritance', (_row, at, numbers): Inheritance => ({
      path,
      line: numbers[at + 3]!,
      heir: idOf(numbers[at]!) ?? '',
      base: segment.string(numbers[at + 1]!),
      how: numbers[at + 2] === 0 ? 'extends' : 'implements',
    })),
    decorators: each('decorators', (_row, at, numbers): Decorator => ({
      path,
      line: numbers[at + 2]!,
      name: segment.string(numbers[at + 1]!),
      arguments: written(text, numbers[at + 3]!, numbers[at + 4]!, DECORATOR_MAX),
      on: idOf(numbers[at]!),
    })),
    components: each('components', (_row, at, numbers) =>
      decodeComponent(JSON.parse(segment.string(numbers[at]!)) as StoredComponent, path, definitions, resolvers),
    ),
    template: each('templates', (_row, at, numbers): TemplateFact => ({
      path,
      line: numbers[at + 2]!,
      column: numbers[at + 3]!,
      what: TEMPLATE_KINDS[numbers[at]!]!,
      name: segment.string(numbers[at + 1]!),
      value: written(text, numbers[at + 4]!, numbers[at + 5]!, VALUE_MAX),
      element: segment.maybe(numbers[at + 6]!),
      of: idOf(numbers[at + 7]!),
    })),
  };
}

function decodeComponent(
  { number, ...stored }: StoredComponent,
  path: string,
  definitions: readonly Definition[],
  { target }: Resolvers,
): ComponentFact {
  const url = stored.template_url;
  const relative = url === null ? null : /^\.{0,2}\//.test(url) ? url : `./${url}`;
  return {
    ...stored,
    path,
    definition: definitions[number]?.id ?? '',
    template_path: relative === null ? null : target(path, relative),
  };
}
