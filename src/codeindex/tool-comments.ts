// Comments that tools obey. To a compiler or a linter `@ts-ignore` is part of the program, and so it is here: such a comment may
// neither come, go, nor stand before something else.

import type { Source } from './parse-source.ts';
import { childrenOf, nodeIn, type SyntaxNode } from './syntax-node.ts';

const OBEYED =
  /@ts-|@jsx|@flow|@vite|@vitest|@jest|@license|@preserve|@cc_on|[@#]__|eslint|oxlint|tslint|jshint|jslint|biome|prettier|oxfmt|dprint|istanbul|[cv]8 ignore|node:coverage|webpack|turbopack|sourceMappingURL|sourceURL|<reference|<amd|deno-|^\s*globals?\b|^\s*exported\b|noinspection|sonar|nosec|nosemgrep|codeql|stryker/i;

/** Not compared as themselves: what is inside or after them is. */
const SKIPPED = new Set(['EmptyStatement', 'JSXText', 'ExportNamedDeclaration', 'ExportDefaultDeclaration']);

export interface ToolComments {
  readonly before: ReadonlyMap<SyntaxNode, string>;
  readonly count: number;
}

/** Each one with the first thing that starts after it, or with the program when nothing does. */
export function toolComments({ program, comments }: Source): ToolComments {
  const obeyed = comments.filter(({ value }) => OBEYED.test(value));
  const before = new Map<SyntaxNode, string>();
  if (obeyed.length === 0) return { before, count: 0 };

  const nodes: SyntaxNode[] = [];
  const collect = (node: SyntaxNode): void => {
    for (const child of childrenOf(node)) {
      if (!isLeftOut(child)) nodes.push(child);
      collect(child);
    }
  };
  collect(program);
  // The sort is stable: of those that start together the outermost comes first.
  nodes.sort((a, b) => a.start - b.start);
  let at = 0;
  for (const { value, end } of obeyed) {
    while (at < nodes.length && nodes[at]!.start < end) at++;
    const owner = nodes[at] ?? program;
    before.set(owner, `${before.get(owner) ?? ''}\n${value.trim()}`);
  }
  return { before, count: obeyed.length };
}

const isLeftOut = (node: SyntaxNode): boolean => SKIPPED.has(node.type) || nodeIn(node, 'expression')?.type === 'JSXEmptyExpression';
