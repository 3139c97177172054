import { expect, test } from 'vitest';
import { assemble } from './assemble.ts';
import type { GraphEdge, GraphNode } from './graph-model.ts';

const node = (id: string, name = id): GraphNode => ({ id, label: 'File', name, path: null, line: null, data: {} });
const edge = (from: string, to: string, path: string | null, line: number | null): GraphEdge => ({ from, type: 'USES', to, path, line });

test('the later node counts, the first place of an edge counts, and an edge without an end is reported', () => {
  const { nodes, edges, dangling } = assemble([
    { nodes: [node('b'), node('a', 'old')], edges: [edge('a', 'b', null, null), edge('a', 'b', 'x.ts', 9), edge('a', 'gone', 'x.ts', 1)] },
    { nodes: [node('a', 'new')], edges: [edge('a', 'b', 'x.ts', 10), edge('a', 'a', 'x.ts', 2)] },
  ]);
  expect(nodes.map(({ name }) => name)).toEqual(['new', 'b']);
  expect(edges).toEqual([edge('a', 'a', 'x.ts', 2), edge('a', 'b', 'x.ts', 9)]);
  expect(dangling).toEqual([edge('a', 'gone', 'x.ts', 1)]);
});
