import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { listen, listenOnLoopback, listenWhereBefore } from './listen.ts';

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
  const port = await listenOnLoopback(serverForThisTest(), undefined, [taken]);
  expect([port === taken, port > 0]).toEqual([false, true]);
  expect(await listenOnLoopback(serverForThisTest(), undefined, [])).toBeGreaterThan(0);
});

test('a port that was asked for is not traded, and one above all ports is reported', async () => {
  const taken = await takenPort();
  await expect(listenOnLoopback(serverForThisTest(), String(taken))).rejects.toMatchObject({ code: 'CONFLICT' });
  await expect(listenOnLoopback(serverForThisTest(), '99999')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  await expect(listenOnLoopback(serverForThisTest(), 'many')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
});

test('after a restart the port is the one before, where it is free: an open page finds the daemon again', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'countersign-port-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const file = join(dir, 'port');
  const first = createServer();
  const port = await listenWhereBefore(first, '0', file);
  await new Promise((resolve) => first.close(resolve));
  expect(await listenWhereBefore(serverForThisTest(), undefined, file)).toBe(port);
  const other = await listenWhereBefore(serverForThisTest(), undefined, file);
  const named = createServer();
  const [, free] = [await listen(named, { host: '127.0.0.1', port: 0 }), (named.address() as { port: number }).port];
  await new Promise((resolve) => named.close(resolve));
  // The settings name it; a port that is taken is no reason not to start.
  expect(await listenWhereBefore(serverForThisTest(), undefined, file, [port, free])).toBe(free);
  expect(other).not.toBe(port);
  for (const nonsense of ['', 'x\n', '99999\n', '0\n', `${other}`]) {
    writeFileSync(file, nonsense);
    expect(await listenWhereBefore(serverForThisTest(), undefined, file)).toBeGreaterThan(0);
  }
});
