// plan: what speaks for a change before it is made.
// Owns how proof chains are followed, which packs state link by link, and retrieval lanes with their reranking.
// Invariant: every link and every result names the lines that it rests on, and the way it was found; what cannot be shown is a gap, never a guess.
// Refuses: to read files itself, to change anything, to take a likeness of names for more than a last resort.

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
export type { PlanIndex, PlanPorts, PlanReview, PlanSituation } from './situation.ts';
export type { ChainRule, FlagRule, SignatureFound, StrategyClass, StrategyPack, StrategySwitch } from './strategy/strategy-pack.ts';
