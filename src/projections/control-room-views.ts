// The files of the control room in a work tree: what is folded of conversations, at the paths of the contract. They follow the ledger, are written
// whole, and cannot fail a request.

import { existsSync } from 'node:fs';
import type { AgentProfile, Event, LedgerRecord, ToolReceipt } from '../protocol/index.ts';
import { isMarkedView, viewText, writeView } from '../workspace/index.ts';
import type { Conversations } from './conversations.ts';

const ROOM = '.control-room';
const NOTIFICATIONS_FILE = 'data/notifications.json';

export interface ControlRoomOptions {
  readonly conversations: Conversations;
  readonly builtInAgents: readonly AgentProfile[];
  readonly receiptsOf: (sessionId: string) => Promise<readonly ToolReceipt[]>;
  readonly rootOf: (workspace: string) => string | undefined;
  readonly log: (message: string) => void;
}

type View = 'agents' | 'issues' | 'credits' | 'telemetry' | 'notifications';

const VIEWS_OF: Readonly<Partial<Record<Event['type'], readonly View[]>>> = {
  endpoint_proposed: ['notifications'],
  agent_saved: ['agents'],
  issue_opened: ['issues', 'notifications'],
  issue_changed: ['issues'],
  issue_marked: ['issues'],
  session_linked: ['issues'],
  tool_call_rejected: ['telemetry', 'notifications'],
  chat_answered: ['telemetry', 'credits', 'notifications'],
  client_telemetry: ['telemetry'],
  notifications_read: ['notifications'],
};

export class ControlRoomViews {
  readonly #options: ControlRoomOptions;
  #chain: Promise<void> = Promise.resolve();

  constructor(options: ControlRoomOptions) {
    this.#options = options;
  }

  follow({ seq, event }: LedgerRecord): void {
    const views = VIEWS_OF[event.type];
    const workspace = 'workspace' in event.data ? event.data.workspace : undefined;
    if (!views || workspace === undefined) return;
    this.#chain = this.#chain
      .then(() => this.#write(workspace, views, event))
      .catch((error: unknown) => this.#options.log(`control room, record ${seq}: ${String(error)}`));
  }

  async settled(): Promise<void> {
    await this.#chain;
  }

  async #write(workspace: string, views: readonly View[], event: Event): Promise<void> {
    const root = this.#options.rootOf(workspace);
    // Writing would recreate a work tree that was removed.
    if (root === undefined || !existsSync(root)) return;
    for (const view of views)
      for (const [path, text] of this.#filesOf(view, workspace, event)) await this.#put(root, path, text, isMarkedView);
    if (event.type === 'chat_answered')
      await this.#putReceipts(root, `${ROOM}/audit/sessions/${event.data.session}/tool_receipts.jsonl`, event.data.session);
    if (event.type === 'session_linked')
      await this.#putReceipts(root, `${ROOM}/audit/issues/${event.data.issue}/tool_receipts.jsonl`, event.data.session);
  }

  #filesOf(view: View, workspace: string, event: Event): [string, string][] {
    const { conversations, builtInAgents } = this.#options;
    switch (view) {
      case 'agents': {
        const saved = conversations.agents(workspace);
        const agents = [...saved, ...builtInAgents.filter(({ id }) => !saved.some((each) => each.id === id))];
        return [
          [`${ROOM}/agents/agents.json`, viewText({ agents: agents.map(({ endpoint: _endpoint, ...agent }) => agent) })],
          // Only ids: hosts and keys stay with the daemon.
          [
            `${ROOM}/agents/agent-endpoints.json`,
            viewText({ endpoints: Object.fromEntries(agents.map(({ id, endpoint }) => [id, endpoint])) }),
          ],
        ];
      }
      case 'issues': {
        const issues = conversations.issues(workspace);
        const id = event.type === 'session_linked' ? event.data.issue : null;
        const linked = issues.find((issue) => issue.id === id);
        const agents = [...new Set(issues.flatMap(({ marks }) => marks.map(({ agent }) => agent)))];
        return [
          [`${ROOM}/issues/issues.json`, viewText({ issues: issues.map(({ marks: _marks, ...issue }) => issue) })],
          ...agents.map((agent): [string, string] => {
            const marks = issues.flatMap((issue) =>
              issue.marks.filter((mark) => mark.agent === agent).map(({ tags, interest }) => ({ issue: issue.id, tags, interest })),
            );
            return [`${ROOM}/memory/${agent}.json`, viewText({ agent, marks })];
          }),
          ...(linked ? [[`${ROOM}/audit/issues/${linked.id}/issue.json`, viewText({ issue: linked })] as [string, string]] : []),
        ];
      }
      case 'credits':
        return [[`${ROOM}/credits/credits.json`, viewText({ credits: conversations.credits(workspace) })]];
      case 'telemetry': {
        const { totals, sessions, client } = conversations.telemetry(workspace);
        const session = 'session' in event.data ? event.data.session : null;
        const own = sessions.find(({ sessionId }) => sessionId === session);
        return [
          [`${ROOM}/telemetry/totals.json`, viewText({ totals, client })],
          ...(own ? [[`${ROOM}/telemetry/sessions/${own.sessionId}.json`, viewText({ session: own })] as [string, string]] : []),
        ];
      }
      case 'notifications':
        return [[NOTIFICATIONS_FILE, viewText({ notifications: conversations.notifications(workspace) })]];
    }
  }

  async #putReceipts(root: string, path: string, session: string): Promise<void> {
    const receipts = await this.#options.receiptsOf(session);
    const text = receipts.map((receipt) => `${JSON.stringify(receipt)}\n`).join('');
    if (receipts.length > 0) await this.#put(root, path, text, (before) => before.startsWith('{"receipt_id":"rcp_'));
  }

  async #put(root: string, path: string, text: string, isOurs: (before: string) => boolean): Promise<void> {
    const written = await writeView(root, path, text, isOurs);
    if (written === 'foreign') this.#options.log(`${path} in ${root} was made by somebody else and is left as it is`);
  }
}
