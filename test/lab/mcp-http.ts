// The official MCP client over HTTP, to a daemon of the test.

import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { TestDaemon } from './daemon.ts';

export const VERSIONS = ['2025-11-25', '2026-07-28'] as const;
export type Version = (typeof VERSIONS)[number];

export interface HttpClientOptions {
  readonly version?: Version;
  readonly name?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly client?: ClientOptions;
}

/** Speaks the older protocol as clients do that know no other, and the newer one without a way back. */
export const negotiation = (version: Version): ClientOptions =>
  version === '2026-07-28' ? { versionNegotiation: { mode: { pin: version } } } : {};

export async function connectOverHttp(
  daemon: Pick<TestDaemon, 'port' | 'asMcp'>,
  { version = '2025-11-25', name = 'agent of the test', headers = {}, client: options = {} }: HttpClientOptions = {},
): Promise<Client> {
  const client = new Client({ name, version: '1' }, { ...negotiation(version), ...options });
  const address = new URL(`http://127.0.0.1:${daemon.port()}/mcp`);
  await client.connect(new StreamableHTTPClientTransport(address, { requestInit: { headers: { ...(await daemon.asMcp()), ...headers } } }));
  return client;
}
