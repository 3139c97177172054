// Judges a plan by itself and by the files of the tree, without a run, an index or a daemon. What only those know is said to be open.

import type { FileObservation, IntentView, PlanError } from '../protocol/index.ts';
import { CHECKS, DEFAULT_EVIDENCE_POLICY } from '../protocol/index.ts';
import type { PlanFacts, SourceFact } from './graph/plan-facts.ts';
import { readPlan } from './graph/read-plan.ts';
import { sourceKey } from './graph/read-source.ts';
import { validatePlan } from './graph/validate-plan.ts';
import { lookUpSources, lookUpTargets } from './look-up.ts';
import type { PlanSituation } from './situation.ts';
import { testConfidence } from './strategy/context-signature.ts';

export interface OfflineJudgement {
  readonly errors: readonly PlanError[];
  /** What could not be checked here. */
  readonly notes: readonly string[];
}

export interface OfflineTree {
  readonly root: string;
  readonly observe: (path: string, access: 'write' | 'delete') => Promise<FileObservation>;
}

const NOTES = [
  'Checked when the plan is submitted: the scope of the intent, symbols, policies, lessons, proof chains, the strategy and the values of the envelope.',
];

const ANY_SCOPE: IntentView = { id: 'any', name: 'any', status: 'active', owned_scope: ['**'], constraints: [], acceptance_criteria: [] };

export async function validateOffline(submitted: unknown, { root, observe }: OfflineTree): Promise<OfflineJudgement> {
  const draft = readPlan(submitted);
  const { envelope } = draft;
  const given = ENVELOPE_TEXTS.flatMap((field) => envelope.text(field) ?? []);
  const situation: PlanSituation = {
    ...{ workId: '', agentId: '', runSessionId: '', worktreeRoot: root, revision: null, prompt: '', intent: ANY_SCOPE },
    policyVersionSet: (envelope.record('policyVersionSet') ?? {}) as Record<string, string>,
    evidencePolicy: DEFAULT_EVIDENCE_POLICY,
    ...{ capabilities: [], reads: [], signals: [], lessons: [], acceptedBefore: 0 },
    traceRefs: new Set(envelope.texts('sourceTraceRefs')),
    checks: CHECKS.map((name) => ({ name, command: name })),
    lessonSettings: { enablePlanRuleMutation: false, enableStrategyOverride: false },
    hints: { manifests: [], projects: [] },
    issued: new Set(given),
  };
  const targets = await lookUpTargets(draft, { code: null, observe });
  const cited = draft.nodes.flatMap((node) => [...(node.given.sources('citations') ?? []), ...(node.given.sources('codeEvidence') ?? [])]);
  const lines = cited.filter((source) => 'start_line' in source);
  const context = {
    situation,
    ports: { code: null, claimStatus: async () => null },
    artifacts: [],
    contract: NO_CONTRACT,
    policyIds: new Set<string>(),
  };
  const facts: PlanFacts = {
    ...{ situation, targets, repoSnapshotId: '', scopeAllowlistRef: '', pack: { ref: '', hash: '' } },
    strategy: {
      strategyId: envelope.text('knowledgeStrategyId') ?? '',
      reasons: [],
      contextSignature: { ...NO_FLAGS, testConfidenceLevel: testConfidence(CHECKS) },
    },
    duties: { minimumTestConfidence: 'none', needsContractAnchor: false, by: { confidence: '', contract: '' } },
    sources: new Map([
      [sourceKey({ ref: 'prompt' }), { kind: 'found', source: { ref: 'prompt' } }],
      // What has a name, and what is found by an index, is taken as it is.
      ...cited.map((source): [string, SourceFact] => [sourceKey(source), { kind: 'found', source: { ref: sourceKey(source) } }]),
      ...(await lookUpSources(lines, context)),
    ]),
    hasCode: true,
    chains: new Map(),
    contract: NO_CONTRACT,
    ...{ lessonRules: [], policyRules: [], imports: new Map() },
    policyIds: new Set(draft.nodes.flatMap((node) => node.given.texts('policyRefs') ?? [])),
  };
  const { errors } = validatePlan(draft, facts);
  // Without codeEvidence, what the session read is cited; a symbol of an index may be the evidence too.
  const isOpen = ({ code, field, path }: PlanError): boolean => {
    if (code !== 'PLAN_EVIDENCE_INSUFFICIENT' || field !== 'codeEvidence') return false;
    const sources = draft.nodes.find(({ at }) => at === path[1])?.given.sources('codeEvidence');
    return sources === undefined || sources.some((source) => !('start_line' in source));
  };
  return { errors: errors.filter((error) => !isOpen(error)), notes: NOTES };
}

const NO_CONTRACT = { operations: [], descriptions: [] };
const NO_FLAGS = {
  ...{ hasJira: false, hasSwagger: false, mentionsAgGrid: false, touchesShadowDom: false },
  ...{ crossesFederationBoundary: false, migrationAdpDetected: false, contractAnchorPresent: false },
};
const ENVELOPE_TEXTS = [
  ...['workId', 'agentId', 'runSessionId', 'repoSnapshotId', 'worktreeRoot', 'contextPackRef', 'contextPackHash', 'scopeAllowlistRef'],
  ...['planFingerprint'],
];
