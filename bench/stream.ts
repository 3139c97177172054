// Rows to 500 readers of the event stream, beside hono's streamSSE: how many arrive in a second, until the last reader has the last one.
// node bench/stream.ts [--json FILE]

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { report, sized } from './report/report.ts';
import { median, takeTurns, timed } from './report/rounds.ts';
import { peerPackage } from './stack/peer-package.ts';

const READERS = sized(500, 5);
const ROWS = sized(400, 10);
const ROUNDS = sized(7, 1);
const HONO = ['hono@4.13.17', '@hono/node-server@2.1.6'];
const PEER = 'hono streamSSE';
const SERVER = fileURLToPath(new URL('stack/stream-server.ts', import.meta.url));

const leftOut: string[] = [];
const modules = await peerPackage({ packages: HONO, quietModule: 'hono/dist/index.js' }).catch((error: Error) => {
  leftOut.push(`${PEER}: ${error.message}`);
  return null;
});
const servers: Side[] = [];

interface Side {
  readonly server: ChildProcess;
  readonly readers: readonly Socket[];
}

async function open(...args: string[]): Promise<Side> {
  const server = fork(SERVER, args, { execArgv: process.execArgv });
  const [port] = (await once(server, 'message')) as [number];
  const readers = await Promise.all(Array.from({ length: READERS }, () => reader(port)));
  const side = { server, readers };
  servers.push(side);
  return side;
}

/** Joined once the head of the answer is there. */
async function reader(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.setNoDelay(true);
  socket.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n');
  await once(socket, 'data');
  return socket;
}

/** Rows a second, over all readers. */
async function rate({ server, readers }: Side): Promise<number> {
  const last = Buffer.from(`id: ${ROWS}\n`);
  const lastAlone = Buffer.from(`\nid: ${ROWS}`);
  const took = await timed(async () => {
    const arrived = readers.map(
      (socket) =>
        new Promise<void>((resolve, reject) => {
          let tail = Buffer.alloc(0);
          const hear = (chunk: Buffer) => {
            const text = Buffer.concat([tail, chunk]);
            tail = text.subarray(-64);
            // hono names the id last, we name it first.
            if (!text.includes(last) && !text.includes(lastAlone)) return;
            socket.off('data', hear);
            resolve();
          };
          socket.on('data', hear);
          socket.once('close', () => reject(new Error('a reader was dropped')));
        }),
    );
    server.send(ROWS);
    await Promise.all(arrived);
  });
  return ((ROWS * READERS) / took) * 1000;
}

try {
  const ours = await open();
  const hono = modules === null ? null : await open(modules);
  await rate(ours);
  if (hono) await rate(hono);
  const rates = await takeTurns(ROUNDS, { ours: () => rate(ours), hono: () => (hono ? rate(hono) : Number.NaN) });
  report(
    'stream',
    [
      { what: `rows to ${READERS} readers`, value: median(rates.ours), unit: '/s' },
      ...(hono
        ? [
            { what: `${PEER}: rows to ${READERS} readers`, value: median(rates.hono), unit: '/s' },
            { what: `rows to ${READERS} readers`, value: median(rates.ours) / median(rates.hono), unit: '×', against: PEER, atLeast: 2.5 },
          ]
        : []),
    ],
    leftOut,
  );
} finally {
  for (const { server, readers } of servers) {
    for (const socket of readers) socket.removeAllListeners('close').destroy();
    server.kill('SIGKILL');
  }
}
