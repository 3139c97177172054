// The parser's trees as plain data. Walkers access fields by name, so a new kind of node from a later parser version is walked like any
// other and never skipped.

export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

/** Fields that say where a node is, not what it is. */
const PLACE = new Set(['type', 'start', 'end', 'range', 'loc', 'parent']);

export const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';

export function nodeIn(node: SyntaxNode, field: string): SyntaxNode | null {
  const value = node[field];
  return isNode(value) ? value : null;
}

/** The nodes of a list, without its holes. */
export function nodesIn(node: SyntaxNode, field: string): readonly SyntaxNode[] {
  const value = node[field];
  if (!Array.isArray(value)) return NONE;
  // Nearly no list has a hole: it is only copied when it does.
  for (let at = 0; at < value.length; at++) if (!isNode(value[at])) return value.filter(isNode);
  return value as readonly SyntaxNode[];
}

const NONE: readonly SyntaxNode[] = [];

export function textIn(node: SyntaxNode, field: string): string {
  const value = node[field];
  return typeof value === 'string' ? value : '';
}

export const fieldsOf = (node: SyntaxNode): readonly string[] => Object.keys(node).filter((field) => !PLACE.has(field));

export const childrenOf = (node: SyntaxNode): readonly SyntaxNode[] =>
  fieldsOf(node).flatMap((field) => {
    const value = node[field];
    return Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [];
  });

/** The name of a key that is written down, quoted or not; null for one that is computed or a number. */
export function plainKey(owner: SyntaxNode): string | null {
  const key = nodeIn(owner, 'key');
  // The key of a mapped type is a name that it declares.
  if (key === null || owner['computed'] === true || owner.type === 'TSMappedType') return null;
  if (key.type === 'Identifier') return textIn(key, 'name');
  if (key.type === 'PrivateIdentifier') return `#${textIn(key, 'name')}`;
  return key.type === 'Literal' && typeof key['value'] === 'string' ? key['value'] : null;
}

/** What a module calls something: `a`, `default` or any text in quotes. */
export const moduleName = (node: SyntaxNode): string => (node.type === 'Literal' ? textIn(node, 'value') : textIn(node, 'name'));

/** Every name that a pattern binds. */
export function boundIn(pattern: SyntaxNode): readonly SyntaxNode[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern];
    case 'ObjectPattern':
      return nodesIn(pattern, 'properties').flatMap((part) => partOf(part, part.type === 'Property' ? 'value' : 'argument'));
    case 'ArrayPattern':
      return nodesIn(pattern, 'elements').flatMap(boundIn);
    case 'AssignmentPattern':
      return partOf(pattern, 'left');
    case 'RestElement':
      return partOf(pattern, 'argument');
    case 'TSParameterProperty':
      return partOf(pattern, 'parameter');
    default:
      return [];
  }
}

function partOf(pattern: SyntaxNode, field: string): readonly SyntaxNode[] {
  const part = nodeIn(pattern, field);
  return part === null ? [] : boundIn(part);
}
