import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import type { PlanGraph } from '../protocol/index.ts';
import { nodeOfEdit, staleEvidence } from './hold-to-plan.ts';
import { openPlanTree, smallPlan } from './plan.fixture.ts';

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

verifies('G7', 'an edit belongs to the node of its file whose symbols cover it', async () => {
  const { plan } = await planned();
  const at = (symbols: readonly string[] | null, done = NONE) => nodeOfEdit(plan, done, { path: 'src/orders/total.ts', symbols });
  expect(at(['total']).node?.nodeId).toBe('a');
  // Imports and new definitions belong to the file.
  expect(at([]).node?.nodeId).toBe('a');
  expect(at(null).node?.nodeId).toBe('a');
  expect(at(['Order.sum'])).toEqual({
    node: null,
    why: 'The edit changes Order.sum in src/orders/total.ts; the plan names total.',
    fix: 'Change only these, or submit a plan whose node names the other symbols too',
  });
  expect(at(['total'], new Set(['a'])).node?.nodeId).toBe('a');
});

verifies('G7', 'an edit of a file that no node changes, or whose node waits, belongs to none', async () => {
  const { plan } = await planned();
  expect(nodeOfEdit(plan, NONE, { path: 'src/orders/round.ts', symbols: null })).toMatchObject({
    node: null,
    why: 'No node of the plan changes src/orders/round.ts.',
  });
  expect(nodeOfEdit(plan, NONE, { path: 'src/users/user.ts', symbols: null })).toMatchObject({
    node: null,
    why: 'The node b for src/users/user.ts waits for a.',
    fix: 'Do a first',
  });
  expect(nodeOfEdit(plan, new Set(['a']), { path: 'src/users/user.ts', symbols: ['nameOf'] }).node?.nodeId).toBe('b');
});

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
