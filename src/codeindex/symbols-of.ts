// What a file declares that a person would look for by name. A file with errors gives what could still be read.

import { readIntoSegment } from './extract/read-file.ts';
import type { Definition, DefinitionKind } from './model.ts';
import { SegmentBuilder } from './segment/builder.ts';
import { decodeDefinitions } from './segment/decode.ts';
import { Segment } from './segment/segment.ts';

export type SymbolKind = 'function' | 'class' | 'method' | 'interface' | 'type' | 'enum' | 'variable' | 'const' | 'heading';

export interface CodeSymbol {
  readonly name: string;
  readonly kind: SymbolKind;
  /** What contains it: `Outer.Inner`, or the headings above it. */
  readonly container: string | null;
  readonly start_line: number;
  readonly end_line: number;
  readonly exported: boolean;
}

const SYMBOLS_MAX = 5000;

/** The kinds that are returned, and their names; fields, members of enums and keys are too many to search. */
const SYMBOL_KINDS: Partial<Record<DefinitionKind, SymbolKind>> = {
  function: 'function',
  macro: 'function',
  class: 'class',
  struct: 'class',
  trait: 'interface',
  interface: 'interface',
  method: 'method',
  constructor: 'method',
  type: 'type',
  enum: 'enum',
  variable: 'variable',
  const: 'const',
  heading: 'heading',
};
/** What has methods with bodies. */
const HOLDERS = new Set<DefinitionKind>(['class', 'struct', 'trait', 'enum', 'variable', 'const']);

/** In the order of the file. Never rejects. Only for a thread whose stack holds the parser: see `code-index.ts`. */
export async function symbolsOf(path: string, text: string): Promise<readonly CodeSymbol[]> {
  const out = new SegmentBuilder();
  // Packs define no symbols.
  await readIntoSegment(out, path, Buffer.from(text), []);
  if (out.fileCount === 0) return [];
  const definitions = decodeDefinitions(new Segment(out.finish()), 0, text);
  const kinds = new Map(definitions.map((each) => [nameOf(each), each.kind]));
  const headings: Definition[] = [];
  const symbols: CodeSymbol[] = [];
  for (const definition of definitions) {
    const kind = SYMBOL_KINDS[definition.kind];
    const holder = definition.container === null ? undefined : kinds.get(definition.container);
    if (kind === undefined || (kind === 'method' && holder !== undefined && !HOLDERS.has(holder))) continue;
    if (symbols.length === SYMBOLS_MAX) break;
    const { name, range, exported } = definition;
    const container = kind === 'heading' ? above(headings, definition) : definition.container;
    symbols.push({ name, kind, container, start_line: range.start_line, end_line: range.end_line, exported });
  }
  return symbols;
}

const nameOf = ({ name, container }: Definition): string => (container === null ? name : `${container}.${name}`);

/** The headings above a heading; names of headings may have dots. */
function above(open: Definition[], heading: Definition): string | null {
  while (open.length > 0 && open.at(-1)!.range.end_line < heading.range.start_line) open.pop();
  const names = open.map(({ name }) => name).join(' › ');
  open.push(heading);
  return names === '' ? null : names;
}
