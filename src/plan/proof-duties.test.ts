// Plans about grids, federated routes and APIs, over a real Angular application and a real API description.

import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { openPlanRoot, openPlanTree, smallPlan } from './plan.fixture.ts';

async function openPortalPlans(change: (root: string) => void = () => {}) {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'countersign-plans-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  cpSync(new URL('../../examples/orders-portal', import.meta.url), root, { recursive: true });
  change(root);
  return openPlanRoot(root, ['**']);
}

const plan = (targetFile: string, more: object = {}, ...nodes: readonly unknown[]) => ({
  nodes: [
    {
      targetFile,
      whyThisFile: 'It shows the orders',
      editIntent: 'Show the date of an order',
      codeEvidence: [`${targetFile}:1-5`],
      verificationHooks: ['test'],
      ...more,
    },
    ...nodes,
  ],
});
const edit = (root: string, file: string, from: RegExp | string, to: string): void => {
  const text = readFileSync(path.join(root, file), 'utf8');
  expect(text).toMatch(from);
  writeFileSync(path.join(root, file), text.replace(from, to));
};

verifies(
  'G7',
  'PLAN_ORIGIN_UNKNOWN: a grid whose chain can be followed passes, one with a gap does not, and an escalation is the way on',
  async () => {
    const grid = 'host/src/app/orders/orders-page.component.ts';
    const whole = await (await openPortalPlans()).review(plan(grid));
    expect(whole.errors).toEqual([]);
    expect(whole.strategy.strategyId).toBe('ui_aggrid_feature');
    expect(whole.pack!.pack.anchors.chains.some(({ kind, complete }) => kind === 'aggrid_origin' && complete)).toBe(true);

    const broken = await openPortalPlans((root) => {
      for (const file of ['host/src/app/app.routes.ts', 'host/src/app/orders/orders.routes.ts'])
        edit(root, file, /path: '[^']*'/g, 'path: computed()');
    });
    const { errors } = await broken.review(plan(grid));
    expect(errors).toMatchObject([
      { code: 'PLAN_ORIGIN_UNKNOWN', nodeId: 'n1', field: 'codeEvidence', message: expect.stringContaining('is missing') },
    ]);
    const escalate = { nodeId: 'ask', requestedEvidence: ['Where do the rows come from?'], blockingReasons: ['The chain has a gap'] };
    expect((await broken.review(plan(grid, { dependsOn: ['ask'] }, escalate))).errors).toEqual([]);
  },
  60_000,
);

verifies(
  'G7',
  'PLAN_FEDERATION_PROOF_MISSING: a federated route is followed into its remote, and a remote that is gone is a gap',
  async () => {
    const routes = 'host/src/app/app.routes.ts';
    const whole = await (await openPortalPlans()).review(plan(routes));
    expect(whole.errors).toEqual([]);
    expect(whole.strategy.contextSignature!.crossesFederationBoundary).toBe(true);
    const gone = await openPortalPlans((root) => rmSync(path.join(root, 'remotes'), { recursive: true }));
    expect((await gone.review(plan(routes))).errors).toMatchObject([{ code: 'PLAN_FEDERATION_PROOF_MISSING', nodeId: 'n1' }]);
    // angular.projects: chains are asked of changes in these places only.
    const asked = async (...projects: string[]) => (await gone.review(plan(routes), { hints: { manifests: [], projects } })).errors.length;
    expect([await asked('host/**'), await asked('apps/**')]).toEqual([1, 0]);
  },
  60_000,
);

verifies(
  'G7',
  'PLAN_MISSING_CONTRACT_ANCHOR goes away with an operation that the description has, and not with one that it has not',
  async () => {
    const tree = await openPlanTree();
    const prompt = 'Bring the OpenAPI contract up to date';
    const refused = await tree.review(smallPlan(), { prompt });
    expect(refused.errors).toMatchObject([
      { code: 'PLAN_MISSING_CONTRACT_ANCHOR', remedy: { verb: 'read_file_lines', args: { targetFile: 'openapi.yaml' } } },
    ]);
    for (const citations of [
      ['prompt', 'operation:GET /orders/{id}'],
      ['prompt', 'operation:getOrder'],
      ['prompt', 'openapi.yaml:3-4'],
    ]) {
      const passed = await tree.review(smallPlan({ citations }), { prompt });
      expect(passed.errors).toEqual([]);
      expect(passed.strategy.strategyId).toBe('api_contract_feature');
    }
    const wrong = await tree.review(smallPlan({ citations: ['prompt', 'operation:DELETE /orders'] }), { prompt });
    expect(wrong.errors.map(({ code }) => code)).toEqual(['PLAN_EVIDENCE_INSUFFICIENT', 'PLAN_MISSING_CONTRACT_ANCHOR']);
  },
);

verifies('G7', 'PLAN_VALIDATION_CONFIDENCE_TOO_LOW: a plan that adds a test raises the confidence itself', async () => {
  const tree = await openPlanTree();
  const given = { prompt: 'adp to sdf', checks: [{ name: 'lint', command: 'oxlint' }] };
  expect((await tree.review(smallPlan({ verificationHooks: ['lint'] }), given)).errors).toMatchObject([
    { code: 'PLAN_VALIDATION_CONFIDENCE_TOO_LOW' },
  ]);
  const test = {
    targetFile: 'src/orders/sdf.test.ts',
    whyThisFile: 'SDF has to give the same totals',
    codeEvidence: ['src/orders/total.ts#total'],
    verificationHooks: ['node src/orders/sdf.test.ts'],
  };
  expect((await tree.review(smallPlan({ verificationHooks: ['lint'] }, test), given)).errors).toEqual([]);
});
