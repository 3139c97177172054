// The context pack: all that a plan is judged against, in nine sections, as one document with a hash. The same plan over the same tree gives the
// same bytes, so that a reader can check what a decision rested on.

import { z } from 'zod';
import { Citation } from './claim.ts';
import { ProofChainRow } from './graph.ts';
import { Sha256 } from './ids.ts';
import { ActiveMemory } from './lesson.ts';
import { EvidencePolicy, PLAN_SCHEMA_VERSION, StrategyReason } from './plan.ts';
import { ContextSignature } from './strategy.ts';

export const PACK_SECTIONS = [
  'header',
  'constraints',
  'policies',
  'strategy',
  'anchors',
  'allowed',
  'validation',
  'missing',
  'memories',
] as const;
export type PackSection = (typeof PACK_SECTIONS)[number];

/** A piece of code or text that the plan is about, with its lines. */
export const PackAnchor = z.strictObject({
  nodeId: z.string().nullable(),
  what: z.string(),
  path: z.string().nullable(),
  citation: Citation.nullable(),
  because: z.string(),
});
export type PackAnchor = z.infer<typeof PackAnchor>;

export const MissingAnchor = z.strictObject({
  anchorType: z.enum(['file', 'symbol', 'proof_chain', 'contract', 'requirement', 'section']),
  /** A node's id, a strategy's id or a section's name. */
  requiredBy: z.string(),
  whyRequired: z.string(),
  attemptedSources: z.array(z.string()),
  /** From 0 to 1: how certain it is that there is no such anchor. */
  confidence: z.number().min(0).max(1),
});
export type MissingAnchor = z.infer<typeof MissingAnchor>;

export const ESCALATION_ACTIONS = ['read', 'lookup', 'trace', 'search', 'fetch', 'ask_human', 'wait', 'change_plan'] as const;
/** What to do about it: `verb` and `args` are a call that the agent can make as it is. */
export const EscalationStep = z.strictObject({
  action: z.enum(ESCALATION_ACTIONS),
  reason: z.string(),
  verb: z.string().optional(),
  args: z.record(z.string(), z.json()).optional(),
});
export type EscalationStep = z.infer<typeof EscalationStep>;

export const PackInsufficiency = z.strictObject({
  missingAnchors: z.array(MissingAnchor),
  escalationPlan: z.array(EscalationStep),
  /** Verbs that stay unavailable until a pack can be assembled. */
  blockedCommands: z.array(z.string()),
});
export type PackInsufficiency = z.infer<typeof PackInsufficiency>;

export const ContextPack = z.strictObject({
  header: z.strictObject({
    schemaVersion: z.literal(PLAN_SCHEMA_VERSION),
    workId: z.string(),
    agentId: z.string(),
    runSessionId: z.string(),
    repoSnapshotId: z.string(),
    worktreeRoot: z.string(),
    /** Of each section's canonical JSON, this one excepted. */
    sections: z.record(z.string(), Sha256),
  }),
  constraints: z.strictObject({
    prompt: z.string().nullable(),
    intent: z
      .strictObject({ id: z.string(), name: z.string(), constraints: z.array(z.string()), acceptance: z.array(z.string()) })
      .nullable(),
    /** Constraints that humans approved in memory and that apply to these files. */
    remembered: z.array(z.strictObject({ id: z.string(), statement: z.string() })),
    conflicts: z.array(z.string()),
  }),
  policies: z.strictObject({
    versions: z.record(z.string(), z.string()),
    /** Rows of the graph that apply to the plan's folders. */
    rows: z.array(z.strictObject({ id: z.string(), name: z.string(), appliesTo: z.string(), text: z.string() })),
    evidencePolicy: EvidencePolicy,
  }),
  strategy: z.strictObject({ strategyId: z.string(), contextSignature: ContextSignature, reasons: z.array(StrategyReason) }),
  anchors: z.strictObject({
    files: z.array(PackAnchor),
    /** What retrieval found for the prompt and the plan's words. */
    related: z.array(PackAnchor),
    chains: z.array(ProofChainRow),
  }),
  allowed: z.strictObject({
    scopeRef: z.string(),
    globs: z.array(z.string()),
    files: z.array(z.string()),
    capabilities: z.array(z.string()),
  }),
  validation: z.strictObject({
    checks: z.array(z.strictObject({ name: z.string(), command: z.string() })),
    hooks: z.array(z.strictObject({ nodeId: z.string(), hooks: z.array(z.string()) })),
    testConfidenceLevel: z.string(),
  }),
  missing: z.strictObject({ anchors: z.array(MissingAnchor), conflicts: z.array(z.string()), leftOut: z.array(z.string()) }),
  memories: z.strictObject({ activeMemories: z.array(ActiveMemory) }),
});
export type ContextPack = z.infer<typeof ContextPack>;

/** A pack as its bytes, to be kept and found again. `ref` is made from the hash. */
export interface BuiltPack {
  readonly ref: string;
  readonly hash: string;
  readonly bytes: Uint8Array;
  readonly pack: ContextPack;
}
