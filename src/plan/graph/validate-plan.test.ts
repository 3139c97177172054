import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { verifies } from '../../../test/verifies.ts';
import { ENVELOPE_FIELDS, type Lesson, PlanGraph, type PlanCode, type PlanError } from '../../protocol/index.ts';
import { ORDERS, openPlanTree, type PlanTree, smallPlan } from '../plan.fixture.ts';
import { applyPatch } from './plan-error.ts';

const places = (errors: readonly PlanError[]): readonly string[] =>
  errors.map(({ code, nodeId, field }) => `${code} ${nodeId ?? '-'} ${field}`);

verifies('G7', 'files, reasons and checks are enough once the file was read: the server fills in the rest and echoes it', async () => {
  const tree = await openPlanTree();
  const minimal = {
    nodes: [{ targetFile: 'src/orders/total.ts', whyThisFile: 'total() has to round its sum to cents', verificationHooks: ['test'] }],
  };
  const reads = [tree.read('src/orders/total.ts', 3, 5)];
  const { accepted, plan, errors, version, filledIn } = await tree.review(minimal, { reads });
  expect(errors).toEqual([]);
  expect(accepted).toBe(true);
  expect(version).toBe(1);
  expect(PlanGraph.safeParse(plan).error).toBeUndefined();
  expect(Object.keys(plan!)).toEqual([...ENVELOPE_FIELDS, 'nodes']);
  expect(ENVELOPE_FIELDS).toHaveLength(15);
  expect(plan!.nodes).toEqual([
    {
      nodeId: 'n1',
      kind: 'change',
      dependsOn: [],
      atomicityBoundary: 'n1',
      expectedFailureSignatures: ['test fails'],
      correctionCandidateOnFail: 'Read what failed, then submit a changed plan',
      operation: 'modify',
      targetFile: 'src/orders/total.ts',
      renameTo: null,
      targetSymbols: ['total', 'Order'],
      whyThisFile: 'total() has to round its sum to cents',
      editIntent: 'total() has to round its sum to cents',
      citations: [{ ref: 'prompt' }],
      codeEvidence: reads,
      policyRefs: [],
      verificationHooks: ['test'],
      lowEvidenceGuard: false,
      uncertaintyNote: null,
      requiresHumanReview: false,
    },
  ]);
  expect(filledIn).toContain('repoSnapshotId');
  expect(filledIn).toContain('nodes[0].operation');
  expect(plan).toMatchObject({ workId: 'work-1', repoSnapshotId: `git:${'a'.repeat(40)}`, knowledgeStrategyId: 'general_code_change' });
});

verifies('G7', 'the echoed plan is accepted as it is', async () => {
  const tree = await openPlanTree();
  const first = await tree.review(smallPlan());
  const again = await tree.review(first.plan, { issued: new Set([first.pack!.ref, first.pack!.hash]), acceptedBefore: 1 });
  expect(again.errors).toEqual([]);
  expect(again.plan!.nodes).toEqual(first.plan!.nodes);
  expect(again.plan!.planFingerprint).toBe(first.plan!.planFingerprint);
  expect(again.version).toBe(2);
});

verifies('G7', 'a field of the envelope that the server knows otherwise is refused with the right value', async () => {
  const tree = await openPlanTree();
  const wrong = {
    workId: 'other',
    agentId: 'other',
    runSessionId: 'other',
    repoSnapshotId: 'git:old',
    worktreeRoot: '/elsewhere',
    contextPackRef: 'pack:none',
    contextPackHash: 'f'.repeat(64),
    policyVersionSet: { scope: '0' },
    scopeAllowlistRef: 'intent:INT-999',
    knowledgeStrategyId: 'ui_aggrid_feature',
    evidencePolicy: { minCodeEvidenceSources: 0 },
    planFingerprint: '0'.repeat(64),
    sourceTraceRefs: ['act_unknown'],
    schemaVersion: '0.9.0',
  };
  const { errors } = await tree.review({ ...wrong, ...smallPlan() });
  expect(new Set(errors.map(({ field }) => field.replace(/[[.].*/, '')))).toEqual(new Set(Object.keys(wrong)));
  expect(errors.find(({ field }) => field === 'workId')?.message).toBe('workId is "other", and it is "work-1".');
  const fixed = errors.reduce<unknown>((document, { patch }) => applyPatch(document, patch!), { ...wrong, ...smallPlan() });
  expect((await tree.review(fixed)).errors).toEqual([]);
});

/** Each code of a plan with the smallest document that reaches it, and where the error points. */
const CASES: readonly {
  readonly code: PlanCode;
  readonly says: string;
  readonly plan: unknown;
  readonly at: string;
  readonly given?: (tree: PlanTree) => Partial<PlanTree['situation']>;
  readonly files?: Readonly<Record<string, string>>;
}[] = [
  { code: 'PLAN_MISSING_REQUIRED_FIELDS', says: 'prose instead of a plan', plan: 'First I will fix the total', at: '- ' },
  { code: 'PLAN_MISSING_REQUIRED_FIELDS', says: 'no nodes', plan: {}, at: '- nodes' },
  {
    code: 'PLAN_MISSING_REQUIRED_FIELDS',
    says: 'a wrong field name',
    plan: { nodes: [{ file: 'src/orders/total.ts', kind: 'change' }] },
    at: 'n1 file',
  },
  {
    code: 'PLAN_MISSING_REQUIRED_FIELDS',
    says: 'a reason that is missing',
    plan: smallPlan({ whyThisFile: undefined }),
    at: 'n1 whyThisFile',
  },
  {
    code: 'PLAN_MISSING_REQUIRED_FIELDS',
    says: 'two nodes with one id',
    plan: smallPlan({ nodeId: 'a' }, { ...first(), nodeId: 'a' }),
    at: 'a nodeId',
  },
  {
    code: 'PLAN_MISSING_REQUIRED_FIELDS',
    says: 'a dependency that no node is',
    plan: smallPlan({ dependsOn: ['ghost'] }),
    at: 'n1 dependsOn[0]',
  },
  {
    code: 'PLAN_MISSING_REQUIRED_FIELDS',
    says: 'a cycle',
    plan: smallPlan({ nodeId: 'a', dependsOn: ['b'] }, { ...first(), nodeId: 'b', dependsOn: ['a'] }),
    at: 'b dependsOn[0]',
  },
  { code: 'PLAN_MISSING_REQUIRED_FIELDS', says: 'an id that would be a path', plan: smallPlan({ nodeId: '../x' }), at: 'n1 nodeId' },
  {
    code: 'PLAN_SCOPE_VIOLATION',
    says: 'a path outside the work tree',
    plan: smallPlan({ targetFile: '../../etc/passwd' }),
    at: 'n1 targetFile',
  },
  { code: 'PLAN_SCOPE_VIOLATION', says: 'a path outside the scope', plan: smallPlan({ targetFile: 'openapi.yaml' }), at: 'n1 targetFile' },
  {
    code: 'PLAN_SCOPE_VIOLATION',
    says: "the gate's own file",
    plan: smallPlan({ targetFile: '.ai/config/repo.json' }),
    at: 'n1 targetFile',
  },
  { code: 'PLAN_SCOPE_VIOLATION', says: 'a wildcard for symbols', plan: smallPlan({ targetSymbols: ['*'] }), at: 'n1 targetSymbols[0]' },
  { code: 'PLAN_SCOPE_VIOLATION', says: 'no intent', plan: smallPlan(), at: '- scopeAllowlistRef', given: () => ({ intent: null }) },
  {
    code: 'PLAN_EVIDENCE_INSUFFICIENT',
    says: 'nothing was read and nothing is cited',
    plan: smallPlan({ codeEvidence: undefined }),
    at: 'n1 codeEvidence',
  },
  {
    code: 'PLAN_EVIDENCE_INSUFFICIENT',
    says: 'lines that the file does not have',
    plan: smallPlan({ codeEvidence: ['src/orders/total.ts:90-99'] }),
    at: 'n1 codeEvidence[0]',
  },
  {
    code: 'PLAN_EVIDENCE_INSUFFICIENT',
    says: 'lines that changed since',
    plan: smallPlan({ codeEvidence: [{ path: 'src/orders/total.ts', start_line: 3, end_line: 5, sha256: '0'.repeat(64) }] }),
    at: 'n1 codeEvidence[0]',
  },
  {
    code: 'PLAN_NOT_ATOMIC',
    says: 'two files in one node',
    plan: smallPlan({ targetFile: 'src/orders/total.ts, src/orders/round.ts' }),
    at: 'n1 targetFile',
  },
  { code: 'PLAN_NOT_ATOMIC', says: 'a pattern for files', plan: smallPlan({ targetFile: 'src/**/*.ts' }), at: 'n1 targetFile' },
  {
    code: 'PLAN_NOT_ATOMIC',
    says: 'a side effect in the boundary of a change',
    plan: smallPlan(
      { nodeId: 'a' },
      { nodeId: 'b', sideEffectType: 'git_commit', sideEffectPayloadRef: 'message.txt', commitGateId: 'g', atomicityBoundary: 'a' },
    ),
    at: 'b atomicityBoundary',
  },
  { code: 'PLAN_VERIFICATION_WEAK', says: 'no check', plan: smallPlan({ verificationHooks: [] }), at: 'n1 verificationHooks' },
  {
    code: 'PLAN_VERIFICATION_WEAK',
    says: 'a check that cannot fail',
    plan: smallPlan({ verificationHooks: ['npm test || true'] }),
    at: 'n1 verificationHooks[0]',
  },
  {
    code: 'PLAN_VERIFICATION_WEAK',
    says: 'a check that is about something else',
    plan: smallPlan({ verificationHooks: ['node src/users/user.ts'] }),
    at: 'n1 verificationHooks',
  },
  {
    code: 'PLAN_STRATEGY_MISMATCH',
    says: 'another strategy',
    plan: { knowledgeStrategyId: 'debug_symptom_trace', ...smallPlan() },
    at: '- knowledgeStrategyId',
  },
  {
    code: 'PLAN_WEAK_MODEL_AMBIGUOUS',
    says: 'an instruction about nothing',
    plan: smallPlan({ editIntent: 'Fix the code' }),
    at: 'n1 editIntent',
  },
  {
    code: 'PLAN_WEAK_MODEL_AMBIGUOUS',
    says: 'an instruction with two readings',
    plan: smallPlan({ editIntent: 'Either round in total() or in round()' }),
    at: 'n1 editIntent',
  },
  {
    code: 'PLAN_POLICY_VIOLATION',
    says: 'a constraint of the intent',
    plan: smallPlan(),
    at: 'n1 ',
    given: ({ situation: { intent } }) => ({ intent: { ...intent!, constraints: ['deny: touches src/orders/**'] } }),
  },
  {
    code: 'PLAN_POLICY_VIOLATION',
    says: 'a policy row',
    plan: smallPlan(),
    at: 'n1 ',
    files: {
      ...ORDERS,
      '.ai/graph/seed/policies.jsonl': `${JSON.stringify({ id: 'pol-1', type: 'policy', version: 1, updated_at: '2026-01-01T00:00:00Z', updated_by: 'm', title: 'Orders need a validation', domainAnchorIds: ['src/orders'], condition: 'touches src/orders/**', requiredSteps: ['validate'] })}\n`,
    },
  },
  {
    code: 'PLAN_MISSING_CONTRACT_ANCHOR',
    says: 'work on an API without its operation',
    plan: smallPlan(),
    at: 'n1 citations',
    given: () => ({ prompt: 'Bring the OpenAPI contract up to date' }),
  },
  {
    code: 'PLAN_VALIDATION_CONFIDENCE_TOO_LOW',
    says: 'a migration without tests',
    plan: smallPlan({ verificationHooks: ['tsc -p .'] }),
    at: 'n1 verificationHooks',
    given: () => ({ prompt: 'Migrate ADP to SDF: adp to sdf', checks: [] }),
  },
  {
    code: 'MEMORY_PROVISIONAL_EXPIRED',
    says: 'a lesson that expired',
    plan: smallPlan({ citations: ['prompt', 'lesson:les-1'] }),
    at: 'n1 citations[1]',
    given: () => ({ lessons: [lesson({ state: 'expired' })] }),
  },
  {
    code: 'PACK_REQUIRED_ANCHOR_UNRESOLVED',
    says: 'a file that is not there',
    plan: smallPlan({ targetFile: 'src/total.ts', operation: 'modify' }),
    at: 'n1 targetFile',
  },
  {
    code: 'PACK_REQUIRED_ANCHOR_UNRESOLVED',
    says: 'a symbol that is not there',
    plan: smallPlan({ targetSymbols: ['totals'] }),
    at: 'n1 targetSymbols[0]',
  },
];

function first(): Record<string, unknown> {
  return (smallPlan()['nodes'] as Record<string, unknown>[])[0]!;
}

function lesson(changed: Partial<Lesson>): Lesson {
  return {
    ...{
      id: 'les-1',
      trigger: 'rejection_pattern',
      phase: 'planning',
      domainAnchorIds: ['src/orders'],
      enforcementType: 'plan_rule',
      rejectionCodes: [],
    },
    ...{ state: 'approved', createdAt: '2026-01-01T00:00:00Z', updatedAt: '2026-01-01T00:00:00Z', traceRef: 'act_0' },
    ...changed,
  };
}

for (const { code, says, plan, at, given, files } of CASES)
  verifies('G7', `${code}: ${says}`, async () => {
    const tree = await openPlanTree(files);
    const { accepted, errors } = await tree.review(plan, given?.(tree));
    expect(accepted).toBe(false);
    expect(places(errors)).toContain(`${code} ${at}`);
    for (const error of errors) {
      expect(error.message).toMatch(/^\S.*\.$/s);
      expect(error.fix).not.toBe('');
    }
  });

test('an index that is not there is a pack that cannot be assembled, with the way on', async () => {
  const tree = await openPlanTree();
  const { accepted, errors, pack, packInsufficiency } = await tree.review(
    smallPlan({ codeEvidence: ['src/orders/total.ts:3-5'] }),
    {},
    { code: null },
  );
  expect({ accepted, pack, codes: errors.map(({ code }) => code) }).toEqual({ accepted: false, pack: null, codes: ['PACK_INSUFFICIENT'] });
  expect(packInsufficiency).toEqual({
    missingAnchors: [expect.objectContaining({ anchorType: 'section', requiredBy: 'anchors', confidence: 1 })],
    escalationPlan: [
      expect.objectContaining({ action: 'wait' }),
      expect.objectContaining({ action: 'ask_human', verb: 'request_evidence_guidance' }),
    ],
    blockedCommands: ['apply_code_patch', 'run_sandboxed_code', 'execute_gated_side_effect', 'run_automation_recipe'],
  });
});

verifies('G7', 'an unresolved anchor is answered with what is missing and the call that finds it', async () => {
  const tree = await openPlanTree();
  const { packInsufficiency, errors } = await tree.review(smallPlan({ targetFile: 'orders/total.ts', operation: 'modify' }));
  expect(errors.find(({ code }) => code === 'PACK_REQUIRED_ANCHOR_UNRESOLVED')?.fix).toContain('src/orders/total.ts');
  expect(packInsufficiency?.missingAnchors).toEqual([expect.objectContaining({ anchorType: 'file', requiredBy: 'n1' })]);
  expect(packInsufficiency?.escalationPlan).toEqual([expect.objectContaining({ action: 'search', verb: 'list_scoped_files', args: {} })]);
});

verifies('G7', 'every node is judged: errors of several nodes are reported at once', async () => {
  const tree = await openPlanTree();
  const { errors } = await tree.review(smallPlan({ editIntent: 'fix it' }, { ...first(), targetFile: '../out.ts' }, { kind: 'validate' }));
  expect(places(errors)).toEqual([
    'PLAN_MISSING_REQUIRED_FIELDS n3 verificationHooks',
    'PLAN_SCOPE_VIOLATION n2 targetFile',
    'PLAN_WEAK_MODEL_AMBIGUOUS n1 editIntent',
  ]);
});

verifies('G7', 'a plan rule of a lesson asks for its steps, and its result is reported by itself', async () => {
  const tree = await openPlanTree();
  const rule = { condition: 'touches src/orders/*.ts', requiredSteps: ['check test', 'change docs/**'], denyCode: 'PLAN_POLICY_VIOLATION' };
  const lessons = [lesson({ planRule: rule })];
  const refused = await tree.review(smallPlan(), { lessons });
  expect(refused.memoryRuleResults).toEqual([
    { memoryId: 'les-1', condition: rule.condition, satisfied: false, denyCode: 'PLAN_POLICY_VIOLATION' },
  ]);
  expect(refused.errors).toEqual([
    expect.objectContaining({ code: 'PLAN_POLICY_VIOLATION', nodeId: 'n1', fix: 'Add a change node for docs/**' }),
  ]);
  const docs = { ...first(), targetFile: 'docs/orders.md', whyThisFile: 'It says how totals are rounded', editIntent: 'Say "two digits"' };
  const passed = await tree.review(smallPlan({}, docs), { lessons });
  expect(passed.errors).toEqual([]);
  expect(passed.memoryRuleResults).toEqual([{ memoryId: 'les-1', condition: rule.condition, satisfied: true }]);
  expect(passed.pack!.pack.memories.activeMemories.map(({ id }) => id)).toEqual(['les-1']);
  expect(
    (await tree.review(smallPlan(), { lessons, lessonSettings: { enablePlanRuleMutation: false, enableStrategyOverride: true } })).accepted,
  ).toBe(true);
});

verifies('G7', 'a lesson about another folder, or one that waits to be approved, asks for nothing', async () => {
  const tree = await openPlanTree();
  const planRule = { condition: 'always', requiredSteps: ['escalate'], denyCode: 'PLAN_POLICY_VIOLATION' };
  for (const other of [
    lesson({ planRule, domainAnchorIds: ['src/users'] }),
    lesson({ planRule, state: 'pending' }),
    lesson({ planRule, state: 'rejected' }),
  ])
    expect((await tree.review(smallPlan(), { lessons: [other] })).memoryRuleResults).toEqual([]);
});

verifies('G7', 'a change of what a plan cites is noticed, lines that only moved are followed', async () => {
  const tree = await openPlanTree();
  const cited = tree.read('src/orders/total.ts', 3, 5);
  const file = path.join(tree.root, 'src/orders/total.ts');
  writeFileSync(file, `// A comment.\n${ORDERS['src/orders/total.ts']!}`);
  await tree.index.reread();
  const moved = await tree.review(smallPlan({ codeEvidence: [cited] }));
  expect(moved.errors).toEqual([]);
  expect(moved.plan!.nodes[0]).toMatchObject({ codeEvidence: [{ ...cited, start_line: 4, end_line: 6 }] });
  expect(moved.notes).toEqual(['the lines cited as src/orders/total.ts:3-5 are at line 4 now']);
  writeFileSync(file, ORDERS['src/orders/total.ts']!.replace('a + b', 'a - b'));
  const { errors } = await tree.review(smallPlan({ codeEvidence: [cited] }));
  expect(errors[0]).toMatchObject({ code: 'PLAN_EVIDENCE_INSUFFICIENT', message: 'the cited lines src/orders/total.ts:3-5 changed.' });
});

verifies('G32', 'a side effect that needs a browser is refused with the reason', async () => {
  const tree = await openPlanTree();
  const browse = {
    nodeId: 'b',
    sideEffectType: 'browser_automation',
    sideEffectPayloadRef: 'steps.json',
    commitGateId: 'g',
    dependsOn: ['n1'],
  };
  const { errors } = await tree.review(smallPlan({ nodeId: 'n1' }, browse));
  expect(errors[0]).toMatchObject({ code: 'PLAN_MISSING_REQUIRED_FIELDS', nodeId: 'b', field: 'sideEffectType' });
  expect(errors[0]!.message).toContain('Browser automation is not available');
});
