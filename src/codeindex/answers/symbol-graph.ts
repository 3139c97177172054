// The neighbourhood of a symbol, a file or a question, as nodes and edges, with limits.

import { Fault } from '../../protocol/plain.ts';
import type { Definition, GraphQuery, SymbolEdge, SymbolGraph, SymbolNode } from '../model.ts';
import { decodeImport } from '../segment/decode.ts';
import { definitionsNamed } from './definitions.ts';
import { rank } from './rank.ts';
import { callees, references } from './references.ts';
import { qualified } from './resolve.ts';
import type { TreeView } from './tree-view.ts';

const LIMIT = 200;
const DEPTH_MAX = 4;
const STARTS_MAX = 10;

export function symbolGraph(view: TreeView, query: GraphQuery): SymbolGraph {
  const collected = new Collected(view, query.limit ?? LIMIT);
  let frontier = startsOf(view, query, collected);
  for (let depth = 0; depth < Math.min(DEPTH_MAX, query.depth ?? 1); depth++) {
    const next: Definition[] = [];
    for (const definition of frontier) next.push(...collected.around(definition));
    frontier = next;
  }
  return collected.graph();
}

function startsOf(view: TreeView, { symbol, file, query }: GraphQuery, collected: Collected): readonly Definition[] {
  if (symbol !== undefined) {
    const found = definitionsNamed(view, symbol).slice(0, STARTS_MAX);
    for (const definition of found) collected.add(definition);
    return found;
  }
  if (file !== undefined) return collected.file(file);
  if (query === undefined) throw new Fault('BAD_REQUEST', 'A graph is asked for by symbol, by file or by query');
  const hits = rank(view, query, STARTS_MAX).hits;
  const found = hits.flatMap(({ definition }) => (definition ? [definition] : []));
  for (const { path } of hits) collected.fileNode(path);
  for (const definition of found) collected.add(definition);
  return found;
}

class Collected {
  readonly #view: TreeView;
  readonly #limit: number;
  readonly #nodes = new Map<string, SymbolNode>();
  readonly #edges = new Map<string, SymbolEdge>();
  #isCut = false;

  constructor(view: TreeView, limit: number) {
    this.#view = view;
    this.#limit = limit;
  }

  /** False when there is no room. */
  #node(node: SymbolNode): boolean {
    if (this.#nodes.has(node.id)) return true;
    if (this.#nodes.size >= this.#limit) {
      this.#isCut = true;
      return false;
    }
    this.#nodes.set(node.id, node);
    return true;
  }

  add({ id, kind, name, path, line }: Definition): boolean {
    return this.#node({ id, kind, name, path, line });
  }

  fileNode(path: string): boolean {
    return this.#node({ id: path, kind: 'file', name: path.slice(path.lastIndexOf('/') + 1), path, line: 1 });
  }

  #edge(from: string, to: string, kind: SymbolEdge['kind'], path: string, line: number): void {
    if (from !== to && this.#nodes.has(from) && this.#nodes.has(to))
      this.#edges.set(`${kind}\0${from}\0${to}`, { from, to, kind, path, line });
  }

  /** The file with its content and imports; returns its top-level definitions. */
  file(path: string): readonly Definition[] {
    const found = this.#view.store.file(path);
    if (!found) throw new Fault('NOT_FOUND', `${path} is not indexed`);
    this.fileNode(path);
    const top = this.#view.definitionsIn(path).filter(({ container }) => container === null);
    for (const definition of top) if (this.add(definition)) this.#edge(path, definition.id, 'contains', path, definition.line);
    const { segment, slot } = found;
    const [first, end] = segment.rowsOf(slot, 'imports');
    for (let row = first; row < end; row++) {
      const { target, line } = decodeImport(segment, row, path, this.#view);
      if (target !== null && this.fileNode(target)) this.#edge(path, target, 'imports', path, line);
    }
    return top;
  }

  /** Everything that touches a definition; gives what was not there before. */
  around(definition: Definition): readonly Definition[] {
    const { id, path, line } = definition;
    const met: Definition[] = [];
    const link = (
      other: Definition,
      kind: SymbolEdge['kind'],
      outward: boolean,
      at: { readonly path: string; readonly line: number },
    ): void => {
      const isNew = !this.#nodes.has(other.id);
      if (!this.add(other)) return;
      if (isNew) met.push(other);
      this.#edge(outward ? id : other.id, outward ? other.id : id, kind, at.path, at.line);
    };
    if (this.fileNode(path) && definition.container === null) this.#edge(path, id, 'contains', path, line);
    for (const other of this.#view.definitionsIn(path)) {
      if (other.container === qualified(definition)) link(other, 'contains', true, other);
      if (qualified(other) === definition.container) link(other, 'contains', false, definition);
    }
    for (const base of this.#view.basesOf(definition)) link(base, base.kind === 'interface' ? 'implements' : 'extends', true, definition);
    for (const { definition: callee, call } of callees(this.#view, { name: id, limit: this.#limit }).hits)
      if (callee) link(callee, 'calls', true, call);
    for (const hit of references(this.#view, { name: id, limit: 2 * this.#limit }).hits) {
      const user = hit.within === null ? null : (this.#view.definitionsIn(hit.path).find((each) => each.id === hit.within) ?? null);
      if (!user || hit.certainty === 'name') continue;
      const kind =
        hit.role === 'call' || hit.role === 'new' || hit.role === 'jsx'
          ? 'calls'
          : hit.role === 'extends' || hit.role === 'implements'
            ? hit.role
            : 'uses';
      link(user, kind, false, hit);
    }
    return met;
  }

  graph(): SymbolGraph {
    return {
      nodes: [...this.#nodes.values()],
      edges: [...this.#edges.values()],
      incomplete: this.#isCut ? `more than ${this.#limit} nodes` : null,
    };
  }
}
