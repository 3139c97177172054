// What an accepted plan will touch, and whether another run has reserved it. Leases themselves are the kernel's: here is only who would collide.

import type { PlanGraph, PlanNode, Reservation } from '../protocol/index.ts';

/** The one graph of a work tree: `graph sync` reserves it. */
export const CODE_GRAPH = 'code';
/** Effects on what every run shares; another branch or tag is another thing. */
const SHARED_EFFECTS = new Set(['git_commit', 'git_push']);

export const reservationsOf = ({ workId, nodes }: Pick<PlanGraph, 'workId' | 'nodes'>): readonly Reservation[] =>
  nodes.flatMap((node) => nodeReservations(workId, node));

export function nodeReservations(workId: string, node: PlanNode): readonly Reservation[] {
  const of = (kind: Reservation['kind'], name: string): Reservation => ({ kind, name, workId, nodeId: node.nodeId });
  if (node.kind === 'side_effect')
    return [
      of(
        'side_effect',
        SHARED_EFFECTS.has(node.sideEffectType) ? node.sideEffectType : `${node.sideEffectType} ${node.sideEffectPayloadRef}`,
      ),
    ];
  if (node.kind !== 'change') return [];
  return [
    of('file', node.targetFile),
    ...(node.renameTo === null ? [] : [of('file', node.renameTo)]),
    ...node.targetSymbols.map((symbol) => of('symbol', `${node.targetFile}#${symbol}`)),
    // A seed row is part of the graph, whatever file it is in.
    ...(node.targetFile.startsWith('.ai/graph/seed/') ? [of('graph', CODE_GRAPH)] : []),
  ];
}

export interface Collision {
  readonly wanted: Reservation;
  readonly held: Reservation;
  /** For a refusal: with whom, and over what. */
  readonly says: string;
}

/** What of `wanted` another run holds. A file is held as a whole: two runs that write one file would overwrite each other. */
export function collisions(wanted: readonly Reservation[], held: readonly Reservation[]): readonly Collision[] {
  const others = new Map<string, Reservation[]>();
  for (const each of held) others.set(keyOf(each), [...(others.get(keyOf(each)) ?? []), each]);
  return wanted.flatMap((want) => {
    const found = (others.get(keyOf(want)) ?? []).find((each) => each.workId !== want.workId);
    return found
      ? [{ wanted: want, held: found, says: `${WORDS[want.kind]} ${want.name} is reserved by run ${found.workId}, node ${found.nodeId}` }]
      : [];
  });
}

const keyOf = ({ kind, name }: Reservation): string => `${kind} ${name}`;
const WORDS: Readonly<Record<Reservation['kind'], string>> = {
  file: 'The file',
  symbol: 'The symbol',
  graph: 'The graph',
  side_effect: 'The side effect',
};
