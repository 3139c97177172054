// A real HTTP server on loopback that answers as a test says, and remembers what it was asked.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { HTTP_LIMITS, type HttpClient, type HttpLimits, type HttpRules, openHttpClient } from './http-client.ts';

export type Answer = (request: IncomingMessage, response: ServerResponse, number: number) => void;

export interface BadServer {
  readonly host: string;
  readonly url: string;
  readonly asked: { readonly path: string; readonly authorization: string | null; readonly etag: string | null; readonly at: number }[];
}

export async function serve(answer: Answer): Promise<BadServer> {
  const asked: BadServer['asked'] = [];
  const server = createServer((request, response) => {
    const { url: path = '', headers } = request;
    asked.push({ path, authorization: headers.authorization ?? null, etag: headers['if-none-match'] ?? null, at: performance.now() });
    answer(request, response, asked.length);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { host, url: `http://${host}`, asked };
}

export const QUICK: HttpLimits = { ...HTTP_LIMITS, waitMs: 2, longestWaitMs: 2_500, silenceMs: 20_000 };

export async function clientFor(rules: Partial<HttpRules>, limits: Partial<HttpLimits> = {}): Promise<HttpClient> {
  const all = { hosts: [], localHosts: [], token: null, requestsPerMinute: 6_000, ...rules };
  const client = await openHttpClient(all, { ...QUICK, ...limits });
  onTestFinished(() => client.close());
  return client;
}
