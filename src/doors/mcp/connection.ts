// Who is at the other end of an MCP connection, and which principal a call of theirs acts for.

import { createHash } from 'node:crypto';
import path from 'node:path';
import { CLIENT_INFO_META_KEY, type McpServer, type ServerContext } from '@modelcontextprotocol/server';
import { hookAdapters } from '../../agents/index.ts';
import type { ActionRequest, Reporter } from '../../kernel/index.ts';
import { Fault, type Seal, type Surface } from '../../protocol/index.ts';
import { callIdIn, placeIn } from '../sealed.ts';
import type { DoorServices } from '../services.ts';

export interface Connection {
  /** With the client's name and the work tree it makes the advisory principal of calls that no hook announced. */
  readonly id: string;
  readonly surface: Surface;
  readonly cwd: string;
  /** The sealed run that the client is in; null: in none. */
  readonly seal: Seal | null;
  /** The agent's process; null where nothing proves which one it is. */
  readonly reporter: Reporter | null;
  /** It outlives one request, so its client is notified of changes. */
  readonly isLasting: boolean;
  /** Aborted when the client has disconnected. */
  readonly gone: AbortSignal;
}

export type Principal = Pick<ActionRequest, 'session' | 'workspace' | 'root' | 'cwd' | 'actor'>;

/** Where agents put their own id of a call; it joins the call to the hook that announced it. */
const CALL_ID_KEYS = [...hookAdapters.values()].flatMap(({ capabilities }) => capabilities.mcpCallId ?? []);
/** A client's own description is recorded; the record takes neither unlimited text nor half a surrogate pair. */
const MAX_NAME_LENGTH = 100;
const MAX_CALL_ID_LENGTH = 200;

/** The folder as a header carries it: headers cannot carry all of Unicode, so it may be percent-encoded. */
export function folderNamed(header: string | null | undefined): string {
  const fix = 'Send the absolute path of your work tree in the header x-countersign-cwd, percent-encoded where it is not plain ASCII';
  if (!header) throw new Fault('BAD_REQUEST', 'The call does not say which work tree it is about.', { fix });
  let folder: string;
  try {
    folder = decodeURIComponent(header);
  } catch {
    throw new Fault('BAD_REQUEST', 'The header x-countersign-cwd is not percent-encoded text.', { fix });
  }
  if (!path.isAbsolute(folder) || folder.includes('\0'))
    throw new Fault('BAD_REQUEST', `${JSON.stringify(folder)} is no absolute path.`, { fix });
  return path.resolve(folder);
}

/** Made from what stays the same when a client connects again, so that a new MCP session is not a new principal. */
export const connectionIdOverHttp = (token: string): string => `http-${createHash('sha256').update(token).digest('hex')}`;

export function callIdOf({ mcpReq }: ServerContext): string | undefined {
  const meta = (mcpReq._meta ?? {}) as Record<string, unknown>;
  return CALL_ID_KEYS.map((key) => meta[key]).find(
    (value): value is string => typeof value === 'string' && value.length <= MAX_CALL_ID_LENGTH && value.isWellFormed(),
  );
}

/** A client of the newer protocol names itself in every request; an older one does so once, at the start. */
export function clientNamed({ mcpReq }: ServerContext, { server }: McpServer): string {
  const info = (mcpReq.envelope as Record<string, unknown> | undefined)?.[CLIENT_INFO_META_KEY];
  const name = (info as { name?: unknown } | undefined)?.name;
  const said = (typeof name === 'string' ? name : server.getClientVersion()?.name) || 'mcp-client';
  return said.slice(0, MAX_NAME_LENGTH).toWellFormed();
}

/** The hook session that announced this very call, or the connection's own advisory principal, which unlocks no hook session. */
export async function principalOf(
  services: DoorServices,
  connection: Connection,
  server: McpServer,
  context: ServerContext,
  called: { readonly tool: string; readonly input: unknown } | null,
): Promise<Principal> {
  const { principals } = services.kernel;
  const callId = callIdOf(context);
  const { seal } = connection;
  const place = seal ? placeIn(seal) : await services.locate(connection.cwd);
  const joined =
    (callId === undefined ? null : principals.claim(callIdIn(seal, callId), called && { ...called, caller: connection.id })) ??
    (called === null ? null : principals.claimInput({ ...called, root: place.root, pid: connection.reporter?.pid ?? null }));
  return (
    (joined === null ? null : knownPrincipal(services, joined)) ?? ownPrincipal(services, connection, place, clientNamed(context, server))
  );
}

export function knownPrincipal({ kernel }: DoorServices, session: string): Principal | null {
  const known = kernel.views.session(session);
  if (!known) return null;
  const { id, workspace, root, agent, agentId } = known;
  return { session: id, workspace, root, cwd: root, actor: { agent, ...(agentId === null ? {} : { agent_id: agentId }) } };
}

export async function ownPrincipal(
  services: DoorServices,
  { id, cwd, reporter }: Pick<Connection, 'id' | 'cwd' | 'reporter'>,
  { id: workspace, root }: Awaited<ReturnType<DoorServices['locate']>>,
  agent: string,
): Promise<Principal> {
  const { session } = await services.kernel.turns.openSession(
    { workspace, root, agent, nativeSession: `${id} ${root}`, level: 'advisory' },
    null,
    reporter,
  );
  return { session, workspace, root, cwd, actor: { agent } };
}
