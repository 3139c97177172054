// Module federation as it is configured: webpack's plugin, the wrappers around it, Nx's file of its own, native federation, manifests.

import { childrenOf, nodeIn, nodesIn, type SyntaxNode, textIn } from '../../codeindex/plain.ts';
import { parseJsonWithLines } from '../../workspace/index.ts';
import type { FederationFact, RemoteUse } from './angular-facts.ts';
import { propertiesOf, stringOf } from './literals.ts';

type Properties = ReturnType<typeof propertiesOf>;
type LineAt = (offset: number) => number;

/** An object with `exposes` or `remotes`; null when it has neither. */
export function federationOf(properties: Properties, lineAt: LineAt): FederationFact | null {
  const remotes = properties.get('remotes');
  const exposes = properties.get('exposes');
  if (!remotes && !exposes) return null;
  return {
    line: lineAt((exposes ?? remotes)!.property.start),
    name: stringOf(properties.get('name')?.value),
    remotes: remotes ? remotesIn(remotes.value, lineAt) : [],
    exposes: exposes ? exposesIn(exposes.value, lineAt) : [],
  };
}

/** `{ './Module': './src/app/x.module.ts' }`, or with `{ import: '…' }` as the value. */
function exposesIn(node: SyntaxNode, lineAt: LineAt): FederationFact['exposes'] {
  return [...propertiesOf(node)].flatMap(([key, { value, property }]) => {
    const file = stringOf(value) ?? stringOf(propertiesOf(value).get('import')?.value);
    return file === null ? [] : [{ key, file, line: lineAt(property.start) }];
  });
}

/** `{ shop: 'shop@http://…' }`, or Nx's `['shop', ['billing', 'http://…']]`. */
function remotesIn(node: SyntaxNode, lineAt: LineAt): FederationFact['remotes'] {
  if (node.type === 'ObjectExpression')
    return [...propertiesOf(node)].map(([name, { value, property }]) => ({
      name,
      entry: stringOf(value)?.replace(/^[\w-]+@/, '') ?? null,
      line: lineAt(property.start),
    }));
  return nodesIn(node, 'elements').flatMap((element) => {
    const [first, second] = element.type === 'ArrayExpression' ? nodesIn(element, 'elements') : [element];
    const name = stringOf(first);
    return name === null ? [] : [{ name, entry: stringOf(second), line: lineAt(element.start) }];
  });
}

/** `{"shop": "http://localhost:4201/remoteEntry.js"}`: every value is an address. */
export function manifestOf(text: string): readonly FederationFact[] {
  const { value, lineOf } = parseJsonWithLines('manifest', text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  const remotes = Object.entries(value).flatMap(([name, entry]) => {
    const address: unknown = typeof entry === 'object' && entry !== null ? (entry as { remoteEntry?: unknown }).remoteEntry : entry;
    return typeof address === 'string' ? [{ name, entry: address, line: lineOf([name]) }] : [];
  });
  return remotes.length === 0 ? [] : [{ line: 1, name: null, remotes, exposes: [] }];
}

/** `loadRemoteModule({ … })`, `loadRemoteModule('shop', './Module')`; `import('shop/Module')` is recognised later, by the mapping. */
export function remoteUseIn(node: SyntaxNode, lineAt: LineAt): RemoteUse | null {
  const callee = node.type === 'CallExpression' ? nodeIn(node, 'callee') : null;
  if (callee && /^loadRemoteModule$|^loadRemote$/.test(textIn(callee, 'name'))) {
    const line = lineAt(node.start);
    const [first, second] = nodesIn(node, 'arguments');
    if (first?.type === 'ObjectExpression') {
      const text = (key: string): string | null => stringOf(propertiesOf(first).get(key)?.value);
      return { line, remote: text('remoteName'), entry: text('remoteEntry'), exposed: text('exposedModule') ?? './' };
    }
    const name = stringOf(first);
    if (name !== null && second) return { line, remote: name, entry: null, exposed: stringOf(second) ?? './' };
    // Webpack's runtime takes one text: `shop/Module`.
    const [remote, ...rest] = name?.split('/') ?? [];
    return remote === undefined ? null : { line, remote, entry: null, exposed: `./${rest.join('/')}` };
  }
  for (const child of childrenOf(node)) {
    const found = remoteUseIn(child, lineAt);
    if (found) return found;
  }
  return null;
}
