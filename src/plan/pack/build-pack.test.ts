import { expect, test } from 'vitest';
import { verifies } from '../../../test/verifies.ts';
import { type Claim, ContextPack, PACK_SECTIONS } from '../../protocol/index.ts';
import { canonicalHash, hashOf } from '../canonical.ts';
import { ORDERS, openPlanTree, smallPlan } from '../plan.fixture.ts';
import { buildPack, packHash, type PackContents } from './build-pack.ts';

const CONSTRAINT = {
  id: 'clm_1',
  kind: 'constraint',
  statement: 'Totals are never negative',
  approved: { name: 'm' },
  citations: [],
} as unknown as Claim;

verifies('G6', 'a pack has the nine sections, its bytes have its hash, and its ref leads to them', async () => {
  const tree = await openPlanTree({
    ...ORDERS,
    '.ai/graph/seed/policies.jsonl': `${JSON.stringify({ id: 'pol-1', type: 'policy', version: 1, updated_at: '2026-01-01T00:00:00Z', updated_by: 'm', title: 'Orders', statement: 'Totals are rounded once.', domainAnchorIds: ['src/orders'] })}\n`,
  });
  const recall = () => [{ claim: CONSTRAINT, times: 1, score: 1, why: ['matches "totals"'] }];
  const { pack } = await tree.review(smallPlan(), {}, { recall });
  expect(Object.keys(pack!.pack)).toEqual(PACK_SECTIONS);
  expect(ContextPack.safeParse(pack!.pack).error).toBeUndefined();
  expect(hashOf(pack!.bytes)).toBe(pack!.hash);
  expect(packHash(pack!.ref)).toBe(pack!.hash);
  expect(JSON.parse(new TextDecoder().decode(pack!.bytes))).toEqual(pack!.pack);
  const { header, ...sections } = pack!.pack;
  expect(header.sections).toEqual(Object.fromEntries(Object.entries(sections).map(([name, section]) => [name, canonicalHash(section)])));
  expect(sections).toMatchObject({
    constraints: {
      prompt: 'Totals of orders have to be rounded to cents',
      remembered: [{ id: 'clm_1' }],
      intent: { acceptance: ['Totals have two digits'] },
    },
    policies: { versions: { scope: '1' }, rows: [{ id: 'pol-1', appliesTo: 'src/orders', text: 'Totals are rounded once.' }] },
    strategy: { strategyId: 'general_code_change', contextSignature: { testConfidenceLevel: 'high' } },
    allowed: { globs: ['src/**', 'test/**', 'docs/**'], files: ['src/orders/total.ts'], capabilities: ['apply_code_patch'] },
    validation: { checks: [{ name: 'test' }, { name: 'typecheck' }], hooks: [{ nodeId: 'n1', hooks: ['test'] }] },
  });
  expect(sections.anchors.files.map(({ what }) => what)).toEqual(['prompt', 'src/orders/total.ts:3-5']);
  expect(sections.anchors.related.some(({ path }) => path === 'src/orders/total.ts')).toBe(true);
});

verifies('G6', 'the same plan over the same tree gives the same bytes', async () => {
  const tree = await openPlanTree();
  const [one, two] = [await tree.review(smallPlan()), await tree.review(smallPlan())];
  expect(one.pack!.hash).toBe(two.pack!.hash);
  expect((await tree.review(smallPlan({ editIntent: 'Return total() as a string' }))).pack!.hash).not.toBe(one.pack!.hash);
});

verifies('G6', 'a rejected plan is answered with its pack too', async () => {
  const tree = await openPlanTree();
  const { accepted, pack } = await tree.review(smallPlan({ verificationHooks: ['true'] }));
  expect(accepted).toBe(false);
  expect(pack!.pack.anchors.files).not.toEqual([]);
});

verifies('G6', 'a pack stays within its bytes, and says what it left out', async () => {
  const tree = await openPlanTree();
  const { pack } = await tree.review(smallPlan());
  const related = Array.from({ length: 400 }, (_, at) => ({
    nodeId: null,
    what: `file ${at}`,
    path: `src/${at}.ts`,
    citation: null,
    because: 'x'.repeat(200),
  }));
  const { strategy, header } = pack!.pack;
  const contents = {
    ...{
      situation: tree.situation,
      repoSnapshotId: header.repoSnapshotId,
      scopeAllowlistRef: 'x',
      strategy,
      evidencePolicy: pack!.pack.policies.evidencePolicy,
    },
    ...{ nodes: [], remembered: [], conflicts: [], policies: [], files: [], related, chains: [], missing: [], memories: [] },
  } as unknown as PackContents;
  const small = buildPack(contents, 20_000);
  expect(small.bytes.length).toBeLessThanOrEqual(20_000);
  expect(small.pack.anchors.related).toEqual(related.slice(0, small.pack.anchors.related.length));
  expect(small.pack.missing.leftOut).toEqual([expect.stringMatching(/^\d+ of 400 in related/)]);
  // What decides is never left out.
  expect(buildPack(contents, 10).pack.strategy.strategyId).toBe(strategy.strategyId);
});

test('what is no ref of a pack leads nowhere', () => {
  expect(['', 'pack:', `pack:${'g'.repeat(64)}`, `act:${'a'.repeat(64)}`, `pack:${'a'.repeat(65)}`].map(packHash)).toEqual([
    null,
    null,
    null,
    null,
    null,
  ]);
});
