import { expect } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { openPlanTree, smallPlan } from './plan.fixture.ts';
import { reservationsOf } from './reservations.ts';

const effect = {
  kind: 'side_effect',
  sideEffectType: 'git_commit',
  sideEffectPayloadRef: 'message.txt',
  commitGateId: 'g1',
  dependsOn: ['n1'],
};

verifies('G14', 'an accepted plan announces the files, symbols, graph and side effects that it will touch', async () => {
  const tree = await openPlanTree();
  const rename = {
    targetFile: 'src/users/user.ts',
    renameTo: 'src/users/name.ts',
    whyThisFile: 'nameOf() lives there',
    codeEvidence: ['src/users/user.ts:1-3'],
    verificationHooks: ['test'],
  };
  const { reservations, errors } = await tree.review(smallPlan({ targetSymbols: ['total'] }, rename, effect));
  expect(errors).toEqual([]);
  expect(reservations.map(({ kind, name, nodeId }) => `${nodeId} ${kind} ${name}`)).toEqual([
    'n1 file src/orders/total.ts',
    'n1 symbol src/orders/total.ts#total',
    'n2 file src/users/user.ts',
    'n2 file src/users/name.ts',
    'n3 side_effect git_commit',
  ]);
});

verifies('G14', 'a commit is one thing for all runs, a change of seed rows is one of the graph', () => {
  const node = { nodeId: 'a', kind: 'side_effect', sideEffectType: 'git_commit', sideEffectPayloadRef: 'x', commitGateId: 'g' } as never;
  const other = { ...(node as object), nodeId: 'b', sideEffectPayloadRef: 'y' } as never;
  const [one, two] = [reservationsOf({ workId: 'w1', nodes: [node] }), reservationsOf({ workId: 'w2', nodes: [other] })];
  expect([one, two].map(([each]) => `${each?.kind} ${each?.name}`)).toEqual(['side_effect git_commit', 'side_effect git_commit']);
  const seed = { nodeId: 'c', kind: 'change', targetFile: '.ai/graph/seed/x.jsonl', renameTo: null, targetSymbols: [] } as never;
  expect(reservationsOf({ workId: 'w1', nodes: [seed] }).map(({ kind, name }) => `${kind} ${name}`)).toEqual([
    'file .ai/graph/seed/x.jsonl',
    'graph code',
  ]);
});
