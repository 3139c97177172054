// What the decorator of an Angular class says: its selector, its template and what it brings along.

import {
  type ClassDescription,
  nodeIn,
  nodesIn,
  plainKey,
  type StoredComponent,
  type SyntaxNode,
  textIn,
} from '../../../codeindex/plain.ts';

const WHAT = new Map<string, StoredComponent['what']>([
  ['Component', 'component'],
  ['Directive', 'directive'],
  ['Pipe', 'pipe'],
  ['NgModule', 'module'],
  ['Injectable', 'injectable'],
]);

export function describeClass(node: SyntaxNode, number: number, line: number): ClassDescription | null {
  for (const decorator of nodesIn(node, 'decorators')) {
    const call = nodeIn(decorator, 'expression');
    const callee = call?.type === 'CallExpression' ? nodeIn(call, 'callee') : null;
    const what = callee?.type === 'Identifier' ? WHAT.get(textIn(callee, 'name')) : undefined;
    if (!call || what === undefined) continue;
    const [given] = nodesIn(call, 'arguments');
    const values = new Map<string, SyntaxNode>();
    for (const property of given?.type === 'ObjectExpression' ? nodesIn(given, 'properties') : []) {
      const name = property.type === 'Property' ? plainKey(property) : null;
      const value = nodeIn(property, 'value');
      if (name !== null && value) values.set(name, value);
    }
    const names = (key: string): readonly string[] =>
      nodesIn(values.get(key) ?? node, 'elements')
        .map(nameIn)
        .filter((name) => name !== '');
    const template = values.get('template');
    const isText = template?.type === 'Literal' || (template?.type === 'TemplateLiteral' && nodesIn(template, 'expressions').length === 0);
    const standalone = values.get('standalone')?.['value'];
    const component: StoredComponent = {
      number,
      line,
      class_name: textIn(nodeIn(node, 'id') ?? node, 'name') || 'default',
      what,
      selector: textOf(values.get('selector')) ?? (what === 'pipe' ? textOf(values.get('name')) : null),
      template_url: textOf(values.get('templateUrl')),
      has_inline_template: template !== undefined,
      imports: names('imports'),
      declarations: names('declarations'),
      providers: names('providers'),
      exports: names('exports'),
      standalone: typeof standalone === 'boolean' ? standalone : null,
    };
    return { component, template: template && isText ? { start: template.start + 1, end: template.end - 1 } : null };
  }
  return null;
}

/** `A` for `A`, `A.forRoot(…)` and `{ provide: A, … }`. */
function nameIn(node: SyntaxNode): string {
  switch (node.type) {
    case 'Identifier':
      return textIn(node, 'name');
    case 'CallExpression':
      return nameIn(nodeIn(node, 'callee')!);
    case 'MemberExpression':
      return nameIn(nodeIn(node, 'object')!);
    case 'SpreadElement':
      return nameIn(nodeIn(node, 'argument')!);
    case 'ObjectExpression': {
      const provided = nodesIn(node, 'properties').find((property) => property.type === 'Property' && plainKey(property) === 'provide');
      return provided ? nameIn(nodeIn(provided, 'value')!) : '';
    }
    default:
      return '';
  }
}

function textOf(node: SyntaxNode | undefined): string | null {
  if (node?.type === 'Literal' && typeof node['value'] === 'string') return node['value'];
  const [only, more] = node?.type === 'TemplateLiteral' ? nodesIn(node, 'quasis') : [];
  const cooked = only && !more ? (only['value'] as { readonly cooked?: string | null }).cooked : null;
  return cooked ?? null;
}
