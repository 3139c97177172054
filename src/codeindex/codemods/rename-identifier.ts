// Gives a declared name of a file another one, wherever the file means it: not where a property, or another declaration, has the same name.

import type { Source } from '../parse-source.ts';
import { type Names, resolveNames } from '../resolve-names.ts';
import type { Binding } from '../scope.ts';
import { childrenOf, nodeIn, type SyntaxNode, textIn } from '../syntax-node.ts';
import { type Declined, declined, type Replacement } from './codemod.ts';

const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;
const RESERVED = new Set(
  (
    'await break case catch class const continue debugger default delete do else enum export extends false finally for function if implements import in ' +
    'instanceof interface let new null package private protected public return static super switch this throw true try typeof var void while with yield'
  ).split(' '),
);

export function renameIdentifier(source: Source, from: string, to: string): readonly Replacement[] | Declined {
  const names = resolveNames(source);
  const bindings = new Set([...names.bindingOf.values()].filter(({ name }) => name === from));
  if (bindings.size === 0) return declined(`this file declares no ${from}`);
  return renameBindings(source, names, bindings, to);
}

export function renameBindings(
  source: Source,
  { bindingOf, unknowable }: Names,
  bindings: ReadonlySet<Binding>,
  to: string,
): readonly Replacement[] | Declined {
  if (!IDENTIFIER.test(to) || RESERVED.has(to)) return declined(`${JSON.stringify(to)} cannot be a name`);
  if (unknowable !== null) return declined(`what a name means here is known only when it runs: ${unknowable}`);
  // Another thing of that name would then be meant, or would mean this one.
  if (usesName(source.program, to)) return declined(`${to} is used in this file already`);
  const parents = parentsOf(source.program);
  const changes = new Map<number, Replacement>();
  for (const [node, binding] of bindingOf) {
    if (!bindings.has(binding)) continue;
    const name = textIn(node, 'name');
    // A type annotation is part of the node: only the name is replaced.
    changes.set(node.start, { start: node.start, end: node.start + name.length, text: written(node, parents, name, to) });
  }
  return [...changes.values()];
}

/** Where one word is both a name of this file and a name that others see, the latter stays. */
function written(node: SyntaxNode, parents: ReadonlyMap<SyntaxNode, SyntaxNode>, from: string, to: string): string {
  let [inner, parent] = [node, parents.get(node)];
  // `{ a = 1 }`: the default is between the property and the name.
  if (parent?.type === 'AssignmentPattern' && nodeIn(parent, 'left') === inner) [inner, parent] = [parent, parents.get(parent)];
  if (parent?.type === 'Property' && parent['shorthand'] === true) return `${from}: ${to}`;
  const isOneWord = (field: string) => nodeIn(parent!, field)?.start === node.start;
  if (parent?.type === 'ImportSpecifier' && isOneWord('imported')) return `${from} as ${to}`;
  if (parent?.type === 'ExportSpecifier' && isOneWord('exported')) return `${to} as ${from}`;
  return to;
}

export function parentsOf(program: SyntaxNode): ReadonlyMap<SyntaxNode, SyntaxNode> {
  const parents = new Map<SyntaxNode, SyntaxNode>();
  const open = [program];
  for (let node = open.pop(); node !== undefined; node = open.pop())
    for (const child of childrenOf(node)) {
      parents.set(child, node);
      open.push(child);
    }
  return parents;
}

/** As a name of its own; a property of that name does not matter. */
function usesName(program: SyntaxNode, name: string): boolean {
  const open: SyntaxNode[] = [program];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const isName = node.type === 'Identifier' || node.type === 'JSXIdentifier' || node.type === 'BindingIdentifier';
    if (isName && textIn(node, 'name') === name) return true;
    const skipped = keyOf(node);
    for (const child of childrenOf(node)) if (child !== skipped) open.push(child);
  }
  return false;
}

function keyOf(node: SyntaxNode): SyntaxNode | null {
  if (node['computed'] === true) return null;
  if (node.type === 'MemberExpression') return nodeIn(node, 'property');
  if (node.type === 'Property' && node['shorthand'] !== true) return nodeIn(node, 'key');
  return /^(?:MethodDefinition|PropertyDefinition|TSPropertySignature|TSMethodSignature)$/.test(node.type) ? nodeIn(node, 'key') : null;
}
