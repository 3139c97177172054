import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import type { PlanGraph } from '../protocol/index.ts';
import { openPlanTree, smallPlan } from './plan.fixture.ts';
import { staleEvidence } from './stale-evidence.ts';

const NONE: ReadonlySet<string> = new Set();
const second = {
  nodeId: 'b',
  targetFile: 'src/users/user.ts',
  whyThisFile: 'nameOf() is shown',
  codeEvidence: ['src/users/user.ts:1-3'],
  verificationHooks: ['test'],
  dependsOn: ['a'],
};

async function planned(): Promise<{ plan: PlanGraph; root: string }> {
  const tree = await openPlanTree();
  const { plan, errors } = await tree.review(smallPlan({ nodeId: 'a', targetSymbols: ['total'] }, second));
  expect(errors).toEqual([]);
  return { plan: plan!, root: tree.root };
}

verifies('G7', 'a changed repository invalidates the evidence that it changed, and says which', async () => {
  const { plan, root } = await planned();
  const tree = { root, ownChanges: NONE };
  expect(await staleEvidence(plan, NONE, tree)).toEqual([]);
  writeFileSync(path.join(root, 'src/users/user.ts'), 'export const nameOf = () => 1;\n');
  const stale = {
    nodeId: 'b',
    field: 'codeEvidence[0]',
    path: 'src/users/user.ts',
    because: 'the cited lines src/users/user.ts:1-3 changed',
  };
  expect(await staleEvidence(plan, NONE, tree)).toEqual([stale]);
  expect(await staleEvidence(plan, new Set(['b']), tree)).toEqual([]);
  expect(await staleEvidence(plan, NONE, { root, ownChanges: new Set(['src/users/user.ts']) })).toEqual([]);
});
