// A server that replaces a failing daemon: on loopback, at the address that the hook file names.

import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** The last two: it is dead, and another program has taken its port. */
export const AILMENTS = ['gone', 'silent', 'slow', 'dying', 'raving', 'replaced', 'replaced by silence'] as const;
export type Ailment = (typeof AILMENTS)[number];

export interface SickDaemon {
  /** The content of the hook file during this failure. */
  readonly addressFor: (ailment: Ailment) => string;
  readonly close: () => void;
}

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
const YES = '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}';

/** How it handles a call. A dead one accepts none. */
const ANSWERS: Readonly<Record<Exclude<Ailment, 'gone'>, (socket: Socket) => void>> = {
  silent: () => {},
  // Like a live one that asks a human, who never answers.
  slow: (socket) => socket.write('HTTP/1.1 102 Processing\r\n\r\n'),
  dying: (socket) =>
    socket.write(`${HEAD}Content-Length: ${YES.length}\r\n\r\n${YES.slice(0, 30)}`, () => {
      socket.resetAndDestroy();
    }),
  raving: (socket) => socket.end(`${HEAD}Content-Length: 9\r\n\r\nallow it!`),
  replaced: (socket) => socket.end(`${HEAD}Content-Length: 2\r\n\r\n{}`),
  'replaced by silence': (socket) => socket.end('HTTP/1.1 204 No Content\r\nx-countersign: silence\r\n\r\n'),
};

export async function startSickDaemon(): Promise<SickDaemon> {
  const sockets = new Set<Socket>();
  const listen = async (answer: (socket: Socket) => void) => {
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.once('data', () => answer(socket));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return server;
  };
  const servers = {
    silent: await listen(ANSWERS.silent),
    slow: await listen(ANSWERS.slow),
    dying: await listen(ANSWERS.dying),
    raving: await listen(ANSWERS.raving),
    replaced: await listen(ANSWERS.replaced),
    'replaced by silence': await listen(ANSWERS['replaced by silence']),
  };
  return {
    // Nothing listens at port 1.
    addressFor: (ailment) => `${ailment === 'gone' ? 1 : (servers[ailment].address() as AddressInfo).port} unknown unknown\n`,
    close: () => {
      for (const socket of sockets) socket.destroy();
      for (const server of Object.values(servers)) server.close();
    },
  };
}
