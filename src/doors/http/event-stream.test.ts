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
let mayStay: boolean;

beforeEach(async () => {
  joined = [];
  listeners = 0;
  mayStay = true;
  stream = new EventStream((listener) => {
    tell = listener;
    listeners++;
    return () => listeners--;
  }, 50);
  server = createServer((request, response) => {
    joined.push(response);
    const { 'x-browser': browser, 'x-workspace': workspace, 'last-event-id': after } = request.headers;
    stream.join(response, {
      browser: browser?.toString() ?? null,
      workspace: workspace?.toString() ?? null,
      after: after === undefined ? null : Number(after),
      mayStay: () => mayStay,
    });
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

async function reader(headers: Readonly<Record<string, string>> = {}): Promise<Socket> {
  const arrived = once(server, 'request');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`GET / HTTP/1.1\r\nHost: x\r\n${lines.join('')}\r\n`);
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
const event = (seq: number, size: number, workspace = 'w') =>
  ({ seq, topic: 'action', row: { workspace, subject: 'x'.repeat(size) } }) as unknown as StreamEvent;

/** Everything that it received, up to `last`. */
async function heard(socket: Socket, last: string): Promise<string[]> {
  let text = '';
  socket.setEncoding('latin1');
  socket.on('data', (chunk: string) => (text += chunk));
  while (!text.includes(last)) await once(socket, 'data');
  return [...text.matchAll(/^(?:id: (\d+)\n|data: (\{"resumed.*\})$)/gm)].map(([, id, joined]) => id ?? joined ?? '');
}

test('a reader that never reads is disconnected and gets how to continue; one that reads misses nothing', async () => {
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
  // Kernels buffer some megabytes for a reader; far beyond that, it must have been dropped.
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
  // Nothing more is kept for it; if it reads after all, it receives the closing event.
  expect(stalledResponse?.writableLength).toBe(backlog);
  expect(await lastWords(stalled)).toContain(
    'event: dropped\ndata: {"why":"it did not read","next":"fetch the lists, then follow again"}\n\n',
  );
  healthy.destroy();
  stalled.destroy();
});

test('of one browser the newest reader follows; other browsers and the command line keep theirs', async () => {
  const [first, other, terminal] = [await reader({ 'x-browser': 'one' }), await reader({ 'x-browser': 'two' }), await reader()];
  const newer = await reader({ 'x-browser': 'one' });
  expect(await lastWords(first)).toContain('retry: 86400000\nevent: replaced\ndata: {"why":"this browser follows elsewhere now"');
  expect(joined.map(({ writableEnded }) => writableEnded)).toEqual([true, false, false, false]);
  for (const socket of [first, other, terminal, newer]) socket.destroy();
});

test('a stream for one workspace carries nothing of another, also of what was missed', async () => {
  const only = { 'x-workspace': 'mine' };
  const socket = await reader(only);
  tell(event(1, 5, 'mine'));
  tell(event(2, 5, 'theirs'));
  tell(event(3, 5, 'mine'));
  expect(await heard(socket, 'id: 3\n')).toEqual(['{"resumed":false}', '1', '3']);
  const again = await reader({ ...only, 'last-event-id': '1' });
  tell(event(4, 5, 'theirs'));
  tell(event(5, 5, 'mine'));
  expect(await heard(again, 'id: 5\n')).toEqual(['{"resumed":true}', '1', '3', '5']);
  for (const each of [socket, again]) each.destroy();
});

test('whoever comes back hears what it missed, from the record that it heard last, or that this is unknown', async () => {
  const early = await reader({ 'last-event-id': '1' });
  expect(await heard(early, 'resumed')).toEqual(['{"resumed":false}']);
  for (let seq = 10; seq <= 13; seq++) tell(event(seq, 5));
  const joins = async (after: string) => {
    const socket = await reader({ 'last-event-id': after });
    const reported = await heard(socket, 'resumed');
    socket.destroy();
    return reported;
  };
  expect(await joins('9')).toEqual(['{"resumed":false}']);
  expect(await joins('12')).toEqual(['{"resumed":true}', '12', '13']);
  expect(await joins('13')).toEqual(['{"resumed":true}', '13']);
  // Of another record than ours.
  expect(await joins('14')).toEqual(['{"resumed":false}']);
  // What is kept for this is bounded.
  for (let seq = 14; seq <= 20; seq++) tell(event(seq, 64 * 1024));
  expect(await joins('13')).toEqual(['{"resumed":false}']);
  expect((await joins('19'))[0]).toBe('{"resumed":true}');
  early.destroy();
});

test('a reader whose login has ended is let go', async () => {
  const socket = await reader({ 'x-browser': 'one' });
  mayStay = false;
  expect(await lastWords(socket)).toContain('event: dropped\ndata: {"why":"its login has ended"');
  socket.destroy();
});

test('there are no more readers than the house has room for: the oldest goes', async () => {
  const sockets: Socket[] = [];
  for (let number = 0; number < 514; number++) sockets.push(await reader());
  expect(joined.map(({ writableEnded }) => writableEnded)).toEqual(Array.from({ length: 514 }, (_, number) => number < 2));
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
