// The MCP door. What serves it is loaded on demand: its library is half of what there is to load, and most starts are for a waiting hook.

import type { Duplex } from 'node:stream';
import { z } from 'zod';
import { ADDRESSES } from '../../protocol/index.ts';
import { type DoorRoute, MCP_BODY_BYTES, type OpenDoor, type TakePipe } from '../door.ts';
import type { DoorServices } from '../services.ts';
import type { McpHttp } from './http.ts';
import { asWebRequest, sendWebResponse } from './web-exchange.ts';

export const mcpDoor: OpenDoor = ({ services, identity, log }) => {
  let http: Promise<McpHttp> | null = null;
  // A server that closes waits for connections that it handed over.
  const pipes = new Set<Duplex>();
  const takePipe: TakePipe = (request, socket, seal) => {
    pipes.add(socket);
    socket.on('close', () => pipes.delete(socket));
    import('./server.ts')
      .then(({ serveMcpPipe }) => serveMcpPipe(services, request, socket, seal))
      .catch((error: unknown) => {
        log(`mcp: ${String(error)}`);
        socket.destroy();
      });
  };
  return {
    routes: mcpRoutes(async (request, body) => (await (http ??= overHttp(services, identity))).fetch(request, body)),
    pipes: { 'countersign-mcp': takePipe },
    close: async () => {
      for (const socket of pipes) socket.destroy();
      await (await http?.catch(() => null))?.close();
    },
  };
};

/** MCP clients that speak HTTP. */
export function mcpRoutes(fetch: McpHttp['fetch']): DoorRoute[] {
  const common: Omit<DoorRoute, 'methods' | 'form'> = {
    ...{ url: ADDRESSES.mcp, access: 'mcp', bodyLimit: MCP_BODY_BYTES },
    handle: async (request, reply) => {
      const response = await fetch(asWebRequest(request.raw, reply.raw), request.body);
      reply.hijack();
      await sendWebResponse(reply.raw, response);
    },
  };
  return [
    { ...common, methods: ['POST'], form: { summary: 'MCP over HTTP.', body: z.record(z.string(), z.unknown()) } },
    { ...common, methods: ['GET', 'DELETE'], form: { summary: 'MCP over HTTP.' } },
  ];
}

async function overHttp(services: DoorServices, identity: string): Promise<McpHttp> {
  const [{ openMcpHttp }, { makeServer }, { PageVisits }] = await Promise.all([
    import('./http.ts'),
    import('./server.ts'),
    import('./page-visits.ts'),
  ]);
  const visits = new PageVisits();
  return openMcpHttp(identity, services.tools, (connection) => makeServer(services, connection, visits));
}
