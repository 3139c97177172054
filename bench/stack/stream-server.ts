// A server with an event stream, in a process of its own: ours, or hono's with its own helper. It prints its port, then sends the requested
// number of rows to every reader.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { EventStream } from '../../src/doors/http/event-stream.ts';
import type { StreamEvent } from '../../src/protocol/index.ts';

const [modules] = process.argv.slice(2);
const row = {
  ...{ id: 'act_01M7GH0000000000000000000', session: 'ses_01M7GH0000000000000000000', agent: 'bench', tool: 'edit_file', state: 'settled' },
  ...{ resources: ['src/auth/login.ts'], intent: 'INT-001', message: null, at: '2030-01-01T00:00:00.000Z' },
};
/** Rows come in batches, as records do. */
const BATCH = 16;

process.on('message', (rows: number) => {
  let sent = 0;
  const next = () => {
    for (let at = 0; at < BATCH && sent < rows; at++) send(++sent);
    if (sent < rows) setImmediate(next);
  };
  next();
});

let send: (seq: number) => void;
if (modules === undefined) {
  let tell: (event: StreamEvent) => void = () => {};
  const stream = new EventStream((listener) => {
    tell = listener;
    return () => {};
  });
  send = (seq) => tell({ seq, topic: 'action', row } as unknown as StreamEvent);
  const server = createServer((_request, response) => stream.join(response));
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
} else {
  interface Stream {
    writeSSE(message: { id: string; event: string; data: string }): Promise<void>;
    onAbort(listener: () => void): void;
  }
  type StreamSse = (context: unknown, work: (stream: Stream) => Promise<void>) => unknown;
  const load = (name: string) => import(pathToFileURL(join(modules, name)).href) as Promise<Record<string, unknown>>;
  const { Hono } = (await load('hono/dist/index.js')) as { Hono: new () => { get(path: string, handler: unknown): void; fetch: unknown } };
  const { streamSSE } = (await load('hono/dist/helper/streaming/index.js')) as { streamSSE: StreamSse };
  const { serve } = (await load('@hono/node-server/dist/index.mjs')) as {
    serve: (options: object, listening: (address: AddressInfo) => void) => void;
  };
  const streams = new Set<Stream>();
  const app = new Hono();
  app.get('/', (context: unknown) =>
    streamSSE(context, (stream) => {
      streams.add(stream);
      return new Promise((resolve) => {
        stream.onAbort(() => {
          streams.delete(stream);
          resolve();
        });
      });
    }),
  );
  send = (seq) => {
    const message = { id: String(seq), event: 'action', data: JSON.stringify(row) };
    // A closed stream removes itself.
    for (const stream of streams) stream.writeSSE(message).catch(() => {});
  };
  serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => process.send?.(port));
}
