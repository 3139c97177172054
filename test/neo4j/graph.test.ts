// The graph's contract on a real Neo4j, and what is Neo4j's own: one graph beside the other, Cypher of people, other data left alone.

import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { assemble } from '../../src/codeindex/graph/assemble.ts';
import { graphContract } from '../../src/codeindex/graph/graph-contract.fixture.ts';
import type { GraphContent } from '../../src/codeindex/graph/graph-model.ts';
import { connectNeo4j, type Neo4jConnection } from '../../src/codeindex/graph/neo4j-connection.ts';
import { Neo4jGraph, projectionOf } from '../../src/codeindex/graph/neo4j-graph.ts';
import { changeBetween, digestOf, projectChange, projectWhole } from '../../src/codeindex/graph/neo4j-project.ts';
import { verifies } from '../verifies.ts';

const server = inject('neo4j');
let line: Neo4jConnection;
const now = () => new Date('2026-02-17T09:00:00Z');

beforeAll(async () => {
  line = await connectNeo4j(server);
});
afterAll(() => line.close());

const put = async (name: string, content: GraphContent, scripts: { path: string; text: string }[] = []) => {
  await projectWhole(line, { name, content, scripts, now });
  return new Neo4jGraph(line, name);
};
const contentOf = (ids: readonly string[], edges: readonly (readonly [string, string, string])[] = []): GraphContent => {
  const { nodes, edges: kept } = assemble([
    {
      nodes: ids.map((id) => ({ id, label: 'Policy', name: id, path: null, line: null, data: { version: 1 } })),
      edges: edges.map(([from, type, to]) => ({ from, type, to, path: null, line: null })),
    },
  ]);
  return { nodes, edges: kept };
};

graphContract('neo4j', { open: (content) => put('contract', content), runs: 15 });

verifies('G28', 'graphs of two names and foreign data live side by side', async () => {
  await line.run("CREATE (:Person {name: 'somebody'})", {});
  const first = await put('one', contentOf(['a', 'b']));
  await put('two', contentOf(['c']));
  await put('one', contentOf(['a']));
  expect(await first.find({ limit: 10 })).toEqual(contentOf(['a']).nodes);
  expect(await new Neo4jGraph(line, 'two').find({ limit: 10 })).toEqual(contentOf(['c']).nodes);
  const left = await line.read("MATCH (n:CountersignNode) WHERE n.graph STARTS WITH 'one@' RETURN count(n) AS nodes", {});
  expect(left).toEqual([{ nodes: 1 }]);
  expect(await line.read('MATCH (p:Person) RETURN p.name AS name', {})).toEqual([{ name: 'somebody' }]);
});

verifies('G28', 'constraints are there after a sync, also when they were dropped', async () => {
  await put('constraints', contentOf(['a']));
  await line.run('DROP CONSTRAINT countersign_node', {});
  await put('constraints', contentOf(['a']));
  const names = await line.run("SHOW CONSTRAINTS YIELD name WHERE name STARTS WITH 'countersign' RETURN name ORDER BY name", {});
  expect(names).toEqual([{ name: 'countersign_graph' }, { name: 'countersign_node' }]);
});

verifies('G28', 'Cypher of people runs on the new graph, and what fails leaves the old one', async () => {
  const script = (text: string) => [{ path: '.ai/graph/cypher/derive.cypher', text }];
  const graph = await put(
    'scripts',
    contentOf(['a', 'b']),
    script(`// Policies that stand beside each other; all of them.
MATCH (a:Policy {graph: $graph, id: 'a'}), (b:Policy {graph: $graph, id: 'b'}) MERGE (a)-[:BESIDE]->(b);
MATCH (a {graph: $graph, id: 'a'}) SET a.note = 'semi;colon'`),
  );
  expect((await graph.follow('a', [{ type: 'BESIDE', direction: 'out' }], 5)).length).toBe(1);
  const before = await projectionOf(line, 'scripts');
  await expect(put('scripts', contentOf(['z']), script('RETURN 1;\n\nMATCH (n RETURN n'))).rejects.toThrow(
    /^\.ai\/graph\/cypher\/derive\.cypher:3: Neo4j says: /,
  );
  expect(await projectionOf(line, 'scripts')).toEqual(before);
  expect((await graph.summary()).labels).toEqual({ Policy: 2 });
  expect(await line.read("MATCH (n:CountersignNode) WHERE n.graph STARTS WITH 'scripts@' RETURN count(n) AS nodes", {})).toEqual([
    { nodes: 2 },
  ]);
});

test('what changed is written in one step, and is then what writing all of it would be', async () => {
  const before = contentOf(
    ['a', 'b', 'c'],
    [
      ['a', 'CALLS', 'b'],
      ['b', 'CALLS', 'c'],
      ['c', 'USES', 'a'],
    ],
  );
  const after = contentOf(
    ['a', 'c', 'd'],
    [
      ['a', 'CALLS', 'c'],
      ['c', 'USES', 'a'],
      ['d', 'USES', 'd'],
    ],
  );
  const graph = await put('changes', before);
  const changed = changeBetween(before, after)!;
  const next = { digest: digestOf(after), synced_at: now().toISOString() };
  await projectChange(line, 'changes', (await projectionOf(line, 'changes'))!, changed, next);
  expect((await projectionOf(line, 'changes'))?.digest).toBe(digestOf(after));
  expect(await graph.find({ limit: 10 })).toEqual(after.nodes);
  expect((await graph.around({ ids: ['a', 'c', 'd'], direction: 'both', depth: 0, limit: 10 })).edges).toEqual(after.edges);
});

test('a wrong password and a server that is gone are reported within moments', async () => {
  const wrong = await connectNeo4j({ ...server, password: 'not it' });
  await expect(wrong.read('RETURN 1', {})).rejects.toThrow(/unauthorized|authentication/i);
  await wrong.close();
  const gone = await connectNeo4j({ ...server, address: 'bolt://127.0.0.1:1' });
  await expect(gone.read('RETURN 1', {})).rejects.toThrow(/ECONNREFUSED|connect/i);
  await gone.close();
});
