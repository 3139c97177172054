// A sealed run: an agent inside walls of the operating system, in a work tree of its own. Only the gate's merge reaches the real tree.

import { z } from 'zod';
import { Instant, RunId, Sha256, WorkspaceId } from './ids.ts';
import type { ProcessLink } from './process.ts';

/** `running`: its door is open. `ended`: it waits for a merge, or to be discarded. */
export const RunState = z.enum(['running', 'ended', 'merged']);
export type RunState = z.infer<typeof RunState>;

export const RunRow = z.strictObject({
  id: RunId,
  workspace: WorkspaceId,
  /** The real tree. */
  root: z.string(),
  /** The run's own. */
  tree: z.string(),
  /** By its adapter's name; null: no hooks of it are known. */
  agent: z.string().nullable(),
  command: z.array(z.string()),
  /** What it may reach beside the gate. */
  hosts: z.array(z.string()),
  state: RunState,
  started_at: Instant,
  ended_at: Instant.nullable(),
  exit_code: z.int().nullable(),
  /** Hosts that it asked for and did not get. */
  refused_hosts: z.array(z.string()),
});
export type RunRow = z.infer<typeof RunRow>;

/** How to start the agent in its seal: whoever has the terminal does. */
export const RunLaunch = z.strictObject({
  run: RunRow,
  /** The sandbox and its walls; the agent's program and its arguments come after them. */
  argv: z.array(z.string()),
  /** What the agent gets as its environment. */
  env: z.record(z.string(), z.string()),
  /** Variables of the caller that it gets too. */
  passed: z.array(z.string()),
  /** What a person should know before it starts. */
  notes: z.array(z.string()),
});
export type RunLaunch = z.infer<typeof RunLaunch>;

export const MergedFile = z.strictObject({
  path: z.string(),
  /** `merged`: what happened to the real file since stays in it. */
  change: z.enum(['added', 'changed', 'removed', 'merged']),
  before_sha256: Sha256.nullable(),
  after_sha256: Sha256.nullable(),
  diff: z.string(),
});

export const RunView = z.strictObject({
  run: RunRow,
  /** Names exactly what was shown. */
  plan: z.string(),
  /** Changes with a receipt, as they would come into the real tree. */
  files: z.array(MergedFile),
  /** Changes that stay in the run's tree, and why. */
  left_out: z.array(z.strictObject({ path: z.string(), why: z.string() })),
  /** False for a preview. */
  done: z.boolean(),
});
export type RunView = z.infer<typeof RunView>;

/** What a door needs to know of a run: whoever reaches the door of its seal is in it. */
export interface Seal {
  readonly run: string;
  readonly workspace: string;
  readonly root: string;
  /** Of the run's hook client, and the proof of the gate's answers to it. */
  readonly hookToken: string;
  readonly hookAnswer: string;
  /** The process around the agent; null: not reported yet. */
  readonly process: () => ProcessLink | null;
}
