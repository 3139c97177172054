// Answers about conversations, from what is folded of them and from the receipts of a session.

import {
  type AgentProfile,
  type CONVERSATION_QUERIES,
  Fault,
  type PromptsView,
  type QueryOutput,
  type ToolReceipt,
} from '../protocol/index.ts';
import type { Conversations } from './conversations.ts';

type ConversationQuery = keyof typeof CONVERSATION_QUERIES;
type Parsed<N extends ConversationQuery> = ReturnType<(typeof CONVERSATION_QUERIES)[N]['input']['parse']>;

export interface ConversationContext {
  readonly conversations: Conversations;
  readonly locate: (dir: string) => Promise<{ readonly id: string; readonly root: string }>;
  /** The cast that every workspace has. */
  readonly builtInAgents: readonly AgentProfile[];
  readonly prompts: (root: string) => Promise<PromptsView>;
  /** Of a session or a conference, oldest first, each checked against its signature. */
  readonly receiptsOf: (sessionId: string) => Promise<readonly ToolReceipt[]>;
  /** Whether the record has anything of a session or a conference. */
  readonly isSession: (id: string) => Promise<boolean>;
}

export function conversationAnswers({ conversations, locate, builtInAgents, prompts, receiptsOf, isSession }: ConversationContext) {
  const receiptsOfKnown = async (id: string) => {
    const receipts = await receiptsOf(id);
    if (receipts.length === 0 && !(await isSession(id)))
      throw new Fault('NOT_FOUND', `There is no session ${id}.`, { fix: 'countersign receipts lists receipts with their sessions' });
    return receipts;
  };
  const answers: { readonly [N in ConversationQuery]: (input: Parsed<N>) => Promise<QueryOutput<N>> } = {
    endpoints: async () => conversations.endpoints(),
    agents: async ({ cwd }) => {
      const { id } = await locate(cwd);
      const saved = new Map(conversations.agents(id).map((agent) => [agent.id, agent]));
      const credits = new Map(conversations.credits(id).map((row) => [row.agent, row.credits]));
      const others = [...saved.values()].filter(({ id: own }) => !builtInAgents.some((each) => each.id === own));
      return [...builtInAgents, ...others].map((agent) => ({
        ...(saved.get(agent.id) ?? agent),
        origin: saved.has(agent.id) ? 'workspace' : 'built-in',
        credits: credits.get(agent.id) ?? 0,
      }));
    },
    issues: async ({ cwd, ...filter }) => conversations.issues((await locate(cwd)).id, filter),
    credits: async ({ cwd }) => conversations.credits((await locate(cwd)).id),
    notifications: async ({ cwd, unread }) => conversations.notifications((await locate(cwd)).id).filter(({ read }) => !unread || !read),
    prompts: async ({ cwd }) => prompts((await locate(cwd)).root),
    telemetry: async ({ cwd }) => conversations.telemetry((await locate(cwd)).id),
    telemetry_totals: async ({ cwd }) => conversations.telemetry((await locate(cwd)).id).totals,
    telemetry_sessions: async ({ cwd }) => conversations.telemetry((await locate(cwd)).id).sessions,
    telemetry_session: async ({ cwd, id }) => {
      const found = conversations.telemetry((await locate(cwd)).id).sessions.find(({ sessionId }) => sessionId === id);
      if (!found)
        throw new Fault('NOT_FOUND', `There are no counts of a session ${id} in this workspace.`, {
          fix: 'GET /api/telemetry/sessions lists them',
        });
      return found;
    },
    session_receipts: async ({ id }) => [...(await receiptsOfKnown(id))],
    session_receipts_file: async ({ id }) => (await receiptsOfKnown(id)).map((receipt) => `${JSON.stringify(receipt)}\n`).join(''),
  };
  return answers;
}
