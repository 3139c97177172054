// The command line's client: over the owner's socket, and what the daemon says is made visible.

import { type Client, createClient } from '../../client/index.ts';
import { socketTransport } from '../../client/node.ts';
import { visible } from './terminal-text.ts';

export type DaemonClient = Client;

export const daemonClient = (socketPath: string): DaemonClient =>
  createClient(socketTransport(socketPath), { shown: (text) => visible(text, 'block') });
