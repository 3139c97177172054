// The graph's part that the Angular pack reads: grids with their columns, navigation, routes, federation, and which class calls which
// service. Ids begin with `pack:`; components, renderers and services are the symbols that they are.

import {
  fileId,
  type GraphContent,
  type GraphEdge,
  type GraphNode,
  type Json,
  type PartDefinition,
  symbolId,
} from '../../codeindex/plain.ts';
import type { NavFact } from './angular-facts.ts';
import { urlWith } from './literals.ts';
import { FederationLinks, type Expose, type Mapping } from './federation-links.ts';
import { type AngularInput, type PlacedRoute, RouteTree } from './route-tree.ts';
import { tablesOf } from './grid-tables.ts';

export const tableId = (path: string, line: number): string => `pack:table:${path}:${line}`;
export const routeId = ({ path, fact }: PlacedRoute): string => `pack:route:${path}:${fact.line}`;

export function angularContent(input: AngularInput): GraphContent {
  const writer = new ContentWriter();
  const tree = new RouteTree(input);
  const links = new FederationLinks(input);
  tree.mountAll((route) => {
    const load = links.loadOf(route);
    return load?.expose?.file ? tree.listsIn(load.expose.file, load.name) : [];
  });
  for (const route of tree.routes) writeRoute(writer, input, tree, links, route);
  writeExposes(writer, input, tree, links);
  writeTables(writer, input, tree);
  writeServices(writer, input);
  return writer;
}

class ContentWriter implements GraphContent {
  readonly nodes: GraphNode[] = [];
  readonly edges: GraphEdge[] = [];

  node(id: string, label: string, name: string, path: string, line: number, data: Readonly<Record<string, Json>> = {}): string {
    this.nodes.push({ id, label, name, path, line, data });
    return id;
  }

  edge(from: string, type: string, to: string, path: string, line: number): void {
    this.edges.push({ from, type, to, path, line });
  }

  /** Navigation with the routes that it leads to. */
  nav(tree: RouteTree, from: string, path: string, { line, url, text }: Pick<NavFact, 'line' | 'url' | 'text'>, told_by = ''): void {
    const id = this.node(`pack:nav:${path}:${line}${told_by === '' ? '' : `:${told_by}`}`, 'NavTrigger', url ?? text, path, line, {
      url,
      text,
    });
    this.edge(from, 'TRIGGERS', id, path, line);
    for (const route of url === null ? [] : tree.matching(url)) this.edge(id, 'NAVIGATES_TO', routeId(route), path, line);
  }
}

function writeRoute(writer: ContentWriter, input: AngularInput, tree: RouteTree, links: FederationLinks, route: PlacedRoute): void {
  const { path, fact } = route;
  const load = links.loadOf(route);
  const urls = [...route.urls];
  const id = writer.node(routeId(route), 'Route', urls[0] ?? fact.path ?? '?', path, fact.line, {
    ...{
      path: fact.path,
      urls,
      end_line: fact.end_line,
      redirect: fact.redirect,
      component: fact.component ?? (fact.load?.what === 'component' ? fact.load.name : null),
    },
    ...(load ? { remote: load.remote, exposed: load.exposed, takes: load.name } : {}),
  });
  const component = componentOf(input, tree, route);
  if (component) writer.edge(id, 'ACTIVATES', symbolId(component.id), path, fact.line);
  for (const inner of [tree.childrenOf(route), ...tree.loadedBy(route)].flat()) writer.edge(id, 'CHILD', routeId(inner), path, fact.line);
  if (!load?.mapping) return;
  const mapping = writeMapping(writer, load.mapping);
  writer.edge(id, 'LOADS_REMOTE', mapping, path, load.line);
  if (load.expose) writer.edge(mapping, 'EXPOSED_BY', exposeId(load.expose), load.expose.path, load.expose.line);
}

function componentOf({ resolver }: AngularInput, tree: RouteTree, { path, fact }: PlacedRoute): PartDefinition | null {
  if (fact.component !== null) return resolver.inFile(path, fact.component);
  if (fact.load?.what !== 'component') return null;
  const target = tree.importedFile(path, fact.load.specifier);
  return target === null ? null : resolver.exported(target, fact.load.name ?? 'default');
}

const writeMapping = (writer: ContentWriter, { path, line, name, entry }: Mapping): string =>
  writer.node(`pack:mapping:${path}:${line}`, 'FederationMapping', name, path, line, { entry });

const exposeId = ({ path, line }: Expose): string => `pack:expose:${path}:${line}`;

function writeExposes(writer: ContentWriter, { parts, resolver }: AngularInput, tree: RouteTree, links: FederationLinks): void {
  for (const expose of links.exposes) {
    const id = writer.node(exposeId(expose), 'RemoteExpose', expose.key, expose.path, expose.line, { of: expose.of, file: expose.written });
    if (expose.file === null) continue;
    writer.edge(id, 'EXPOSES', fileId(expose.file), expose.path, expose.line);
    for (const definition of parts.get(expose.file)?.definitions ?? []) {
      if (definition.container !== null || !definition.exported) continue;
      writer.edge(id, 'EXPOSES', symbolId(definition.id), expose.path, expose.line);
      for (const route of tree.listsIn(expose.file, definition.name).flat())
        if (resolver.byId(definition.id)) writer.edge(symbolId(definition.id), 'ROUTES', routeId(route), route.path, route.fact.line);
    }
  }
}

function writeTables(writer: ContentWriter, input: AngularInput, tree: RouteTree): void {
  for (const table of tablesOf(input)) {
    const id = writer.node(tableId(table.path, table.line), 'Table', `${table.component.class_name} grid`, table.path, table.line);
    writer.edge(symbolId(table.component.definition), 'SHOWS', id, table.path, table.line);
    for (const { path, fact, renderer, navs } of table.columns) {
      const column = writer.node(
        `pack:column:${path}:${fact.line}`,
        'ColumnDef',
        fact.field ?? fact.col_id ?? fact.header ?? '?',
        path,
        fact.line,
        {
          field: fact.field,
          col_id: fact.col_id,
          header: fact.header,
          end_line: fact.end_line,
          renderer: fact.renderer?.name ?? null,
          renderer_kind: fact.renderer?.kind ?? null,
        },
      );
      writer.edge(id, 'HAS_COLUMN', column, path, fact.line);
      if (renderer) writer.edge(column, 'RENDERED_BY', symbolId(renderer.id), path, fact.renderer!.line);
      for (const nav of navs) writer.nav(tree, column, nav.path, nav.fact);
      for (const nav of renderer ? table.navsOf(renderer) : []) {
        const url = nav.fact.url === null ? urlWith(nav.fact.text, fact.params) : null;
        // A renderer that gets its target from the column navigates for that column only.
        if (url === null) writer.nav(tree, symbolId(renderer!.id), nav.path, nav.fact);
        else writer.nav(tree, column, nav.path, { ...nav.fact, url }, `${fact.line}`);
      }
    }
  }
}

/** Which service each class gets, and which of its methods it calls. */
function writeServices(writer: ContentWriter, { facts, resolver }: AngularInput): void {
  for (const [path, { injections, calls }] of facts) {
    for (const { owner, type, line, field } of injections) {
      const from = resolver.inFile(path, owner);
      const to = resolver.inFile(path, type);
      if (!from || !to) continue;
      writer.edge(symbolId(from.id), 'INJECTS', symbolId(to.id), path, line);
      for (const call of calls.filter((each) => each.owner === owner && each.field === field)) {
        const method = resolver.member(to, call.callee);
        if (method) writer.edge(symbolId(from.id), 'ASKS', symbolId(method.id), path, call.line);
      }
    }
  }
}
