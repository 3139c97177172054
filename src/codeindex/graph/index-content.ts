// The graph's part that the index knows: files, symbols, and how they are tied.

import { FILE, fileId, type GraphContent, type GraphEdge, type GraphNode, SYMBOL, symbolId } from './graph-model.ts';
import type { FilePart, PartDefinition } from './file-part.ts';
import type { NameResolver } from './name-resolver.ts';

export function indexContent(parts: Iterable<FilePart>, resolver: NameResolver): GraphContent {
  const nodes: GraphNode[] = [];
  const edges: GraphEdge[] = [];
  for (const part of parts) {
    const { file } = part;
    nodes.push(fileNode(part), ...part.definitions.map(symbolNode));
    for (const edge of edgesOf(part, resolver)) edges.push({ ...edge, path: file.path });
  }
  return { nodes, edges };
}

type Edge = Omit<GraphEdge, 'path'>;

function* edgesOf(part: FilePart, resolver: NameResolver): Generator<Edge> {
  const { path } = part.file;
  const here = fileId(path);
  const placeOf = (within: string | null): string => (within === null ? here : symbolId(within));
  for (const definition of part.definitions) {
    const outer = definition.container === null ? null : resolver.inFile(path, definition.container);
    yield outer && outer.id !== definition.id
      ? { from: symbolId(outer.id), type: 'HAS_MEMBER', to: symbolId(definition.id), line: definition.line }
      : { from: here, type: 'DEFINES', to: symbolId(definition.id), line: definition.line };
  }
  for (const { target, line } of part.imports)
    if (target !== null && target !== path) yield { from: here, type: 'IMPORTS', to: fileId(target), line };
  for (const { caller, callee, of, line } of part.calls) {
    const found = calledBy(resolver, path, caller, of, callee);
    if (found) yield { from: placeOf(caller), type: 'CALLS', to: symbolId(found.id), line };
  }
  for (const { heir, base, how, line } of part.inheritance) {
    const found = resolver.inFile(path, base);
    if (found) yield { from: symbolId(heir), type: how === 'extends' ? 'EXTENDS' : 'IMPLEMENTS', to: symbolId(found.id), line };
  }
  for (const { name, within, line } of part.uses) {
    const found = resolver.inFile(path, name);
    if (found && found.path !== path) yield { from: placeOf(within), type: 'USES', to: symbolId(found.id), line };
  }
}

/** `f()`, `this.f()`, `imported.f()`; on anything else the type would have to be known. */
function calledBy(resolver: NameResolver, path: string, caller: string | null, of: string | null, callee: string): PartDefinition | null {
  if (of === null) return resolver.inFile(path, callee);
  if (of !== 'this') return /^[\w$.]+$/.test(of) ? resolver.inFile(path, `${of}.${callee}`) : null;
  const within = caller === null ? null : resolver.byId(caller);
  return within?.container ? resolver.inFile(path, `${within.container}.${callee}`) : null;
}

const fileNode = ({ file }: FilePart): GraphNode => ({
  id: fileId(file.path),
  label: FILE,
  name: file.path.slice(file.path.lastIndexOf('/') + 1),
  path: file.path,
  line: null,
  data: { language: file.language, sha256: file.sha256, lines: file.lines },
});

const symbolNode = ({ id, name, path, line, kind, container, range, exported }: PartDefinition): GraphNode => ({
  id: symbolId(id),
  label: SYMBOL,
  name,
  path,
  line,
  data: { kind, container, end_line: range.end_line, exported },
});
