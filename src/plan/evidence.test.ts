import { expect, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { DEFAULT_EVIDENCE_POLICY, type EvidencePolicy, type PlanSource } from '../protocol/index.ts';
import { distinctSources, weighEvidence } from './evidence.ts';
import { openPlanTree, smallPlan } from './plan.fixture.ts';

const lines = (path: string, start_line: number, end_line: number): PlanSource => ({ path, start_line, end_line, sha256: '0'.repeat(64) });
const GUARDED: EvidencePolicy = { ...DEFAULT_EVIDENCE_POLICY, minCodeEvidenceSources: 2, allowSingleSourceWithGuard: true };

verifies('G8', 'sources that overlap are one; with the stricter definition all lines of a file are', () => {
  const sources = [
    lines('a.ts', 1, 5),
    lines('a.ts', 4, 9),
    lines('a.ts', 20, 21),
    lines('b.ts', 1, 5),
    { ref: 'prompt' },
    { ref: 'prompt' },
  ];
  expect(distinctSources(sources, { distinctSourceDefinition: 'range' })).toEqual([sources[0], sources[2], sources[3], sources[4]]);
  expect(distinctSources(sources, { distinctSourceDefinition: 'file' })).toEqual([sources[0], sources[3], sources[4]]);
});

verifies('G8', 'each category has its minimum, and a source counts in one of them only', () => {
  const node = {
    ...{
      operation: 'modify' as const,
      citations: [lines('a.ts', 1, 5)],
      codeEvidence: [lines('a.ts', 3, 4), { ref: 'prompt' }],
      policyRefs: [],
    },
    ...{ lowEvidenceGuard: false, uncertaintyNote: null, requiresHumanReview: false },
  };
  const policy = { ...DEFAULT_EVIDENCE_POLICY, minPolicySources: 1 };
  expect(weighEvidence(node, policy, { hasCode: true })).toEqual({
    counts: [
      { category: 'requirement', has: 1, needs: 1 },
      { category: 'code', has: 0, needs: 1 },
      { category: 'policy', has: 0, needs: 1 },
    ],
    lacking: [
      { category: 'code', has: 0, needs: 1 },
      { category: 'policy', has: 0, needs: 1 },
    ],
    guard: 'not asked for',
    guardMissing: ['lowEvidenceGuard: true', 'uncertaintyNote', 'requiresHumanReview: true'],
  });
});

test('the first file of an empty tree has no code to rest on', () => {
  const node = {
    ...{ operation: 'create' as const, citations: [{ ref: 'prompt' }], codeEvidence: [], policyRefs: [] },
    ...{ lowEvidenceGuard: false, uncertaintyNote: null, requiresHumanReview: false },
  };
  expect(weighEvidence(node, DEFAULT_EVIDENCE_POLICY, { hasCode: false }).lacking).toEqual([]);
  expect(weighEvidence(node, DEFAULT_EVIDENCE_POLICY, { hasCode: true }).lacking).toHaveLength(1);
});

const GUARD = { lowEvidenceGuard: true, uncertaintyNote: 'Only total() was found', requiresHumanReview: true };

verifies('G8', 'a single source passes with the whole guard where the settings allow it, and the node waits for a human', async () => {
  const tree = await openPlanTree();
  const passed = await tree.review(smallPlan(GUARD), { evidencePolicy: GUARDED });
  expect({ errors: passed.errors, waits: passed.needsHumanReview }).toEqual({ errors: [], waits: ['n1'] });
  const enough = await tree.review(smallPlan({ ...GUARD, codeEvidence: ['src/orders/total.ts#total', 'src/orders/round.ts:1'] }), {
    evidencePolicy: GUARDED,
  });
  expect(enough.needsHumanReview).toEqual([]);
});

verifies('G8', 'a guard with a part missing says which, and one that only the plan asks for does not count', async () => {
  const tree = await openPlanTree();
  const partly = await tree.review(smallPlan({ ...GUARD, uncertaintyNote: undefined, requiresHumanReview: false }), {
    evidencePolicy: GUARDED,
  });
  expect(partly.errors).toMatchObject([
    {
      code: 'PLAN_EVIDENCE_INSUFFICIENT',
      field: 'codeEvidence',
      message: expect.stringContaining('still needs uncertaintyNote, requiresHumanReview: true'),
    },
  ]);
  const own = await tree.review({ ...smallPlan(GUARD), evidencePolicy: { allowSingleSourceWithGuard: true, minCodeEvidenceSources: 2 } });
  expect(own.errors.map(({ field }) => field)).toEqual(['evidencePolicy.allowSingleSourceWithGuard', 'codeEvidence']);
  expect(own.errors[1]!.message).toContain('The settings do not allow a single source');
});

verifies('G8', 'a plan may raise the minima for itself', async () => {
  const tree = await openPlanTree();
  const { errors, plan } = await tree.review({ ...smallPlan(), evidencePolicy: { minCodeEvidenceSources: 2 } });
  expect(errors).toMatchObject([
    { code: 'PLAN_EVIDENCE_INSUFFICIENT', message: 'The change of src/orders/total.ts has 1 of 2 distinct sources of code.' },
  ]);
  expect(errors[0]!.remedy).toEqual({ verb: 'read_file_lines', args: { targetFile: 'src/orders/total.ts' } });
  expect(plan!.evidencePolicy.minCodeEvidenceSources).toBe(2);
});

verifies('G8', 'policies that are required are named by their ids', async () => {
  const tree = await openPlanTree();
  const { errors } = await tree.review({ ...smallPlan({ policyRefs: ['pol-x'] }), evidencePolicy: { minPolicySources: 1 } });
  expect(errors.map(({ field, message }) => `${field}: ${message}`)).toEqual(['policyRefs[0]: There is no policy "pol-x" here.']);
});

test('sources are read in every form in which agents write them', async () => {
  const tree = await openPlanTree();
  const cited = tree.read('src/orders/total.ts', 3, 5);
  const forms = [
    'src/orders/total.ts:3-5',
    'src/orders/total.ts#total',
    cited,
    { ...cited, sha256: undefined, excerpt: 'x', file_sha256: 'y' },
    { path: cited.path, symbol: 'total' },
  ];
  for (const form of forms) {
    const { plan, errors } = await tree.review(
      smallPlan({ codeEvidence: [form], citations: ['criterion:INT-001#1', 'intent', 'constraint:1'] }),
    );
    expect(errors).toEqual([]);
    expect(plan!.nodes[0]).toMatchObject({
      codeEvidence: [cited],
      citations: [{ ref: 'criterion:INT-001#1' }, { ref: 'intent:INT-001' }, { ref: 'constraint:1' }],
    });
  }
  const { errors } = await tree.review(
    smallPlan({ citations: ['criterion:INT-001#9', 'The user asked for it', 'jira:PORT-1', 'clm_01ARZ3NDEKTSV4RRFFQ69G5FAV'] }),
  );
  expect(errors.slice(0, 4).map(({ message }) => message)).toEqual([
    'The selected intent has no acceptance criterion "INT-001#9"; they count from 1: criterion:ID#1.',
    '"The user asked for it" is neither a name such as "prompt" nor a file that this session read; say which lines are meant.',
    'jira:PORT-1 was not fetched.',
    'There is no memory clm_01ARZ3NDEKTSV4RRFFQ69G5FAV.',
  ]);
});

test('a memory that is stale or refuted is no evidence', async () => {
  const tree = await openPlanTree();
  const id = 'clm_01ARZ3NDEKTSV4RRFFQ69G5FAV';
  for (const status of ['STALE', 'REFUTED', 'CITED'] as const) {
    const { errors } = await tree.review(
      smallPlan({ citations: [id] }),
      {},
      { claimStatus: async () => ({ status, because: 'lines changed' }) },
    );
    expect(errors.length).toBe(status === 'CITED' ? 0 : 2);
  }
});
