// The MCP door in front of a kernel of the test's own, with one tool that only this test has. Clients are the official ones; what
// they send goes straight into the door, without a socket.

import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';
import { openMcpHttp } from '../../src/doors/mcp/http.ts';
import { PageVisits } from '../../src/doors/mcp/page-visits.ts';
import { makeServer } from '../../src/doors/mcp/server.ts';
import type { DoorServices } from '../../src/doors/services.ts';
import { type Gate, gateForThisTest } from '../../src/kernel/gate.fixture.ts';
import { makeTool, type ToolCall, type ToolInput, type ToolSpec } from '../../src/protocol/index.ts';
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

interface TestTool extends Omit<ToolSpec<ToolInput>, 'declare' | 'run' | 'surfaces'>, Pick<ToolCall, 'effects'> {
  readonly run: NonNullable<ToolCall['run']>;
}

export async function mcpGateForThisTest({ effects, run, ...tool }: TestTool): Promise<McpGate> {
  const gate: Gate = await gateForThisTest();
  const declare = () => ({ effects, resources: [] });
  const own = makeTool({ ...tool, declare, surfaces: ['hooked', 'contract'], run: (_input, context) => run(context) });
  gate.tools.add({ name: 'of-the-test', tools: [own] });
  const services = {
    kernel: gate.kernel,
    version: '0.0.0',
    locate: async () => ({ id: gate.workspace, root: gate.root }),
    pageAddress: () => 'http://127.0.0.1:8722/ui/',
    tools: gate.tools,
  } satisfies Partial<DoorServices> as unknown as DoorServices;
  const visits = new PageVisits();
  const mcp = openMcpHttp('of-the-test', gate.tools, (connection) => makeServer(services, connection, visits));
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
