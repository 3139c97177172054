import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { verifies } from '../../../test/verifies.ts';
import { type Claim, Fault } from '../../protocol/index.ts';
import { ANCHOR_DEFAULTS } from './anchors.ts';
import { type PlainIndex, plainIndex } from './plain-index.fixture.ts';
import { traceGraph } from './trace-graph.ts';
import { TreeGraph, type TreeGraphPorts } from './tree-graph.ts';

let root: string;
let index: PlainIndex;
let open: TreeGraph[];

const FILES = {
  'src/money.ts': 'export function round(cents: number): number {\n  return Math.round(cents);\n}\n',
  'src/orders/total.ts':
    "import { round } from '../money.ts';\nimport { Base } from './base.ts';\n\nexport class Total extends Base {\n  sum(): number {\n    return this.of(round(2));\n  }\n  of(cents: number): number {\n    return cents;\n  }\n}\n",
  'src/orders/base.ts': 'export class Base {}\n',
  'src/orders/index.ts': "export * from './total.ts';\nexport { Base as Ground } from './base.ts';\n",
  'src/main.ts':
    "import { Ground, Total } from './orders/index.ts';\n\nexport const total = new Total().sum();\nexport class Mine extends Ground {}\n",
};
const POLICY = {
  id: 'pol-money',
  type: 'policy',
  version: 1,
  updated_at: '2026-02-17T09:00:00Z',
  updated_by: 'maria',
  title: 'Cents only',
  domainAnchorIds: ['src'],
};
const MEMORY = {
  ...{
    id: 'clm_00000000000000000000000001',
    kind: 'fact',
    statement: 'Totals are in cents',
    rationale: null,
    scope: ['src/orders/**'],
    checks: [],
    receipts: [],
  },
  ...{ session: null, agent: 'human', written_at: '2026-02-18T10:00:00Z', approved: null },
  citations: [{ path: 'src/money.ts', start_line: 1, end_line: 3, sha256: 'a'.repeat(64) }],
} as unknown as Claim;

const write = (file: string, text: string): void => {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), text);
};
const seed = (file: string, ...rows: readonly object[]): void =>
  write(`.ai/graph/seed/${file}`, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
const graphOf = (more: Partial<TreeGraphPorts> = {}): TreeGraph => {
  const tree = new TreeGraph({
    ...{ root, name: 'test', index, now: () => new Date('2026-03-01T12:00:00Z') },
    ...{ anchors: async () => ANCHOR_DEFAULTS, memories: () => [], neo4j: async () => null, packs: [] },
    ...more,
  });
  open.push(tree);
  return tree;
};

beforeEach(async () => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'countersign-graph-')));
  open = [];
  for (const [file, text] of Object.entries(FILES)) write(file, text);
  index = await plainIndex(root);
});
afterEach(async () => {
  for (const tree of open) await tree.close();
  rmSync(root, { recursive: true, force: true });
});

verifies('G28', 'files, symbols, calls and inheritance are in the graph, through what modules pass on', async () => {
  const { graph, notes } = await graphOf().current();
  expect([graph.backend, notes]).toEqual(['embedded', []]);
  const near = async (id: string) =>
    (await graph.around({ ids: [id], direction: 'out', depth: 1, limit: 20 })).edges
      .filter(({ from }) => from === id)
      .map(({ type, to, path: at, line }) => `${type} ${to} ${at}:${line}`);
  expect(await near('symbol:src/orders/total.ts#Total.sum')).toEqual([
    'CALLS symbol:src/money.ts#round src/orders/total.ts:6',
    'CALLS symbol:src/orders/total.ts#Total.of src/orders/total.ts:6',
  ]);
  expect(await near('symbol:src/orders/total.ts#Total')).toEqual([
    'EXTENDS symbol:src/orders/base.ts#Base src/orders/total.ts:4',
    'HAS_MEMBER symbol:src/orders/total.ts#Total.of src/orders/total.ts:8',
    'HAS_MEMBER symbol:src/orders/total.ts#Total.sum src/orders/total.ts:5',
    'USES symbol:src/orders/base.ts#Base src/orders/total.ts:4',
  ]);
  expect(await near('symbol:src/main.ts#Mine')).toContain('EXTENDS symbol:src/orders/base.ts#Base src/main.ts:4');
  expect(await near('file:src/main.ts')).toContain('IMPORTS file:src/orders/index.ts src/main.ts:1');
  expect(await near('anchor:src/orders')).toContain('CONTAINS file:src/orders/base.ts null:null');
});

verifies('G28', 'policies and memories apply to the folders that they name, and a trace tells them', async () => {
  seed('policies.jsonl', POLICY);
  const { graph } = await graphOf({ memories: () => [MEMORY] }).current();
  const request = { direction: 'both', depth: 1, limit: 50 } as const;
  const trace = await traceGraph(graph, index, { ...request, symbol: 'Total.sum' }, ANCHOR_DEFAULTS);
  expect(trace.starts).toEqual([{ id: 'symbol:src/orders/total.ts#Total.sum', because: 'defined at src/orders/total.ts:5' }]);
  expect(trace.anchors).toEqual(['src/orders', 'src', '.']);
  expect(trace.applies.map(({ node, to }) => `${node.label} ${node.name} → ${to}`)).toEqual([
    'Memory Totals are in cents → src/orders',
    'Policy Cents only → src',
  ]);
  const cited = await graph.follow(MEMORY.id, [{ type: 'CITES', direction: 'out' }], 5);
  expect(cited[0]!.edges).toEqual([{ from: MEMORY.id, type: 'CITES', to: 'file:src/money.ts', path: 'src/money.ts', line: 1 }]);
  expect((await traceGraph(graph, index, { ...request, file: 'src/money.ts' }, ANCHOR_DEFAULTS)).nodes[0]!.id).toBe('file:src/money.ts');
  expect((await traceGraph(graph, index, { ...request, query: 'round cents' }, ANCHOR_DEFAULTS)).starts[0]!.id).toBe('file:src/money.ts');
  expect((await traceGraph(graph, index, { ...request, symbol: 'pol-money' }, ANCHOR_DEFAULTS)).starts).toEqual([
    { id: 'pol-money', because: 'the id' },
  ]);
  await expect(traceGraph(graph, index, { ...request, symbol: 'nobody' }, ANCHOR_DEFAULTS)).rejects.toThrow(
    'There is no symbol nobody in the graph.',
  );
  await expect(traceGraph(graph, index, request, ANCHOR_DEFAULTS)).rejects.toThrow('say one of symbol, file and query');
});

verifies('G28', 'a sync puts the seeds in; one bad row leaves the graph as it was', async () => {
  seed('policies.jsonl', POLICY);
  seed('deep/er/recipes.jsonl', {
    ...POLICY,
    id: 'rcp',
    type: 'recipe',
    edges: [
      { type: 'OBEYS', to: 'pol-money' },
      { type: 'ABOUT', to: 'file:gone.ts' },
    ],
  });
  write('.ai/graph/cypher/derive.cypher', 'RETURN 1;');
  const tree = graphOf();
  const report = await tree.sync();
  expect(report).toMatchObject({ rows: 2, neo4j: null, notes: [], cypher: [{ path: '.ai/graph/cypher/derive.cypher', ran: false }] });
  expect(report.dangling).toEqual([
    { from: 'rcp', type: 'ABOUT', to: 'file:gone.ts', path: '.ai/graph/seed/deep/er/recipes.jsonl', line: 1 },
  ]);
  expect(report.summary.labels).toMatchObject({ Policy: 1, Recipe: 1 });
  const before = await (await tree.current()).graph.summary();

  seed('policies.jsonl', { ...POLICY, title: 'Changed' }, { ...POLICY, id: 'pol-2', updated_by: '' });
  await expect(tree.sync()).rejects.toThrow('.ai/graph/seed/policies.jsonl:2: updated_by says who');
  const { graph } = await tree.current();
  expect(await graph.summary()).toEqual(before);
  expect((await graph.node('pol-money'))?.name).toBe('Cents only');

  seed('policies.jsonl', { ...POLICY, title: 'Changed' });
  await tree.sync();
  expect((await (await tree.current()).graph.node('pol-money'))?.name).toBe('Changed');
});

test('seeds that cannot be read at first are reported, and the rest of the graph answers', async () => {
  seed('bad.jsonl', { id: 'x' });
  const { graph, notes } = await graphOf().current();
  expect(notes[0]).toMatch(/^The seeds are not in the graph: \.ai\/graph\/seed\/bad\.jsonl:1: has no type/);
  expect((await graph.summary()).labels['File']).toBe(5);
});

verifies('G28', 'what the graph has and the seeds lack is exported as rows that can be seeds', async () => {
  seed('policies.jsonl', POLICY);
  const tree = graphOf({ memories: () => [MEMORY] });
  await tree.sync();
  const report = await tree.export();
  expect(report).toMatchObject({
    backend: 'embedded',
    upserts: 1,
    deletes: 0,
    file: `.ai/graph/out/delta-${report.digest.slice(0, 12)}.jsonl`,
  });
  const text = readFileSync(path.join(root, report.file!), 'utf8');
  expect(JSON.parse(text)).toMatchObject({
    ...{
      id: MEMORY.id,
      type: 'memory',
      version: 1,
      updated_at: '2026-02-18T10:00:00Z',
      updated_by: 'human',
      statement: 'Totals are in cents',
    },
    edges: [
      { type: 'APPLIES_TO', to: 'anchor:src/orders' },
      { type: 'CITES', to: 'file:src/money.ts' },
    ],
  });
  // The same again, and then taken over: nothing is left to say.
  expect((await tree.export()).file).toBe(report.file);
  expect(readdirSync(path.join(root, '.ai/graph/out'))).toHaveLength(1);
  write('.ai/graph/seed/memories.jsonl', text);
  await tree.sync();
  expect(await tree.export()).toMatchObject({ upserts: 0, deletes: 0, file: null });
  // Written down, and not synced yet.
  seed('more.jsonl', { ...POLICY, id: 'pol-new' });
  const last = await tree.export();
  expect([last.deletes, last.text]).toEqual([1, '{"op":"delete","id":"pol-new"}\n']);
});

verifies('G28', 'without its Neo4j the embedded graph answers and says so', async () => {
  const settings = { address: 'bolt://127.0.0.1:1', user: 'neo4j', password: 'x', database: null };
  const tree = graphOf({ neo4j: async () => settings });
  const { graph, notes } = await tree.current();
  expect(graph.backend).toBe('embedded');
  expect(notes).toEqual([expect.stringMatching(/^Neo4j at bolt:\/\/127\.0\.0\.1:1 did not answer \(.+\)\. The embedded graph answers\.$/)]);
  const report = await tree.sync();
  expect(report.neo4j).toEqual({ address: settings.address, why_not: expect.stringContaining('did not answer') });
});

test('a Neo4j on another machine is refused', async () => {
  const tree = graphOf({ neo4j: async () => ({ address: 'bolt://graph.example.com:7687', user: 'a', password: 'b', database: null }) });
  await expect(tree.current()).rejects.toThrow(Fault);
});

test('a file that changed, came or went is in the next answer', async () => {
  const tree = graphOf();
  const first = (await tree.current()).graph;
  expect((await tree.current()).graph).toBe(first);
  write('src/money.ts', 'export const nothing = 1;\n');
  write('src/new.ts', 'export function fresh(): void {}\n');
  rmSync(path.join(root, 'src/orders/base.ts'));
  await index.reread();
  const { graph } = await tree.current();
  expect(await graph.node('symbol:src/money.ts#round')).toBeNull();
  expect((await graph.node('symbol:src/new.ts#fresh'))?.line).toBe(1);
  expect(await graph.node('file:src/orders/base.ts')).toBeNull();
});
