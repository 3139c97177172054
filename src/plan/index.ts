// plan: what speaks for a change before it is made.
// Owns PlanGraphs and their checks, the evidence policy, strategies, context packs, reservations and splits of plans, how proof chains are followed,
// which packs state link by link, and retrieval lanes with their reranking.
// Invariant: every link and every result names the lines that it rests on, and the way it was found; what cannot be shown is a gap, never a guess.
// Refuses: to read files but for citations (`claims` does), to change anything, to take a likeness of names for more than a last resort.

export { along, alongToHead, defined, textOf, written } from './chains/find-candidates.ts';
export {
  type Candidate,
  candidateOf,
  type ChainPlan,
  type ChainPorts,
  type ChainProver,
  type ChainRequest,
  followChain,
  headOf,
  type ProofChain,
  type Trail,
} from './chains/proof-chain.ts';
export { type Artifact, type LaneName, type LanePorts, type LaneResult, LANES, type Retrieval } from './lanes/lane.ts';
export { retrieve } from './lanes/retrieve.ts';
export { distinctSources, type EvidenceFinding, weighEvidence } from './evidence.ts';
export { cycleIn, executionOrder, readyNodes } from './graph/order.ts';
export { applyPatch } from './graph/plan-error.ts';
export type { PlanFacts } from './graph/plan-facts.ts';
export { type PlanDraft, readPlan, SMALLEST_PLAN } from './graph/read-plan.ts';
export { type PlanJudgement, validatePlan } from './graph/validate-plan.ts';
export { buildPack, packHash, PACK_BYTES_MAX } from './pack/build-pack.ts';
export { BLOCKED_WITHOUT_PACK } from './pack/insufficiency.ts';
export { reviewPlan } from './review-plan.ts';
export { staleEvidence } from './stale-evidence.ts';
export { subAgentHints } from './sub-agents.ts';
export { type OfflineJudgement, type OfflineTree, validateOffline } from './validate-offline.ts';
export type { PlanIndex, PlanPorts, PlanReview, PlanSituation } from './situation.ts';
export { contextSignature, type SeenContext, testConfidence } from './strategy/context-signature.ts';
export { type SelectedStrategy, selectStrategy, type StrategyContext, type StrategySignal } from './strategy/select-strategy.ts';
export type { ChainRule, FlagRule, SignatureFound, StrategyClass, StrategyPack } from './strategy/strategy-pack.ts';
