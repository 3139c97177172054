// Converts a Node request to a standard web `Request`, and sends a web `Response` through Node. The body was read before.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Without its credentials, which were checked and must not go further. Its signal aborts when the caller disconnects. */
export function asWebRequest({ method = 'GET', url = '/', headers }: IncomingMessage, response: ServerResponse): Request {
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  const passed = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || name === 'authorization' || name === 'cookie') continue;
    for (const each of [value].flat()) passed.append(name, each);
  }
  return new Request(new URL(url, 'http://127.0.0.1'), { method, headers: passed, signal: gone.signal });
}

/** Resolves when all of it is sent, or the reader is gone. */
export async function sendWebResponse(response: ServerResponse, { status, headers, body }: Response): Promise<void> {
  response.writeHead(status, { 'cache-control': 'no-store', ...Object.fromEntries(headers) });
  // An event stream may stay silent for long, and its reader waits for the headers.
  response.flushHeaders();
  if (body === null) response.end();
  else await pipeline(Readable.fromWeb(body as import('node:stream/web').ReadableStream), response).catch(() => response.destroy());
}
