// A piece of work: one run of the controller, from its first turn to its end. Its plan says what may be changed; its state says what may be called.

import { z } from 'zod';
import { SessionId } from './ids.ts';
import type { KnowledgeStrategy } from './strategy.ts';
import type { PlanGraph, PlanNode, Reservation } from './plan.ts';

export const WORK_STATES = ['PLAN_REQUIRED', 'PLAN_ACCEPTED', 'EXECUTION_ENABLED', 'BLOCKED_BUDGET', 'FAILED', 'COMPLETED'] as const;
export const WorkState = z.enum(WORK_STATES);
export type WorkState = z.infer<typeof WorkState>;

/** In tokens: what requests may cost, and the part of it after which only the safe verbs run. */
export const BUDGET = { maxTokens: 100_000, threshold: 0.6, charactersPerToken: 4 } as const;

export const BudgetStatus = z.strictObject({ maxTokens: z.int(), usedTokens: z.int(), thresholdTokens: z.int(), blocked: z.boolean() });
export type BudgetStatus = z.infer<typeof BudgetStatus>;

/** What an accepted plan waits for. `waiting`: a human has not answered yet. */
export const PlanApproval = z.enum(['not_needed', 'waiting', 'approved', 'rejected']);
export type PlanApproval = z.infer<typeof PlanApproval>;

/** `blocked`: it waits for other nodes, or for a human. */
export const NodeStatus = z.enum(['blocked', 'ready', 'started', 'done']);
export type NodeStatus = z.infer<typeof NodeStatus>;

/** Another run that has reserved what a node would change. */
export const Collision = z.strictObject({
  kind: z.enum(['file', 'symbol', 'graph', 'side_effect']),
  name: z.string(),
  work: z.string(),
  node: z.string(),
  session: SessionId,
  agent: z.string(),
});
export type Collision = z.infer<typeof Collision>;

/** A source of a node that has changed since the plan was accepted. */
export const StaleEvidence = z.strictObject({
  nodeId: z.string(),
  /** `codeEvidence[0]`. */
  field: z.string(),
  path: z.string(),
  /** In words: which lines, and what became of them. */
  because: z.string(),
});
export type StaleEvidence = z.infer<typeof StaleEvidence>;

export interface NodeView {
  readonly nodeId: string;
  readonly kind: PlanNode['kind'];
  readonly status: NodeStatus;
  /** In words; empty when nothing holds it. */
  readonly waitsFor: readonly string[];
}

/** A plan as it was accepted; it never changes. */
export interface AcceptedPlan {
  readonly version: number;
  readonly graph: PlanGraph;
  readonly reservations: readonly Reservation[];
  readonly acceptedAt: string;
}

export interface PlanView extends AcceptedPlan {
  readonly approval: PlanApproval;
  readonly nodes: readonly NodeView[];
}

/** A piece of work as it was opened. */
export interface OpenedWork {
  readonly workId: string;
  readonly runSessionId: string;
  readonly agentId: string;
  readonly session: string;
  readonly workspace: string;
  readonly root: string;
  /** Its turns are counted against the budget. */
  readonly metered: boolean;
  readonly openedAt: string;
}

/** What speaks for or against the strategy of a piece of work, as it happened. */
export type WorkEvent =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'rejected'; readonly codes: readonly string[] }
  /** A change, a check or a command of the plan failed. `what`: the command, else the tool. */
  | { readonly kind: 'failed'; readonly what: string }
  /** The same call again with nothing changed since: the second time, the third, and so on. */
  | { readonly kind: 'repeated'; readonly tool: string; readonly call: string; readonly times: number };

export interface WorkView extends OpenedWork {
  readonly state: WorkState;
  /** What the person asked for, as it was first given; null: it was not. */
  readonly prompt: string | null;
  readonly budget: BudgetStatus;
  readonly plan: PlanView | null;
  /** How many plans were accepted. */
  readonly versions: number;
  /** Codes of plans that were rejected since the last one that was accepted, oldest first. */
  readonly rejections: readonly (readonly string[])[];
  /** Oldest first: what its strategy is chosen by. */
  readonly history: readonly WorkEvent[];
  readonly strategy: KnowledgeStrategy | null;
  /** Refs, hashes and fingerprints that answers to its plans named. */
  readonly issued: readonly string[];
  readonly turns: number;
  /** Why it failed, or how it ended; null: it is open. */
  readonly ended: string | null;
}

/** A piece of work as people are shown it. */
export const WorkRow = z.strictObject({
  work_id: z.string(),
  session: SessionId,
  agent: z.string(),
  root: z.string(),
  state: WorkState,
  prompt: z.string().nullable(),
  opened_at: z.string(),
  turns: z.int(),
  /** Of the workspace: its work shares one budget. Null: its turns are not counted. */
  budget: BudgetStatus.nullable(),
  plan: z
    .strictObject({
      version: z.int(),
      approval: PlanApproval,
      accepted_at: z.string(),
      nodes: z.array(
        z.strictObject({ node: z.string(), kind: z.string(), status: NodeStatus, waits_for: z.array(z.string()), what: z.string() }),
      ),
    })
    .nullable(),
});
export type WorkRow = z.infer<typeof WorkRow>;
