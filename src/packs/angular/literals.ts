// Literal values in the code, and addresses with a star for each computed part.

import { nodeIn, nodesIn, plainKey, type SyntaxNode } from '../../codeindex/plain.ts';

export const COMPUTED = '*';

export function stringOf(node: SyntaxNode | null | undefined): string | null {
  if (node?.type === 'Literal' && typeof node['value'] === 'string') return node['value'];
  if (node?.type === 'TemplateLiteral' && nodesIn(node, 'expressions').length === 0) return patternOf(node);
  return null;
}

/** A text with a star for each hole; null for anything else. */
export function patternOf(node: SyntaxNode): string | null {
  if (node.type === 'Literal' && typeof node['value'] === 'string') return node['value'];
  if (node.type === 'TemplateLiteral')
    return nodesIn(node, 'quasis')
      .map((quasi) => (quasi['value'] as { readonly cooked?: string | null }).cooked ?? '')
      .join(COMPUTED);
  if (node.type === 'BinaryExpression' && node['operator'] === '+') {
    const [left, right] = [nodeIn(node, 'left')!, nodeIn(node, 'right')!].map(patternOf);
    return left === null && right === null ? null : `${left ?? COMPUTED}${right ?? COMPUTED}`;
  }
  return null;
}

/** What `navigate` is given: `['/orders', id]` is `/orders/*`. Null when nothing of it is written down. */
export function urlOf(node: SyntaxNode | undefined): string | null {
  if (!node) return null;
  if (node.type !== 'ArrayExpression') return tidied(patternOf(node));
  const parts = nodesIn(node, 'elements').map((element) => patternOf(element) ?? COMPUTED);
  return parts.every((part) => part === COMPUTED) ? null : tidied(parts.join('/'));
}

/** The same of a template's expression, which is text: `['/orders', order.id]`. */
export function urlOfText(text: string): string | null {
  const trimmed = text.trim();
  const list = /^\[(.*)\]$/s.exec(trimmed);
  if (!list) return tidied(patternOfText(trimmed));
  const parts = splitAt(list[1]!, ',').map((part) => patternOfText(part) ?? COMPUTED);
  return parts.every((part) => part === COMPUTED) ? null : tidied(parts.join('/'));
}

/** The same with texts in place of names that stand for them: `[params.to, params.value]` with `to` known. */
export function urlWith(text: string, known: Readonly<Record<string, string>>): string | null {
  const list = /\[([^[\]]*)\]/.exec(text)?.[1];
  if (list === undefined) return null;
  const parts = splitAt(list, ',').map((part) => known[/(?:^|\.)([\w$]+)\s*$/.exec(part)?.[1] ?? ''] ?? patternOfText(part) ?? COMPUTED);
  return parts.every((part) => part === COMPUTED) ? null : tidied(parts.join('/'));
}

/** `'/orders/' + order.id` is `/orders/*`; null when nothing of it is written down. */
function patternOfText(text: string): string | null {
  const parts = splitAt(text, '+').map((part) => /^\s*(['"`])((?:(?!\1)[^\\])*)\1\s*$/.exec(part)?.[2] ?? null);
  return parts.every((part) => part === null) ? null : parts.map((part) => part?.replace(/\$\{[^}]*\}/g, COMPUTED) ?? COMPUTED).join('');
}

/** Splits at signs outside brackets and quotes. */
function splitAt(text: string, sign: ',' | '+'): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let quote = '';
  let current = '';
  for (const letter of text) {
    if (quote !== '') quote = letter === quote ? '' : quote;
    else if ('\'"`'.includes(letter)) quote = letter;
    else if ('([{'.includes(letter)) depth++;
    else if (')]}'.includes(letter)) depth--;
    else if (letter === sign && depth === 0) {
      parts.push(current);
      current = '';
      continue;
    }
    current += letter;
  }
  return current.trim() === '' ? parts : [...parts, current];
}

/** Without a query and a fragment, with single slashes, with a whole star for each part that has one. */
function tidied(url: string | null): string | null {
  if (url === null) return null;
  const [path = ''] = url.split(/[?#]/);
  const segments = path.split('/').filter((part) => part !== '' && part !== '.');
  const shown = segments.map((part) => (part.includes(COMPUTED) ? COMPUTED : part)).join('/');
  return path.startsWith('/') ? `/${shown}` : shown;
}

/** The values of an object's keys that are written down, with the node of each property. */
export function propertiesOf(node: SyntaxNode): ReadonlyMap<string, { readonly value: SyntaxNode; readonly property: SyntaxNode }> {
  const found = new Map<string, { value: SyntaxNode; property: SyntaxNode }>();
  for (const property of node.type === 'ObjectExpression' ? nodesIn(node, 'properties') : []) {
    const key = property.type === 'Property' ? plainKey(property) : null;
    const value = nodeIn(property, 'value');
    if (key !== null && value) found.set(key, { value, property });
  }
  return found;
}
