// Compares two JSON documents up to layout and the order of keys.

import { parseSync } from 'oxc-parser';
import { nodeIn, nodesIn, plainKey, type SyntaxNode, textIn } from './syntax-node.ts';

export type JsonFinding =
  | { readonly kind: 'same'; readonly reordered: boolean }
  | { readonly kind: 'different'; readonly offset: number }
  | { readonly kind: 'unreadable'; readonly version: 'before' | 'after'; readonly why: string };

/** `ordered` are keys at the top below which the order of keys counts. */
export function sameJson(before: string, after: string, ordered: ReadonlySet<string>): JsonFinding {
  const trees: SyntaxNode[] = [];
  for (const [version, text] of [['before', before] as const, ['after', after] as const]) {
    const tree = parseJson(text);
    if (typeof tree === 'string') return { kind: 'unreadable', version, why: tree };
    trees.push(tree);
  }
  let reordered = false;
  const differing = (first: SyntaxNode, second: SyntaxNode, keepsOrder: boolean, isTop: boolean): SyntaxNode | null => {
    if (first.type !== second.type) return second;
    if (first.type === 'ArrayExpression') {
      const [ones, others] = [nodesIn(first, 'elements'), nodesIn(second, 'elements')];
      if (ones.length !== others.length) return second;
      return firstFound(others, (other, index) => differing(ones[index]!, other, keepsOrder, false));
    }
    if (first.type === 'UnaryExpression') return differing(nodeIn(first, 'argument')!, nodeIn(second, 'argument')!, keepsOrder, false);
    if (first.type !== 'ObjectExpression') return leaf(first) === leaf(second) ? null : second;

    const [ones, others] = [nodesIn(first, 'properties'), nodesIn(second, 'properties')];
    if (ones.length !== others.length) return second;
    const byKey = new Map(ones.map((each, index) => [plainKey(each), { value: nodeIn(each, 'value')!, index }]));
    return firstFound(others, (other, index) => {
      const key = plainKey(other);
      const one = byKey.get(key);
      if (!one || (keepsOrder && one.index !== index)) return other;
      reordered ||= one.index !== index;
      return differing(one.value, nodeIn(other, 'value')!, keepsOrder || (isTop && key !== null && ordered.has(key)), false);
    });
  };
  const found = differing(trees[0]!, trees[1]!, false, true);
  // One bracket was put before the text.
  return found ? { kind: 'different', offset: Math.max(0, found.start - 1) } : { kind: 'same', reordered };
}

/** Numbers as they are written: readers differ in what they make of `1.0` or of many digits. */
const leaf = (node: SyntaxNode): string => (typeof node['value'] === 'number' ? textIn(node, 'raw') : JSON.stringify(node['value']));

/** The tree of a document that is JSON, or what is wrong with it. Two equal keys are wrong: readers differ in which one counts. */
function parseJson(text: string): SyntaxNode | string {
  const source = text.startsWith('\ufeff') ? text.slice(1) : text;
  try {
    JSON.parse(source);
  } catch (error) {
    return error instanceof Error ? error.message : 'it is not JSON';
  }
  const parsed = parseSync('value.js', `(${source})`, { lang: 'js', sourceType: 'script', preserveParens: false });
  const [statement] = nodesIn(parsed.program as unknown as SyntaxNode, 'body');
  const tree = statement && nodeIn(statement, 'expression');
  if (!tree || parsed.errors.length > 0) return 'it is not JSON';
  return hasTwins(tree) ? 'a key is twice in one object' : tree;
}

function hasTwins(node: SyntaxNode): boolean {
  if (node.type === 'ArrayExpression') return nodesIn(node, 'elements').some(hasTwins);
  if (node.type !== 'ObjectExpression') return false;
  const properties = nodesIn(node, 'properties');
  const keys = new Set(properties.map(plainKey));
  return keys.size !== properties.length || properties.some((each) => hasTwins(nodeIn(each, 'value')!));
}

function firstFound<T, R>(things: readonly T[], find: (thing: T, index: number) => R | null): R | null {
  for (const [index, thing] of things.entries()) {
    const found = find(thing, index);
    if (found !== null) return found;
  }
  return null;
}
