// What a plan is judged in: what the server knows of the run, and where it looks up the rest. Doors fill these; nothing here is taken from the
// plan itself.

import type { Graph, TreeIndex } from '../codeindex/index.ts';
import type { Hit } from '../memory/index.ts';
import type {
  BuiltPack,
  Citation,
  ClaimStatus,
  EvidencePolicy,
  FileObservation,
  IntentView,
  KnowledgeStrategy,
  Lesson,
  MemoryRuleResult,
  PackInsufficiency,
  PlanError,
  PlanGraph,
  ProofChainKind,
  Reservation,
  SubAgentHints,
} from '../protocol/index.ts';
import type { ChainProver } from './chains/proof-chain.ts';
import type { Artifact } from './lanes/lane.ts';
import type { StrategySignal } from './strategy/select-strategy.ts';
import type { StrategyPack } from './strategy/strategy-pack.ts';

/** What the server knows of the run. */
export interface PlanSituation {
  readonly workId: string;
  readonly agentId: string;
  readonly runSessionId: string;
  readonly worktreeRoot: string;
  /** The commit that is checked out; null: none, or unknown. */
  readonly revision: string | null;
  /** What the person asked for; null: no prompt is known. */
  readonly prompt: string | null;
  /** The intent that is worked on; its scope is the allow-list. */
  readonly intent: IntentView | null;
  /** Names and versions of the policies in force. */
  readonly policyVersionSet: Readonly<Record<string, string>>;
  /** Of the settings. A plan may only raise it. */
  readonly evidencePolicy: EvidencePolicy;
  /** Verbs or tools that the accepted plan opens. */
  readonly capabilities: readonly string[];
  /** Action ids of this run's turns. */
  readonly traceRefs: ReadonlySet<string>;
  /** Lines that this session was shown, newest last: they become code evidence where a plan gives none. */
  readonly reads: readonly Citation[];
  /** The workspace's checks that can be run. */
  readonly checks: readonly { readonly name: string; readonly command: string }[];
  /** What happened in this run that speaks for or against its strategy, oldest first: one entry for each time. */
  readonly signals: readonly StrategySignal[];
  /** All lessons of the workspace, in whatever state. */
  readonly lessons: readonly Lesson[];
  /** Of the settings: what lessons may do. */
  readonly lessonSettings: { readonly enablePlanRuleMutation: boolean; readonly enableStrategyOverride: boolean };
  /** Of the settings: globs of files that declare federation, and of the Angular projects; no projects: all of the tree. */
  readonly hints: { readonly manifests: readonly string[]; readonly projects: readonly string[] };
  /** Pack refs, pack hashes and fingerprints that this run answered before: a plan that is sent back with corrections still has them. */
  readonly issued: ReadonlySet<string>;
  /** How many plans this run has had accepted; the next one is a version more. */
  readonly acceptedBefore: number;
}

/** Where the rest is looked up. */
export interface PlanPorts {
  /** Null while there is no index: no pack can be built. */
  readonly code: { readonly index: PlanIndex; readonly graph: Graph } | null;
  /** The real place of a path, its governance rule and the covering glob of the intent's scope. */
  readonly observe: (path: string, access: 'write' | 'delete') => Promise<FileObservation>;
  readonly recall: (query: string, limit: number) => readonly Hit[];
  /** The computed status of a kept claim; null: there is no such claim. */
  readonly claimStatus: (id: string) => Promise<{ readonly status: ClaimStatus; readonly because: string } | null>;
  readonly artifacts: () => readonly Artifact[];
  readonly provers: Readonly<Record<ProofChainKind, ChainProver>>;
  readonly strategies: StrategyPack;
  /** Folders of keys and the ledger, if they are inside the root. */
  readonly privateFolders?: readonly string[] | undefined;
}

export type PlanIndex = Pick<TreeIndex, 'rank' | 'definitions' | 'cite' | 'search' | 'facts' | 'files' | 'text'>;

/** The answer to a submitted plan. */
export interface PlanReview {
  readonly accepted: boolean;
  /** Filled in and echoed; null where the document was too far from a plan to be filled in. */
  readonly plan: PlanGraph | null;
  /** Of the accepted plan, counted from 1. */
  readonly version: number | null;
  readonly errors: readonly PlanError[];
  readonly memoryRuleResults: readonly MemoryRuleResult[];
  /** Built before the plan is judged; null where it could not be. To be kept by its hash. */
  readonly pack: BuiltPack | null;
  readonly packInsufficiency: PackInsufficiency | null;
  readonly strategy: KnowledgeStrategy;
  readonly reservations: readonly Reservation[];
  readonly subAgentHints: SubAgentHints;
  /** Change nodes on the guarded single-source path: each waits for a human's yes. */
  readonly needsHumanReview: readonly string[];
  /** What was filled in, by field: `nodes[0].operation`. */
  readonly filledIn: readonly string[];
  /** What could not be checked, in words. */
  readonly notes: readonly string[];
}
