// Languages that are read with a grammar: queries say which nodes define, use, call and inherit, and nesting says what contains what.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Language, type Node, Parser, Query } from 'web-tree-sitter';
import { DEFINITION_KINDS, type DefinitionKind, REFERENCE_ROLES, type ReferenceRole } from '../model.ts';
import type { SegmentBuilder } from '../segment/builder.ts';
import { type GrammarName, GRAMMARS } from './grammar-queries.ts';
import { importsIn } from './grammar-imports.ts';
import { LineFinder } from './line-finder.ts';

interface Loaded {
  readonly parser: Parser;
  readonly query: Query;
}

const loaded = new Map<GrammarName, Promise<Loaded>>();
let started: Promise<void> | null = null;
const packages = createRequire(import.meta.url);

async function load(name: GrammarName): Promise<Loaded> {
  started ??= Parser.init();
  await started;
  const { file, query } = GRAMMARS[name];
  const language = await Language.load(await readFile(packages.resolve(`@vscode/tree-sitter-wasm/wasm/tree-sitter-${file}.wasm`)));
  const parser = new Parser();
  parser.setLanguage(language);
  return { parser, query: new Query(language, query) };
}

const KINDS = new Set<string>(DEFINITION_KINDS);
const ROLES = new Set<string>(REFERENCE_ROLES);
/** Where two patterns match one name, the more telling one counts. */
const WEIGHT: Readonly<Record<string, number>> = { read: 0, type: 1, write: 2 };

interface FoundDefinition {
  readonly kind: DefinitionKind;
  readonly node: Node;
  readonly name: Node;
  readonly bodyStart: number;
}

interface FoundUse {
  readonly role: ReferenceRole;
  readonly node: Node;
  readonly of: Node | null;
  readonly given: Node | null;
}

/** What the grammar could not read, or null. */
export async function readWithGrammar(out: SegmentBuilder, name: GrammarName, text: string): Promise<string | null> {
  let loading = loaded.get(name);
  if (!loading) loaded.set(name, (loading = load(name)));
  const { parser, query } = await loading;
  const tree = parser.parse(text);
  if (!tree) throw new Error('the grammar gave no tree');
  try {
    const { definitions, uses, decorators, imports } = sortMatches(query, tree.rootNode);
    const lines = new LineFinder(text);
    for (const node of imports)
      for (const { specifier, imported, local } of importsIn(name, node.text))
        out.import(lines.line(node.startIndex), specifier, imported, local, 'static', false);
    write(out, name, text, lines, definitions, uses, decorators);
    return tree.rootNode.hasError ? firstError(tree.rootNode, lines) : null;
  } finally {
    tree.delete();
  }
}

function sortMatches(
  query: Query,
  root: Node,
): { definitions: FoundDefinition[]; uses: FoundUse[]; decorators: FoundUse[]; imports: Node[] } {
  const definitions = new Map<number, FoundDefinition>();
  const uses = new Map<number, FoundUse>();
  const imports: Node[] = [];
  for (const { captures } of query.matches(root)) {
    const parts = new Map(captures.map(({ name, node }) => [name, node]));
    const of = parts.get('of') ?? null;
    const given = parts.get('arguments') ?? null;
    for (const { name: capture, node } of captures) {
      const title = parts.get('name');
      if (capture === 'import_statement') imports.push(node);
      else if (KINDS.has(capture) && title) {
        // `type A struct` is a type as well: the more telling kind counts.
        const known = definitions.get(title.startIndex);
        if (!known || (known.kind === 'type' && capture !== 'type'))
          definitions.set(title.startIndex, {
            kind: capture as DefinitionKind,
            node,
            name: title,
            bodyStart: parts.get('body')?.startIndex ?? -1,
          });
      } else if (ROLES.has(capture)) {
        const found: FoundUse = { role: capture as ReferenceRole, node, of, given };
        const before = uses.get(node.startIndex);
        if (
          !before ||
          weightOf(before.role) < weightOf(found.role) ||
          (before.role === found.role && before.given === null && found.given !== null)
        )
          uses.set(node.startIndex, found);
      }
    }
  }
  const inOrder = (a: FoundDefinition, b: FoundDefinition): number =>
    a.node.startIndex - b.node.startIndex || b.node.endIndex - a.node.endIndex;
  const inUse = [...uses.values()]
    .filter(({ node }) => !definitions.has(node.startIndex))
    .sort((a, b) => a.node.startIndex - b.node.startIndex);
  return {
    definitions: [...definitions.values()].sort(inOrder),
    uses: inUse,
    decorators: inUse.filter(({ role }) => role === 'decorator'),
    imports,
  };
}

/** A function in one of these is a method. */
const METHODS_IN = new Set<DefinitionKind>(['class', 'interface', 'struct', 'trait', 'enum']);
const weightOf = (role: ReferenceRole): number => WEIGHT[role] ?? 3;

interface Placed {
  readonly number: number;
  readonly start: number;
  readonly end: number;
  readonly nameStart: number;
  readonly name: string;
  readonly kind: DefinitionKind;
}

function write(
  out: SegmentBuilder,
  grammar: GrammarName,
  text: string,
  lines: LineFinder,
  definitions: readonly FoundDefinition[],
  uses: readonly FoundUse[],
  decorators: readonly FoundUse[],
): void {
  const placed: Placed[] = [];
  const open: Placed[] = [];
  const { isExported, receiver } = GRAMMARS[grammar];
  for (const { kind, node, name, bodyStart } of definitions) {
    const start = node.startIndex;
    const end = node.endIndex;
    while (open.length > 0 && open.at(-1)!.end <= start) open.pop();
    const outer = open.at(-1);
    const headEnd = bodyStart > start ? bodyStart : endOfLine(text, name.endIndex, end);
    const head = text.slice(start, headEnd);
    // A method that is written beside its type: `func (t *T) name()`.
    const owner = kind === 'method' && !outer ? receiver?.(head) : undefined;
    const type =
      owner === undefined ? undefined : placed.find((each) => each.name === owner && (METHODS_IN.has(each.kind) || each.kind === 'type'));
    const container = outer?.number ?? type?.number ?? -1;
    const isMethod = kind === 'function' && outer !== undefined && METHODS_IN.has(outer.kind);
    const firstLine = lines.line(start);
    const number = out.definition({
      name: name.text,
      kind: isMethod ? 'method' : kind,
      exported: isExported(name.text, head),
      startLine: firstLine,
      startColumn: lines.column(start),
      endLine: lines.line(Math.max(start, end - 1)),
      line: lines.line(name.startIndex),
      container,
      headStart: start,
      headEnd,
    });
    if (number < 0) return;
    const place: Placed = { number, start, end, nameStart: name.startIndex, name: name.text, kind };
    placed.push(place);
    open.push(place);
  }
  writeUses(out, lines, placed, uses);
  writeDecorators(out, lines, placed, decorators);
}

/** Without a known body, the signature is on the line of the name. */
function endOfLine(text: string, from: number, end: number): number {
  const feed = text.indexOf('\n', from);
  return feed < 0 || feed > end ? end : feed;
}

function writeUses(out: SegmentBuilder, lines: LineFinder, placed: readonly Placed[], uses: readonly FoundUse[]): void {
  const around: Placed[] = [];
  let next = 0;
  for (const { role, node, of, given } of uses) {
    const at = node.startIndex;
    while (next < placed.length && placed[next]!.start <= at) around.push(placed[next++]!);
    while (around.length > 0 && around.at(-1)!.end <= at) around.pop();
    // One that ended may lie below one that has not.
    const inner = around.findLast((each) => each.end > at) ?? null;
    const within = inner?.number ?? -1;
    const line = lines.line(at);
    const name = node.text;
    const row = out.reference(name, role, line, lines.column(at), of ? lastWord(of.text) : null, within, -1);
    if (role === 'extends' || role === 'implements') out.inherits(within, name, role, line);
    if (role === 'call' || role === 'new')
      out.call(
        row,
        of?.startIndex ?? -1,
        of?.endIndex ?? -1,
        given ? given.startIndex + 1 : node.endIndex,
        given ? Math.max(given.startIndex + 1, given.endIndex - 1) : node.endIndex,
      );
  }
}

/** On the enclosing definition if that one's name comes later, otherwise on the next. */
function writeDecorators(out: SegmentBuilder, lines: LineFinder, placed: readonly Placed[], decorators: readonly FoundUse[]): void {
  for (const { node, given } of decorators) {
    const at = node.startIndex;
    const own = placed.findLast((each) => each.start <= at && at < each.nameStart);
    const on = own ?? placed.find((each) => each.start >= at);
    out.decorator(on?.number ?? -1, node.text, lines.line(at), given ? given.startIndex + 1 : -1, given ? given.endIndex - 1 : -1);
  }
}

const lastWord = (text: string): string => (text.length > 500 ? '' : (/([\p{L}\p{N}_$@]+)$/u.exec(text)?.[1] ?? ''));

function firstError(root: Node, lines: LineFinder): string {
  let node: Node = root;
  for (let depth = 0; depth < 1000; depth++) {
    const inner: Node | null =
      node.children.find((child): child is Node => child !== null && (child.isError || child.isMissing || child.hasError)) ?? null;
    if (!inner || inner.isError || inner.isMissing) {
      node = inner ?? node;
      break;
    }
    node = inner;
  }
  return `line ${lines.line(node.startIndex)} cannot be read`;
}
