// One turn with an agent: what is asked, and what comes of it. Names that the contract gives are spelled as it does.

import { z } from 'zod';
import { EvidenceProblem, EvidenceVerdict } from '../grounding/evidence-line.ts';
import { REJECTIONS } from '../grounding/rejections.ts';
import { PathId, ReceiptId, SessionId, Sha256 } from '../ids.ts';

export const ToolPolicy = z.strictObject({
  /** Ids; a tool that is not listed is unknown to the model. Absent: all. */
  allowedTools: z.array(z.string().min(1).max(100)).max(50).optional(),
  /** The first step has to be a tool call. */
  requireTool: z.boolean().optional(),
});
export type ToolPolicy = z.infer<typeof ToolPolicy>;

export const ChatMessage = z.string().trim().min(1).max(20_000);

export const ChatRequest = z.strictObject({
  cwd: z.string(),
  message: ChatMessage,
  agentId: PathId.default('chief'),
  /** A conversation to continue; absent: a new one. */
  sessionId: SessionId.optional(),
  /** Absent: the agent's own, or the default one. */
  endpointId: PathId.optional(),
  toolPolicy: ToolPolicy.default({}),
  /** Sends the message as it is: no tools, no evidence. What comes back is not an answer. */
  skipTools: z.boolean().default(false),
  conferenceId: PathId.optional(),
  roundId: PathId.optional(),
  turnId: PathId.optional(),
  taskId: PathId.optional(),
});
export type ChatRequest = z.output<typeof ChatRequest>;

export const ToolStep = z.strictObject({
  tool: z.string(),
  args: z.record(z.string(), z.unknown()),
  receipt_id: ReceiptId.nullable(),
  status: z.enum(['done', 'failed', 'refused']),
  /** Of the whole output; the model saw `shown` bytes of it. */
  bytes: z.int(),
  shown: z.int(),
  sha256: Sha256,
});
export type ToolStep = z.infer<typeof ToolStep>;

export const TokenCount = z.strictObject({ input: z.int().min(0), output: z.int().min(0) });
export type TokenCount = z.infer<typeof TokenCount>;

/**
 * `answered`: every part of its evidence holds. `access`: it asks for a source and claims nothing. `abstained`. `refused`: its evidence does
 * not hold, so it is not shown. `stopped`: a tool call was rejected. `raw`: by `skipTools`.
 */
export const ChatStatus = z.enum(['answered', 'access', 'abstained', 'refused', 'stopped', 'raw']);
export type ChatStatus = z.infer<typeof ChatStatus>;

export const ChatAnswer = z.strictObject({
  sessionId: SessionId,
  turnId: z.string(),
  agentId: PathId,
  endpointId: PathId,
  model: z.string(),
  status: ChatStatus,
  grounded: z.boolean(),
  /** What may be shown to a person: the reply where it holds, otherwise why there is none. */
  text: z.string(),
  /** Of `skipTools` only: what the model said, unchecked. */
  raw: z.string().nullable(),
  evidence: EvidenceVerdict.nullable(),
  stopHook: z.strictObject({ type: z.literal('tool_call_rejected'), reason: z.enum(REJECTIONS) }).nullable(),
  /** In words: what was wrong with the rejected call. */
  detail: z.string().nullable(),
  steps: z.array(ToolStep),
  /** Why no further tool was offered. */
  forcedFinal: z.enum(['steps', 'tool_call_output_limit']).nullable(),
  /** Of each attempt that was refused: what was wrong. Its text is in the record only. */
  refusedAttempts: z.array(z.array(EvidenceProblem)),
  tokens: TokenCount,
  modelCalls: z.int(),
});
export type ChatAnswer = z.infer<typeof ChatAnswer>;

/** What a caller that follows a turn hears while it runs. It never carries text of the reply: that is not checked yet. */
export type ChatProgress =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'model'; readonly purpose: ModelPurpose; readonly step: number }
  | { readonly kind: 'writing'; readonly characters: number }
  | { readonly kind: 'tool'; readonly tool: string; readonly args: Readonly<Record<string, unknown>> }
  | { readonly kind: 'tool_done'; readonly step: ToolStep }
  | { readonly kind: 'checking' }
  | { readonly kind: 'repairing'; readonly problems: readonly EvidenceProblem[] };

/** What a call of a model is for. */
export const ModelPurpose = z.enum(['first', 'decision', 'final', 'repair', 'raw', 'test']);
export type ModelPurpose = z.infer<typeof ModelPurpose>;
