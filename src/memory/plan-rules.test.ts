import { expect, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import type { Lesson, PlanNode } from '../protocol/index.ts';
import { activeMemory, lessonsFor } from './lessons.ts';
import { ruleFindings, type RuleOfPlans, stepInWords } from './plan-rules.ts';

const change = (nodeId: string, targetFile: string, more: object = {}): PlanNode =>
  ({
    ...{ kind: 'change', nodeId, targetFile, renameTo: null, operation: 'modify', targetSymbols: ['total'], verificationHooks: ['test'] },
    ...{ whyThisFile: 'it adds up', editIntent: 'Round the sum', citations: [{ ref: 'prompt' }], codeEvidence: [], policyRefs: [] },
    ...more,
  }) as unknown as PlanNode;
const NODES: readonly PlanNode[] = [
  change('a', 'src/orders/total.ts'),
  {
    kind: 'validate',
    nodeId: 'v',
    mapsToNodeIds: ['a'],
    verificationHooks: ['typecheck'],
    successCriteria: 'types hold',
  } as unknown as PlanNode,
  { kind: 'side_effect', nodeId: 's', sideEffectType: 'git_push' } as unknown as PlanNode,
];
const find = (condition: string, requiredSteps: readonly string[] = [], files: RuleOfPlans['files'] = null) =>
  ruleFindings([{ id: 'r', condition, requiredSteps, denyCode: 'PLAN_POLICY_VIOLATION', files }], {
    nodes: NODES,
    strategyId: 'general_code_change',
  });

test('a condition holds for files, operations, symbols, side effects and strategies, alone, joined and negated', () => {
  const holds = [
    'always',
    'touches src/**',
    'operation modify',
    'symbol total',
    'side_effect git_push',
    'strategy general_code_change',
    'touches src/** and not symbol sum',
    'not touches docs/**',
  ];
  expect(holds.filter((condition) => find(condition).length === 0)).toEqual([]);
  const fails = [
    'touches docs/**',
    'operation delete',
    'symbol sum',
    'side_effect git_tag',
    'strategy other',
    'touches src/** and symbol sum',
    'not touches src/**',
  ];
  expect(fails.filter((condition) => find(condition).length > 0)).toEqual([]);
});

test('a condition in other words applies where the rule applies, also with the name of an inherited property', () => {
  expect(find('when a renderer is edited')).toHaveLength(1);
  expect(find('constructor x')).toHaveLength(1);
  expect(find('always', [], ['src/other.ts'])).toEqual([]);
  expect(find('always', [], ['src/orders/total.ts'])).toMatchObject([{ nodeId: 'a', satisfied: false }]);
});

test('steps are checks, changes, validations, escalations, citations, policies, or words that a node says', () => {
  const has = ['check test', 'check typecheck', 'change src/**', 'validate', 'cite prompt', 'round the sum'];
  expect(has.filter((step) => find('always', [step])[0]!.satisfied !== true)).toEqual([]);
  const lacks = ['check lint', 'change docs/**', 'escalate', 'cite docs/a.md', 'policy pol-1', 'update the changelog'];
  expect(lacks.filter((step) => find('always', [step])[0]!.satisfied)).toEqual([]);
  for (const step of lacks) expect(find('always', [step])[0]!.missing).toEqual([step]);
  expect(lacks.map(stepInWords).every((text) => text.length > 10)).toBe(true);
});

test('a rule without steps forbids what its condition describes', () => {
  expect(find('side_effect git_push')).toMatchObject([{ satisfied: false, denyCode: 'PLAN_POLICY_VIOLATION', nodeId: 's', missing: [] }]);
});

const lesson = (id: string, domainAnchorIds: string[], state: Lesson['state'] = 'approved'): Lesson => ({
  ...{
    id,
    domainAnchorIds,
    state,
    trigger: 'rejection_pattern',
    phase: 'planning',
    enforcementType: 'informational',
    rejectionCodes: ['PLAN_NOT_ATOMIC'],
  },
  ...{ note: 'one file a node', createdAt: '2026-01-01T00:00:00Z', updatedAt: '2026-01-01T00:00:00Z', traceRef: 'act_1' },
});

verifies('G6', 'active lessons of the folders around a file apply, the most specific first', () => {
  const all = [
    lesson('root', ['.']),
    lesson('deep', ['anchor:src/orders', 'src']),
    lesson('src', ['src']),
    lesson('users', ['src/users']),
    lesson('everywhere', []),
  ];
  const over = [
    lesson('p', ['src'], 'pending'),
    lesson('r', ['src'], 'rejected'),
    lesson('x', ['src'], 'expired'),
    lesson('prefix', ['src/order']),
  ];
  const found = lessonsFor([...all, ...over, lesson('provisional', ['src/orders'], 'provisional')], ['src/orders/total.ts', 'docs/a.md']);
  expect(found.map(({ lesson: { id }, anchor, files }) => `${id} ${anchor ?? '-'} ${files.length}`)).toEqual([
    'deep src/orders 1',
    'provisional src/orders 1',
    'src src 1',
    'root . 2',
    'everywhere - 2',
  ]);
  expect(activeMemory(found[0]!)).toEqual({
    ...{ id: 'deep', enforcementType: 'informational', trigger: 'rejection_pattern', phase: 'planning', state: 'approved' },
    ...{ domainAnchorIds: ['anchor:src/orders', 'src'], rejectionCodes: ['PLAN_NOT_ATOMIC'], note: 'one file a node' },
  });
});
