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
  server = createServer((request, response) => {
    joined.push(response);
    stream.join(response, request.headers['x-browser']?.toString() ?? null);
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

async function reader(browser?: string): Promise<Socket> {
  const arrived = once(server, 'request');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(`GET / HTTP/1.1\r\nHost: x\r\n${browser === undefined ? '' : `X-Browser: ${browser}\r\n`}\r\n`);
  await arrived;
  return socket;
}

/** Up to the end of the answer: the connection is kept alive for seconds more. */
async function lastWords(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk: Buffer | string) => (text = (text + chunk.toString('latin1')).slice(-400)));
  socket.resume();
  while (!text.endsWith('\r\n0\r\n\r\n')) await once(socket, 'data');
  return text;
}

/** Only the text matters to the stream. */
const event = (seq: number, size: number) => ({ seq, topic: 'action', row: { subject: 'x'.repeat(size) } }) as unknown as StreamEvent;

test('a reader that never reads is let go and told how to go on; one that reads misses nothing', async () => {
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
  while (!stalledResponse?.writableEnded && sent < 1000) {
    tell(event(++sent, 128 * 1024));
    expect(stalledResponse?.writableLength).toBeLessThan(2 * 1024 * 1024);
    while (seen.at(-1) !== sent) await once(healthy, 'data');
  }
  expect(stalledResponse?.writableEnded).toBe(true);
  const backlog = stalledResponse?.writableLength;
  expect(healthyResponse?.destroyed).toBe(false);

  for (const more of [sent + 1, sent + 2]) tell(event(more, 10));
  while (seen.at(-1) !== sent + 2) await once(healthy, 'data');
  expect(seen).toEqual(Array.from({ length: sent + 2 }, (_, index) => index + 1));
  // Nothing more is kept for it, and if it reads after all it hears the end.
  expect(stalledResponse?.writableLength).toBe(backlog);
  expect(await lastWords(stalled)).toContain(
    'event: dropped\ndata: {"why":"it did not read","next":"fetch the lists, then follow anew"}\n\n',
  );
  healthy.destroy();
  stalled.destroy();
});

test('the newest tabs of a browser follow; other browsers and the command line keep theirs', async () => {
  const [first, other, terminal] = [await reader('one'), await reader('two'), await reader()];
  const newer = [await reader('one'), await reader('one'), await reader('one')];
  const told = await lastWords(first);
  expect(told).toContain('retry: 86400000\nevent: replaced\ndata: {"why":"newer tabs of this browser follow now"');
  expect(joined.map(({ writableEnded }) => writableEnded)).toEqual([true, false, false, false, false, false]);
  for (const socket of [first, other, terminal, ...newer]) socket.destroy();
});

test('there are no more readers than the house has room for: the oldest goes', async () => {
  const sockets: Socket[] = [];
  for (let number = 0; number < 66; number++) sockets.push(await reader());
  expect(joined.map(({ writableEnded }) => writableEnded)).toEqual(Array.from({ length: 66 }, (_, number) => number < 2));
  for (const socket of sockets) socket.destroy();
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
