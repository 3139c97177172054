import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { StreamEvent } from '../../protocol/index.ts';
import { EventStream } from './event-stream.ts';

let server: Server;
let stream: EventStream;
let tell: (event: StreamEvent) => void;
let joined: ServerResponse[];
let listeners: number;

beforeEach(async () => {
  joined = [];
  listeners = 0;
  stream = new EventStream((listener) => {
    tell = listener;
    listeners++;
    return () => listeners--;
  });
  server = createServer((_request, response) => {
    joined.push(response);
    stream.join(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterEach(async () => {
  stream.close();
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

async function reader(): Promise<Socket> {
  const arrived = once(server, 'request');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await arrived;
  return socket;
}

/** Only the text matters to the stream. */
const event = (seq: number, size: number) => ({ seq, topic: 'action', row: { subject: 'x'.repeat(size) } }) as unknown as StreamEvent;

test('a reader that never reads is dropped; one that reads misses nothing', async () => {
  const stalled = await reader();
  stalled.pause();
  const healthy = await reader();
  const seen: number[] = [];
  let tail = '';
  healthy.setEncoding('latin1');
  healthy.on('data', (chunk: string) => {
    const text = tail + chunk;
    for (const [, id] of text.matchAll(/^id: (\d+)\n/gm)) if (Number(id) !== seen.at(-1)) seen.push(Number(id));
    tail = text.slice(-32);
  });

  const [stalledResponse, healthyResponse] = joined;
  let sent = 0;
  // Kernels hold some megabytes for a reader; far beyond that, it has to be gone.
  while (!stalledResponse?.destroyed && sent < 1000) {
    tell(event(++sent, 128 * 1024));
    expect(stalledResponse?.writableLength).toBeLessThan(2 * 1024 * 1024);
    while (seen.at(-1) !== sent) await once(healthy, 'data');
  }
  expect(stalledResponse?.destroyed).toBe(true);
  expect(healthyResponse?.destroyed).toBe(false);

  for (const more of [sent + 1, sent + 2]) tell(event(more, 10));
  while (seen.at(-1) !== sent + 2) await once(healthy, 'data');
  expect(seen).toEqual(Array.from({ length: sent + 2 }, (_, index) => index + 1));
  healthy.destroy();
  stalled.destroy();
});

test('a reader that left is written to no more', async () => {
  const gone = await reader();
  const closed = once(joined[0]!, 'close');
  gone.destroy();
  await closed;
  tell(event(1, 10));
  expect(joined[0]?.writableLength).toBe(0);
});

test('the end of the stream ends its readers and its subscription', async () => {
  const socket = await reader();
  const ended = once(socket, 'end');
  socket.resume();
  expect(listeners).toBe(1);
  stream.close();
  expect(listeners).toBe(0);
  expect(joined[0]?.writableEnded).toBe(true);
  server.closeAllConnections();
  await ended;
});
