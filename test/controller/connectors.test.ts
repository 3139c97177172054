// Tickets and API descriptions as an agent gets them through the controller, from real servers on loopback.

import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { serve } from '../../src/connectors/bad-server.fixture.ts';
import { connectController, PLAN, writeShop } from '../lab/controller.ts';
import { type Installation, makeInstallation } from '../lab/installation.ts';
import { verifies } from '../verifies.ts';

let installation: Installation;
beforeAll(async () => {
  installation = await makeInstallation();
});
afterAll(() => installation.dispose());

async function shopWith(connectors: Record<string, unknown>, auth: Record<string, unknown> = {}) {
  const place = await installation.beside();
  const root = place.repo.path;
  await writeShop(root);
  await mkdir(join(root, '.ai/config'), { recursive: true });
  await mkdir(join(root, '.ai/auth'), { recursive: true });
  await writeFile(join(root, '.ai/config/repo.json'), JSON.stringify({ connectors, auth }));
  await writeFile(join(root, '.ai/auth/jira.token'), 'jira-token-of-this-test\n', { mode: 0o600 });
  await writeFile(join(root, '.ai/auth/specs.token'), 'spec-token-of-this-test\n', { mode: 0o600 });
  expect((await place.human(['intent', 'round the total', 'src'])).code).toBe(0);
  return { place, root, controller: await connectController(place) };
}

const TICKET = {
  key: 'SHOP-12',
  fields: { summary: 'Round the total', description: 'h3. Acceptance criteria\n* total() rounds to cents', status: { name: 'Open' } },
};
const SPEC = {
  openapi: '3.1.0',
  info: { title: 'Orders', version: '1' },
  paths: { '/orders/{id}': { get: { operationId: 'getOrder', responses: {} } } },
};

verifies('G20', 'a ticket is fetched with its token, counts as a source of a plan, and its token is in no record', async () => {
  const server = await serve((_, response) => response.end(JSON.stringify(TICKET)));
  const { place, controller } = await shopWith({ jira: server.url });
  const citing = { nodes: [{ ...PLAN.nodes[0], citations: [{ ref: 'jira:SHOP-12' }] }, PLAN.nodes[1]] };
  await controller.turn('read_file_lines', { targetFile: 'src/total.js' });
  const early = await controller.turn('submit_execution_plan', { planGraph: citing });
  expect(early.denyReasons).toContain('PLAN_EVIDENCE_INSUFFICIENT');

  const { result, denyReasons } = await controller.turn('fetch_jira_ticket', { ticketKey: 'shop-12' });
  expect(denyReasons).toEqual([]);
  expect(result).toMatchObject({
    ref: 'jira:SHOP-12',
    ticket: { key: 'SHOP-12', status: 'Open', acceptanceCriteria: ['total() rounds to cents'] },
    trace: [{ answer: 200 }],
  });
  expect(server.asked[0]?.authorization).toBe('Bearer jira-token-of-this-test');
  expect((await controller.turn('submit_execution_plan', { planGraph: citing })).result).toMatchObject({ accepted: true });
  await controller.close();

  const receipts = await place.human(['receipts', '--json']);
  expect([receipts.code, receipts.output.includes('fetch_jira_ticket')]).toEqual([0, true]);
  expect(receipts.output).not.toContain('jira-token-of-this-test');
});

verifies(
  'G20',
  'without a server, with a token that others can read, and with a server in trouble the agent gets a reason and goes on',
  async () => {
    const { controller } = await shopWith({});
    const unset = await controller.turn('fetch_jira_ticket', { ticketKey: 'SHOP-12' });
    expect(unset).toMatchObject({ denyReasons: ['CONNECTOR_NOT_SET_UP'], state: 'PLAN_REQUIRED', result: { failure: 'not_set_up' } });
    const elsewhere = await controller.turn('fetch_api_spec', { specUrl: 'https://example.com/openapi.json' });
    expect(elsewhere.result.refusal?.message).toBe('example.com is not on the list of allowed hosts.');
    await controller.close();

    const server = await serve((_, response) => response.writeHead(404).end());
    const other = await shopWith({ jira: server.url });
    expect(await other.controller.turn('fetch_jira_ticket', { ticketKey: 'SHOP-99' })).toMatchObject({
      denyReasons: ['CONNECTOR_FAILED'],
      result: { failure: 'not_found', trace: [{ answer: 404 }] },
    });
    expect((await other.controller.turn('fetch_jira_ticket', { ticketKey: '../../admin' })).denyReasons).toEqual(['CONNECTOR_FAILED']);
    await chmod(join(other.root, '.ai/auth/jira.token'), 0o644);
    const open = await other.controller.turn('fetch_jira_ticket', { ticketKey: 'SHOP-12' });
    expect([open.state, open.result.refusal?.message]).toEqual(['PLAN_REQUIRED', '.ai/auth/jira.token can be read by others.']);
    expect(server.asked.map(({ path }) => path)).toEqual(['/rest/api/2/issue/SHOP-99?fields=*all&expand=names']);
    await other.controller.close();
  },
);

verifies(
  'G20',
  'an API description is listed and sliced, from an allowed host with its token and from the work tree over several files',
  async () => {
    const server = await serve((_, response) => response.end(JSON.stringify(SPEC)));
    const { controller, root } = await shopWith(
      { specHosts: [server.host], specTokenHost: server.host },
      { swagger: '.ai/auth/specs.token' },
    );
    const fetched = await controller.turn('fetch_api_spec', { specUrl: `${server.url}/openapi.json` });
    expect(fetched.result).toMatchObject({ title: 'Orders', form: '3.1.0', count: 1, operations: [{ operationId: 'getOrder' }] });
    expect(server.asked[0]?.authorization).toBe('Bearer spec-token-of-this-test');

    await mkdir(join(root, 'api/parts'), { recursive: true });
    await writeFile(
      join(root, 'api/openapi.yaml'),
      'openapi: 3.0.0\ninfo: {title: Local, version: "1"}\npaths:\n  /a:\n    get:\n      operationId: getA\n      responses: {"200": {content: {x: {schema: {$ref: "parts/a.yaml#/A"}}}}}\n' +
        '    put: {operationId: putA, parameters: [{$ref: "../.ai/auth/specs.token"}, {$ref: "../.ai/config/repo.json#/auth"}], responses: {}}\n',
    );
    await writeFile(join(root, 'api/parts/a.yaml'), 'A: {type: string}\n');
    const sliced = await controller.turn('fetch_api_spec', { specUrl: 'api/openapi.yaml', operation: 'getA' });
    expect(sliced.result).toMatchObject({ operation: { method: 'GET', schemas: { A: { type: 'string' } } } });
    expect((await controller.turn('fetch_api_spec', { specUrl: 'api/openapi.yaml', operation: 'getB' })).suggestedAction).toMatchObject({
      verb: 'fetch_api_spec',
      args: { specUrl: 'api/openapi.yaml' },
    });
    // A reference is no way around what may be read.
    const { result } = await controller.turn('fetch_api_spec', { specUrl: 'api/openapi.yaml', operation: 'putA' });
    expect((result['operation'] as { unresolved: unknown[] }).unresolved.length).toBe(1);
    expect(JSON.stringify(result)).not.toContain('spec-token-of-this-test');
    expect((await controller.turn('fetch_api_spec', { specUrl: '.ai/auth/specs.token' })).denyReasons[0]).toBe('GOVERNANCE_FILE');
    await controller.close();
  },
);
