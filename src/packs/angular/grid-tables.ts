// Grids in templates, with the columns that they are bound to and what a click in each leads to.

import type { ComponentFact, FilePart, PartDefinition, TemplateFact } from '../../codeindex/plain.ts';
import type { ColumnFact, NavFact } from './angular-facts.ts';
import { urlOfText } from './literals.ts';
import type { AngularInput } from './route-tree.ts';

export interface PlacedNav {
  readonly path: string;
  readonly fact: Pick<NavFact, 'line' | 'url' | 'text'>;
}

export interface GridColumn {
  readonly path: string;
  readonly fact: ColumnFact;
  readonly renderer: PartDefinition | null;
  /** In the column itself, or in the grid's handler for clicks. */
  readonly navs: readonly PlacedNav[];
}

export interface GridTable {
  /** Where the element is: a template's file, or the class's. */
  readonly path: string;
  readonly line: number;
  readonly component: ComponentFact;
  readonly columns: readonly GridColumn[];
  /** Navigation in a renderer's class and in its template. */
  readonly navsOf: (renderer: PartDefinition) => readonly PlacedNav[];
}

const GRID = 'ag-grid-angular';
const BOUND = new Set(['columnDefs', 'gridOptions']);
const CLICKS = new Set(['cellClicked', 'cellDoubleClicked', 'rowClicked', 'rowDoubleClicked']);

export function tablesOf(input: AngularInput): readonly GridTable[] {
  const owners = componentsByTemplate(input.parts);
  const navsOf = (renderer: PartDefinition) => navsOfClass(input, renderer);
  return [...input.parts].flatMap(([path, { template }]) => {
    const grids = template.filter(({ what, name }) => what === 'element' && name === GRID);
    return grids.flatMap((grid, index) => {
      const component = grid.of === null ? owners.byPath.get(path) : owners.byClass.get(grid.of);
      if (!component) return [];
      const next = grids[index + 1]?.line ?? Infinity;
      const bound = template.filter(({ element, line }) => element === GRID && line >= grid.line && (line < next || next === grid.line));
      const columns = columnsOf(input, component, bound);
      if (columns.length > 0) return [{ path, line: grid.line, component, columns, navsOf }];
      const wrapped = usesOf(input, owners, component, boundNames(bound));
      return wrapped.length > 0 ? wrapped.map((use) => ({ ...use, navsOf })) : [{ path, line: grid.line, component, columns, navsOf }];
    });
  });
}

function componentsByTemplate(parts: ReadonlyMap<string, FilePart>) {
  const byPath = new Map<string, ComponentFact>();
  const byClass = new Map<string, ComponentFact>();
  for (const { components } of parts.values())
    for (const component of components) {
      byClass.set(component.definition, component);
      if (component.template_path !== null) byPath.set(component.template_path, component);
    }
  return { byPath, byClass };
}

/** A component around a grid gets its columns from its user. */
function usesOf(
  input: AngularInput,
  owners: ReturnType<typeof componentsByTemplate>,
  { selector }: ComponentFact,
  names: readonly string[],
): readonly Omit<GridTable, 'navsOf'>[] {
  if (selector === null) return [];
  return [...input.parts].flatMap(([path, { template }]) =>
    template.flatMap((fact) => {
      const user = fact.of === null ? owners.byPath.get(path) : owners.byClass.get(fact.of);
      if (fact.what !== 'input' || fact.element !== selector || !names.includes(fact.name) || !user) return [];
      const columns = columnsOf(input, user, [{ ...fact, name: 'columnDefs' }]);
      return columns.length === 0 ? [] : [{ path, line: fact.line, component: user, columns }];
    }),
  );
}

const boundNames = (bound: readonly TemplateFact[]): readonly string[] =>
  bound.filter(({ name }) => BOUND.has(name)).flatMap(({ value }) => /^(?:this\.)?([\w$]+)/.exec(value ?? '')?.[1] ?? []);

function columnsOf(input: AngularInput, component: ComponentFact, bound: readonly TemplateFact[]): readonly GridColumn[] {
  const names = boundNames(bound);
  const columns = columnFacts(input, component, names);
  const clicks = clickNavs(input, component, bound, columns);
  return columns.map(({ path, fact }) => ({
    path,
    fact,
    renderer: rendererOf(input, path, fact),
    navs: [...fact.navs.map((nav) => ({ path, fact: nav })), ...clicks(fact)],
  }));
}

interface PlacedColumn {
  readonly path: string;
  readonly fact: ColumnFact;
}

/** Of the list that is bound; otherwise of any list of the class; otherwise of lists that its file takes from others. */
function columnFacts(
  { facts, parts, resolver }: AngularInput,
  { path, class_name }: ComponentFact,
  names: readonly string[],
): readonly PlacedColumn[] {
  const here = (facts.get(path)?.columns ?? []).map((fact) => ({ path, fact }));
  const own = here.filter(({ fact }) => fact.owner === class_name);
  const bound = own.filter(({ fact }) => fact.list !== null && names.includes(fact.list));
  if (bound.length > 0) return bound;
  if (own.length > 0) return own;
  const used = new Set([...names, ...(parts.get(path)?.imports ?? []).flatMap(({ local }) => local ?? [])]);
  return [...used].flatMap((name) => {
    const found = resolver.inFile(path, name);
    if (!found) return [];
    const there = (facts.get(found.path)?.columns ?? []).filter(({ list, owner }) => owner === null && list === found.name);
    return there.map((fact) => ({ path: found.path, fact }));
  });
}

/** A handler of the whole grid counts for the columns that it names; when it names none, for all. */
function clickNavs(
  { facts }: AngularInput,
  { path, class_name }: ComponentFact,
  bound: readonly TemplateFact[],
  columns: readonly PlacedColumn[],
) {
  const handlers = bound
    .filter(({ what, name }) => what === 'output' && CLICKS.has(name))
    .flatMap(({ value }) => /^\s*([\w$]+)\s*\(/.exec(value ?? '')?.[1] ?? []);
  const navs = (facts.get(path)?.navs ?? []).filter(
    ({ owner, member }) => owner === class_name && member !== null && handlers.includes(member),
  );
  const namesOf = ({ field, col_id }: ColumnFact): readonly string[] => [field, col_id].filter((name) => name !== null);
  return (column: ColumnFact): readonly PlacedNav[] =>
    navs
      .filter(({ mentions }) => {
        const named = columns.filter(({ fact }) => namesOf(fact).some((name) => mentions.includes(name)));
        return named.length === 0 || namesOf(column).some((name) => mentions.includes(name));
      })
      .map((fact) => ({ path, fact }));
}

function rendererOf({ facts, resolver }: AngularInput, path: string, { renderer }: ColumnFact): PartDefinition | null {
  if (!renderer || renderer.kind === 'inline') return null;
  if (renderer.kind === 'class') return resolver.inFile(path, renderer.name);
  const here = facts.get(path)?.registered.find(({ name }) => name === renderer.name);
  if (here) return resolver.inFile(path, here.type);
  // Registered for the whole application, if one and the same class is.
  const elsewhere = [...facts].flatMap(([file, { registered }]) =>
    registered.filter(({ name }) => name === renderer.name).flatMap(({ type }) => resolver.inFile(file, type) ?? []),
  );
  return new Set(elsewhere.map(({ id }) => id)).size === 1 ? elsewhere[0]! : null;
}

function navsOfClass({ facts, parts }: AngularInput, { id, path, name }: PartDefinition): readonly PlacedNav[] {
  const inCode = (facts.get(path)?.navs ?? []).filter(({ owner }) => owner === name).map((fact) => ({ path, fact }));
  const component = parts.get(path)?.components.find(({ definition }) => definition === id);
  const inline = (parts.get(path)?.template ?? []).filter(({ of }) => of === id).map((fact) => ({ path, fact }));
  const file = component?.template_path ?? null;
  const outside = file === null ? [] : (parts.get(file)?.template ?? []).map((fact) => ({ path: file, fact }));
  const links = [...inline, ...outside].flatMap(({ path: at, fact }) => {
    if (fact.name !== 'routerLink' || fact.value === null) return [];
    const url = fact.what === 'attribute' ? urlOfText(`'${fact.value}'`) : urlOfText(fact.value);
    return [{ path: at, fact: { line: fact.line, url, text: `routerLink ${fact.value}` } }];
  });
  return [...inCode, ...links];
}
