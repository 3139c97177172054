// A PlanGraph: what an agent says it will do, node by node, before it changes anything. Its names are contract. A plan arrives with
// as little as files, reasons and checks; what the server knows is filled in and echoed, and what is given is checked against it.

import { z } from 'zod';
import { Citation } from './claim.ts';
import type { RefusalCode } from './codes.ts';
import { PathId, Sha256 } from './ids.ts';

export const PLAN_SCHEMA_VERSION = '1.0.0';

export const PLAN_LIMITS = { nodes: 200, list: 50, text: 4_000, bytes: 1_000_000 } as const;

export const NODE_KINDS = ['change', 'validate', 'escalate', 'side_effect'] as const;
export const NodeKind = z.enum(NODE_KINDS);
export type NodeKind = z.infer<typeof NodeKind>;

export const CHANGE_OPERATIONS = ['create', 'modify', 'delete', 'rename'] as const;
export const ChangeOperation = z.enum(CHANGE_OPERATIONS);
export type ChangeOperation = z.infer<typeof ChangeOperation>;

export const SIDE_EFFECT_TYPES = ['git_commit', 'git_branch', 'git_tag', 'git_push', 'command', 'http_request'] as const;
export const SideEffectType = z.enum(SIDE_EFFECT_TYPES);
export type SideEffectType = z.infer<typeof SideEffectType>;

const Text = z.string().min(1).max(PLAN_LIMITS.text);
const Texts = z.array(Text).max(PLAN_LIMITS.list);

/**
 * What a plan rests on: lines of a file, or something with a name: `prompt`, `intent:INT-001`, `criterion:INT-001#2`, `policy:…`,
 * `artifact:…`, a claim, a lesson, a receipt.
 */
export const PlanSource = z.union([Citation, z.strictObject({ ref: z.string().min(1).max(512) })]);
export type PlanSource = z.infer<typeof PlanSource>;

export const EvidencePolicy = z.strictObject({
  minRequirementSources: z.int().min(0).max(20),
  minCodeEvidenceSources: z.int().min(0).max(20),
  minPolicySources: z.int().min(0).max(20),
  /** Counts only from the settings: a plan cannot switch it on. */
  allowSingleSourceWithGuard: z.boolean(),
  lowEvidenceGuardRules: Texts,
  /** Two lines of one file are one source (`file`), or two where they do not overlap (`range`). */
  distinctSourceDefinition: z.enum(['file', 'range']),
});
export type EvidencePolicy = z.infer<typeof EvidencePolicy>;

export const DEFAULT_EVIDENCE_POLICY: EvidencePolicy = {
  minRequirementSources: 1,
  minCodeEvidenceSources: 1,
  minPolicySources: 0,
  allowSingleSourceWithGuard: false,
  lowEvidenceGuardRules: ['lowEvidenceGuard is true', 'uncertaintyNote says what is uncertain', 'requiresHumanReview is true'],
  distinctSourceDefinition: 'range',
};

const commonFields = {
  nodeId: PathId,
  dependsOn: z.array(PathId).max(PLAN_LIMITS.nodes),
  /** Nodes with the same boundary are kept or reverted together. */
  atomicityBoundary: PathId,
  expectedFailureSignatures: Texts,
  correctionCandidateOnFail: Text,
};

export const ChangeNode = z.strictObject({
  ...commonFields,
  kind: z.literal('change'),
  operation: ChangeOperation,
  targetFile: z.string().min(1).max(1024),
  /** Of a rename: the new path. */
  renameTo: z.string().min(1).max(1024).nullable(),
  /** Definitions of the file that are changed; empty: those that the file has none of. */
  targetSymbols: z.array(z.string().min(1).max(256)).max(PLAN_LIMITS.nodes),
  whyThisFile: Text,
  editIntent: Text,
  /** Where the change is required from. */
  citations: z.array(PlanSource).max(PLAN_LIMITS.list),
  /** The code that it rests on. */
  codeEvidence: z.array(PlanSource).max(PLAN_LIMITS.list),
  /** Policies that were taken into account, by id. */
  policyRefs: z.array(z.string().min(1).max(256)).max(PLAN_LIMITS.list),
  /** Names of checks, or commands. */
  verificationHooks: Texts,
  lowEvidenceGuard: z.boolean(),
  uncertaintyNote: z.string().max(PLAN_LIMITS.text).nullable(),
  requiresHumanReview: z.boolean(),
});
export type ChangeNode = z.infer<typeof ChangeNode>;

export const ValidateNode = z.strictObject({
  ...commonFields,
  kind: z.literal('validate'),
  verificationHooks: Texts,
  mapsToNodeIds: z.array(PathId).max(PLAN_LIMITS.nodes),
  successCriteria: Text,
});
export type ValidateNode = z.infer<typeof ValidateNode>;

export const EscalateNode = z.strictObject({
  ...commonFields,
  kind: z.literal('escalate'),
  requestedEvidence: Texts,
  blockingReasons: Texts,
});
export type EscalateNode = z.infer<typeof EscalateNode>;

export const SideEffectNode = z.strictObject({
  ...commonFields,
  kind: z.literal('side_effect'),
  sideEffectType: SideEffectType,
  sideEffectPayloadRef: z.string().min(1).max(1024),
  /** The gate that a human opens; the plan only names it. */
  commitGateId: PathId,
});
export type SideEffectNode = z.infer<typeof SideEffectNode>;

export const PlanNode = z.discriminatedUnion('kind', [ChangeNode, ValidateNode, EscalateNode, SideEffectNode]);
export type PlanNode = z.infer<typeof PlanNode>;

export const StrategyReason = z.strictObject({ reason: Text, evidenceRefs: z.array(z.string().max(512)).max(PLAN_LIMITS.list) });
export type StrategyReason = z.infer<typeof StrategyReason>;

/** A plan as it is kept: every field is there, and was given or filled in by the server. */
export const PlanGraph = z.strictObject({
  workId: PathId,
  agentId: z.string().min(1).max(256),
  runSessionId: PathId,
  /** The commit that was checked out; what the plan cites is held by its own hashes. */
  repoSnapshotId: z.string().min(1).max(256),
  worktreeRoot: z.string().min(1),
  contextPackRef: z.string().min(1).max(256),
  contextPackHash: Sha256,
  /** The policies that it was judged by, and their versions. */
  policyVersionSet: z.record(z.string(), z.string()),
  scopeAllowlistRef: z.string().min(1).max(256),
  knowledgeStrategyId: z.string().min(1).max(64),
  knowledgeStrategyReasons: z.array(StrategyReason).max(PLAN_LIMITS.list),
  evidencePolicy: EvidencePolicy,
  /** Of the nodes and the evidence policy, in canonical form: the same plan has the same one. */
  planFingerprint: Sha256,
  /** Turns of this run that led to the plan. */
  sourceTraceRefs: z.array(z.string().max(64)).max(PLAN_LIMITS.list),
  schemaVersion: z.literal(PLAN_SCHEMA_VERSION),
  nodes: z.array(PlanNode).min(1).max(PLAN_LIMITS.nodes),
});
export type PlanGraph = z.infer<typeof PlanGraph>;

export const ENVELOPE_FIELDS = Object.keys(PlanGraph.shape).filter((field) => field !== 'nodes') as readonly Exclude<
  keyof PlanGraph,
  'nodes'
>[];

/** The rejection codes of plans, in the order of the contract. */
export const PLAN_CODES = [
  'PLAN_MISSING_REQUIRED_FIELDS',
  'PLAN_SCOPE_VIOLATION',
  'PLAN_EVIDENCE_INSUFFICIENT',
  'PLAN_NOT_ATOMIC',
  'PLAN_VERIFICATION_WEAK',
  'PLAN_STRATEGY_MISMATCH',
  'PLAN_WEAK_MODEL_AMBIGUOUS',
  'PLAN_FEDERATION_PROOF_MISSING',
  'PLAN_ORIGIN_UNKNOWN',
  'PLAN_POLICY_VIOLATION',
  'PLAN_MISSING_CONTRACT_ANCHOR',
  'PLAN_VALIDATION_CONFIDENCE_TOO_LOW',
  'EXEC_SIDE_EFFECT_COLLISION',
  'EXEC_UNGATED_SIDE_EFFECT',
  'MEMORY_PROVISIONAL_EXPIRED',
  'PACK_INSUFFICIENT',
  'PACK_REQUIRED_ANCHOR_UNRESOLVED',
] as const satisfies readonly RefusalCode[];
export const PlanCode = z.enum(PLAN_CODES);
export type PlanCode = z.infer<typeof PlanCode>;

/** One step of a JSON Patch (RFC 6902). */
export const PatchStep = z.strictObject({ op: z.enum(['add', 'replace', 'remove']), path: z.string(), value: z.json().optional() });
export type PatchStep = z.infer<typeof PatchStep>;

/** One thing that is wrong with a plan, where it is, and what makes it right. */
export const PlanError = z.strictObject({
  code: PlanCode,
  /** The id of the node; null: the envelope. */
  nodeId: z.string().nullable(),
  /** Of the node or the envelope: `citations[0].sha256`. */
  field: z.string(),
  /** From the root of the document, for line numbers: `nodes`, 3, `citations`, 0. */
  path: z.array(z.union([z.string(), z.int()])),
  message: z.string(),
  /** In words: what to change. */
  fix: z.string(),
  /** The change of the document that removes the error, where the server knows it. */
  patch: z.array(PatchStep).optional(),
  /** The verb that leads on, where the plan alone cannot: it works as it is. */
  remedy: z.strictObject({ verb: z.string(), args: z.record(z.string(), z.json()) }).optional(),
});
export type PlanError = z.infer<typeof PlanError>;

export const MemoryRuleResult = z.strictObject({
  memoryId: z.string(),
  condition: z.string(),
  satisfied: z.boolean(),
  denyCode: z.string().optional(),
});
export type MemoryRuleResult = z.infer<typeof MemoryRuleResult>;

/** What an accepted plan will touch; leases are taken at a node's first mutation. */
export const RESERVATION_KINDS = ['file', 'symbol', 'graph', 'side_effect'] as const;
export const Reservation = z.strictObject({
  kind: z.enum(RESERVATION_KINDS),
  /** A path, `path#Symbol`, a graph's name, or a side effect's type with its payload. */
  name: z.string(),
  workId: z.string(),
  nodeId: z.string(),
});
export type Reservation = z.infer<typeof Reservation>;

export const SubAgentHints = z.strictObject({
  recommended: z.boolean(),
  /** Why, or why not. */
  reason: z.string(),
  /** Sets of nodes that touch no file of one another and do not wait for one another. */
  splits: z.array(z.strictObject({ name: z.string(), nodeIds: z.array(z.string()), files: z.array(z.string()) })),
});
export type SubAgentHints = z.infer<typeof SubAgentHints>;
export const NO_SUB_AGENTS: SubAgentHints = { recommended: false, reason: 'There is no accepted plan to split.', splits: [] };
