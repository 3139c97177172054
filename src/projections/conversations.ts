// What follows from conversations with models: endpoints, agents, issues, credits, notifications and counts, folded from the ledger.

import { restoreFields, savedFields } from '../kernel/index.ts';
import {
  type AgentProfile,
  BUCKETS,
  type CreditRow,
  type Endpoint,
  type EndpointReport,
  type EndpointRow,
  type EventOf,
  fitsIssue,
  type Issue,
  type IssueFilter,
  type IssueMark,
  type IssueRow,
  type LedgerRecord,
  type Notification,
  type TelemetryCounts,
  type TelemetrySession,
  type TelemetryView,
} from '../protocol/index.ts';

interface KnownEndpoint {
  readonly endpoint: Endpoint;
  readonly has_key: boolean;
  readonly state: EndpointRow['state'];
  readonly tested_at: string | null;
  readonly report: EndpointReport | null;
  /** Where it was added or proposed. */
  readonly workspace: string;
}

/** Plain data: it is saved as it is. */
interface WorkspaceEntry {
  agents: Map<string, AgentProfile>;
  issues: Map<string, Issue>;
  marks: Map<string, Map<string, IssueMark>>;
  credits: Map<string, { accepted: number; refused: number; abstained: number }>;
  notifications: Omit<Notification, 'read'>[];
  readThrough: number;
  totals: TelemetryCounts;
  sessions: Map<string, TelemetrySession>;
  client: TelemetryView['client'][number][];
}

/** Older ones are in the ledger. */
const KEPT_NOTIFICATIONS = 500;
const KEPT_SESSIONS = 1_000;
const KEPT_REPORTS = 1_000;

export class Conversations {
  private readonly known = new Map<string, KnownEndpoint>();
  private readonly workspaces = new Map<string, WorkspaceEntry>();

  apply({ seq, at, event }: LedgerRecord): void {
    switch (event.type) {
      case 'endpoint_proposed': {
        const { endpoint, workspace } = event.data;
        // A proposal never replaces what a human confirmed.
        if (this.known.get(endpoint.id)?.state === 'ready') break;
        this.known.set(endpoint.id, { endpoint, has_key: false, state: 'waiting', tested_at: null, report: null, workspace });
        this.notify(workspace, seq, at, 'warning', `The model endpoint ${endpoint.id} at ${endpoint.host} waits for your confirmation.`);
        break;
      }
      case 'endpoint_added': {
        const { endpoint, has_key, workspace } = event.data;
        this.known.set(endpoint.id, { endpoint, has_key, state: 'ready', tested_at: null, report: null, workspace });
        break;
      }
      case 'endpoint_removed':
        this.known.delete(event.data.id);
        break;
      case 'endpoint_tested': {
        const { id, report } = event.data;
        const before = this.known.get(id);
        const json_schema = report.json_schema;
        if (before) this.known.set(id, { ...before, endpoint: { ...before.endpoint, json_schema }, tested_at: at, report });
        break;
      }
      case 'agent_saved':
        this.entry(event.data.workspace).agents.set(event.data.agent.id, event.data.agent);
        break;
      case 'issue_opened': {
        const { workspace, issue, conference } = event.data;
        this.entry(workspace).issues.set(issue.id, issue);
        if (conference !== null) this.notify(workspace, seq, at, 'info', `${issue.id}: ${issue.title}`);
        break;
      }
      case 'issue_changed': {
        const { issues } = this.entry(event.data.workspace);
        const before = issues.get(event.data.id);
        const given = Object.entries(event.data.changes).filter(([, value]) => value !== undefined);
        if (before) issues.set(before.id, { ...before, ...(Object.fromEntries(given) as Partial<Issue>) });
        break;
      }
      case 'issue_marked': {
        const { marks } = this.entry(event.data.workspace);
        const { id, mark } = event.data;
        marks.set(id, new Map(marks.get(id)).set(mark.agent, mark));
        break;
      }
      case 'session_linked': {
        const { workspace, issue: id, session, receipts } = event.data;
        const { issues } = this.entry(workspace);
        const before = issues.get(id);
        if (!before) break;
        issues.set(id, {
          ...before,
          sessions: [...new Set([...before.sessions, session])],
          receipts: [...new Set([...before.receipts, ...receipts])],
        });
        break;
      }
      case 'tool_call_rejected': {
        const { workspace, session, agent, reason, bucket } = event.data;
        for (const counts of this.countsOf(workspace, session, agent, null)) counts.rejections[bucket] += 1;
        if (reason !== 'tool_call_output_limit')
          this.notify(workspace, seq, at, 'warning', `A tool call of ${agent} was rejected (${reason}). Nothing was executed.`);
        break;
      }
      case 'chat_answered':
        this.answered(seq, at, event.data);
        break;
      case 'client_telemetry': {
        const { workspace, ...report } = event.data;
        const { client } = this.entry(workspace);
        client.push(report);
        if (client.length > KEPT_REPORTS) client.shift();
        break;
      }
      case 'notifications_read': {
        const entry = this.entry(event.data.workspace);
        entry.readThrough = Math.max(entry.readThrough, event.data.through);
        break;
      }
      default:
    }
  }

  save(): unknown {
    return savedFields(this);
  }

  restore(saved: unknown): void {
    restoreFields(this, saved);
  }

  private answered(seq: number, at: string, data: EventOf<'chat_answered'>['data']): void {
    const { workspace, session, agent, status, versions, tool_calls, model_calls, tokens, conference_id = null } = data;
    for (const counts of this.countsOf(workspace, session, agent, conference_id)) {
      counts.turns += 1;
      counts.model_calls += model_calls;
      counts.tool_calls += tool_calls;
      counts.tokens.input += tokens.input;
      counts.tokens.output += tokens.output;
      counts[COUNTED_AS[status]] += 1;
      if ((status === 'answered' || status === 'access') && versions.length > 1) counts.repaired += 1;
      for (const { verdict } of versions) {
        const [leading] = verdict?.problems ?? [];
        if (leading) counts.rejections[leading.bucket] += 1;
      }
    }
    const { credits } = this.entry(workspace);
    const earned = credits.get(agent) ?? { accepted: 0, refused: 0, abstained: 0 };
    if (status === 'answered') earned.accepted += 1;
    if (status === 'refused') earned.refused += 1;
    if (status === 'abstained') earned.abstained += 1;
    credits.set(agent, earned);
    const problem = versions.at(-1)?.verdict?.problems[0]?.message;
    if (status === 'refused')
      this.notify(workspace, seq, at, 'warning', `An answer of ${agent} was refused: ${problem ?? 'its evidence does not hold'}`);
  }

  private notify(workspace: string, id: number, at: string, level: Notification['level'], text: string): void {
    const { notifications } = this.entry(workspace);
    notifications.push({ id, at, level, text });
    if (notifications.length > KEPT_NOTIFICATIONS) notifications.shift();
  }

  private countsOf(workspace: string, session: string, agent_id: string, conference_id: string | null): TelemetryCounts[] {
    const { totals, sessions } = this.entry(workspace);
    const known = sessions.get(session) ?? { sessionId: session, conference_id, agent_id, counts: noCounts() };
    sessions.set(session, known);
    const [oldest] = sessions.keys();
    if (sessions.size > KEPT_SESSIONS && oldest !== undefined) sessions.delete(oldest);
    return [totals, known.counts];
  }

  private entry(workspace: string): WorkspaceEntry {
    const known = this.workspaces.get(workspace);
    if (known) return known;
    const fresh: WorkspaceEntry = {
      ...{ agents: new Map(), issues: new Map(), marks: new Map(), credits: new Map(), notifications: [], readThrough: 0 },
      ...{ totals: noCounts(), sessions: new Map(), client: [] },
    };
    this.workspaces.set(workspace, fresh);
    return fresh;
  }

  /** In the order in which they were added. The first that is ready is the default. */
  endpoints(): EndpointRow[] {
    const known = [...this.known.values()];
    const first = known.find(({ state }) => state === 'ready')?.endpoint.id;
    return known.map(({ endpoint, workspace: _workspace, ...rest }) => ({ ...endpoint, ...rest, is_default: endpoint.id === first }));
  }

  /** Proposals of a workspace; undefined: of all of them. */
  waitingEndpoints(workspace: string | undefined): { readonly workspace: string; readonly endpoint: Endpoint }[] {
    const isWanted = (entry: KnownEndpoint) => entry.state === 'waiting' && (workspace === undefined || entry.workspace === workspace);
    return [...this.known.values()].filter(isWanted).map(({ workspace: where, endpoint }) => ({ workspace: where, endpoint }));
  }

  /** Of a conference, in the order in which they began. */
  sessionsOf(conference: string): string[] {
    const all = [...this.workspaces.values()].flatMap(({ sessions }) => [...sessions.values()]);
    return all.filter(({ conference_id }) => conference_id === conference).map(({ sessionId }) => sessionId);
  }

  workspaceOfEndpoint(id: string): string {
    return this.known.get(id)?.workspace ?? '';
  }

  /** Those that a human saved here. */
  agents(workspace: string): AgentProfile[] {
    return [...(this.workspaces.get(workspace)?.agents.values() ?? [])];
  }

  issues(workspace: string, filter: IssueFilter & { readonly id?: string | undefined } = {}): IssueRow[] {
    const entry = this.workspaces.get(workspace);
    const rows = [...(entry?.issues.values() ?? [])].map((issue) => ({
      ...issue,
      marks: [...(entry?.marks.get(issue.id)?.values() ?? [])],
    }));
    return rows.filter((row) => (filter.id === undefined || row.id === filter.id) && fitsIssue(row, filter)).toReversed();
  }

  credits(workspace: string): CreditRow[] {
    const earned = [...(this.workspaces.get(workspace)?.credits ?? [])];
    return earned.map(([agent, each]) => ({ agent, credits: each.accepted - each.refused, ...each }));
  }

  notifications(workspace: string): Notification[] {
    const { notifications = [], readThrough = 0 } = this.workspaces.get(workspace) ?? {};
    return notifications.map((each) => ({ ...each, read: each.id <= readThrough })).toReversed();
  }

  telemetry(workspace: string): TelemetryView {
    const { totals = noCounts(), sessions = new Map(), client = [] } = this.workspaces.get(workspace) ?? {};
    return { totals, sessions: [...sessions.values()].toReversed(), client: [...client] };
  }
}

const COUNTED_AS = {
  answered: 'accepted',
  access: 'accepted',
  abstained: 'abstained',
  refused: 'refused',
  stopped: 'stopped',
  raw: 'ungrounded',
  failed: 'failed',
  cancelled: 'failed',
} as const satisfies Readonly<Record<EventOf<'chat_answered'>['data']['status'], keyof TelemetryCounts>>;

const noCounts = (): TelemetryCounts => ({
  ...{ turns: 0, accepted: 0, refused: 0, abstained: 0, stopped: 0, ungrounded: 0, failed: 0, repaired: 0, model_calls: 0, tool_calls: 0 },
  tokens: { input: 0, output: 0 },
  rejections: Object.fromEntries(BUCKETS.map((bucket) => [bucket, 0])) as TelemetryCounts['rejections'],
});
