// The graph as a person uses it: real processes, a real daemon, the real index, over the application in `examples/orders-portal`.

import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SyncReport } from '../src/codeindex/index.ts';
import type { GraphExportView, GraphView, ProofChainsView, RetrievalView } from '../src/protocol/index.ts';
import { type Installation, makeInstallation } from './lab/installation.ts';
import { verifies } from './verifies.ts';

const PORTAL = new URL('../examples/orders-portal', import.meta.url);

describe('countersign graph', () => {
  let place: Installation;
  const json = async <T>(...args: readonly string[]): Promise<T> => JSON.parse((await place.run(['graph', ...args, '--json'])).stdout) as T;
  const file = (name: string): string => join(place.repo.path, name);

  beforeAll(async () => {
    place = await makeInstallation();
    await cp(PORTAL, place.repo.path, { recursive: true });
  }, 60_000);
  afterAll(() => place.dispose());

  verifies('G28', 'a symbol is reported with what is around it and what applies there', async () => {
    const view = await json<GraphView>('OrderService.getOrder');
    expect(view).toMatchObject({ backend: 'embedded', notes: [], truncated: false, anchors: ['host/src/app', 'host/src', 'host', '.'] });
    expect(view.nodes.map(({ id, distance }) => [distance, id])).toEqual([
      [0, 'symbol:host/src/app/orders/order.service.ts#OrderService.getOrder'],
      [1, 'symbol:host/src/app/orders/order-detail.component.ts#OrderDetailComponent'],
      [1, 'symbol:host/src/app/orders/order.model.ts#Order'],
      [1, 'symbol:host/src/app/orders/order.service.ts#OrderService'],
    ]);
    expect(view.applies.map(({ node, to }) => [node.id, to])).toEqual([
      ['pol-grid-renderers', 'host/src/app'],
      ['pol-federation-singletons', 'host'],
    ]);
    const inFolder = await place.run(['graph', '--file', 'order.service.ts', '--types', 'DEFINES', '--json'], {
      cwd: file('host/src/app/orders'),
    });
    expect((JSON.parse(inFolder.stdout) as GraphView).nodes.map(({ name }) => name)).toEqual(['order.service.ts', 'OrderService']);
    const byWords = await json<GraphView>('--query', 'cancel an order with a reason', '--depth', '0');
    expect(byWords.starts[0]!.id).toMatch(/order\.service\.ts/);
  });

  verifies('G19', 'proof chains are shown with file and line, and gaps are named', async () => {
    const { chains } = await json<ProofChainsView>(
      '--chain',
      'aggrid',
      '--field',
      'id',
      '--file',
      'host/src/app/orders/orders-page.component.ts',
    );
    expect(chains.map(({ complete, links }) => [complete, links.map(({ via }) => via)])).toEqual([[true, Array(8).fill('graph')]]);
    const { stdout } = await place.run(['graph', '--chain', 'federation']);
    expect(stdout).toContain('Destination Component  InvoicesPageComponent  remotes/billing/src/app/invoices-page.component.ts:13');
    expect(stdout).toContain('route /reports: PLAN_FEDERATION_PROOF_MISSING');
  });

  verifies('G21', 'five lanes answer a question, each result explained', async () => {
    const { results, lanes } = await json<RetrievalView>('--lanes', 'how does OrderService cancel an order?', '--limit', '5');
    expect(Object.keys(lanes)).toEqual(['lexical', 'symbol', 'policy', 'artifact', 'episodic_memory']);
    expect(results[0]).toMatchObject({ path: 'host/src/app/orders/order.service.ts', parts: { exact: 0.25 } });
    expect(results[0]!.lanes.map(({ lane }) => lane)).toEqual(['lexical', 'symbol']);
  });

  verifies('G28', 'sync tells a bad row by file and line, and leaves the graph', async () => {
    const synced = await place.ask<SyncReport>('graph', 'sync');
    expect(synced).toMatchObject({ rows: 3, dangling: [], neo4j: null, cypher: [] });
    const rows = file('.ai/graph/seed/policies.jsonl');
    const before = await readFile(rows, 'utf8');
    await writeFile(rows, `${before}{"id":"pol-3","type":"policy"}\n`);
    const failed = await place.humanTries(['graph', 'sync']);
    expect([failed.code, failed.output]).toEqual([1, expect.stringContaining('.ai/graph/seed/policies.jsonl:3: has no version')]);
    expect((await json<GraphView>('pol-grid-renderers')).nodes[0]!.name).toBe('Cell renderers never call services');
    await writeFile(rows, before);
  });

  verifies('G28', 'a memory is in the graph, and exported as a row', async () => {
    await place.human(['memory', 'add', 'note', 'Invoices are never deleted', '--scope', 'remotes/billing/**']);
    const report = await place.ask<GraphExportView>('graph', 'export');
    expect(report).toMatchObject({ backend: 'embedded', upserts: 1, deletes: 0 });
    const row = JSON.parse(await readFile(file(report.file!), 'utf8')) as Record<string, unknown>;
    expect(row).toMatchObject({
      type: 'memory',
      statement: 'Invoices are never deleted',
      edges: [{ type: 'APPLIES_TO', to: 'anchor:remotes/billing' }],
    });
  });

  verifies('G28', 'a Neo4j that is configured and not there is said, and the graph answers', async () => {
    await mkdir(file('.ai/auth'), { recursive: true });
    await mkdir(file('.ai/config'), { recursive: true });
    await writeFile(file('.ai/config/repo.json'), '{"graph": {"neo4j": {"address": "bolt://127.0.0.1:1"}}}');
    expect((await place.run(['graph'])).stderr).toContain('.ai/auth/neo4j.token is not there');
    await writeFile(file('.ai/auth/neo4j.token'), 'secret\n', { mode: 0o600 });
    const { stdout, stderr } = await place.run(['graph', 'OrderService']);
    expect(stdout).toContain('order.service.ts:7');
    expect(stderr).toMatch(/Neo4j at bolt:\/\/127\.0\.0\.1:1 did not answer \(.+\)\. The embedded graph answers\./);
    await rm(file('.ai/config/repo.json'));
  });

  test('asking changes nothing: what writes is a human’s to ask for', async () => {
    const { client, repo } = place;
    await place.human(['graph', 'sync']);
    expect(await client.ask('graph_sync', { cwd: repo.path })).toMatchObject({ state: 'done', report: { rows: 3 } });
    await expect(client.ask('graph_export' as 'graph_sync', { cwd: repo.path })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('what is asked for wrongly is refused with the way out', async () => {
    expect(await place.run(['graph', '--chain', 'nothing'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('The chains are aggrid_origin, federation'),
    });
    expect(await place.run(['graph', 'NobodyHasThisName'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is no symbol NobodyHasThisName'),
    });
    expect(await place.run(['graph', 'a', '--file', 'b'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('one of symbol, file and query'),
    });
  });
});
