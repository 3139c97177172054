// Names a place in a program the way a person would: by the function, class or variable around it.

import { childrenOf, nodeIn, plainKey, type SyntaxNode, textIn } from './syntax-node.ts';

const MAX_NAME_LENGTH = 80;

export const shorten = (name: string): string => (name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH)}…` : name);

/** "the body of `login`", "`limit`" or "a statement". */
export function where(program: SyntaxNode, place: SyntaxNode): string {
  let found = 'a statement';
  let node: SyntaxNode | undefined = program;
  // Only what encloses the place is visited, so this takes as many steps as the tree is deep.
  while (node) {
    const name = nameOf(node);
    if (name !== null) found = `${isInBody(node, place) ? 'the body of ' : ''}\`${shorten(name)}\``;
    node = node === place ? undefined : childrenOf(node).find((child) => child.start <= place.start && place.end <= child.end);
  }
  return found;
}

function nameOf(node: SyntaxNode): string | null {
  const isMember = /Definition$|Signature$|^AccessorProperty$/.test(node.type);
  if (isMember) return plainKey(node);
  if (!/Declaration$|^VariableDeclarator$|^FunctionExpression$|^ClassExpression$|^TSDeclareFunction$/.test(node.type)) return null;
  const id = nodeIn(node, 'id');
  return id?.type === 'Identifier' ? textIn(id, 'name') : null;
}

function isInBody(owner: SyntaxNode, place: SyntaxNode): boolean {
  const value = nodeIn(owner, 'value') ?? nodeIn(owner, 'init') ?? owner;
  const body = nodeIn(value, 'body');
  return body !== null && body.start <= place.start && place.end <= body.end;
}
