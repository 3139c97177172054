// Plans: judging one of 200 nodes, beside parsing the same document with its zod schema, and reviewing a plan with its context pack over an index of
// 10,000 files that is warm, beside one search of that index. node bench/plan.ts [--json FILE] [--tiny]

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { EmbeddedGraph } from '../src/codeindex/graph/embedded-graph.ts';
import { assemble } from '../src/codeindex/graph/assemble.ts';
import { openCodeIndex } from '../src/codeindex/index.ts';
import { CHAIN_PROVERS, CODE_STRATEGIES } from '../src/packs/index.ts';
import { type PlanPorts, type PlanSituation, readPlan, reviewPlan, validatePlan } from '../src/plan/index.ts';
import type { SourceFact } from '../src/plan/graph/plan-facts.ts';
import { lookUpTargets } from '../src/plan/look-up.ts';
import { DEFAULT_EVIDENCE_POLICY, PlanGraph } from '../src/protocol/index.ts';
import { gatherFileFacts } from '../src/workspace/index.ts';
import { report, sized } from './report/report.ts';

const FILES = sized(10_000, 300);
const NODES = 200;
const ROUNDS = sized(15, 3);

const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'countersign-bench-plan-')));
const fileOf = (at: number): string => `src/area${at % 97}/file${at}.ts`;
try {
  for (let at = 0; at < FILES; at++) {
    const file = path.join(root, fileOf(at));
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(
      file,
      `import { f${(at + 1) % FILES} } from '../../${fileOf((at + 1) % FILES)}';\n\nexport function f${at}(order: number): number {\n  return order + ${at};\n}\n\nexport class Order${at} {\n  total(): number {\n    return f${at}(1);\n  }\n}\n`,
    );
  }
  const code = openCodeIndex();
  const index = code.tree(root);
  await index.ready();
  const graph = new EmbeddedGraph(assemble([{ nodes: [], edges: [] }]));
  const ports: PlanPorts = {
    code: { index, graph },
    observe: async (file, access) =>
      (await gatherFileFacts({ root, cwd: root, resources: [{ kind: 'file', path: file, access }], scope: ['**'] })).facts[0]!,
    recall: () => [],
    claimStatus: async () => null,
    artifacts: () => [],
    provers: CHAIN_PROVERS,
    strategies: CODE_STRATEGIES,
  };
  const situation: PlanSituation = {
    ...{ workId: 'w', agentId: 'a', runSessionId: 'r', worktreeRoot: root, revision: null, prompt: 'Round the totals of orders' },
    intent: { id: 'INT-001', name: 'Orders', status: 'active', owned_scope: ['**'], constraints: [], acceptance_criteria: [] },
    ...{
      policyVersionSet: {},
      evidencePolicy: DEFAULT_EVIDENCE_POLICY,
      capabilities: [],
      traceRefs: new Set(),
      reads: [],
      signals: [],
      lessons: [],
    },
    checks: [{ name: 'test', command: 'npm test' }],
    lessonSettings: { enablePlanRuleMutation: true, enableStrategyOverride: true },
    hints: { manifests: [], projects: [] },
    ...{ issued: new Set(), acceptedBefore: 0 },
  };
  const planOf = (nodes: number) => ({
    nodes: Array.from({ length: nodes }, (_, at) => ({
      nodeId: `n${at}`,
      targetFile: fileOf(at),
      whyThisFile: `f${at}() adds up an order`,
      editIntent: `Round the sum in f${at}()`,
      citations: ['prompt'],
      codeEvidence: [`${fileOf(at)}:3-5`],
      verificationHooks: ['test'],
      dependsOn: at === 0 ? [] : [`n${at - 1}`],
    })),
  });

  const large = await reviewPlan(planOf(NODES), situation, ports);
  if (!large.accepted) throw new Error(`the plan was not accepted: ${JSON.stringify(large.errors.slice(0, 2))}`);
  const draft = readPlan(planOf(NODES));
  const facts = {
    ...{
      situation,
      repoSnapshotId: 'unversioned',
      scopeAllowlistRef: 'x',
      pack: { ref: large.pack!.ref, hash: large.pack!.hash },
      strategy: large.strategy,
    },
    duties: { minimumTestConfidence: 'none' as const, needsContractAnchor: false, by: { confidence: '', contract: '' } },
    targets: await lookUpTargets(draft, ports),
    sources: new Map<string, SourceFact>(
      large.plan!.nodes.flatMap((node) =>
        node.kind === 'change'
          ? [[`lines ${node.targetFile}:3-5 `, { kind: 'found' as const, source: node.codeEvidence[0]! }] as const]
          : [],
      ),
    ),
    ...{
      hasCode: true,
      chains: new Map(),
      contract: { operations: [], descriptions: [] },
      lessonRules: [],
      policyRules: [],
      policyIds: new Set<string>(),
      imports: new Map(),
    },
  };
  facts.sources.set('ref prompt', { kind: 'found', source: { ref: 'prompt' } });
  const judged = validatePlan(draft, facts);
  if (!judged.accepted) throw new Error(`the facts do not fit: ${JSON.stringify(judged.errors.slice(0, 2))}`);

  const submitted = planOf(NODES);
  const validating = await medianOf(async () => void validatePlan(readPlan(submitted), facts), worked);
  const parsing = await medianOf(async () => void PlanGraph.parse(large.plan), worked);
  const small = planOf(3);
  const packing = await medianOf(async () => void (await reviewPlan(small, situation, ports)));
  const searching = await medianOf(async () => void (await index.rank('Round the totals of orders', 20)));
  await code.close();

  report('plan', [
    { what: `a plan of ${NODES} nodes judged`, value: validating, unit: 'ms', atMost: 10 },
    { what: 'the same', value: validating / parsing, unit: '×', against: 'parsing it with its schema' },
    { what: `a plan and its context pack over ${FILES} files, warm`, value: packing, unit: 'ms', atMost: 250 },
    { what: 'the same', value: packing / searching, unit: '×', against: 'one ranked search of the index' },
  ]);
} finally {
  rmSync(root, { recursive: true, force: true });
}

/** In milliseconds that this thread worked: what else the machine does is no part of it. */
function worked(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

async function medianOf(work: () => Promise<void>, clock: () => number = () => performance.now()): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const begun = clock();
    await work();
    times.push(clock() - begun);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!;
}
