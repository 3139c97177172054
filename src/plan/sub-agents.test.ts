import fc from 'fast-check';
import { expect, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import type { PlanNode } from '../protocol/index.ts';
import { subAgentHints } from './sub-agents.ts';

const change = (nodeId: string, targetFile: string, dependsOn: readonly string[] = []): PlanNode =>
  ({ kind: 'change', nodeId, targetFile, renameTo: null, atomicityBoundary: nodeId, dependsOn }) as unknown as PlanNode;
const validate = (nodeId: string, mapsToNodeIds: readonly string[]): PlanNode =>
  ({ kind: 'validate', nodeId, mapsToNodeIds, dependsOn: mapsToNodeIds, atomicityBoundary: nodeId }) as unknown as PlanNode;

verifies('G30', 'changes that share nothing are parts of their own; a check of one part stays with it, a check of all with none', () => {
  const nodes = [
    change('a', 'src/a.ts'),
    change('b', 'src/b.ts'),
    change('c', 'src/c.ts', ['b']),
    validate('va', ['a']),
    validate('all', ['a', 'c']),
  ];
  expect(subAgentHints({ nodes })).toEqual({
    recommended: true,
    reason: '2 parts share no file and do not wait for one another.',
    splits: [
      { name: 'part-1', nodeIds: ['a', 'va'], files: ['src/a.ts'] },
      { name: 'part-2', nodeIds: ['b', 'c'], files: ['src/b.ts', 'src/c.ts'] },
    ],
  });
});

verifies('G30', 'one change, or changes that are all connected, are not split', () => {
  expect(subAgentHints({ nodes: [change('a', 'src/a.ts')] })).toMatchObject({ recommended: false, splits: [] });
  expect(subAgentHints({ nodes: [change('a', 'src/a.ts'), change('b', 'src/a.ts')] })).toMatchObject({ recommended: false, splits: [] });
  expect(subAgentHints({ nodes: [change('a', 'src/a.ts'), change('b', 'src/b.ts', ['a'])] })).toMatchObject({
    recommended: false,
    splits: [],
  });
});

test('whatever the plan, splits share no file and no dependency between changes, and every change is in one', () => {
  const plans = fc.array(fc.record({ file: fc.nat(9), on: fc.array(fc.nat(11), { maxLength: 2 }) }), { minLength: 2, maxLength: 12 });
  fc.assert(
    fc.property(plans, (drawn) => {
      const nodes = drawn.map(({ file, on }, at) =>
        change(
          `n${at}`,
          `f${file}`,
          on.filter((other) => other < at).map((other) => `n${other}`),
        ),
      );
      const { recommended, splits } = subAgentHints({ nodes });
      expect(recommended).toBe(splits.length > 1);
      if (!recommended) return;
      const files = splits.flatMap((split) => split.files);
      expect(new Set(files).size).toBe(files.length);
      expect(splits.flatMap(({ nodeIds }) => nodeIds).toSorted()).toEqual(nodes.map(({ nodeId }) => nodeId).toSorted());
      for (const { nodeIds } of splits)
        for (const node of nodes) if (nodeIds.includes(node.nodeId)) for (const id of node.dependsOn) expect(nodeIds).toContain(id);
    }),
  );
});
