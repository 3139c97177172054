// The command line's client: over the owner's socket, with the daemon's text made safe to display.

import { visible } from '../protocol/plain.ts';
import { type Client, createClient } from './client.ts';
import { socketTransport } from './socket-transport.ts';

export type DaemonClient = Client;

/** `start` starts a daemon, once, if the first request finds none. A liveness check never starts one. */
export function daemonClient(socketPath: string, start?: () => Promise<void>): DaemonClient {
  const options = { shown: (text: string) => visible(text, 'block') };
  const client = createClient(socketTransport(socketPath), options);
  return start ? { ...createClient(socketTransport(socketPath, start), options), isAlive: client.isAlive } : client;
}
