// What a program's top level consists of, apart from the order in which it is written down where that order means nothing.

import { boundIn, moduleName, nodeIn, nodesIn, plainKey, type SyntaxNode, textIn } from './syntax-node.ts';

/**
 * `free`: functions and types are there before anything runs. `pure`: a value that is made without reading or calling anything;
 * it may be anywhere between the same two statements with effects. `fixed`: everything else keeps its order.
 */
export type Order = 'free' | 'pure' | 'fixed';

export interface Item {
  readonly node: SyntaxNode;
  readonly name: string | null;
  readonly order: Order;
  /** How many `fixed` items come before it. */
  readonly segment: number;
}

/** Something taken from or passed on to another module. `key` is all of it but the name it has here. */
export interface Entry {
  readonly key: string;
  readonly words: string;
  readonly node: SyntaxNode;
  readonly local: SyntaxNode | null;
}

interface Request extends Entry {
  /** A module that is imported several times is loaded once. */
  readonly kind: 'loads' | 'other';
}

export interface ModuleShape {
  readonly items: readonly Item[];
  readonly imports: readonly Entry[];
  readonly exports: readonly Entry[];
}

export function shapeOf(program: SyntaxNode): ModuleShape {
  const declarations: SyntaxNode[] = [];
  const imports: Request[] = [];
  const exports: Entry[] = [];
  let effects = 0;

  for (const node of nodesIn(program, 'body')) {
    const source = nodeIn(node, 'source');
    if (source && node.type !== 'ExpressionStatement') {
      const isBare = node.type !== 'ExportAllDeclaration' && nodesIn(node, 'specifiers').length === 0 && !isTypeOnly(node);
      if (isBare) effects++;
      // Modules may come in another order, but not across one that is imported for its effects only.
      for (const entry of requestsOf(node, source, effects, isBare))
        if (entry.kind !== 'loads' || !imports.some(({ key }) => key === entry.key)) imports.push(entry);
    } else if (node.type === 'ExportNamedDeclaration') {
      const declaration = nodeIn(node, 'declaration');
      if (declaration) declarations.push(declaration);
      for (const id of declaration ? declaredBy(declaration) : [])
        exports.push(exportEntry(textIn(id, 'name'), node, id, isTypeDeclaration(declaration)));
      for (const specifier of nodesIn(node, 'specifiers')) {
        const local = nodeIn(specifier, 'local')!;
        exports.push(exportEntry(moduleName(nodeIn(specifier, 'exported')!), specifier, local, isTypeOnly(node) || isTypeOnly(specifier)));
      }
    } else if (node.type === 'ExportDefaultDeclaration') {
      const declaration = nodeIn(node, 'declaration');
      const id = declaration?.type.endsWith('Declaration') ? nodeIn(declaration, 'id') : null;
      // A declaration with a name is exported as itself, as `export { name as default }` does; a value is copied.
      if (id) exports.push(exportEntry('default', node, id, isTypeDeclaration(declaration)));
      declarations.push(id ? declaration! : node);
    } else if (node.type !== 'EmptyStatement') declarations.push(node);
  }
  return { items: itemsOf(declarations), imports, exports: settleTypes(exports, declarations) };
}

const isTypeOnly = (node: SyntaxNode): boolean => node['importKind'] === 'type' || node['exportKind'] === 'type';
const isTypeDeclaration = (node: SyntaxNode | null): boolean =>
  node?.type === 'TSTypeAliasDeclaration' || node?.type === 'TSInterfaceDeclaration';

const exportEntry = (exported: string, node: SyntaxNode, local: SyntaxNode, isType: boolean): Entry => ({
  key: `${isType ? 'type ' : ''}${exported}`,
  words: `the export \`${exported}\``,
  node,
  local,
});

/** `export { T }` says the same as `export type { T }` when `T` is nothing but a type. */
function settleTypes(entries: readonly Entry[], declarations: readonly SyntaxNode[]): readonly Entry[] {
  const namesOf = (wanted: boolean): Set<string> =>
    new Set(
      declarations
        .filter((node) => isTypeDeclaration(node) === wanted)
        .flatMap(declaredBy)
        .map((id) => textIn(id, 'name')),
    );
  const types = namesOf(true);
  const values = namesOf(false);
  return entries.map((entry) => {
    const name = entry.local ? textIn(entry.local, 'name') : '';
    return types.has(name) && !values.has(name) && !entry.key.startsWith('type ') ? { ...entry, key: `type ${entry.key}` } : entry;
  });
}

function requestsOf(node: SyntaxNode, source: SyntaxNode, effects: number, isBare: boolean): Request[] {
  const attributes = nodesIn(node, 'attributes').map((each) => [plainKey(each), nodeIn(each, 'value')?.['value']]);
  const phase = node['phase'] ?? null;
  const from = JSON.stringify([textIn(source, 'value'), phase, attributes]);
  const words = `what is taken from \`${textIn(source, 'value')}\``;
  const entry = (kind: string, isType: boolean, local: SyntaxNode | null, at = node): Request => ({
    kind: kind === 'loads' ? 'loads' : 'other',
    key: `${isType ? 'type' : effects} ${from} ${kind}`,
    words,
    node: at,
    local,
  });

  if (isBare) return [entry('effects', false, null)];
  const loads = isTypeOnly(node) ? [] : [entry('loads', false, null)];
  if (node.type === 'ExportAllDeclaration') {
    const exported = nodeIn(node, 'exported');
    return [...loads, entry(`export * ${exported ? moduleName(exported) : ''}`, isTypeOnly(node), null)];
  }
  return [
    ...loads,
    ...nodesIn(node, 'specifiers').map((specifier) => {
      const isType = isTypeOnly(node) || isTypeOnly(specifier);
      const local = nodeIn(specifier, 'local')!;
      if (node.type === 'ExportNamedDeclaration')
        return entry(`export ${JSON.stringify([moduleName(local), moduleName(nodeIn(specifier, 'exported')!)])}`, isType, null, specifier);
      const imported = nodeIn(specifier, 'imported');
      const name = specifier.type === 'ImportNamespaceSpecifier' ? '* as' : JSON.stringify(imported ? moduleName(imported) : 'default');
      return entry(`import ${name}`, isType, local, specifier);
    }),
  ];
}

export function declaredBy(node: SyntaxNode): readonly SyntaxNode[] {
  if (node.type === 'VariableDeclaration')
    return nodesIn(node, 'declarations').flatMap((declarator) => boundIn(nodeIn(declarator, 'id') ?? declarator));
  const id = nodeIn(node, 'id');
  return id?.type === 'Identifier' ? [id] : [];
}

function itemsOf(nodes: readonly SyntaxNode[]): readonly Item[] {
  const times = new Map<string, number>();
  for (const id of nodes.flatMap(declaredBy)) times.set(textIn(id, 'name'), (times.get(textIn(id, 'name')) ?? 0) + 1);
  // What belongs to one overloaded function must stay together.
  const hasOverloads = nodes.some((node) => node.type === 'TSDeclareFunction' && node['declare'] !== true);
  let segment = 0;
  return nodes.map((node) => {
    const names = declaredBy(node).map((id) => textIn(id, 'name'));
    const isUnique = names.every((name) => times.get(name) === 1);
    const order = hasOverloads || !isUnique ? 'fixed' : orderOf(node);
    const item = { node, name: names[0] ?? null, order, segment };
    if (order === 'fixed') segment++;
    return item;
  });
}

function orderOf(node: SyntaxNode): Order {
  switch (node.type) {
    case 'FunctionDeclaration':
    case 'TSTypeAliasDeclaration':
    case 'TSInterfaceDeclaration':
      return 'free';
    case 'ClassDeclaration':
      return isPure(node) ? 'pure' : 'fixed';
    case 'VariableDeclaration': {
      const isPlain = node['kind'] === 'const' || node['kind'] === 'let' || node['kind'] === 'var';
      const arePure = nodesIn(node, 'declarations').every(
        (each) => nodeIn(each, 'id')?.type === 'Identifier' && isPureOrNone(each, 'init'),
      );
      return isPlain && arePure ? 'pure' : 'fixed';
    }
    case 'ExportDefaultDeclaration': {
      const declaration = nodeIn(node, 'declaration')!;
      if (declaration.type === 'FunctionDeclaration') return 'free';
      return isPure(declaration) ? 'pure' : 'fixed';
    }
    default:
      return 'fixed';
  }
}

const isPureOrNone = (node: SyntaxNode, field: string): boolean => {
  const value = nodeIn(node, field);
  return value === null || isPure(value);
};

/** Made without reading a name, calling anything or failing. */
function isPure(node: SyntaxNode): boolean {
  switch (node.type) {
    case 'Literal':
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
      return true;
    case 'TemplateLiteral':
      return nodesIn(node, 'expressions').length === 0;
    case 'UnaryExpression':
      return node['operator'] === '-' && typeof nodeIn(node, 'argument')?.['value'] === 'number';
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
      return isPureOrNone(node, 'expression');
    case 'ArrayExpression':
      return nodesIn(node, 'elements').every(isPure);
    case 'ObjectExpression':
      return nodesIn(node, 'properties').every(
        (each) => each.type === 'Property' && plainKey(each) !== null && isPureOrNone(each, 'value'),
      );
    case 'ClassDeclaration':
    case 'ClassExpression':
      return isPureClass(node);
    default:
      return false;
  }
}

function isPureClass(node: SyntaxNode): boolean {
  const body = nodeIn(node, 'body');
  if (nodeIn(node, 'superClass') || nodesIn(node, 'decorators').length > 0 || !body) return false;
  return nodesIn(body, 'body').every((member) => {
    if (member.type === 'TSIndexSignature') return true;
    if (member.type === 'StaticBlock' || plainKey(member) === null || hasDecorators(member)) return false;
    return member.type.includes('Method') || member['static'] !== true || isPureOrNone(member, 'value');
  });
}

/** On a member or on one of its parameters. */
export function hasDecorators(member: SyntaxNode): boolean {
  const method = nodeIn(member, 'value');
  const parameters = method ? nodesIn(method, 'params') : [];
  return [member, ...parameters].some((node) => nodesIn(node, 'decorators').length > 0);
}
