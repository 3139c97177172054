import { createServer, type Server } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { listen, listenOnLoopback } from './listen.ts';

function serverForThisTest(): Server {
  const server = createServer();
  onTestFinished(() => void server.close());
  return server;
}

async function takenPort(): Promise<number> {
  const server = serverForThisTest();
  await listen(server, { host: '127.0.0.1', port: 0 });
  return (server.address() as { port: number }).port;
}

test('the usual port when it is free, else another', async () => {
  const taken = await takenPort();
  const port = await listenOnLoopback(serverForThisTest(), undefined, taken);
  expect([port === taken, port > 0]).toEqual([false, true]);
  expect(await listenOnLoopback(serverForThisTest(), undefined, 0)).toBeGreaterThan(0);
});

test('a port that was asked for is not traded, and one above all ports is reported', async () => {
  const taken = await takenPort();
  await expect(listenOnLoopback(serverForThisTest(), String(taken))).rejects.toMatchObject({ code: 'CONFLICT' });
  await expect(listenOnLoopback(serverForThisTest(), '99999')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  await expect(listenOnLoopback(serverForThisTest(), 'many')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
});
