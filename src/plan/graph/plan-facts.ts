// The facts that a plan is judged by: looked up once, plain data, so that the checks are pure and the same facts give the same answer.

import type { Citation, FileObservation, KnowledgeStrategy, PlanSource, ProofChainRow, TestConfidence } from '../../protocol/index.ts';
import type { PlanSituation } from '../situation.ts';
import type { RuleOfPlans } from '../../memory/index.ts';

export interface PlanFacts {
  readonly situation: PlanSituation;
  readonly repoSnapshotId: string;
  readonly scopeAllowlistRef: string;
  /** Null: it could not be built. */
  readonly pack: { readonly ref: string; readonly hash: string } | null;
  readonly strategy: KnowledgeStrategy;
  readonly duties: StrategyDuties;
  /** By the path as it was given, and by the real one. */
  readonly targets: ReadonlyMap<string, TargetFact>;
  /** By `sourceKey`. */
  readonly sources: ReadonlyMap<string, SourceFact>;
  /** Whether the tree has code at all: without any, a new file has nothing to cite. */
  readonly hasCode: boolean;
  /** Required chains, by the file that needs one. */
  readonly chains: ReadonlyMap<string, readonly ChainFact[]>;
  /** Null: none was looked for. */
  readonly contract: ContractFact;
  /** Of lessons. */
  readonly lessonRules: readonly RuleOfPlans[];
  /** Of policy rows and of the intent's constraints. */
  readonly policyRules: readonly RuleOfPlans[];
  /** Ids of policies that may be referred to. */
  readonly policyIds: ReadonlySet<string>;
  /** Files that import another one, however far: by the importing file. */
  readonly imports: ReadonlyMap<string, ReadonlySet<string>>;
}

/** What the matching strategy classes ask for, the strictest of all. */
export interface StrategyDuties {
  readonly minimumTestConfidence: TestConfidence;
  readonly needsContractAnchor: boolean;
  /** The class that asks for each. */
  readonly by: { readonly confidence: string; readonly contract: string };
}

export interface TargetFact {
  readonly seen: FileObservation;
  /** Definitions of the file, with qualified names (`Order.total`); null: not known, so symbols are not checked. */
  readonly symbols: readonly { readonly name: string; readonly top: boolean }[] | null;
  /** An existing path like it, where it does not exist. */
  readonly nearest: string | null;
}

/** Whether the file exists. */
export const isThere = (target: TargetFact | undefined): boolean => target !== undefined && target.seen.sha256 !== null;

/** `found`: as it is kept. `gone`, `changed`, `expired`, `rejected`: why it does not count, in words. */
export type SourceFact =
  | { readonly kind: 'found'; readonly source: PlanSource; readonly note?: string }
  | { readonly kind: 'unknown' | 'changed' | 'expired' | 'rejected'; readonly why: string; readonly now?: Citation };

export interface ChainFact {
  readonly code: NonNullable<ProofChainRow['code']>;
  readonly complete: boolean;
  readonly subject: string;
  /** What is missing, in words. */
  readonly gap: string | null;
}

export interface ContractFact {
  /** Whether the work is about an API at all is the strategy's; these are the operations that were found. */
  readonly operations: readonly string[];
  /** Files that describe an API. */
  readonly descriptions: readonly string[];
}
