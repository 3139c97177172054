// Ways to the next link that several steps share.

import type { DefinitionKind } from '../../codeindex/index.ts';
import { type Candidate, candidateOf, type ChainPorts, headOf } from './proof-chain.ts';

const TRAILS_MAX = 50;
const HITS_MAX = 10;

/** A text that the graph keeps with the candidate; null where it keeps none. */
export function textOf(candidate: Candidate | undefined, key: string): string | null {
  const value = candidate?.node?.data[key];
  return typeof value === 'string' ? value : null;
}

/** Along one type of edge. */
export async function along(
  { graph }: ChainPorts,
  from: Candidate | undefined,
  type: string,
  because: string,
): Promise<readonly Candidate[]> {
  if (!from?.node) return [];
  const trails = await graph.follow(from.node.id, [{ type, direction: 'out' }], TRAILS_MAX);
  return trails.map(({ nodes }) => candidateOf(nodes.at(-1)!, because));
}

/** The same, to something of which only the head is cited. */
export const alongToHead = async (...given: Parameters<typeof along>): Promise<readonly Candidate[]> =>
  (await along(...given)).map(({ node, because }) => headOf(node!, because));

/** Definitions of these names, in the order of the names. */
export async function defined(
  { graph, index }: ChainPorts,
  names: readonly (string | null | undefined)[],
  kinds: readonly DefinitionKind[],
  because: string,
): Promise<readonly Candidate[]> {
  const found: Candidate[] = [];
  for (const name of new Set(names)) {
    if (!name) continue;
    const { hits } = await index.definitions({ name, kinds, limit: HITS_MAX });
    for (const { id, path, line, name: shown } of hits)
      found.push({ name: shown, node: await graph.node(`symbol:${id}`), path, line, end_line: line, because });
  }
  return found;
}

/** Lines that hold a text, but those that `isOwn` names. */
export async function written(
  { index }: ChainPorts,
  pattern: string,
  where: { readonly under?: string; readonly glob?: string },
  because: string,
  isOwn: (path: string, line: number) => boolean = () => false,
): Promise<readonly Candidate[]> {
  const { hits } = await index.search({ pattern, limit: HITS_MAX, ...where });
  return hits
    .filter(({ path, line }) => !isOwn(path, line))
    .map(({ path, line, text }) => ({ name: text.trim().slice(0, 80), node: null, path, line, end_line: line, because }));
}
