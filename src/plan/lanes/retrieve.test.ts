import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifies } from '../../../test/verifies.ts';
import type { Hit } from '../../memory/index.ts';
import type { Claim } from '../../protocol/index.ts';
import { openPortal, type Portal } from '../../packs/angular/orders-portal.fixture.ts';
import { LANES, type LanePorts } from './lane.ts';
import { rerank } from './rerank.ts';
import { retrieve } from './retrieve.ts';

let portal: Portal;
let ports: LanePorts;
const MEMORY = {
  id: 'clm_1',
  kind: 'constraint',
  statement: 'Invoices are never deleted, they are cancelled',
  rationale: 'Auditors',
  citations: [],
} as unknown as Claim;

beforeAll(async () => {
  portal = await openPortal();
  ports = {
    index: portal.index,
    graph: (await portal.tree.current()).graph,
    recall: (query): readonly Hit[] => (/invoice/i.test(query) ? [{ claim: MEMORY, times: 1, score: 2, why: ['says invoice'] }] : []),
    artifacts: () => [
      { id: 'jira:PORTAL-17', title: 'PORTAL-17 Cancel an order from its page', text: 'A clerk cancels an order and gives a reason' },
      { id: 'jira:PORTAL-18', title: 'PORTAL-18 Dark mode', text: 'Colours for the night' },
    ],
  };
});
afterAll(() => portal.remove());

verifies('G21', 'five lanes answer, and each result says which and why', async () => {
  const { results, lanes } = await retrieve(ports, 'Where does OrderService cancel an order with a reason? Renderers call no services', 12);
  expect(Object.keys(lanes)).toEqual(LANES);
  expect(lanes).toMatchObject({ policy: 1, artifact: expect.any(Number), episodic_memory: 0 });
  const [first] = results;
  expect(first).toMatchObject({
    id: 'file:host/src/app/orders/order.service.ts',
    title: 'host/src/app/orders/order.service.ts, OrderService',
  });
  expect(first!.citation).toMatchObject({ path: 'host/src/app/orders/order.service.ts', start_line: 7 });
  expect(first!.lanes.map(({ lane }) => lane)).toEqual(['lexical', 'symbol']);
  expect(first!.lanes[1]).toEqual({ lane: 'symbol', rank: 1, why: 'class OrderService' });
  expect(results.map(({ id }) => id)).toContain('jira:PORTAL-17');
  expect(results.find(({ id }) => id === 'pol-grid-renderers')?.lanes).toEqual([
    { lane: 'policy', rank: 1, why: expect.stringContaining('render') },
  ]);
});

verifies('G21', 'a score is the sum of its parts, and the order is by score', async () => {
  const { results } = await retrieve(ports, 'invoice total', 20);
  for (const { score, parts } of results) expect(score).toBeCloseTo(parts.fusion + parts.coverage + parts.exact + parts.proximity, 3);
  const scores = results.map(({ score }) => score);
  expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  expect(await retrieve(ports, 'invoice total', 20)).toEqual(await retrieve(ports, 'invoice total', 20));
});

verifies('G21', 'memory is a lane among the others', async () => {
  const { results, lanes } = await retrieve(ports, 'delete an invoice', 5);
  expect(lanes.episodic_memory).toBe(1);
  expect(results.find(({ id }) => id === 'clm_1')).toMatchObject({
    title: 'constraint: Invoices are never deleted, they are cancelled',
    lanes: [{ lane: 'episodic_memory', rank: 1, why: 'says invoice' }],
  });
});

test('the best of a lane is not crowded out by many of another', () => {
  const hit = (id: string, text: string) => ({ id, title: id, text, path: null, citation: null, exact: false, why: '' });
  const many = Array.from({ length: 20 }, (_, at) => hit(`file:${at}`, 'orders grid column renderer'));
  const found = {
    lexical: many,
    symbol: many.slice(0, 9),
    policy: [hit('pol', 'something else')],
    artifact: [],
    episodic_memory: [hit('clm', 'else')],
  };
  expect(rerank('orders grid column', found, 4).map(({ id }) => id)).toEqual(['file:0', 'file:1', 'clm', 'pol']);
});

test('what two lanes found comes before what one found', () => {
  const hit = (id: string) => ({ id, title: id, text: 'x', path: null, citation: null, exact: false, why: '' });
  const found = { lexical: [hit('a'), hit('b')], symbol: [hit('b')], policy: [], artifact: [], episodic_memory: [] };
  expect(rerank('question', found, 5).map(({ id, lanes }) => [id, lanes.length])).toEqual([
    ['b', 2],
    ['a', 1],
  ]);
});

test('a question without a word finds nothing and breaks nothing', async () => {
  expect((await retrieve(ports, '   ', 5)).results).toEqual([]);
  expect((await retrieve(ports, '\u0000 %%% .*', 5)).results).toEqual([]);
});
