// The embedded graph on 50,000 nodes: how long it takes to make, and three steps from a node beside SQLite's recursive query over an
// index on both ends, in the same run.
// node bench/graph.ts [--json FILE]

import { DatabaseSync } from 'node:sqlite';
import { assemble } from '../src/codeindex/graph/assemble.ts';
import { EmbeddedGraph } from '../src/codeindex/graph/embedded-graph.ts';
import { report } from './report/report.ts';

const NODES = 50_000;
const EDGES = 400_000;
const STARTS = 100;
const DEPTH = 3;
const ROUNDS = 3;

/** The same graph in every run: some nodes that many lead to, as in code. */
let state = 20_300_601;
const random = (below: number): number => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
};
const idOf = (number: number): string => `symbol:src/area${number % 97}/file${number % 1999}.ts#Thing${number}`;
const nodes = Array.from({ length: NODES }, (_, number) => ({
  ...{ id: idOf(number), label: 'Symbol', name: `Thing${number}` },
  ...{ path: `src/area${number % 97}/file${number % 1999}.ts`, line: 1 + (number % 900), data: { kind: 'class' } },
}));
const edges = Array.from({ length: EDGES }, () => ({
  ...{ from: idOf(random(NODES)), type: 'CALLS', to: idOf(random(2) === 0 ? random(NODES) : random(2_000)) },
  ...{ path: 'a.ts', line: 1 },
}));
const starts = Array.from({ length: STARTS }, () => idOf(random(NODES)));

/** The best of several rounds: the others are also the machine's. */
async function best<T>(work: () => T | Promise<T>): Promise<readonly [number, T]> {
  let value = await work();
  let shortest = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    const before = performance.now();
    value = await work();
    shortest = Math.min(shortest, performance.now() - before);
  }
  return [shortest, value];
}

const [building, graph] = await best(() => new EmbeddedGraph(assemble([{ nodes, edges }])));
const [walking, told] = await best(async () => {
  let sum = 0;
  for (const id of starts) sum += (await graph.around({ ids: [id], direction: 'out', depth: DEPTH, limit: NODES })).nodes.length;
  return sum;
});

const database = new DatabaseSync(':memory:');
database.exec('CREATE TABLE edges (source TEXT, target TEXT)');
const insert = database.prepare('INSERT INTO edges VALUES (?, ?)');
database.exec('BEGIN');
for (const { from, to } of graph.content.edges) insert.run(from, to);
database.exec('COMMIT; CREATE INDEX by_source ON edges (source, target)');
const query = database.prepare(`
  WITH RECURSIVE steps(id, depth) AS (
    SELECT ?, 0 UNION SELECT target, depth + 1 FROM steps JOIN edges ON source = id WHERE depth < ${DEPTH})
  SELECT id, min(depth) FROM steps GROUP BY id`);
const [asking, found] = await best(() => starts.reduce((sum, id) => sum + query.all(id).length, 0));
database.close();
if (found !== told) throw new Error(`the two do not agree: ${told} and ${found} nodes`);

report('graph', [
  { what: `made from ${NODES} nodes and ${EDGES} edges`, value: building, unit: 'ms' },
  { what: `${DEPTH} steps from a node, nodes and edges told`, value: walking / STARTS, unit: 'ms' },
  { what: 'nodes reached from each', value: told / STARTS, unit: '' },
  { what: "SQLite's recursive query, ids alone", value: asking / STARTS, unit: 'ms' },
  { what: 'against SQLite', value: asking / walking, unit: '×', atLeast: 1 },
]);
