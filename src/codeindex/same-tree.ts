// Compares two trees up to what a refactoring may change.
//
// INVARIANT: two trees are the same only if one becomes the other by renaming declarations one to one. Every name is compared by
// the declaration it means in its own tree, so that a rename that captures or misses a reference makes a difference.

import { hasDecorators } from './module-shape.ts';
import { moved, pairUp } from './pair-up.ts';
import type { Names } from './resolve-names.ts';
import type { Binding } from './scope.ts';
import { fieldsOf, isNode, nodeIn, nodesIn, plainKey, type SyntaxNode, textIn } from './syntax-node.ts';
import type { ToolComments } from './tool-comments.ts';

export interface Side {
  readonly names: Names;
  readonly tools: ToolComments;
}

/** The first place where the trees part. */
export interface Difference {
  readonly before: SyntaxNode | null;
  readonly after: SyntaxNode | null;
  readonly words?: string;
}

export class TreeComparison {
  readonly renames = new Map<Binding, Binding>();
  readonly moved: string[] = [];
  difference: Difference | null = null;
  readonly #compared = new Set<SyntaxNode>();
  readonly #back = new Map<Binding, Binding>();
  readonly #before: Side;
  readonly #after: Side;

  constructor(before: Side, after: Side) {
    this.#before = before;
    this.#after = after;
  }

  /** Once false, `difference` says where; nothing after that counts. */
  same(before: SyntaxNode, after: SyntaxNode): boolean {
    if (before.type !== after.type) return this.#differ(before, after);
    if (this.#before.tools.before.get(before) !== this.#after.tools.before.get(after))
      return this.#differ(before, after, 'a comment that tools obey changed');
    this.#compared.add(before).add(after);
    switch (before.type) {
      case 'Identifier':
      case 'PrivateIdentifier':
      case 'JSXIdentifier':
        return this.sameName(before, after) && this.#sameFields(before, after, new Set(['name']));
      case 'Literal':
        return sameLiteral(before, after) || this.#differ(before, after);
      case 'JSXText':
        return shownText(before) === shownText(after) || this.#differ(before, after);
      case 'ClassBody':
        return this.#sameMembers(before, after, 'body', classMemberKey);
      case 'TSInterfaceBody':
        return this.#sameMembers(before, after, 'body', signatureKey);
      case 'TSTypeLiteral':
        return this.#sameMembers(before, after, 'members', signatureKey);
      case 'JSXElement':
      case 'JSXFragment':
        return (
          this.#sameFields(before, after, new Set(['children'])) &&
          this.#sameList(before, after, shownChildren(before), shownChildren(after))
        );
    }
    // A private name is a name of its class and may change; any other key that is written down may only change its quotes.
    const key = writtenKey(before);
    if (key === null) return this.#sameFields(before, after, shorthand(before));
    if (key !== writtenKey(after)) return this.#differ(before, after);
    return this.#sameFields(before, after, new Set(['key', ...shorthand(before)]));
  }

  sameName(before: SyntaxNode, after: SyntaxNode): boolean {
    const first = this.#before.names.bindingOf.get(before);
    const second = this.#after.names.bindingOf.get(after);
    if (!first || !second) return (first === second && textIn(before, 'name') === textIn(after, 'name')) || this.#differ(before, after);
    const known = this.renames.get(first);
    const back = this.#back.get(second);
    if (known === undefined && back === undefined) {
      this.renames.set(first, second);
      this.#back.set(second, first);
      return true;
    }
    return (known === second && back === first) || this.#differ(before, after);
  }

  /** Comments that tools obey at imports and lists of exports, which are not compared as trees: these must look the same. */
  sameLooseComments(before: string, after: string): boolean {
    const loose = ({ tools }: Side, text: string): string =>
      JSON.stringify(
        [...tools.before].flatMap(([node, comment]) =>
          this.#compared.has(node) ? [] : [[comment, node.type === 'Program' ? '' : text.slice(node.start, node.end)]],
        ),
      );
    return loose(this.#before, before) === loose(this.#after, after);
  }

  #differ(before: SyntaxNode | null, after: SyntaxNode | null, words?: string): false {
    this.difference ??= words === undefined ? { before, after } : { before, after, words };
    return false;
  }

  #sameFields(before: SyntaxNode, after: SyntaxNode, except: ReadonlySet<string>): boolean {
    const fields = new Set([...fieldsOf(before), ...fieldsOf(after)]);
    for (const field of fields) {
      if (!except.has(field) && !this.#sameValue(before, after, before[field], after[field])) return false;
    }
    return true;
  }

  #sameValue(ownerBefore: SyntaxNode, ownerAfter: SyntaxNode, before: unknown, after: unknown): boolean {
    if (Array.isArray(before) && Array.isArray(after)) return this.#sameList(ownerBefore, ownerAfter, before, after);
    if (isNode(before) && isNode(after)) return this.same(before, after);
    if (isNode(before) || isNode(after)) return this.#differ(isNode(before) ? before : ownerBefore, isNode(after) ? after : ownerAfter);
    // Template elements are the only plain objects in a tree.
    return JSON.stringify(before) === JSON.stringify(after) || this.#differ(ownerBefore, ownerAfter);
  }

  #sameList(ownerBefore: SyntaxNode, ownerAfter: SyntaxNode, before: readonly unknown[], after: readonly unknown[]): boolean {
    const first = before.filter(isSaid);
    const second = after.filter(isSaid);
    for (let index = 0; index < Math.max(first.length, second.length); index++) {
      const [one, other] = [first[index], second[index]];
      if (one === undefined || other === undefined)
        return this.#differ(isNode(one) ? one : null, isNode(other) ? other : null) || this.#differ(ownerBefore, ownerAfter);
      if (!this.#sameValue(ownerBefore, ownerAfter, one, other)) return false;
    }
    return true;
  }

  /** Members with a key may change places; the others keep their order among themselves. */
  #sameMembers(before: SyntaxNode, after: SyntaxNode, field: string, keyOf: (member: SyntaxNode) => string | null): boolean {
    const [first, second] = [nodesIn(before, field), nodesIn(after, field)];
    if (!areSortable(first, keyOf) || !areSortable(second, keyOf)) return this.#sameList(before, after, first, second);
    const isLoose = (member: SyntaxNode): boolean => keyOf(member) !== null;
    const paired = pairUp(
      first.filter(isLoose),
      second.filter(isLoose),
      (member) => keyOf(member)!,
      (member) => `${member.type} ${plainKey(member)?.startsWith('#')}`,
    );
    if (!('pairs' in paired)) return this.#differ(paired.removed, paired.added);
    for (const [one, other] of paired.pairs) if (!this.same(one, other)) return false;
    this.moved.push(...moved(first, second, paired.pairs).map((member) => plainKey(member)!));
    const isOrdered = (member: SyntaxNode): boolean => !isLoose(member);
    return this.#sameList(before, after, first.filter(isOrdered), second.filter(isOrdered));
  }
}

const writtenKey = (node: SyntaxNode): string | null => (nodeIn(node, 'key')?.type === 'PrivateIdentifier' ? null : plainKey(node));

/** `{ a }` and `{ a: a }` say the same, but `{ __proto__ }` makes a property and `{ __proto__: a }` sets the prototype. */
const shorthand = (node: SyntaxNode): ReadonlySet<string> =>
  new Set(node.type === 'Property' && plainKey(node) !== '__proto__' ? ['shorthand'] : []);

const isSaid = (value: unknown): boolean => !isNode(value) || value.type !== 'EmptyStatement';

function sameLiteral(before: SyntaxNode, after: SyntaxNode): boolean {
  if (before['regex'] || after['regex']) return JSON.stringify(before['regex']) === JSON.stringify(after['regex']);
  return Object.is(before['value'], after['value']) && before['bigint'] === after['bigint'];
}

/** What compilers make of text between tags: line breaks and the space around them are layout. */
function shownText(node: SyntaxNode): string {
  const lines = textIn(node, 'raw').split(/\r\n|\n|\r/);
  return lines
    .map((line, index) => {
      const start = index === 0 ? line : line.replace(/^[ \t]+/, '');
      return index === lines.length - 1 ? start : start.replace(/[ \t]+$/, '');
    })
    .filter((line) => line !== '')
    .join(' ');
}

const shownChildren = (element: SyntaxNode): readonly SyntaxNode[] =>
  nodesIn(element, 'children').filter((child) =>
    child.type === 'JSXText' ? shownText(child) !== '' : nodeIn(child, 'expression')?.type !== 'JSXEmptyExpression',
  );

/** Methods are there before any field is set. Fields and static blocks run in order. */
const classMemberKey = (member: SyntaxNode): string | null =>
  member.type.includes('Method') ? `${member['static'] === true} ${textIn(member, 'kind')} ${plainKey(member)}` : null;

const signatureKey = (member: SyntaxNode): string | null => {
  const key = plainKey(member);
  return key === null ? null : `${textIn(member, 'kind')} ${key}`;
};

/** Computed keys, decorators and overloads need their order, and of two members with one name the later counts. */
function areSortable(members: readonly SyntaxNode[], keyOf: (member: SyntaxNode) => string | null): boolean {
  const kinds = new Map<string, string>();
  for (const member of members) {
    const isOverload = member.type === 'MethodDefinition' && nodeIn(member, 'value')?.['body'] === null;
    if (member['computed'] === true || isOverload || hasDecorators(member)) return false;
    if (keyOf(member) === null) continue;
    const name = plainKey(member);
    const place = `${member['static'] === true} ${name}`;
    const pair = `${kinds.get(place) ?? ''}${textIn(member, 'kind') || 'property'}`;
    if (name === null || (kinds.has(place) && pair !== 'getset' && pair !== 'setget')) return false;
    kinds.set(place, pair);
  }
  return true;
}
