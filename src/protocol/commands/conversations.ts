// What humans do around models: ask them, set up endpoints and agents, keep issues.

import { z } from 'zod';
import { AgentProfile, AgentRow } from '../conversation/agents.ts';
import { ChatAnswer, ChatRequest } from '../conversation/chat.ts';
import { Endpoint, EndpointReport, EndpointRow, ProviderName } from '../conversation/endpoints.ts';
import { Issue, IssueMark, IssueRow } from '../conversation/issues.ts';
import { PathId } from '../ids.ts';
import { CanonStatus } from '../grounding/canon.ts';
import { ANY_HUMAN, type CommandDeclaration, Here } from './command.ts';

const issueFields = Issue.pick({ title: true, body: true, tags: true, assignedTo: true, priority: true });
const OfEndpoint = z.strictObject({ id: PathId });

export const conversationCommands = {
  /** One turn. With `Accept: text/event-stream` its progress is sent while it runs. */
  chat: { who: ANY_HUMAN, input: ChatRequest, output: ChatAnswer },

  /** A model takes out of each changed scene what it establishes; the canon is compiled from what the scenes really have. */
  index_canon: { who: ANY_HUMAN, input: Here.extend({ endpointId: PathId.optional() }), output: CanonStatus },

  /** An endpoint of the same id is replaced, its key too. */
  add_endpoint: {
    who: ANY_HUMAN,
    input: Here.extend({
      id: PathId,
      provider: ProviderName,
      /** Null: where the provider usually is. */
      address: z
        .url({ protocol: /^https?$/ })
        .nullable()
        .default(null),
      model: Endpoint.shape.model,
      /** Kept by the daemon for this host alone; in no record and no answer. */
      key: z.string().min(1).max(4096).nullable().default(null),
    }),
    output: EndpointRow,
  },
  confirm_endpoint: { who: ANY_HUMAN, input: OfEndpoint, output: EndpointRow },
  remove_endpoint: { who: ANY_HUMAN, input: OfEndpoint, output: OfEndpoint },
  test_endpoint: { who: ANY_HUMAN, input: OfEndpoint, output: EndpointReport },

  save_agent: { who: ANY_HUMAN, input: Here.extend(AgentProfile.shape), output: AgentRow },

  open_issue: {
    who: ANY_HUMAN,
    input: Here.extend({
      title: issueFields.shape.title,
      body: issueFields.shape.body.default(''),
      tags: issueFields.shape.tags.default([]),
      assignedTo: issueFields.shape.assignedTo.default(null),
      priority: issueFields.shape.priority.default('normal'),
    }),
    output: IssueRow,
  },
  change_issue: {
    who: ANY_HUMAN,
    input: Here.extend({ id: PathId, ...issueFields.extend({ status: Issue.shape.status }).partial().shape }),
    output: IssueRow,
  },
  /** What an agent is to note about an issue: tags of its own, and how much it matters to it. */
  mark_issue: { who: ANY_HUMAN, input: Here.extend({ id: PathId, ...IssueMark.shape }), output: IssueRow },
  /** `id`: the session. */
  link_issue: { who: ANY_HUMAN, input: Here.extend({ id: PathId, issueId: PathId }), output: IssueRow },

  /** Kept apart from the daemon's own counts. */
  report_telemetry: {
    who: ANY_HUMAN,
    input: Here.extend({ conferenceId: PathId, agentId: PathId, rejections: z.record(z.string().max(60), z.int().min(0)) }),
    output: z.strictObject({ source: z.literal('client') }),
  },
  read_notifications: {
    who: ANY_HUMAN,
    input: Here.extend({ through: z.int().min(0) }),
    output: z.strictObject({ through: z.int() }),
  },
} as const satisfies Record<string, CommandDeclaration>;
