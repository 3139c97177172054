// An Action is one thing that an agent wants to do. A tool declares its effects and the resources that it touches; the
// gate knows nothing else about it.

import { z } from 'zod';
import { DoorName, DoorTraits } from './doors.ts';
import { ActionId, Instant, IntentId, PathId, SessionId, Sha256, WorkspaceId } from './ids.ts';

export const Effect = z.enum(['observe', 'plan', 'task', 'remember', 'write', 'execute', 'external']);
export type Effect = z.infer<typeof Effect>;

/** The effects that change the tree or the world outside. */
const TREE_EFFECTS: ReadonlySet<Effect> = new Set<Effect>(['write', 'execute', 'external']);
/** And those that change what people and agents rely on: tasks and memory. */
const LASTING_EFFECTS: ReadonlySet<Effect> = new Set<Effect>(['task', 'remember', ...TREE_EFFECTS]);

export const Mode = z.enum(['PASSIVE', 'GUARDED', 'STRICT']);
export type Mode = z.infer<typeof Mode>;

export const Resource = z.discriminatedUnion('kind', [
  /** `path` as the agent gave it: absolute, or relative to the action's root. */
  z.strictObject({
    kind: z.literal('file'),
    path: z.string(),
    access: z.enum(['read', 'write', 'delete']),
    /** The content that the call says it was made for. */
    base_sha256: Sha256.optional(),
    /** A read that returns the whole content, not only a part or the name. */
    whole: z.literal(true).optional(),
    /** A read of these lines only, counted from 1. `end` null: to the end of the file. */
    lines: z.strictObject({ start: z.int().min(1), end: z.int().min(0).nullable() }).optional(),
    /** It names the exact text that it replaces, or keeps the content: the file need not be read before. */
    targeted: z.literal(true).optional(),
    /** Of a folder: the content of what lies below it is read too. */
    deep: z.literal(true).optional(),
  }),
  z.strictObject({ kind: z.literal('command'), command: z.string(), cwd: z.string() }),
  z.strictObject({ kind: z.literal('url'), url: z.string() }),
  /** Something that only a human can give: an answer, more scope. The action waits until one has answered. */
  z.strictObject({
    kind: z.literal('human'),
    question: z.string(),
    options: z.array(z.string()),
    /** What a yes adds to an intent; `intent` null: to the one that is cited. The answer itself grants it, whoever still waits for it. */
    scope: z.strictObject({ intent: IntentId.nullable(), paths: z.array(z.string()) }).optional(),
    /** The accepted plan, or the one node of it, that a yes lets go on. */
    plan: z.strictObject({ work: PathId, opened: Instant, version: z.int().min(1), node: PathId.nullable() }).optional(),
  }),
  /** Something the gate knows only by name: another server's tool, a sub-agent. */
  z.strictObject({
    kind: z.literal('other'),
    name: z.string(),
    /** Its effects are unknown. A human is asked once, and again when its input has another form than this. */
    shape_sha256: Sha256.optional(),
  }),
]);
export type Resource = z.infer<typeof Resource>;

export const Actor = z.strictObject({
  /** The agent's product, as its adapter names it, such as `claude-code`. */
  agent: z.string(),
  /** Set for a sub-agent; its parent is the session's main agent. */
  agent_id: z.string().optional(),
  /** What the door reported, never a constant. */
  model: z.string().optional(),
});
export type Actor = z.infer<typeof Actor>;

/** What a turn of a conversation belongs to: a round of a conference, or the packet of a task. */
export const PartOf = z.strictObject({
  conference_id: PathId.optional(),
  round_id: PathId.optional(),
  task_id: PathId.optional(),
});
export type PartOf = z.infer<typeof PartOf>;

export const Action = z.strictObject({
  id: ActionId,
  /** The caller chose the id: sent again, it does not run again. */
  given: z.literal(true).optional(),
  parent: ActionId.optional(),
  part_of: PartOf.optional(),
  session: SessionId,
  workspace: WorkspaceId,
  /** The work tree that the action happens in; a workspace may have several. */
  root: z.string(),
  actor: Actor,
  door: DoorName,
  /** The trait of its door. Absent: that of one of the first doors, by its name. */
  executes: DoorTraits.shape.executes.optional(),
  tool: z.string(),
  input: z.record(z.string(), z.unknown()),
  /** JSON pointers into the input, where secrets were taken out. Absent: nowhere. */
  redacted: z.array(z.string()).optional(),
  /** Over the canonical JSON of [tool, input, root, folder] as recorded; approvals are bound to it. A mark differs when the secret does. */
  input_sha256: Sha256,
  effects: z.array(Effect),
  resources: z.array(Resource),
  /** The agent's own name and id for the call, where the door has them. */
  native: z
    .strictObject({
      tool: z.string(),
      call_id: z.string().optional(),
      /** The agent made the id for this one call: the same call with the same id is the same call, sent again. */
      once: z.literal(true).optional(),
    })
    .optional(),
  at: Instant,
});
export type Action = z.infer<typeof Action>;

/** Changes the tree or the world: needs an intent, a scope, a lock. */
export const mutates = (effects: readonly Effect[]): boolean => effects.some((effect) => TREE_EFFECTS.has(effect));
/** Changes anything that lasts, tasks and memory included: needs a mode and a recall. */
export const leavesMark = (effects: readonly Effect[]): boolean => effects.some((effect) => LASTING_EFFECTS.has(effect));
