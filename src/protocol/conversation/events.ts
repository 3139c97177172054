// What the ledger keeps of conversations. Keys of endpoints are in none of these.

import { z } from 'zod';
import { event } from '../event-form.ts';
import { EvidenceVerdict } from '../grounding/evidence-line.ts';
import { BUCKETS, REJECTIONS } from '../grounding/rejections.ts';
import { PathId, ReceiptId, SessionId, Sha256, WorkspaceId } from '../ids.ts';
import { Human } from '../intent.ts';
import { AgentProfile } from './agents.ts';
import { ChatStatus, ModelPurpose, TokenCount, ToolPolicy } from './chat.ts';
import { Endpoint, EndpointReport } from './endpoints.ts';
import { Issue, IssueMark } from './issues.ts';

const turn = { session: SessionId, turn: z.string() };

export const CONVERSATION_EVENTS = [
  /** A new host, named by a caller that may be an agent: nothing is sent there before a human confirms it. */
  event('endpoint_proposed', { workspace: WorkspaceId, endpoint: Endpoint, session: SessionId.nullable(), reason: z.string() }),
  /** `workspace`: where it was added; every workspace may use it. */
  event('endpoint_added', { workspace: WorkspaceId, endpoint: Endpoint, has_key: z.boolean(), human: Human }),
  event('endpoint_removed', { id: PathId, human: Human }),
  event('endpoint_tested', { id: PathId, report: EndpointReport }),

  event('agent_saved', { workspace: WorkspaceId, agent: AgentProfile, human: Human }),

  /** `conference`: the conference whose round wrote it; a human's own has none. */
  event('issue_opened', { workspace: WorkspaceId, issue: Issue, conference: PathId.nullable(), human: Human.nullable() }),
  event('issue_changed', {
    workspace: WorkspaceId,
    id: PathId,
    changes: Issue.pick({ title: true, body: true, tags: true, assignedTo: true, status: true, priority: true }).partial(),
    human: Human,
  }),
  event('issue_marked', { workspace: WorkspaceId, id: PathId, mark: IssueMark, human: Human.nullable() }),
  event('session_linked', {
    workspace: WorkspaceId,
    issue: PathId,
    session: PathId,
    receipts: z.array(ReceiptId),
    human: Human.nullable(),
  }),

  /** Before anything is sent to the model. */
  event('chat_asked', {
    ...turn,
    workspace: WorkspaceId,
    agent: PathId,
    endpoint: PathId,
    host: z.string(),
    model: z.string(),
    message: z.string(),
    grounded: z.boolean(),
    tool_policy: ToolPolicy,
    conference_id: PathId.optional(),
    round_id: PathId.optional(),
    task_id: PathId.optional(),
  }),
  /** `trouble`: the code of the fault that ended it. */
  event('model_called', {
    ...turn,
    purpose: ModelPurpose,
    endpoint: PathId,
    prompt_sha256: Sha256,
    prompt_bytes: z.int(),
    reply_sha256: Sha256.nullable(),
    tokens: TokenCount,
    trouble: z.string().nullable(),
  }),
  /** Nothing was executed. `tool_call_output_limit`: the turn went on without further tools. */
  event('tool_call_rejected', {
    ...turn,
    workspace: WorkspaceId,
    agent: PathId,
    reason: z.enum(REJECTIONS),
    bucket: z.enum(BUCKETS),
    message: z.string(),
    reply_sha256: Sha256.nullable(),
    excerpt: z.string(),
    /** Of the call, where it named a tool. */
    receipt: ReceiptId.optional(),
  }),
  /** Every version of the reply, the refused ones too, each with what was found. */
  event('chat_answered', {
    ...turn,
    workspace: WorkspaceId,
    agent: PathId,
    status: z.enum([...ChatStatus.options, 'failed', 'cancelled']),
    versions: z.array(z.strictObject({ text: z.string(), verdict: EvidenceVerdict.nullable() })),
    receipts: z.array(ReceiptId),
    tool_calls: z.int(),
    model_calls: z.int(),
    tokens: TokenCount,
    conference_id: PathId.optional(),
  }),

  /** What a client says that it counted. */
  event('client_telemetry', {
    workspace: WorkspaceId,
    source: z.literal('client'),
    conference_id: PathId,
    agent_id: PathId,
    rejections: z.record(z.string(), z.int().min(0)),
  }),
  /** Up to and with this one. */
  event('notifications_read', { workspace: WorkspaceId, through: z.int(), human: Human }),
] as const;

const ConversationEvent = z.discriminatedUnion('type', CONVERSATION_EVENTS);
export type ConversationEvent = z.infer<typeof ConversationEvent>;
