// MCP over HTTP. The newer protocol has no sessions: each request gets a separate server. The older one has them, so that
// a client can receive progress and be asked for input; how many are kept is bounded. Neither makes a principal: that comes from the
// installation, the client's name and the work tree. Host, Origin, token, type and size were checked before a request comes here.

import { randomUUID } from 'node:crypto';
import {
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  type McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { Fault, isOpenSurface, OPEN_SURFACES, type ToolRegistry } from '../../protocol/index.ts';
import { type Connection, connectionIdOverHttp, folderNamed } from './connection.ts';

export interface McpHttp {
  /** `body` is the JSON of a POST, parsed. Faults are left to the caller to report. */
  readonly fetch: (request: Request, body: unknown) => Promise<Response>;
  readonly close: () => Promise<void>;
}

interface OlderSession {
  readonly connection: Connection;
  readonly transport: WebStandardStreamableHTTPServerTransport;
}

/** The one that was idle longest makes room; its client gets an answer that makes it start again. */
const MAX_SESSIONS = 100;
const MAX_SUBSCRIPTIONS = 100;

export function openMcpHttp(
  identity: string,
  tools: Pick<ToolRegistry, 'onChange'>,
  makeServer: (connection: Connection) => McpServer,
): McpHttp {
  const newer = createMcpHandler(
    ({ requestInfo }) =>
      makeServer({ ...connectionOf(identity, requestInfo as Request, (requestInfo as Request).signal), isLasting: false }),
    {
      legacy: 'reject',
      maxSubscriptions: MAX_SUBSCRIPTIONS,
    },
  );
  const unfollow = tools.onChange(() => newer.notify.toolsChanged());
  /** By MCP session id, the longest idle first. */
  const sessions = new Map<string, OlderSession>();

  return {
    fetch: async (request, body) => {
      // Parsed first, so that both protocols report a fault as a fault.
      const named = connectionOf(identity, request, request.signal);
      if (!(await isLegacyRequest(request, body))) return newer.fetch(request, { parsedBody: body });
      const id = request.headers.get('mcp-session-id');
      const session = id === null ? await begin(request, body) : resume(id, named);
      return session.transport.handleRequest(request, { parsedBody: body });
    },
    close: async () => {
      unfollow();
      await newer.close();
      for (const { transport } of sessions.values()) await transport.close();
    },
  };

  async function begin(request: Request, body: unknown): Promise<OlderSession> {
    if (!isInitializeRequest(body))
      throw new Fault('BAD_REQUEST', 'The call names no MCP session.', { fix: 'Begin with initialize, then send its Mcp-Session-Id' });
    const gone = new AbortController();
    const session: OlderSession = {
      connection: { ...connectionOf(identity, request, gone.signal), isLasting: true },
      transport: new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: async (id) => {
          for (const [oldest, { transport }] of sessions) {
            if (sessions.size < MAX_SESSIONS) break;
            sessions.delete(oldest);
            await transport.close();
          }
          sessions.set(id, session);
        },
        onsessionclosed: (id) => {
          sessions.delete(id);
          gone.abort();
        },
      }),
    };
    const server = makeServer(session.connection);
    server.server.onclose = () => gone.abort();
    await server.connect(session.transport);
    return session;
  }

  /** A client keeps its session only while it works on the same tree, on the same surface. */
  function resume(id: string, named: NamedConnection): OlderSession {
    const session = sessions.get(id);
    if (!session || session.connection.cwd !== named.cwd || session.connection.surface !== named.surface)
      throw new Fault('NOT_FOUND', 'There is no such MCP session.', { fix: 'Begin again with initialize' });
    sessions.delete(id);
    sessions.set(id, session);
    return session;
  }
}

type NamedConnection = Omit<Connection, 'isLasting'>;

function connectionOf(identity: string, { headers }: Request, gone: AbortSignal): NamedConnection {
  const surface = headers.get('x-countersign-surface') ?? 'contract';
  if (!isOpenSurface(surface))
    throw new Fault('BAD_REQUEST', `There is no surface ${JSON.stringify(surface)}.`, {
      fix: `Name ${OPEN_SURFACES.join(' or ')} in x-countersign-surface`,
    });
  const cwd = folderNamed(headers.get('x-countersign-cwd'));
  return { id: connectionIdOverHttp(identity), surface, cwd, seal: null, reporter: null, gone };
}
