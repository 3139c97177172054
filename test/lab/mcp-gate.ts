// The MCP door in front of a kernel of the test's own, with one tool that only this test has. Clients are the official ones; what
// they send goes straight into the door, without a socket.

import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';
import { openMcpHttp } from '../../src/doors/mcp/http.ts';
import { PageVisits } from '../../src/doors/mcp/page-visits.ts';
import { makeServer } from '../../src/doors/mcp/server.ts';
import type { DoorServices, OfferedTool } from '../../src/doors/services.ts';
import { type Gate, gateForThisTest } from '../../src/kernel/gate.fixture.ts';
import type { ToolCall } from '../../src/kernel/index.ts';
import { toolsOn } from '../../src/tools/index.ts';
import { negotiation, type Version } from './mcp-http.ts';

export interface AskedPage {
  readonly mode?: string;
  readonly url?: string;
  readonly message: string;
}

export interface McpGate {
  readonly gate: Gate;
  readonly connect: (
    version: Version,
    options?: ClientOptions,
    onPage?: (request: AskedPage) => Promise<'accept' | 'decline'>,
  ) => Promise<Client>;
  /** A call of a tool in the newer protocol, by itself. */
  readonly post: (tool: string, message: object) => Promise<Response>;
}

type TestTool = OfferedTool & Pick<ToolCall, 'effects' | 'run'>;

export async function mcpGateForThisTest(tool: TestTool): Promise<McpGate> {
  const { name, effects, run } = tool;
  const gate: Gate = await gateForThisTest({ tools: { [name]: { effects, resources: [], run } } });
  const services = {
    kernel: gate.kernel,
    version: '0.0.0',
    locate: async () => ({ id: gate.workspace, root: gate.root }),
    reconcile: async () => null,
    pageAddress: () => 'http://127.0.0.1:8722/ui/',
    toolsOn: (surface) => [...toolsOn(surface), tool],
  } satisfies Partial<DoorServices> as unknown as DoorServices;
  const visits = new PageVisits();
  const mcp = openMcpHttp('of-the-test', (connection) => makeServer(services, connection, visits));
  onTestFinished(() => mcp.close());

  const place = { 'x-countersign-cwd': encodeURIComponent(gate.root) };
  const through = async (_url: unknown, { body, ...init }: RequestInit = {}) =>
    mcp.fetch(new Request('http://127.0.0.1/mcp', init), typeof body === 'string' ? (JSON.parse(body) as unknown) : undefined);
  return {
    gate,
    connect: async (version, options = {}, onPage) => {
      const client = new Client({ name: 'agent', version: '1' }, { ...negotiation(version), ...options });
      if (onPage)
        client.setRequestHandler('elicitation/create', async ({ params }) => ({ action: await onPage(params as unknown as AskedPage) }));
      const address = new URL('http://127.0.0.1/mcp');
      await client.connect(new StreamableHTTPClientTransport(address, { fetch: through, requestInit: { headers: place } }));
      onTestFinished(() => client.close());
      return client;
    },
    post: (named, message) =>
      through(null, {
        method: 'POST',
        headers: {
          ...place,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'tools/call',
          'mcp-name': named,
        },
        body: JSON.stringify(message),
      }),
  };
}
