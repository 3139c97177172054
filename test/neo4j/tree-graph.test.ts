// The graph of a whole application on a real Neo4j: the same proof chains as the embedded graph gives, kept in step while files change,
// and an embedded answer when the server goes away.

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, inject } from 'vitest';
import { ANCHOR_DEFAULTS } from '../../src/codeindex/index.ts';
import { TreeGraph } from '../../src/codeindex/graph/tree-graph.ts';
import { originChains } from '../../src/packs/angular/chains/aggrid-origin.ts';
import { federationChains } from '../../src/packs/angular/chains/federation.ts';
import { openPortal, type Portal } from '../../src/packs/angular/orders-portal.fixture.ts';
import { CODE_PACKS } from '../../src/packs/index.ts';
import { verifies } from '../verifies.ts';
import { type Pipe, pipeTo } from './pipe.ts';

/** Closing it looks like the end of the server to its client. */
let pipe: Pipe;
let portal: Portal;
let projected: TreeGraph;
const onNeo4j = (): TreeGraph =>
  new TreeGraph({
    ...{ root: portal.root, name: 'portal', index: portal.index, now: () => new Date(), packs: CODE_PACKS },
    ...{ anchors: async () => ANCHOR_DEFAULTS, memories: () => [], neo4j: async () => ({ ...inject('neo4j'), address: pipe.address }) },
  });
const chainsOf = async (tree: TreeGraph) => {
  const { graph, notes } = await tree.current();
  const ports = { graph, index: portal.index };
  return {
    backend: graph.backend,
    notes,
    chains: [...(await originChains(ports, { limit: 50 })), ...(await federationChains(ports, { limit: 50 }))],
  };
};

beforeAll(async () => {
  [pipe, portal] = await Promise.all([pipeTo(inject('neo4j').address), openPortal()]);
  projected = onNeo4j();
});
afterAll(async () => {
  await projected.close();
  await portal.remove();
  await pipe.close();
});

verifies('G28', 'before the first sync the embedded graph answers and says what to do', async () => {
  const { graph, notes } = await projected.current();
  expect(graph.backend).toBe('embedded');
  expect(notes).toEqual([`Neo4j at ${pipe.address} holds no graph of this tree yet: countersign graph sync. The embedded graph answers.`]);
});

verifies('G28', 'after a sync Neo4j gives the proof chains that the embedded graph gives', async () => {
  const report = await projected.sync();
  expect(report.neo4j).toEqual({ address: pipe.address, why_not: null });
  const [there, here] = [await chainsOf(projected), await chainsOf(portal.tree)];
  expect([there.backend, there.notes, here.backend]).toEqual(['neo4j', [], 'embedded']);
  expect(there.chains).toEqual(here.chains);
  expect(await (await projected.current()).graph.summary()).toEqual(await (await portal.tree.current()).graph.summary());
});

verifies('G28', 'a changed file is passed on to Neo4j with the next question', async () => {
  const file = path.join(portal.root, 'host/src/app/orders/orders.routes.ts');
  writeFileSync(file, readFileSync(file, 'utf8').replace("path: ':orderId'", "path: 'by-number/:orderId'"));
  await portal.index.reread();
  const [there, here] = [await chainsOf(projected), await chainsOf(portal.tree)];
  expect(there.backend).toBe('neo4j');
  expect(there.chains).toEqual(here.chains);
  expect(there.chains[0]!.complete).toBe(false);
});

verifies('G28', 'a process that restarts finds its graph again', async () => {
  const again = onNeo4j();
  try {
    const { graph, notes } = await again.current();
    expect([graph.backend, notes]).toEqual(['neo4j', []]);
  } finally {
    await again.close();
  }
});

verifies('G28', 'when the server goes away the embedded graph answers and says so', async () => {
  await pipe.close();
  const { backend, notes, chains } = await chainsOf(projected);
  expect(backend).toBe('embedded');
  expect(notes).toEqual([
    expect.stringMatching(/^Neo4j at bolt:\/\/127\.0\.0\.1:\d+ did not answer \(.+\)\. The embedded graph answers\.$/),
  ]);
  expect(chains).toEqual((await chainsOf(portal.tree)).chains);
});
