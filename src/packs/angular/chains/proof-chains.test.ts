import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { verifies } from '../../../../test/verifies.ts';
import { openPortal, type Portal } from '../orders-portal.fixture.ts';
import type { ChainPorts, ProofChain } from '../../../plan/index.ts';
import { AGGRID_ROLES, originChains } from './aggrid-origin.ts';
import { FEDERATION_ROLES, federationChains } from './federation.ts';

/** No test changes it. */
let shared: Portal;
let portal: Portal;
beforeAll(async () => {
  shared = await openPortal();
});
beforeEach(() => {
  portal = shared;
});
afterEach(async () => {
  if (portal !== shared) await portal.remove();
});
afterAll(() => shared.remove());

const ports = async (): Promise<ChainPorts> => ({ graph: (await portal.tree.current()).graph, index: portal.index });
const shown = ({ links }: ProofChain): readonly string[] =>
  links.map(
    ({ role, name, via, citation: { path: file, start_line } }) =>
      `${role}: ${name} (${via}) ${file.replace('src/app/', '…')}:${start_line}`,
  );
const gapsOf = ({ gaps }: ProofChain): readonly string[] =>
  gaps.map(({ role, why, attempted }) => `${role}: ${why} [${attempted.join(', ')}]`);
const edit = async (file: string, change: (text: string) => string): Promise<void> => {
  if (portal === shared) portal = await openPortal();
  writeFileSync(path.join(portal.root, file), change(readFileSync(path.join(portal.root, file), 'utf8')));
  await portal.index.reread();
};

verifies('G19', 'a cell of a grid is followed to the definition behind it', async () => {
  const [chain] = await originChains(await ports(), { field: 'id', file: 'host/src/app/orders/orders-page.component.ts', limit: 10 });
  expect(shown(chain!)).toEqual([
    'Table: OrdersPageComponent grid (graph) host/…orders/orders-page.component.html:2',
    'ColumnDef: id (graph) host/…orders/orders-page.component.ts:25',
    'CellRenderer: OrderLinkRenderer (graph) host/…orders/order-link.renderer.ts:12',
    'NavTrigger: /orders/* (graph) host/…orders/order-link.renderer.ts:28',
    'Route: /orders/:orderId (graph) host/…orders/orders.routes.ts:7',
    'Component: OrderDetailComponent (graph) host/…orders/order-detail.component.ts:19',
    'Service: OrderService (graph) host/…orders/order.service.ts:7',
    'Definition: getOrder (graph) host/…orders/order.service.ts:14',
  ]);
  expect(chain).toMatchObject({
    kind: 'aggrid_origin',
    complete: true,
    gaps: [],
    code: null,
    subject: 'OrdersPageComponent grid, column id',
  });
  expect(chain!.links.map(({ role }) => role)).toEqual(AGGRID_ROLES);
  expect(chain!.links.find(({ role }) => role === 'Service')?.also).toEqual(['CustomerService']);
});

verifies('G19', 'every link cites lines whose hash can be checked', async () => {
  const all = [...(await originChains(await ports(), { limit: 50 })), ...(await federationChains(await ports(), { limit: 50 }))];
  const links = all.flatMap((chain) => chain.links);
  expect(links.length).toBeGreaterThan(40);
  for (const { citation } of links) {
    const lines = readFileSync(path.join(portal.root, citation.path), 'utf8')
      .split('\n')
      .slice(citation.start_line - 1, citation.end_line);
    expect(citation.sha256).toBe(createHash('sha256').update(lines.join('\n')).digest('hex'));
    expect(citation.excerpt).toBe(lines.join('\n'));
  }
});

verifies('G19', 'clicks of the grid, of a column and links in a template count as navigation', async () => {
  const chains = await originChains(await ports(), { limit: 50 });
  const ends = chains.map(
    ({ subject, complete, links }) => `${subject} ${complete ? '→' : '⊣'} ${links.at(-1)!.role} ${links.at(-1)!.name}`,
  );
  expect(ends).toEqual([
    'OrdersPageComponent grid, column id → Definition getOrder',
    // The handler of the whole grid names this column only.
    'OrdersPageComponent grid, column customerName → Definition getCustomer',
    'OrdersPageComponent grid, column status ⊣ CellRenderer StatusBadgeRenderer',
    // Into the other application: its routes are mounted where the host loads them.
    'OrdersPageComponent grid, column invoiceId → Definition getInvoice',
    'InvoicesPageComponent grid, column id → Definition getInvoice',
    'InvoicesPageComponent grid, column orderId ⊣ ColumnDef orderId',
  ]);
});

verifies('G19', 'what is missing is a gap that says why and what was tried', async () => {
  const chains = await originChains(await ports(), { limit: 50 });
  const gaps = (field: string) => gapsOf(chains.find(({ subject }) => subject.endsWith(`column ${field}`))!);
  expect(gaps('orderId').slice(0, 2)).toEqual([
    'CellRenderer: no class is registered as "orderLookup", and none has a name like it [graph, ast]',
    'NavTrigger: not reached: CellRenderer is missing []',
  ]);
  expect(gaps('status')[0]).toBe('NavTrigger: neither the column nor StatusBadgeRenderer navigates anywhere [graph, ast, lexical]');
  expect(chains.find(({ subject }) => subject.endsWith('column status'))!.code).toBe('PLAN_ORIGIN_UNKNOWN');
  const [plain] = await originChains(await ports(), { field: 'placedAt', limit: 5 });
  expect(gapsOf(plain!)[0]).toBe('NavTrigger: neither the column nor the default renderer navigates anywhere [graph, ast, lexical]');
});

verifies('G19', 'a renderer that is not registered is found by its name, and says so', async () => {
  await edit('remotes/billing/src/app/invoices-page.component.ts', (text) => text.replace("'orderLookup'", "'invoiceActionsRenderer'"));
  const [chain] = await originChains(await ports(), { field: 'orderId', limit: 5 });
  expect(chain!.links[2]).toMatchObject({ role: 'CellRenderer', name: 'InvoiceActionsRenderer', via: 'ast' });
  expect(chain!.complete).toBe(true);
});

verifies('G19', 'an import that leads nowhere is made up for by the name of the class', async () => {
  await edit('host/src/app/orders/orders.routes.ts', (text) =>
    text.replace("'./order-detail.component'", "'@portal/orders/order-detail.component'"),
  );
  const [chain] = await originChains(await ports(), { field: 'id', file: 'host/src/app/orders/orders-page.component.html', limit: 5 });
  expect(chain!.links[5]).toMatchObject({
    role: 'Component',
    name: 'OrderDetailComponent',
    via: 'ast',
    because: 'the class that the route names',
  });
  expect(chain!.complete).toBe(true);
});

verifies('G19', 'where only the text shows a link, it is marked as lexical', async () => {
  await edit('host/src/app/orders/order-link.renderer.ts', (text) =>
    text.replace("this.router.navigate(['/orders', this.orderId]);", 'window.open(`/orders/${this.orderId}`);'),
  );
  const [chain] = await originChains(await ports(), { field: 'id', file: 'host/src/app/orders/orders-page.component.html', limit: 5 });
  expect(chain!.links[3]).toMatchObject({ role: 'NavTrigger', via: 'lexical', because: 'the text of the renderer mentions it' });
  expect(gapsOf(chain!)[0]).toBe('Route: the address is computed, so the route is unknown [graph, ast, lexical]');
});

verifies('G19', 'a route of the host is followed into the remote', async () => {
  const chains = await federationChains(await ports(), { limit: 10 });
  expect(chains.map(({ subject, complete }) => `${subject} ${complete}`)).toEqual([
    'route /billing true',
    'route /catalog true',
    'route /reports false',
  ]);
  expect(shown(chains[0]!)).toEqual([
    'Host Route: /billing (graph) host/…app.routes.ts:15',
    'Federation Mapping: billing (graph) host/src/assets/mf.manifest.json:2',
    'Remote Expose: ./Routes (graph) remotes/billing/webpack.config.js:6',
    'Remote Module: BILLING_ROUTES (graph) remotes/billing/…billing.routes.ts:5',
    'Destination Component: InvoicesPageComponent (graph) remotes/billing/…invoices-page.component.ts:13',
  ]);
  expect(shown(chains[1]!)).toEqual([
    'Host Route: /catalog (graph) host/…app.routes.ts:20',
    'Federation Mapping: catalog (graph) host/webpack.config.js:5',
    'Remote Expose: ./Module (graph) remotes/catalog/webpack.config.js:11',
    'Remote Module: CatalogModule (graph) remotes/catalog/…catalog/catalog.module.ts:17',
    'Destination Component: ProductListComponent (graph) remotes/catalog/…catalog/product-list.component.ts:14',
  ]);
  expect(chains[0]!.links.map(({ role }) => role)).toEqual(FEDERATION_ROLES);
});

verifies('G19', 'a remote that is not in the tree is named as what is missing', async () => {
  const [, , reports] = await federationChains(await ports(), { limit: 10 });
  expect(reports!.code).toBe('PLAN_FEDERATION_PROOF_MISSING');
  expect(gapsOf(reports!)).toEqual([
    'Remote Expose: no application in this tree exposes ./Reports as http://localhost:4203/remoteEntry.js: it may live in another repository [graph, ast, lexical]',
    'Remote Module: not reached: Remote Expose is missing []',
    'Destination Component: not reached: Remote Expose is missing []',
  ]);
});

verifies('G19', 'a mapping or a name that is gone is looked for in other ways', async () => {
  portal = await openPortal();
  rmSync(path.join(portal.root, 'host/src/assets/mf.manifest.json'));
  await edit('remotes/billing/webpack.config.js', (text) => text.replace("name: 'billing'", "name: 'invoicing'"));
  const [billing] = await federationChains(await ports(), { limit: 1 });
  expect(billing!.links.slice(1, 3).map(({ role, via, because }) => `${role} (${via}): ${because}`)).toEqual([
    'Federation Mapping (lexical): a configuration mentions the remote',
    'Remote Expose (ast): the only application in this tree that exposes that name',
  ]);
  expect(billing!.complete).toBe(true);
});

test('a change in one file is in the next chain', async () => {
  const before = await originChains(await ports(), { limit: 50 });
  await edit('host/src/app/orders/orders.routes.ts', (text) => text.replace("path: ':orderId'", "path: 'by-number/:orderId'"));
  const [chain] = await originChains(await ports(), { field: 'id', file: 'host/src/app/orders/orders-page.component.html', limit: 5 });
  expect(before[0]!.complete).toBe(true);
  expect(gapsOf(chain!)[0]).toBe('Route: no route has the address /orders/* [graph, ast, lexical]');
});
