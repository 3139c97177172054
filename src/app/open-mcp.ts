// The MCP door, loaded on demand: its library is half of what there is to load, and most starts are for a waiting hook.

import type { Duplex } from 'node:stream';
import type { McpHttp } from '../doors/mcp/http.ts';
import type { HttpDoorOptions } from '../doors/http/server.ts';
import type { DoorServices } from '../doors/services.ts';

export interface McpDoor extends Pick<HttpDoorOptions, 'onMcpPipe' | 'onMcpCall' | 'onTurn' | 'mcpToken'> {
  readonly close: () => Promise<void>;
}

export interface McpSecrets {
  readonly token: string;
  /** Stays the same with every start, or a restart would make another principal of each client over HTTP. */
  readonly identity: string;
}

export function openMcp(services: DoorServices, { token, identity }: McpSecrets, log: (message: string) => void): McpDoor {
  let http: Promise<McpHttp> | null = null;
  // A server that closes waits for connections that it handed over.
  const pipes = new Set<Duplex>();
  return {
    mcpToken: token,
    onMcpPipe: (request, socket, seal) => {
      pipes.add(socket);
      socket.on('close', () => pipes.delete(socket));
      import('../doors/mcp/server.ts')
        .then(({ serveMcpPipe }) => serveMcpPipe(services, request, socket, seal))
        .catch((error: unknown) => {
          log(`mcp: ${String(error)}`);
          socket.destroy();
        });
    },
    onMcpCall: async (request, body) => (await (http ??= overHttp(services, identity))).fetch(request, body),
    onTurn: async (turn) => (await import('../doors/mcp/turn.ts')).takeTurn(services, identity, turn),
    close: async () => {
      for (const socket of pipes) socket.destroy();
      await (await http?.catch(() => null))?.close();
    },
  };
}

async function overHttp(services: DoorServices, identity: string): Promise<McpHttp> {
  const [{ openMcpHttp }, { makeServer }, { PageVisits }] = await Promise.all([
    import('../doors/mcp/http.ts'),
    import('../doors/mcp/server.ts'),
    import('../doors/mcp/page-visits.ts'),
  ]);
  const visits = new PageVisits();
  return openMcpHttp(identity, services.tools, (connection) => makeServer(services, connection, visits));
}
