// The commands around models: a turn, endpoints, agents, issues. A human's decision is recorded before it takes effect.

import type { CommandHandlers, Kernel } from '../kernel/index.ts';
import {
  type Ask,
  type CanonStatus,
  ChatRequest,
  type CommandRequest,
  type ConversationCommand,
  type Endpoint,
  type EndpointRow,
  Fault,
  type Issue,
  type IssueRow,
  streams,
} from '../protocol/index.ts';
import type { Chat } from './chat.ts';
import type { Place } from './chat-ports.ts';
import { testEndpoint } from './endpoint-test.ts';
import type { Models } from './models.ts';
import { networkOf } from './providers/guarded-fetch.ts';
import { baseUrl, needsKey } from './providers/provider-table.ts';

/** Asks `ask` about each scene that changed, and writes the canon index. */
export type IndexCanon = (
  root: string,
  ask: (prompt: string, signal: AbortSignal) => Promise<string>,
  signal: AbortSignal,
) => Promise<CanonStatus>;

export interface HandlerDeps {
  readonly indexCanon: IndexCanon;
  readonly kernel: Kernel;
  readonly ask: Ask;
  readonly chat: Chat;
  readonly models: Models;
  readonly locate: (dir: string) => Promise<Place>;
  readonly now: () => Date;
  /** What is folded from the ledger. */
  readonly view: {
    readonly endpoints: () => readonly EndpointRow[];
    readonly issues: (workspace: string) => readonly IssueRow[];
    /** The workspace in which an endpoint was proposed or added. */
    readonly workspaceOfEndpoint: (id: string) => string;
  };
  /** Keys by endpoint, each bound to one host; on this machine only. */
  readonly keys: {
    readonly set: (id: string, host: string, key: string | null) => Promise<void>;
    readonly remove: (id: string) => Promise<void>;
  };
  /** Of the receipts of a session or a conference. */
  readonly receiptIds: (sessionId: string) => Promise<readonly string[]>;
}

export function conversationHandlers({
  kernel,
  ask,
  chat,
  models,
  locate,
  now,
  view,
  keys,
  receiptIds,
  indexCanon,
}: HandlerDeps): Pick<CommandHandlers, ConversationCommand> {
  const { authority, conversations } = kernel;
  const rowOf = (id: string): EndpointRow => {
    const row = view.endpoints().find((each) => each.id === id);
    if (!row) throw new Fault('NOT_FOUND', `There is no endpoint ${id}.`, { fix: 'countersign endpoints list shows those that exist' });
    return row;
  };
  const issueOf = async (cwd: string, id: string): Promise<IssueRow> => issueIn((await locate(cwd)).id, id);
  const issueIn = (workspace: string, id: string): IssueRow => {
    const row = view.issues(workspace).find((each) => each.id === id);
    if (!row) throw new Fault('NOT_FOUND', `There is no issue ${id} in this workspace.`, { fix: 'countersign issues lists them' });
    return row;
  };
  const lastGiven = new Map<string, number>();
  /** Two that are opened at the same time get two numbers. */
  const nextIssueId = (workspace: string): string => {
    const numbers = view.issues(workspace).map(({ id }) => Number(/^ISS-(\d+)$/.exec(id)?.[1] ?? 0));
    const next = Math.max(0, lastGiven.get(workspace) ?? 0, ...numbers) + 1;
    lastGiven.set(workspace, next);
    return `ISS-${next}`;
  };

  return {
    chat: {
      act: (caller) => authority.allowHuman(caller, 'chat', () => ({})),
      show: (request, following) => chat.turn(request, following),
    },

    index_canon: {
      act: (caller, { endpointId }) => {
        // Before any scene is read: without a model nothing can be taken out.
        models.choose(endpointId ?? null);
        return authority.allowHuman(caller, 'canon index', () => ({}));
      },
      show: async ({ cwd, endpointId }, { signal }) => {
        // A turn of its own for each scene, on the record like every other.
        const askRaw = async (message: string, aborted: AbortSignal) =>
          (
            await chat.turn(ChatRequest.parse({ cwd, message, skipTools: true, ...(endpointId === undefined ? {} : { endpointId }) }), {
              signal: aborted,
              report: () => {},
            })
          ).raw ?? '';
        return indexCanon((await locate(cwd)).root, askRaw, signal);
      },
    },

    add_endpoint: {
      act: async (caller, request) => {
        const { id: workspace } = await locate(request.cwd);
        const endpoint = await endpointIn(request);
        const isHuman = caller.kind === 'human';
        const key = isHuman ? request.key : null;
        if (isHuman && key === null && needsKey(request.provider) && !hasKeyFor(endpoint))
          throw new Fault('BAD_REQUEST', `${request.provider} needs a key.`, { fix: 'Give it with --key-env VARIABLE or --key-stdin' });
        // Before the record: an endpoint that is on the record without its key would be called without it.
        if (key !== null) await keys.set(endpoint.id, endpoint.host, key);
        return conversations.addEndpoint(caller, workspace, endpoint, () => key !== null || hasKeyFor(endpoint));
      },
      show: async ({ id }) => rowOf(id),
    },
    confirm_endpoint: {
      act: (caller, { id }) =>
        conversations.tend(caller, streams.endpoints, `endpoints confirm ${id}`, (human) => {
          const { has_key: _key, state, is_default: _default, tested_at: _tested, report: _report, ...endpoint } = rowOf(id);
          if (state === 'ready')
            throw new Fault('CONFLICT', `The endpoint ${id} is in use already.`, { fix: 'countersign endpoints list' });
          const data = { workspace: view.workspaceOfEndpoint(id), endpoint, has_key: false, human };
          return { events: [{ type: 'endpoint_added', data }], output: { id } };
        }),
      show: async ({ id }) => rowOf(id),
    },
    remove_endpoint: {
      act: async (caller, { id }) => {
        const recorded = await conversations.tend(caller, streams.endpoints, `endpoints remove ${id}`, (human) => ({
          events: [{ type: 'endpoint_removed', data: { id: rowOf(id).id, human } }],
          output: { id },
        }));
        if (caller.kind === 'human') await keys.remove(id);
        return recorded;
      },
    },
    test_endpoint: {
      act: (caller, { id }) => {
        models.choose(id);
        return authority.allowHuman(caller, `endpoints test ${id}`, () => ({}));
      },
      show: async ({ id }, { signal }) => {
        const tested = rowOf(id);
        const report = await testEndpoint(await models.open(models.choose(id)), signal);
        const isStill = () =>
          view.endpoints().some((row) => row.id === id && row.base_url === tested.base_url && row.model === tested.model);
        await conversations.noteTested(id, report, isStill);
        return report;
      },
    },

    save_agent: {
      act: async (caller, { cwd, ...agent }) => {
        const { id: workspace } = await locate(cwd);
        return conversations.tend(caller, streams.conversation(workspace), `agents save ${agent.id}`, (human) => {
          if (agent.endpoint !== null) rowOf(agent.endpoint);
          return { events: [{ type: 'agent_saved', data: { workspace, agent, human } }], output: { id: agent.id } };
        });
      },
      show: async ({ cwd, id }) => (await ask('agents', { cwd })).find((agent) => agent.id === id),
    },

    open_issue: {
      act: async (caller, { cwd, ...fields }) => {
        const { id: workspace } = await locate(cwd);
        return conversations.tend(caller, streams.conversation(workspace), 'issues open', (human) => {
          const id = nextIssueId(workspace);
          const issue: Issue = { id, ...fields, status: 'open', opened_at: now().toISOString(), receipts: [], sessions: [] };
          const output: IssueRow = { ...issue, marks: [] };
          return { events: [{ type: 'issue_opened', data: { workspace, issue, conference: null, human } }], output };
        });
      },
    },
    change_issue: {
      act: async (caller, { cwd, id, ...changes }) => {
        const { id: workspace } = await locate(cwd);
        return conversations.tend(caller, streams.conversation(workspace), `issues change ${id}`, (human) => ({
          events: [{ type: 'issue_changed', data: { workspace, id: issueIn(workspace, id).id, changes, human } }],
          output: { id },
        }));
      },
      show: ({ cwd, id }) => issueOf(cwd, id),
    },
    mark_issue: {
      act: async (caller, { cwd, id, ...mark }) => {
        const { id: workspace } = await locate(cwd);
        return conversations.tend(caller, streams.conversation(workspace), `issues mark ${id}`, (human) => ({
          events: [{ type: 'issue_marked', data: { workspace, id: issueIn(workspace, id).id, mark, human } }],
          output: { id },
        }));
      },
      show: ({ cwd, id }) => issueOf(cwd, id),
    },
    link_issue: {
      act: async (caller, { cwd, id: session, issueId: issue }) => {
        const { id: workspace } = await locate(cwd);
        const receipts = [...(await receiptIds(session))];
        if (receipts.length === 0)
          throw new Fault('NOT_FOUND', `There are no receipts of a session ${session}.`, {
            fix: 'countersign receipts lists them with their sessions',
          });
        return conversations.tend(caller, streams.conversation(workspace), `issues link ${issue}`, (human) => ({
          events: [{ type: 'session_linked', data: { workspace, issue: issueIn(workspace, issue).id, session, receipts, human } }],
          output: { id: issue },
        }));
      },
      show: ({ cwd, issueId }) => issueOf(cwd, issueId),
    },

    report_telemetry: {
      act: async (caller, { cwd, conferenceId, agentId, rejections }) => {
        const { id: workspace } = await locate(cwd);
        return conversations.tend(caller, streams.conversation(workspace), 'telemetry', () => ({
          events: [
            { type: 'client_telemetry', data: { workspace, source: 'client', conference_id: conferenceId, agent_id: agentId, rejections } },
          ],
          output: { source: 'client' },
        }));
      },
    },
    read_notifications: {
      act: async (caller, { cwd, through }) => {
        const { id: workspace } = await locate(cwd);
        return conversations.tend(caller, streams.conversation(workspace), 'notifications read', (human) => ({
          events: [{ type: 'notifications_read', data: { workspace, through, human } }],
          output: { through },
        }));
      },
    },
  };

  function hasKeyFor({ id, host }: Endpoint): boolean {
    const known = view.endpoints().find((each) => each.id === id);
    return known?.host === host && known.has_key;
  }
}

async function endpointIn({ id, provider, address, model }: CommandRequest<'add_endpoint'>): Promise<Endpoint> {
  const base_url = baseUrl(provider, address);
  if (base_url === null) throw new Fault('BAD_REQUEST', `${provider} has no usual address.`, { fix: 'Give it: --url http://HOST:PORT' });
  const { host, protocol, username, password } = new URL(address ?? base_url);
  if (username !== '' || password !== '')
    throw new Fault('BAD_REQUEST', 'An address must not hold a password.', { fix: 'Give the key with --key-env VARIABLE or --key-stdin' });
  const network = await networkOf(host);
  if (protocol === 'http:' && network === 'public')
    throw new Fault('BAD_REQUEST', `${host} is on the internet, and http:// would send the key and the texts readable for all.`, {
      fix: 'Use https://',
    });
  return { id, provider, base_url, host, network, model, json_schema: 'unknown' };
}
