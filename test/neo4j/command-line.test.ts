// Neo4j as a person sets it up: an address in the settings, the password in a token file.

import { chmod, cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject } from 'vitest';
import type { SyncReport } from '../../src/codeindex/index.ts';
import type { GraphSummaryView, ProofChainsView } from '../../src/protocol/index.ts';
import { type Installation, makeInstallation } from '../lab/installation.ts';
import { verifies } from '../verifies.ts';

const PORTAL = new URL('../../examples/orders-portal', import.meta.url);
const server = inject('neo4j');
let place: Installation;
const file = (name: string): string => join(place.repo.path, name);
const json = async <T>(...args: readonly string[]): Promise<T> => JSON.parse((await place.run(['graph', ...args, '--json'])).stdout) as T;

beforeAll(async () => {
  place = await makeInstallation();
  await cp(PORTAL, place.repo.path, { recursive: true });
  for (const folder of ['config', 'auth', 'graph/cypher']) await mkdir(file(`.ai/${folder}`), { recursive: true });
  await writeFile(file('.ai/config/repo.json'), JSON.stringify({ graph: { neo4j: { address: server.address } } }));
  await writeFile(file('.ai/auth/neo4j.token'), `${server.password}\n`, { mode: 0o600 });
  await writeFile(
    file('.ai/graph/cypher/governs.cypher'),
    'MATCH (p:Policy {graph: $graph})-[:APPLIES_TO]->(:DomainAnchor)-[:CONTAINS*1..5]->(f:File {graph: $graph}) MERGE (p)-[:GOVERNS]->(f);\n',
  );
});
afterAll(() => place.dispose());

verifies('G28', 'after a sync, questions are answered by Neo4j, with what Cypher made of it', async () => {
  const synced = await place.ask<SyncReport>('graph', 'sync');
  expect(synced).toMatchObject({
    rows: 3,
    neo4j: { address: server.address, why_not: null },
    cypher: [{ path: '.ai/graph/cypher/governs.cypher', ran: true }],
  });
  const summary = await json<GraphSummaryView>();
  expect([summary.backend, summary.notes, summary.nodes]).toEqual(['neo4j', [], synced.summary.nodes]);
  expect(summary.types['GOVERNS']).toBeGreaterThan(10);
  const chains = await json<ProofChainsView>('--chain', 'federation');
  expect([chains.backend, chains.chains.map(({ complete }) => complete)]).toEqual(['neo4j', [true, true, false]]);
});

verifies('G28', 'a token that others can read is not used', async () => {
  await chmod(file('.ai/auth/neo4j.token'), 0o644);
  expect(await place.run(['graph'])).toMatchObject({ code: 1, stderr: expect.stringContaining('chmod 600 .ai/auth/neo4j.token') });
});
