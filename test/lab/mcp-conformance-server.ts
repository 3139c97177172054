// The MCP door of a real daemon on a port of its own, with the fixtures that the conformance suite demands. The suite can send no
// header of its own, so its requests are given the token and the work tree on their way in; Host and Origin stay as they came.

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { openHttpDoor } from '../../src/doors/http/server.ts';
import { mcpRoutes } from '../../src/doors/mcp/door.ts';
import { openMcpHttp } from '../../src/doors/mcp/http.ts';
import { PageVisits } from '../../src/doors/mcp/page-visits.ts';
import { makeServer } from '../../src/doors/mcp/server.ts';
import { makeTool } from '../../src/protocol/index.ts';
import { type Reply, send, startTestDaemon } from './daemon.ts';
import { offerFixtures } from './mcp-fixtures.ts';

export interface ConformanceServer {
  readonly url: string;
  /** A message of the older protocol, by itself. */
  readonly ask: (message: object) => Promise<Reply>;
  readonly dispose: () => Promise<void>;
}

/** Comes and goes. */
const passing = makeTool({
  name: 'passing',
  description: 'A tool that is there for a moment.',
  input: z.strictObject({}),
  declare: () => ({ effects: ['observe'], resources: [] }),
  surfaces: ['contract'],
  run: async () => ({ output: {} }),
});

export async function startConformanceServer(): Promise<ConformanceServer> {
  const daemon = await startTestDaemon();
  const visits = new PageVisits();
  const token = 'of-the-suite';
  const mcp = openMcpHttp(token, daemon.services().tools, (connection) => {
    const server = makeServer(daemon.services(), connection, visits);
    offerFixtures(server, connection, visits);
    server.registerTool('test_trigger_tool_change', { description: 'Changes the list of tools.', inputSchema: z.object({}) }, () => {
      daemon.services().tools.add({ name: 'of-the-suite', tools: [passing] })();
      return { content: [] };
    });
    return server;
  });
  const door = await openHttpDoor({
    services: daemon.services(),
    hookToken: 'of-hooks',
    hookAnswer: 'to-hooks',
    page: new Map(),
    mcpToken: token,
    doors: [{ routes: mcpRoutes(mcp.fetch) }],
  });
  door.loopbackServer.prependListener('request', ({ headers }) => {
    headers.authorization = `Bearer ${token}`;
    headers['x-countersign-cwd'] = encodeURIComponent(daemon.repo.path);
  });
  door.loopbackServer.listen(0, '127.0.0.1');
  await once(door.loopbackServer, 'listening');
  const { port } = door.loopbackServer.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    ask: (message) =>
      send({ host: '127.0.0.1', port }, 'POST', '/mcp', { headers: { accept: 'application/json, text/event-stream' }, body: message }),
    dispose: async () => {
      await mcp.close();
      await door.close();
      await daemon.dispose();
    },
  };
}
