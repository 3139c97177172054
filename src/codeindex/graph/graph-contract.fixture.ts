// What every backend of the graph has to answer, and the same. `open` puts a content in place of what was there.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { verifies } from '../../../test/verifies.ts';
import { assemble } from './assemble.ts';
import { byKey, compareEdges, EDGES_PER_NODE, type Graph, type GraphContent, type GraphEdge, type GraphNode } from './graph-model.ts';

export interface GraphUnderTest {
  readonly open: (content: GraphContent) => Promise<Graph>;
  /** How many random graphs are worth their time. */
  readonly runs: number;
}

const node = (id: string, label = 'File', more: Partial<GraphNode> = {}): GraphNode => ({
  ...{ id, label, name: id, path: null, line: null, data: {} },
  ...more,
});
const edge = (from: string, type: string, to: string, line: number | null = null): GraphEdge => ({
  ...{ from, type, to, line },
  path: line === null ? null : 'a.ts',
});

const SMALL = assemble([
  {
    nodes: [
      node('anchor:.', 'DomainAnchor', { path: '.' }),
      node('file:a.ts', 'File', { path: 'a.ts', name: 'a.ts', data: { language: 'typescript', lines: 12 } }),
      node('file:b.ts', 'File', { path: 'b.ts', name: 'b.ts' }),
      node('symbol:a.ts#f', 'Symbol', { path: 'a.ts', line: 3, name: 'f' }),
      node('symbol:b.ts#g', 'Symbol', { path: 'b.ts', line: 7, name: 'g' }),
      node('pol-1', 'Policy', { name: 'No any', data: { tags: ['types', 'ts'], nested: { deep: [1, null, true] }, weight: 0.5 } }),
      node('über', 'Policy', { name: 'Größe 😀' }),
    ],
    edges: [
      edge('anchor:.', 'CONTAINS', 'file:a.ts'),
      edge('anchor:.', 'CONTAINS', 'file:b.ts'),
      edge('file:a.ts', 'DEFINES', 'symbol:a.ts#f', 3),
      edge('file:b.ts', 'DEFINES', 'symbol:b.ts#g', 7),
      edge('symbol:a.ts#f', 'CALLS', 'symbol:b.ts#g', 4),
      edge('symbol:b.ts#g', 'CALLS', 'symbol:b.ts#g', 8),
      edge('pol-1', 'APPLIES_TO', 'anchor:.'),
    ],
  },
]);
const nodeNamed = (id: string): GraphNode => SMALL.nodes.find((each) => each.id === id)!;

export function graphContract(backend: Graph['backend'], { open, runs }: GraphUnderTest): void {
  describe(`the graph contract, ${backend}`, () => {
    verifies('G28', 'an empty graph answers every question', async () => {
      const graph = await open({ nodes: [], edges: [] });
      expect(graph.backend).toBe(backend);
      expect(await graph.summary()).toEqual({ nodes: 0, edges: 0, labels: {}, types: {} });
      expect(await graph.node('x')).toBeNull();
      expect(await graph.find({ limit: 5 })).toEqual([]);
      expect(await graph.around({ ids: ['x'], direction: 'both', depth: 3, limit: 5 })).toEqual({ nodes: [], edges: [], truncated: false });
      expect(await graph.follow('x', [{ type: 'CALLS', direction: 'out' }], 5)).toEqual([]);
    });

    verifies('G28', 'nodes come back whole, and are found by label, name and path', async () => {
      const graph = await open(SMALL);
      expect(await graph.summary()).toEqual({
        nodes: 7,
        edges: 7,
        labels: { DomainAnchor: 1, File: 2, Policy: 2, Symbol: 2 },
        types: { APPLIES_TO: 1, CALLS: 2, CONTAINS: 2, DEFINES: 2 },
      });
      for (const each of SMALL.nodes) expect(await graph.node(each.id)).toEqual(each);
      expect(await graph.find({ label: 'Policy', limit: 10 })).toEqual([nodeNamed('pol-1'), nodeNamed('über')]);
      expect(await graph.find({ name: 'Größe 😀', limit: 10 })).toEqual([nodeNamed('über')]);
      expect(await graph.find({ path: 'a.ts', limit: 10 })).toEqual([nodeNamed('file:a.ts'), nodeNamed('symbol:a.ts#f')]);
      expect(await graph.find({ path: 'a.ts', label: 'Symbol', limit: 10 })).toEqual([nodeNamed('symbol:a.ts#f')]);
      expect(await graph.find({ limit: 2 })).toEqual(SMALL.nodes.slice(0, 2));
    });

    verifies('G28', 'what is around is reported nearest first, by direction and type, and cut at the limit', async () => {
      const graph = await open(SMALL);
      const around = async (request: Partial<Parameters<Graph['around']>[0]>) => {
        const { nodes, edges, truncated } = await graph.around({
          ids: ['symbol:a.ts#f'],
          ...{ direction: 'both', depth: 1, limit: 10 },
          ...request,
        });
        return {
          nodes: nodes.map(({ id, distance }) => `${distance} ${id}`),
          edges: edges.map((each) => `${each.type} ${each.to}`),
          truncated,
        };
      };
      expect(await around({})).toEqual({
        nodes: ['0 symbol:a.ts#f', '1 file:a.ts', '1 symbol:b.ts#g'],
        edges: ['DEFINES symbol:a.ts#f', 'CALLS symbol:b.ts#g', 'CALLS symbol:b.ts#g'],
        truncated: false,
      });
      expect(await around({ direction: 'out', types: ['CALLS'] })).toEqual({
        nodes: ['0 symbol:a.ts#f', '1 symbol:b.ts#g'],
        edges: ['CALLS symbol:b.ts#g', 'CALLS symbol:b.ts#g'],
        truncated: false,
      });
      expect((await around({ direction: 'in', depth: 9 })).nodes).toEqual(['0 symbol:a.ts#f', '1 file:a.ts', '2 anchor:.', '3 pol-1']);
      expect(await around({ limit: 2 })).toEqual({
        nodes: ['0 symbol:a.ts#f', '1 file:a.ts'],
        edges: ['DEFINES symbol:a.ts#f'],
        truncated: true,
      });
      expect(await around({ types: ['`) DETACH DELETE n //'] })).toEqual({ nodes: ['0 symbol:a.ts#f'], edges: [], truncated: false });
    });

    verifies('G28', 'a way is followed step by step, each edge with where it is written', async () => {
      const graph = await open(SMALL);
      const steps = [
        { type: 'CONTAINS', direction: 'out', label: 'File' },
        { type: 'DEFINES', direction: 'out' },
        { type: 'CALLS', direction: 'out' },
      ] as const;
      const trails = await graph.follow('anchor:.', steps, 10);
      expect(trails.map(({ nodes }) => nodes.map(({ id }) => id).join(' → '))).toEqual([
        'anchor:. → file:a.ts → symbol:a.ts#f → symbol:b.ts#g',
        'anchor:. → file:b.ts → symbol:b.ts#g → symbol:b.ts#g',
      ]);
      expect(trails[0]!.edges).toEqual([
        edge('anchor:.', 'CONTAINS', 'file:a.ts'),
        edge('file:a.ts', 'DEFINES', 'symbol:a.ts#f', 3),
        edge('symbol:a.ts#f', 'CALLS', 'symbol:b.ts#g', 4),
      ]);
      expect(await graph.follow('anchor:.', steps, 1)).toEqual([trails[0]]);
      // There and back by the same edge.
      const back = await graph.follow(
        'pol-1',
        [
          { type: 'APPLIES_TO', direction: 'out' },
          { type: 'APPLIES_TO', direction: 'in' },
        ],
        5,
      );
      expect(back.map(({ nodes }) => nodes.map(({ id }) => id))).toEqual([['pol-1', 'anchor:.', 'pol-1']]);
      expect(await graph.follow('anchor:.', [{ type: 'CONTAINS', direction: 'out', label: 'Symbol' }], 5)).toEqual([]);
      expect(await graph.follow('anchor:.', [{ type: 'X`]-() DETACH DELETE n0 //', direction: 'out' }], 5)).toEqual([]);
    });

    verifies('G28', 'a content takes the place of the one before, whole', async () => {
      await open(SMALL);
      const graph = await open({ nodes: [node('only')], edges: [] });
      expect(await graph.summary()).toEqual({ nodes: 1, edges: 0, labels: { File: 1 }, types: {} });
      expect(await graph.node('pol-1')).toBeNull();
    });

    test('whatever the graph, the answers are those of the plainest reading of it', async () => {
      await fc.assert(
        fc.asyncProperty(anyContent, anyQuestion, async (content, { direction, depth, limit, types, starts, steps }) => {
          const graph = await open(content);
          const ids = starts.map((at) => content.nodes[at % content.nodes.length]!.id);
          const request = { ids, direction, depth, limit, types };
          expect(await graph.around(request)).toEqual(plainAround(content, request));
          expect(await graph.follow(ids[0]!, steps, limit)).toEqual(plainFollow(content, ids[0]!, steps).slice(0, limit));
        }),
        { numRuns: runs },
      );
    }, 120_000);
  });
}

const IDS = ['a', 'B', 'b', 'a b', 'é', 'e\u0301', '😀', '\uffee', '~', 'file:a/ö.ts', "it's", '"', '`', '$graph', 'Ω'];
const TYPES = ['CALLS', 'CONTAINS', 'USES'] as const;
const LABELS = ['File', 'Symbol'] as const;

const anyContent: fc.Arbitrary<GraphContent> = fc
  .uniqueArray(fc.constantFrom(...IDS), { minLength: 1 })
  .chain((ids) =>
    fc.record({
      nodes: fc.tuple(...ids.map((id) => fc.constantFrom(...LABELS).map((label) => node(id, label)))),
      edges: fc.array(
        fc.record({
          ...{ from: fc.constantFrom(...ids), type: fc.constantFrom(...TYPES), to: fc.constantFrom(...ids) },
          ...{ path: fc.constantFrom(null, 'a.ts'), line: fc.constantFrom(null, 1, 2) },
        }),
        { maxLength: 30 },
      ),
    }),
  )
  .map((part) => {
    const { nodes, edges } = assemble([part]);
    return { nodes, edges };
  });

const anyQuestion = fc.record({
  direction: fc.constantFrom('out' as const, 'in' as const, 'both' as const),
  depth: fc.integer({ min: 0, max: 4 }),
  limit: fc.integer({ min: 1, max: 8 }),
  types: fc.option(fc.uniqueArray(fc.constantFrom(...TYPES)), { nil: undefined }),
  starts: fc.array(fc.nat(20), { minLength: 1, maxLength: 3 }),
  steps: fc.array(
    fc.record({
      ...{ type: fc.constantFrom(...TYPES), direction: fc.constantFrom('out' as const, 'in' as const) },
      label: fc.option(fc.constantFrom(...LABELS), { nil: undefined }),
    }),
    { maxLength: 3 },
  ),
});

function plainAround({ nodes, edges }: GraphContent, { ids, direction, depth, limit, types }: Parameters<Graph['around']>[0]) {
  const usable = edges.filter(({ type }) => !types || types.includes(type));
  const listed = new Map<string, number>();
  let truncated = false;
  let level = new Set(ids);
  for (let at = 0; at <= depth; at++) {
    const fresh = [...level].filter((id) => !listed.has(id)).sort(byKey);
    const taken = fresh.slice(0, limit - listed.size);
    truncated ||= taken.length < fresh.length;
    for (const id of taken) listed.set(id, at);
    level = new Set(
      usable.flatMap(({ from, to }) => [
        ...(direction !== 'in' && taken.includes(from) ? [to] : []),
        ...(direction !== 'out' && taken.includes(to) ? [from] : []),
      ]),
    );
  }
  const between = usable.filter(({ from, to }) => listed.has(from) && listed.has(to)).sort(compareEdges);
  return {
    nodes: [...listed].map(([id, distance]) => ({ ...nodes.find((each) => each.id === id)!, distance })),
    edges: between.slice(0, limit * EDGES_PER_NODE),
    truncated,
  };
}

function plainFollow(content: GraphContent, start: string, steps: readonly Parameters<Graph['follow']>[1][number][]) {
  const find = (id: string) => content.nodes.find((each) => each.id === id)!;
  let trails = [{ nodes: [find(start)], edges: [] as GraphEdge[] }];
  for (const { type, direction, label } of steps)
    trails = trails.flatMap(({ nodes, edges }) =>
      content.edges
        .filter((each) => each.type === type && each[direction === 'out' ? 'from' : 'to'] === nodes.at(-1)!.id)
        .map((each) => ({ nodes: [...nodes, find(each[direction === 'out' ? 'to' : 'from'])], edges: [...edges, each] }))
        .filter((trail) => label === undefined || trail.nodes.at(-1)!.label === label)
        .sort((a, b) => byKey(a.nodes.at(-1)!.id, b.nodes.at(-1)!.id)),
    );
  return trails;
}
