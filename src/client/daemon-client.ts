// The command line's client: over the owner's socket, and what the daemon says is made visible.

import { visible } from '../protocol/plain.ts';
import { type Client, createClient } from './client.ts';
import { socketTransport } from './socket-transport.ts';

export type DaemonClient = Client;

/** `start` brings a daemon up, once, if the first request finds none. Asking whether one is alive starts none. */
export function daemonClient(socketPath: string, start?: () => Promise<void>): DaemonClient {
  const options = { shown: (text: string) => visible(text, 'block') };
  const client = createClient(socketTransport(socketPath), options);
  return start ? { ...createClient(socketTransport(socketPath, start), options), isAlive: client.isAlive } : client;
}
