// A session's own network, seen from the daemon: how to start the relay in it, what programs inside are given as their proxy, and how a
// port inside becomes reachable from this machine.

import net from 'node:net';
import { fileURLToPath } from 'node:url';

/** A port inside, and the socket of the daemon that it leads to. */
export interface Passage {
  /** 0: any. */
  readonly port: number;
  readonly socket: string;
}

/**
 * What runs inside the session's network; it writes its ports as a line. It ends with its standard input; `stays`: only when it is ended,
 * such as with the processes around it.
 */
export const relayCommand = (controlSocket: string, passages: readonly Passage[], stays = false): readonly string[] => [
  process.execPath,
  '--disable-warning=ExperimentalWarning',
  // Small: it only passes bytes on.
  '--max-old-space-size=32',
  '--max-semi-space-size=1',
  fileURLToPath(new URL('./session-net-relay.ts', import.meta.url)),
  ...(stays ? ['--stay'] : []),
  controlSocket,
  ...passages.map(({ port, socket }) => `${port}=${socket}`),
];

/** What programs read to find their proxy. What reads none of them has no network. */
export function proxyEnvironment(port: number, credential: string): Record<string, string> {
  const address = `http://${credential}@127.0.0.1:${port}`;
  const inside = 'localhost,127.0.0.1,::1';
  return {
    ...Object.fromEntries(
      ['http_proxy', 'https_proxy', 'all_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].map((name) => [name, address]),
    ),
    ...{ no_proxy: inside, NO_PROXY: inside },
    // Node's own fetch reads the others only with this.
    NODE_USE_ENV_PROXY: '1',
  };
}

export interface OpenedPort {
  /** On this machine's loopback address. */
  readonly port: number;
  readonly close: () => Promise<void>;
}

/** Makes a port of the session's network reachable from this machine, under the same number where that is free. */
export async function openPort(controlSocket: string, inside: number): Promise<OpenedPort> {
  const clients = new Set<net.Socket>();
  const server = net.createServer({ allowHalfOpen: true, pauseOnConnect: true }, (client) => {
    clients.add(client);
    client.on('error', () => client.destroy());
    client.once('close', () => clients.delete(client));
    connectInside(controlSocket, inside).then(
      (target) => {
        client.once('close', () => target.destroy());
        target.once('close', () => client.destroy());
        client.pipe(target);
        target.pipe(client);
        client.resume();
      },
      () => client.destroy(),
    );
  });
  const listen = (port: number) =>
    new Promise<void>((done, failed) => {
      server.once('error', failed);
      server.listen(port, '127.0.0.1', () => {
        server.off('error', failed);
        done();
      });
    });
  await listen(inside).catch(() => listen(0));
  return {
    port: (server.address() as net.AddressInfo).port,
    close: async () => {
      for (const client of clients) client.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}

/** The ports that programs inside listen on. */
export async function portsInside(controlSocket: string): Promise<readonly number[]> {
  const socket = net.connect(controlSocket);
  socket.end('ports\n');
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  return text.trim().split(' ').filter(Boolean).map(Number);
}

/** Throws where nothing listens on that port inside. */
export function connectInside(controlSocket: string, port: number): Promise<net.Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<net.Socket>();
  const socket = net.connect({ path: controlSocket, allowHalfOpen: true });
  let said = Buffer.alloc(0);
  socket.once('error', reject);
  socket.once('end', () => reject(new Error(`nothing listens on port ${port} inside`)));
  socket.on('data', function read(chunk: Buffer) {
    said = Buffer.concat([said, chunk]);
    const end = said.indexOf('\n');
    if (end < 0) return;
    socket.off('data', read);
    socket.pause();
    if (said.subarray(0, end).toString('latin1') !== 'ok') {
      socket.destroy();
      reject(new Error(`nothing listens on port ${port} inside`));
      return;
    }
    socket.off('error', reject);
    socket.on('error', () => socket.destroy());
    if (said.length > end + 1) socket.unshift(said.subarray(end + 1));
    resolve(socket);
  });
  socket.write(`connect ${port}\n`);
  return promise;
}
