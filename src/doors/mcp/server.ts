// The MCP door: the official SDK inside the daemon, one server per connection, tools generated from the registry. The stdio
// process that an agent starts is only a pipe to here.

import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  type CallToolResult,
  CLIENT_INFO_META_KEY,
  McpServer,
  type ServerContext,
  type StandardSchemaWithJSON,
} from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { randomUUID } from 'node:crypto';
import type { ActionRequest, Recorded } from '../../kernel/index.ts';
import { Fault, type Refusal } from '../../protocol/index.ts';
import type { DoorServices, Surface } from '../services.ts';
import { refusalOfTrouble } from '../trouble.ts';

/** Where agents put their own id of a call; it joins the call to the hook that announced it. */
const CALL_ID_KEYS = ['claudecode/toolUseId'];

interface Connection {
  /** Names the advisory principal of calls that no hook announced. */
  readonly id: string;
  readonly surface: Surface;
  readonly cwd: string;
  readonly parentPid: number | null;
}

const INSTRUCTIONS =
  'Countersign gates changes in this workspace. Reading is free. Before your first change for a prompt call begin_work once. A refusal names the call that leads on; approvals and intents are for humans to confirm.';

export function serveMcpPipe(services: DoorServices, request: IncomingMessage, socket: Duplex): void {
  const { headers } = request;
  const connection: Connection = {
    id: randomUUID(),
    surface: headers['x-countersign-surface'] === 'contract' ? 'contract' : 'hooked',
    cwd: decodeURIComponent(String(headers['x-countersign-cwd'] ?? '/')),
    parentPid: Number(headers['x-countersign-parent']) || null,
  };
  socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: countersign-mcp\r\nConnection: Upgrade\r\n\r\n');
  const gone = new AbortController();
  socket.on('close', () => gone.abort());
  socket.on('error', () => gone.abort());
  // The pipe waits for this side to close, so that it loses no answer that is on its way.
  socket.on('end', () => socket.end());
  serveStdio(() => makeServer(services, connection, gone.signal), { transport: new StdioServerTransport(socket, socket) });
}

function makeServer(services: DoorServices, connection: Connection, signal: AbortSignal): McpServer {
  const server = new McpServer({ name: 'countersign', version: services.version }, { instructions: INSTRUCTIONS });
  for (const tool of services.toolsOn(connection.surface)) {
    const config = {
      description: tool.description,
      inputSchema: tool.input as unknown as StandardSchemaWithJSON<Record<string, unknown>>,
      annotations: { readOnlyHint: tool.readOnly ?? false, destructiveHint: false, openWorldHint: false },
    };
    server.registerTool(tool.name, config, async (input, context) => {
      const meta = (context.mcpReq._meta ?? {}) as Record<string, unknown>;
      const callId = CALL_ID_KEYS.map((key) => meta[key]).find((value) => typeof value === 'string');
      const client = clientNamed(context) ?? server.server.getClientVersion()?.name ?? 'mcp-client';
      try {
        return render(await call(services, connection, { tool: tool.name, input, callId, client, signal }));
      } catch (error) {
        if (!(error instanceof Fault)) await services.kernel.recordDefect(`mcp ${tool.name}`, error).catch(() => {});
        return renderRefusal(refusalOfTrouble(error));
      }
    });
  }
  return server;
}

/** A client of the newer protocol says who it is with every request; an older one said it once, at the start. */
function clientNamed({ mcpReq }: ServerContext): string | null {
  const info = (mcpReq.envelope as Record<string, unknown> | undefined)?.[CLIENT_INFO_META_KEY];
  const name = (info as { name?: unknown } | undefined)?.name;
  return typeof name === 'string' ? name : null;
}

interface ToolCall {
  readonly tool: string;
  readonly input: Record<string, unknown>;
  readonly callId: string | undefined;
  readonly client: string;
  readonly signal: AbortSignal;
}

async function call(services: DoorServices, connection: Connection, { tool, input, callId, client, signal }: ToolCall): Promise<Recorded> {
  return services.kernel.spine.pass({
    ...(joinedSession(services, callId) ?? (await ownSession(services, connection, client))),
    door: 'mcp',
    tool,
    input,
    ...(callId === undefined ? {} : { native: { tool, call_id: callId } }),
    patienceMs: 0,
    signal,
  });
}

type Principal = Pick<ActionRequest, 'session' | 'workspace' | 'root' | 'cwd' | 'actor'>;

/** The hook session that announced this very call. */
function joinedSession({ kernel }: DoorServices, callId: string | undefined): Principal | null {
  const joined = callId === undefined ? null : kernel.principals.claim(callId);
  const known = joined === null ? undefined : kernel.state.sessions.get(joined);
  if (!known) return null;
  const { id, workspace, root, agent, agentId } = known;
  return { session: id, workspace, root, cwd: root, actor: { agent, ...(agentId === null ? {} : { agent_id: agentId }) } };
}

/** A principal of its own, advisory, which unlocks no hook session. */
async function ownSession(services: DoorServices, { id, cwd, parentPid }: Connection, agent: string): Promise<Principal> {
  const { id: workspace, root } = await services.locate(cwd);
  const started = parentPid === null ? null : services.processStarted(parentPid);
  const { session } = await services.kernel.openSession(
    { workspace, root, agent, nativeSession: id, level: 'advisory' },
    null,
    parentPid !== null && started !== null ? { pid: parentPid, started, via: 'mcp' } : null,
  );
  return { session, workspace, root, cwd, actor: { agent } };
}

function render({ outcome }: Recorded): CallToolResult {
  if (outcome.kind === 'refused') return renderRefusal(outcome.refusal);
  if (outcome.kind === 'settled' && outcome.refusal) return renderRefusal(outcome.refusal, outcome.receipt.receipt_id);
  const receipt = outcome.kind === 'settled' || outcome.kind === 'observed' ? outcome.receipt?.receipt_id : undefined;
  const output = outcome.kind === 'settled' || outcome.kind === 'observed' ? outcome.output : null;
  const structuredContent = { ...(output as object), ...(receipt === undefined ? {} : { receipt_id: receipt }) };
  return { content: [{ type: 'text', text: JSON.stringify(structuredContent, null, 2) }], structuredContent };
}

function renderRefusal(refusal: Refusal, receiptId?: string): CallToolResult {
  const structuredContent = { ...refusal, ...(receiptId === undefined ? {} : { receipt_id: receiptId }) };
  return { isError: true, content: [{ type: 'text', text: JSON.stringify(structuredContent, null, 2) }], structuredContent };
}
