// From a file's tree to what it says of grids, routes, navigation and federation. One walk; a list of columns or routes is known by
// its type, its name or what it is given to.

import { extname } from 'node:path';
import { childrenOf, nodeIn, nodesIn, type PackSource, plainKey, type SyntaxNode, textIn } from '../../codeindex/plain.ts';
import {
  type AngularFacts,
  type ColumnFact,
  emptyAngularFacts,
  type NavFact,
  NO_ANGULAR_FACTS,
  type RendererFact,
  type RouteFact,
} from './angular-facts.ts';
import { propertiesOf, stringOf, urlOf } from './literals.ts';
import { federationOf, manifestOf, remoteUseIn } from './read-federation.ts';

/** Where the walk is. */
interface Place {
  readonly owner: string | null;
  readonly member: SyntaxNode | null;
  readonly memberName: string | null;
  /** The nearest name and type that a value is given: of a variable, a field, a property or a method. */
  readonly name: string | null;
  readonly typed: string;
}

const TOP: Place = { owner: null, member: null, memberName: null, name: null, typed: '' };
const COLUMN_KEYS = ['field', 'colId', 'headerName', 'cellRenderer', 'valueGetter'];
const ROUTE_KEYS = ['path', 'matcher', 'component', 'loadComponent', 'loadChildren', 'redirectTo'];
const NAVIGATION = new Set(['navigate', 'navigateByUrl']);
const ROUTER_LISTS = new Set(['provideRouter', 'forRoot']);
const SHOWN_MAX = 120;

export function readAngular({ path, text, program }: PackSource): AngularFacts {
  if (extname(path) === '.json') return { ...NO_ANGULAR_FACTS, federations: manifestOf(text) };
  return program === null ? NO_ANGULAR_FACTS : new AngularReader(path, text, program).facts;
}

class AngularReader {
  readonly facts = emptyAngularFacts();
  readonly #path: string;
  readonly #text: string;
  readonly #lines: number[] = [0];

  constructor(path: string, text: string, program: SyntaxNode) {
    this.#path = path;
    this.#text = text;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.#lines.push(at + 1);
    this.#walk(program, TOP);
  }

  #walk(node: SyntaxNode, place: Place): void {
    switch (node.type) {
      case 'ClassDeclaration':
      case 'ClassExpression': {
        const owner = textIn(nodeIn(node, 'id') ?? node, 'name') || 'default';
        return this.#children(node, { ...TOP, owner });
      }
      case 'PropertyDefinition':
      case 'MethodDefinition':
        this.#injectionsOf(node, place);
        return this.#children(node, { ...place, ...this.#named(node, plainKey(node)), member: node, memberName: plainKey(node) });
      case 'FunctionDeclaration':
      case 'VariableDeclarator': {
        const id = nodeIn(node, 'id');
        const name = id ? textIn(id, 'name') : null;
        const inner = { ...place, ...this.#named(node, name), ...(place.owner === null ? { member: node, memberName: name } : {}) };
        return this.#children(node, inner);
      }
      case 'AssignmentExpression': {
        const left = nodeIn(node, 'left')!;
        const name = left.type === 'MemberExpression' ? textIn(nodeIn(left, 'property')!, 'name') : textIn(left, 'name');
        return this.#children(node, { ...place, name, typed: '' });
      }
      case 'ObjectExpression':
        return this.#object(node, place);
      case 'ArrayExpression':
        return this.#array(node, place);
      case 'CallExpression':
      case 'NewExpression':
        return this.#call(node, place);
      default:
        return this.#children(node, place);
    }
  }

  #children(node: SyntaxNode, place: Place): void {
    for (const child of childrenOf(node)) this.#walk(child, place);
  }

  /** A name with the text of its type: the variable's or field's own, or what the function gives back. */
  #named(node: SyntaxNode, name: string | null): Pick<Place, 'name' | 'typed'> {
    const id = nodeIn(node, 'id') ?? node;
    const type = nodeIn(id, 'typeAnnotation') ?? nodeIn(nodeIn(node, 'value') ?? node, 'returnType');
    return { name, typed: type ? this.#slice(type) : '' };
  }

  #object(node: SyntaxNode, place: Place): void {
    const properties = propertiesOf(node);
    for (const [key, { value, property }] of properties) {
      if (key === 'components' || key === 'frameworkComponents')
        for (const [name, { value: type }] of propertiesOf(value))
          if (type.type === 'Identifier')
            this.facts.registered.push({ name, type: textIn(type, 'name'), line: this.#line(property.start) });
    }
    const federation = federationOf(properties, (offset) => this.#line(offset));
    if (federation && (/federation/i.test(this.#path) || /Federation/.test(place.typed))) this.facts.federations.push(federation);
    for (const child of nodesIn(node, 'properties')) {
      const key = child.type === 'Property' ? plainKey(child) : null;
      // The list in `gridOptions = { columnDefs: […] }` is found by the name of the whole.
      this.#children(child, key === 'columnDefs' ? { ...place, typed: 'ColDef[]' } : { ...place, typed: '' });
    }
  }

  #array(node: SyntaxNode, place: Place): void {
    const objects = nodesIn(node, 'elements').filter(({ type }) => type === 'ObjectExpression');
    const has = (keys: readonly string[]) => objects.some((object) => keys.some((key) => propertiesOf(object).has(key)));
    if (/\bCol(?:Group)?Def\b/.test(place.typed) || (/col(?:umn)?(?:def)?s$/i.test(place.name ?? '') && has(COLUMN_KEYS))) {
      for (const object of objects) this.#column(object, place);
      // Columns of a group were taken in with it.
      return this.#children(node, { ...place, name: null, typed: '' });
    }
    if (/\bRoutes?\b/.test(place.typed) || (/routes$/i.test(place.name ?? '') && has(ROUTE_KEYS))) {
      this.#routes(node, place, null, false);
      return;
    }
    this.#children(node, place);
  }

  #column(object: SyntaxNode, place: Place): void {
    const properties = propertiesOf(object);
    const inner = properties.get('children')?.value;
    if (inner?.type === 'ArrayExpression') for (const child of nodesIn(inner, 'elements')) this.#column(child, place);
    if (!COLUMN_KEYS.some((key) => properties.has(key)) || inner) return;
    const text = (key: string): string | null => stringOf(properties.get(key)?.value);
    this.facts.columns.push({
      line: this.#line(object.start),
      end_line: this.#line(object.end),
      owner: place.owner,
      list: place.name,
      field: text('field'),
      col_id: text('colId'),
      header: text('headerName'),
      renderer: this.#renderer(properties.get('cellRenderer') ?? properties.get('cellRendererFramework')),
      params: textsOf(properties.get('cellRendererParams')?.value),
      navs: this.#navsIn(object, place),
    } satisfies ColumnFact);
  }

  #renderer(given: { readonly value: SyntaxNode; readonly property: SyntaxNode } | undefined): RendererFact | null {
    if (!given) return null;
    const line = this.#line(given.property.start);
    const name = stringOf(given.value);
    if (name !== null) return { kind: 'name', name, line };
    if (given.value.type === 'Identifier') return { kind: 'class', name: textIn(given.value, 'name'), line };
    return { kind: 'inline', name: this.#shown(given.value), line };
  }

  #routes(list: SyntaxNode, place: Place, parent: number | null, root: boolean): void {
    for (const element of nodesIn(list, 'elements')) {
      if (element.type !== 'ObjectExpression') {
        this.#walk(element, place);
        continue;
      }
      const properties = propertiesOf(element);
      const component = properties.get('component')?.value;
      const loading = properties.get('loadComponent') ?? properties.get('loadChildren');
      const remote = loading ? remoteUseIn(loading.value, (offset) => this.#line(offset)) : null;
      const name = loading ? chosenName(loading.value) : null;
      const specifier = loading && !remote ? importedIn(loading.value) : null;
      const index = this.facts.routes.length;
      this.facts.routes.push({
        line: this.#line(element.start),
        end_line: this.#line(element.end),
        parent,
        list: place.name,
        root,
        path: properties.has('path') ? stringOf(properties.get('path')!.value) : null,
        component: component?.type === 'Identifier' ? textIn(component, 'name') : null,
        load: specifier === null ? null : { specifier, name, what: properties.has('loadComponent') ? 'component' : 'children' },
        remote: remote && { ...remote, name },
        redirect: stringOf(properties.get('redirectTo')?.value),
      } satisfies RouteFact);
      const children = properties.get('children')?.value;
      if (children?.type === 'ArrayExpression') this.#routes(children, place, index, root);
    }
  }

  #call(node: SyntaxNode, place: Place): void {
    const callee = nodeIn(node, 'callee')!;
    const called = callee.type === 'MemberExpression' ? textIn(nodeIn(callee, 'property')!, 'name') : textIn(callee, 'name');
    const [first] = nodesIn(node, 'arguments');
    const nav = this.#navOf(node, place);
    if (nav) this.facts.navs.push(nav);
    this.#fieldCall(callee, called, node, place);
    if (ROUTER_LISTS.has(called) || called === 'forChild') {
      const isRoot = ROUTER_LISTS.has(called);
      if (first?.type === 'Identifier') this.facts.lists.push({ name: textIn(first, 'name'), owner: place.owner, root: isRoot });
      if (first?.type === 'ArrayExpression') {
        this.#routes(first, { ...place, name: place.owner ?? place.name }, null, isRoot);
        for (const other of nodesIn(node, 'arguments').slice(1)) this.#walk(other, place);
        return;
      }
    }
    if (/Federation/.test(called) && first?.type === 'ObjectExpression') {
      const federation = federationOf(propertiesOf(first), (offset) => this.#line(offset));
      if (federation) this.facts.federations.push(federation);
    }
    this.#children(node, place);
  }

  /** `this.router.navigate([…])`, `router.navigateByUrl('…')`. */
  #navOf(node: SyntaxNode, place: Place): NavFact | null {
    const callee = nodeIn(node, 'callee');
    if (node.type !== 'CallExpression' || callee?.type !== 'MemberExpression') return null;
    const receiver = this.#slice(nodeIn(callee, 'object')!);
    if (!NAVIGATION.has(textIn(nodeIn(callee, 'property')!, 'name')) || !/router$/i.test(receiver)) return null;
    const [first] = nodesIn(node, 'arguments');
    return {
      line: this.#line(node.start),
      owner: place.owner,
      member: place.memberName,
      url: urlOf(first),
      text: this.#shown(node),
      mentions: place.member ? textsIn(place.member) : [],
    };
  }

  #navsIn(node: SyntaxNode, place: Place): readonly NavFact[] {
    const own = this.#navOf(node, place);
    return [...(own ? [own] : []), ...childrenOf(node).flatMap((child) => this.#navsIn(child, place))];
  }

  #fieldCall(callee: SyntaxNode, called: string, node: SyntaxNode, { owner }: Place): void {
    const on = callee.type === 'MemberExpression' ? nodeIn(callee, 'object') : null;
    if (owner === null || on?.type !== 'MemberExpression' || nodeIn(on, 'object')?.type !== 'ThisExpression') return;
    const field = textIn(nodeIn(on, 'property')!, 'name');
    this.facts.calls.push({ line: this.#line(nodeIn(callee, 'property')?.start ?? node.start), owner, field, callee: called });
  }

  /** `x = inject(X)`, and `constructor(private x: X)`. */
  #injectionsOf(member: SyntaxNode, { owner }: Place): void {
    const value = nodeIn(member, 'value');
    const field = plainKey(member);
    if (owner === null || !value) return;
    const add = (node: SyntaxNode, name: string, type: SyntaxNode | null | undefined): void => {
      if (type?.type === 'Identifier' && name !== '')
        this.facts.injections.push({ line: this.#line(node.start), owner, field: name, type: textIn(type, 'name') });
    };
    const callee = nodeIn(value, 'callee');
    if (field !== null && callee && textIn(callee, 'name') === 'inject') add(member, field, nodesIn(value, 'arguments')[0]);
    if (member['kind'] !== 'constructor') return;
    for (const parameter of nodesIn(value, 'params').filter(({ type }) => type === 'TSParameterProperty')) {
      const id = nodeIn(parameter, 'parameter')!;
      const type = nodeIn(nodeIn(id, 'typeAnnotation') ?? id, 'typeAnnotation');
      add(parameter, textIn(id, 'name'), type && nodeIn(type, 'typeName'));
    }
  }

  #slice(node: SyntaxNode): string {
    return this.#text.slice(node.start, node.end);
  }

  #shown(node: SyntaxNode): string {
    const text = this.#slice(node).replace(/\s+/g, ' ');
    return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text;
  }

  #line(offset: number): number {
    let [low, high] = [0, this.#lines.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#lines[middle]! <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function textsOf(node: SyntaxNode | undefined): Readonly<Record<string, string>> {
  const entries = node ? [...propertiesOf(node)] : [];
  return Object.fromEntries(entries.flatMap(([key, { value }]) => (stringOf(value) === null ? [] : [[key, stringOf(value)!]])));
}

function textsIn(node: SyntaxNode): readonly string[] {
  const own = stringOf(node);
  return [...(own === null || own === '' ? [] : [own]), ...childrenOf(node).flatMap(textsIn)];
}

/** The first `import('…')` in it. */
function importedIn(node: SyntaxNode): string | null {
  if (node.type === 'ImportExpression') return stringOf(nodeIn(node, 'source'));
  for (const child of childrenOf(node)) {
    const found = importedIn(child);
    if (found !== null) return found;
  }
  return null;
}

/** What `.then((m) => m.Chosen)` takes of a module. */
function chosenName(node: SyntaxNode): string | null {
  const callee = node.type === 'CallExpression' ? nodeIn(node, 'callee') : null;
  if (callee?.type === 'MemberExpression' && textIn(nodeIn(callee, 'property')!, 'name') === 'then') {
    const body = nodeIn(nodesIn(node, 'arguments')[0] ?? node, 'body');
    const member = body?.type === 'MemberExpression' ? nodeIn(body, 'property') : null;
    if (member) return textIn(member, 'name') || stringOf(member);
  }
  for (const child of childrenOf(node)) {
    const found = chosenName(child);
    if (found !== null) return found;
  }
  return null;
}
