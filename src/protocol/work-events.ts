// The events of a piece of work and its plans.

import { z } from 'zod';
import { event } from './event-form.ts';
import { PathId, SessionId, WorkspaceId } from './ids.ts';
import { Human } from './intent.ts';
import { PlanGraph, Reservation } from './plan.ts';
import { KnowledgeStrategy } from './strategy.ts';

export const workEvents = [
  /** `metered`: its turns are counted against the budget. `prompt` null: it was not given yet. */
  event('work_opened', {
    workspace: WorkspaceId,
    root: z.string(),
    session: SessionId,
    work_id: PathId,
    run_session_id: PathId,
    agent_id: z.string().min(1).max(256),
    metered: z.boolean(),
    prompt: z.string().nullable(),
  }),
  /** The first prompt of a piece of work, where it came after its first turn. */
  event('work_prompted', { session: SessionId, work_id: PathId, prompt: z.string() }),
  /** What one turn cost. `workspace`: it is charged to all of it, because nothing shows which of its connections is whose. */
  event('work_charged', { workspace: WorkspaceId, session: SessionId, tokens: z.int().min(0) }),
  event('budget_granted', { workspace: WorkspaceId, tokens: z.int().min(1), human: Human }),
  /** `review`: nodes that wait for a human's yes whatever the mode. `confirm`: the whole plan does. */
  event('plan_accepted', {
    workspace: WorkspaceId,
    root: z.string(),
    session: SessionId,
    work_id: PathId,
    version: z.int().min(1),
    plan: PlanGraph,
    confirm: z.boolean(),
    review: z.array(PathId),
    reservations: z.array(Reservation),
    strategy: KnowledgeStrategy,
  }),
  event('plan_rejected', {
    workspace: WorkspaceId,
    session: SessionId,
    work_id: PathId,
    codes: z.array(z.string()),
    /** Refs, hashes and fingerprints that the answer named: a corrected plan may name them again. */
    issued: z.array(z.string()),
    strategy: KnowledgeStrategy.nullable(),
  }),
  /** The workspace's own checks ran for this session; by name. */
  event('checks_ran', {
    workspace: WorkspaceId,
    root: z.string(),
    session: SessionId,
    passed: z.array(z.string()),
    failed: z.array(z.string()),
  }),
  event('work_failed', { session: SessionId, work_id: PathId, reason: z.string() }),
  event('work_ended', { session: SessionId, work_id: PathId, abandoned: z.boolean(), summary: z.string().nullable() }),
] as const;
