// The way of a submitted plan: read it, look up what it names, choose the strategy, build the pack, judge it. The pack is built before the judgement,
// so that also a rejected plan is answered with what it should have known.

import { isInside } from '../claims/index.ts';
import { activeMemory, lessonsFor } from '../memory/index.ts';
import type { BuiltPack, MissingAnchor, PackAnchor, PlanError, PlanNode } from '../protocol/index.ts';
import { NO_SUB_AGENTS } from '../protocol/index.ts';
import { canonicalHash } from './canonical.ts';
import type { ProofChain } from './chains/proof-chain.ts';
import { readEvidencePolicy } from './graph/check-envelope.ts';
import { fillInNodes, sourcesToFill } from './graph/fill-in.ts';
import type { ChainFact, PlanFacts } from './graph/plan-facts.ts';
import { inEnvelope, planError } from './graph/plan-error.ts';
import { type PlanDraft, readPlan } from './graph/read-plan.ts';
import { validatePlan } from './graph/validate-plan.ts';
import { retrieve } from './lanes/retrieve.ts';
import { lookUpContract, lookUpImports, lookUpPolicies, lookUpSources, lookUpTargets, type PolicyRow } from './look-up.ts';
import { buildPack } from './pack/build-pack.ts';
import { packInsufficiency } from './pack/insufficiency.ts';
import { reservationsOf } from './reservations.ts';
import { constraintRules, isAbout, lessonRules, policyRules } from './rules-of-plan.ts';
import type { PlanPorts, PlanReview, PlanSituation } from './situation.ts';
import { contextSignature, type SeenFile } from './strategy/context-signature.ts';
import { type SelectedStrategy, selectStrategy } from './strategy/select-strategy.ts';
import { subAgentHints } from './sub-agents.ts';

const RELATED_MAX = 12;
const REMEMBERED_MAX = 20;
const CHAINS_MAX = 20;
const QUESTION_MAX = 1_000;

export async function reviewPlan(submitted: unknown, situation: PlanSituation, ports: PlanPorts): Promise<PlanReview> {
  const draft = readPlan(submitted);
  const looked = await lookUp(draft, situation, ports);
  const { facts, strategy } = looked;
  // The evidence and the hooks that the pack shows are those of the filled-in nodes.
  const nodes = fillInNodes(draft, facts).nodes.map(({ node }) => node);
  const pack = ports.code === null || nodes.length === 0 ? null : await packFor(nodes, draft, looked, ports);
  const judged = validatePlan(draft, { ...facts, pack });
  const errors = pack === null && ports.code === null ? [...judged.errors, NO_PACK] : judged.errors;
  const accepted = judged.accepted && errors.length === 0;
  return {
    accepted,
    plan: judged.plan,
    version: accepted ? situation.acceptedBefore + 1 : null,
    errors,
    memoryRuleResults: judged.memoryRuleResults,
    pack,
    packInsufficiency: packInsufficiency(ports.code !== null, errors),
    strategy: { strategyId: strategy.strategyId, contextSignature: strategy.contextSignature, reasons: strategy.reasons },
    reservations: accepted ? reservationsOf(judged.plan!) : [],
    subAgentHints: accepted ? subAgentHints(judged.plan!) : NO_SUB_AGENTS,
    needsHumanReview: accepted ? judged.needsHumanReview : [],
    filledIn: judged.filledIn,
    notes: notesOf(facts),
  };
}

const NO_PACK: PlanError = planError({
  code: 'PACK_INSUFFICIENT',
  at: inEnvelope('contextPackRef'),
  message: 'The context pack cannot be assembled: there is no code index for this tree yet.',
  fix: 'Submit the same plan again in a moment; if it stays so, a human can run countersign doctor',
  remedy: { verb: 'request_evidence_guidance', args: { blockingReasons: ['There is no code index for this tree'] } },
});

interface LookedUp {
  readonly facts: PlanFacts;
  readonly strategy: SelectedStrategy;
  readonly policies: readonly PolicyRow[];
  readonly chains: readonly ProofChain[];
}

/** Everything that the judgement needs, but for the pack. */
async function lookUp(draft: PlanDraft, situation: PlanSituation, ports: PlanPorts): Promise<LookedUp> {
  const index = ports.code?.index ?? null;
  const targets = await lookUpTargets(draft, ports);
  const files = [...new Set([...targets.values()].flatMap(({ seen }) => seen.real ?? []))];
  const artifacts = ports.artifacts();
  const words = draft.nodes.flatMap(({ given }) =>
    ['whyThisFile', 'editIntent', 'successCriteria'].flatMap((field) => given.text(field) ?? []),
  );
  const cited = draft.nodes.flatMap(({ given }) => [...(given.sources('citations') ?? []), ...(given.sources('codeEvidence') ?? [])]);
  const refs = cited.flatMap((source) =>
    'ref' in source && source.ref.startsWith('operation:') ? [source.ref.slice('operation:'.length)] : [],
  );
  const indexed = index ? await index.files() : [];
  const contract = await lookUpContract(index, indexed, [situation.prompt ?? '', ...words, ...refs], artifacts);

  const applied = lessonsFor(situation.lessons, files);
  const found = contextSignature(ports.strategies, {
    prompt: situation.prompt,
    words,
    files: await seenFiles(files, ports),
    artifacts: artifacts.map(({ id }) => id),
    operations: contract.operations,
    checks: situation.checks.map(({ name }) => name),
    manifests: situation.hints.manifests,
  });
  const signalling = situation.lessonSettings.enableStrategyOverride
    ? applied.map(({ lesson }) => lesson).filter(({ strategySignal }) => strategySignal)
    : [];
  const strategy = selectStrategy(ports.strategies, { found, prompt: situation.prompt, signals: situation.signals, lessons: signalling });

  const policies = await lookUpPolicies(ports);
  const policyIds = new Set(policies.map(({ id }) => id));
  const given = [...cited, ...sourcesToFill(draft, { situation, targets })];
  const hooks = draft.nodes.flatMap((node) => node.given.texts('verificationHooks') ?? []);
  const { projects } = situation.hints;
  const chained = projects.length === 0 ? files : files.filter((file) => isInside(file, projects));
  const { byFile, chains } = await chainsFor(chained, strategy, ports);
  const { duties } = strategy;
  const facts: PlanFacts = {
    situation,
    repoSnapshotId: situation.revision === null ? 'unversioned' : `git:${situation.revision}`,
    scopeAllowlistRef: scopeRef(situation),
    pack: null,
    strategy,
    duties,
    targets,
    sources: await lookUpSources(given, { situation, ports, artifacts, contract, policyIds }),
    hasCode: index === null || indexed.some(({ language }) => !NOT_CODE.has(language)),
    chains: byFile,
    contract,
    lessonRules: situation.lessonSettings.enablePlanRuleMutation ? lessonRules(applied) : [],
    policyRules: [...policyRules(policies, files), ...constraintRules(situation.intent)],
    policyIds,
    imports: await lookUpImports(index, hooks),
  };
  return { facts, strategy, policies, chains };
}

const NOT_CODE: ReadonlySet<string> = new Set(['json', 'yaml', 'markdown', 'text']);

const scopeRef = ({ intent }: PlanSituation): string =>
  intent === null ? 'none' : `intent:${intent.id}@${canonicalHash(intent.owned_scope).slice(0, 12)}`;

async function seenFiles(files: readonly string[], { code }: PlanPorts): Promise<readonly SeenFile[]> {
  if (!code) return files.map((path) => ({ path, imports: [], labels: [], text: '' }));
  const facts = new Map((await code.index.facts(files)).map((each) => [each.file.path, each]));
  return Promise.all(
    files.map(async (path) => ({
      path,
      imports: (facts.get(path)?.imports ?? []).map(({ specifier }) => specifier),
      labels: facts.has(path) ? (await code.graph.find({ path, limit: 100 })).map(({ label }) => label) : [],
      text: facts.has(path) ? ((await code.index.text(path))?.text ?? '') : '',
    })),
  );
}

/** The chains that the context needs and that begin in a file of the plan. */
async function chainsFor(
  files: readonly string[],
  { contextSignature: signature }: SelectedStrategy,
  { code, provers, strategies }: PlanPorts,
) {
  const byFile = new Map<string, ChainFact[]>();
  const chains: ProofChain[] = [];
  for (const { chain } of code ? strategies.chains.filter(({ when: flag }) => signature[flag]) : []) {
    const prover = provers[chain];
    if (!prover) throw new Error(`no pack proves chains of the kind ${chain}`);
    for (const file of files) {
      const proven = await prover.prove(code!, { file, limit: CHAINS_MAX });
      chains.push(...proven);
      const facts = proven.map(({ complete, subject, gaps, code: given }): ChainFact => ({
        ...{ code: given ?? prover.code, complete, subject },
        gap: gaps[0] ? `${gaps[0].role} is missing: ${gaps[0].why}` : null,
      }));
      if (facts.length > 0) byFile.set(file, [...(byFile.get(file) ?? []), ...facts]);
    }
  }
  return { byFile, chains };
}

async function packFor(
  nodes: readonly PlanNode[],
  draft: PlanDraft,
  { facts, strategy, policies, chains }: LookedUp,
  ports: PlanPorts,
): Promise<BuiltPack> {
  const { situation } = facts;
  const files = nodes.flatMap((node) => (node.kind === 'change' ? [node.targetFile] : []));
  const question = [situation.prompt ?? '', ...nodes.flatMap((node) => (node.kind === 'change' ? [node.editIntent] : []))]
    .join(' ')
    .slice(0, QUESTION_MAX);
  const { index, graph } = ports.code!;
  const { results } = await retrieve({ index, graph, recall: ports.recall, artifacts: ports.artifacts }, question, RELATED_MAX);
  const remembered = ports
    .recall(question, REMEMBERED_MAX)
    .filter(({ claim }) => claim.kind === 'constraint' && claim.approved !== null)
    .map(({ claim: { id, statement } }) => ({ id, statement }));
  return buildPack({
    ...{ situation, strategy, nodes, chains, remembered },
    repoSnapshotId: facts.repoSnapshotId,
    scopeAllowlistRef: facts.scopeAllowlistRef,
    evidencePolicy: readEvidencePolicy(draft, situation.evidencePolicy).policy,
    conflicts: conflictsOf(nodes),
    policies: policies
      .filter((row) => files.some((file) => isAbout(row, file)))
      .map((row) => ({ id: row.id, name: row.name, appliesTo: row.folders.join(', ') || '.', text: row.text })),
    files: nodes.flatMap((node) => anchorsOf(node)),
    related: results.map(({ title, path, citation, lanes }) => ({
      ...{ nodeId: null, what: title, path, because: lanes.map(({ lane, why }) => `${lane}: ${why}`).join('; ') },
      citation: citation && { path: citation.path, start_line: citation.start_line, end_line: citation.end_line, sha256: citation.sha256 },
    })),
    missing: missingIn(chains),
    memories: lessonsFor(situation.lessons, files).map(activeMemory),
  });
}

const anchorsOf = (node: PlanNode): readonly PackAnchor[] =>
  node.kind === 'change'
    ? [...node.citations, ...node.codeEvidence].map((source) => ({
        nodeId: node.nodeId,
        what: 'ref' in source ? source.ref : `${source.path}:${source.start_line}-${source.end_line}`,
        path: 'ref' in source ? null : source.path,
        citation: 'ref' in source ? null : source,
        because: node.whyThisFile,
      }))
    : [];

const missingIn = (chains: readonly ProofChain[]): readonly MissingAnchor[] =>
  chains
    .filter(({ complete }) => !complete)
    .flatMap(({ kind, subject, gaps }) =>
      gaps.slice(0, 1).map(({ role, why, attempted }) => ({
        ...{ anchorType: 'proof_chain' as const, requiredBy: kind, attemptedSources: [...attempted], confidence: 0.8 },
        whyRequired: `${subject}: ${role} is missing: ${why}`,
      })),
    );

/** Nodes that change the same file, and do not say which comes first. */
function conflictsOf(nodes: readonly PlanNode[]): readonly string[] {
  const byFile = new Map<string, string[]>();
  for (const node of nodes) if (node.kind === 'change') byFile.set(node.targetFile, [...(byFile.get(node.targetFile) ?? []), node.nodeId]);
  return [...byFile].flatMap(([file, ids]) => (ids.length > 1 ? [`${ids.join(' and ')} both change ${file}`] : []));
}

function notesOf({ sources, targets }: PlanFacts): readonly string[] {
  const moved = [...sources.values()].flatMap((fact) => (fact.kind === 'found' && fact.note !== undefined ? [fact.note] : []));
  const unread = [...targets.values()].filter(({ seen, symbols }) => seen.sha256 !== null && symbols === null);
  return [
    ...moved,
    ...(unread.length > 0 ? [`symbols were not checked in ${unread.map(({ seen }) => seen.path).join(', ')}: not in the index`] : []),
  ];
}
