// The command line's client: over the owner's socket, and what the daemon says is made visible.

import { visible } from '../protocol/plain.ts';
import { type Client, createClient } from './client.ts';
import { socketTransport } from './socket-transport.ts';

export type DaemonClient = Client;

export const daemonClient = (socketPath: string): DaemonClient =>
  createClient(socketTransport(socketPath), { shown: (text) => visible(text, 'block') });
