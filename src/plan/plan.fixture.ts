// A real folder with its index and graph, and what a run in it knows.

import path from 'node:path';
import { readFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { ANCHOR_DEFAULTS } from '../codeindex/index.ts';
import { plainIndex, type PlainIndex } from '../codeindex/graph/plain-index.fixture.ts';
import { TreeGraph } from '../codeindex/graph/tree-graph.ts';
import { CHAIN_PROVERS, CODE_PACKS, CODE_STRATEGIES } from '../packs/index.ts';
import { pack as angular } from '../packs/angular/pack.ts';
import { type Citation, DEFAULT_EVIDENCE_POLICY } from '../protocol/index.ts';
import { gatherFileFacts } from '../workspace/index.ts';
import { makeTree } from '../workspace/tree.fixture.ts';
import { reviewPlan } from './review-plan.ts';
import type { PlanPorts, PlanReview, PlanSituation } from './situation.ts';

export const ORDERS: Readonly<Record<string, string>> = {
  'src/orders/total.ts':
    "import { round } from './round.ts';\n\nexport function total(lines: number[]): number {\n  return round(lines.reduce((a, b) => a + b, 0));\n}\n\nexport class Order {\n  lines: number[] = [];\n  sum(): number {\n    return total(this.lines);\n  }\n}\n",
  'src/orders/round.ts': 'export const round = (value: number): number => Math.round(value * 100) / 100;\n',
  'src/orders/total.test.ts': "import { total } from './total.ts';\n\nconsole.assert(total([]) === 0);\n",
  'src/users/user.ts': 'export function nameOf(user: { name: string }): string {\n  return user.name;\n}\n',
  'test/far.test.ts': "import { total } from '../src/orders/total.ts';\n\nconsole.assert(total([1]) === 1);\n",
  'docs/orders.md': '# Orders\n\nA total is rounded to cents.\n',
  'openapi.yaml': 'openapi: 3.1.0\npaths:\n  /orders/{id}:\n    get:\n      operationId: getOrder\n      responses: {}\n',
};

export interface PlanTree {
  readonly root: string;
  readonly index: PlainIndex;
  readonly ports: PlanPorts;
  readonly situation: PlanSituation;
  readonly review: (submitted: unknown, changed?: Partial<PlanSituation>, ports?: Partial<PlanPorts>) => Promise<PlanReview>;
  /** Lines as a session would have read them. */
  readonly read: (file: string, start: number, end: number) => Citation;
}

export async function openPlanTree(
  files: Readonly<Record<string, string>> = ORDERS,
  scope: readonly string[] = ['src/**', 'test/**', 'docs/**'],
): Promise<PlanTree> {
  return openPlanRoot(makeTree(files), scope);
}

/** Of a folder that exists. */
export async function openPlanRoot(root: string, scope: readonly string[]): Promise<PlanTree> {
  const index = await plainIndex(root, [angular]);
  const tree = new TreeGraph({
    ...{ root, name: 'plan', index, now: () => new Date('2026-03-01T12:00:00Z') },
    ...{ anchors: async () => ANCHOR_DEFAULTS, memories: () => [], neo4j: async () => null, packs: CODE_PACKS },
  });
  onTestFinished(() => tree.close());
  const { graph } = await tree.current();
  const ports: PlanPorts = {
    code: { index, graph },
    observe: async (file, access) =>
      (await gatherFileFacts({ root, cwd: root, resources: [{ kind: 'file', path: file, access }], scope })).facts[0]!,
    recall: () => [],
    claimStatus: async () => null,
    artifacts: () => [],
    provers: CHAIN_PROVERS,
    strategies: CODE_STRATEGIES,
  };
  const read = (file: string, start_line: number, end_line: number): Citation => {
    const lines = readFileSync(path.join(root, file), 'utf8')
      .split('\n')
      .slice(start_line - 1, end_line);
    return { path: file, start_line, end_line, sha256: createHash('sha256').update(lines.join('\n')).digest('hex') };
  };
  const situation: PlanSituation = {
    workId: 'work-1',
    agentId: 'agent-1',
    runSessionId: 'run-1',
    worktreeRoot: root,
    revision: 'a'.repeat(40),
    prompt: 'Totals of orders have to be rounded to cents',
    intent: {
      ...{ id: 'INT-001', name: 'Orders', status: 'active', owned_scope: scope },
      ...{ constraints: ['Keep the public names'], acceptance_criteria: ['Totals have two digits'] },
    },
    policyVersionSet: { scope: '1' },
    evidencePolicy: DEFAULT_EVIDENCE_POLICY,
    capabilities: ['apply_code_patch'],
    traceRefs: new Set(['act_1']),
    reads: [],
    checks: [
      { name: 'test', command: 'npm test' },
      { name: 'typecheck', command: 'tsc' },
    ],
    signals: [],
    lessons: [],
    lessonSettings: { enablePlanRuleMutation: true, enableStrategyOverride: true },
    hints: { manifests: [], projects: [] },
    issued: new Set(),
    acceptedBefore: 0,
  };
  return {
    ...{ root, index, ports, situation, read },
    review: (submitted, changed = {}, other = {}) => reviewPlan(submitted, { ...situation, ...changed }, { ...ports, ...other }),
  };
}

/** The smallest plan that passes in `ORDERS` for a session that read the file. */
export const smallPlan = (node: Readonly<Record<string, unknown>> = {}, ...more: readonly unknown[]): Record<string, unknown> => ({
  nodes: [
    {
      targetFile: 'src/orders/total.ts',
      whyThisFile: 'total() adds up the lines of an order',
      editIntent: 'Round the sum in total() to cents',
      codeEvidence: ['src/orders/total.ts#total'],
      verificationHooks: ['test'],
      ...node,
    },
    ...more,
  ],
});
