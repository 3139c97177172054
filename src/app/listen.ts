// Where the daemon listens: the default port if it is free, else any, which `countersign open` finds. A port that was asked for
// explicitly is never replaced by another.

import type { Server } from 'node:net';
import { Fault, DEFAULT_PORT } from '../protocol/index.ts';

export async function listenOnLoopback(server: Server, wanted: string | undefined, defaultPort = DEFAULT_PORT): Promise<number> {
  if (wanted !== undefined && (!/^[0-9]{1,5}$/.test(wanted) || Number(wanted) > 65_535))
    throw new Fault('BAD_REQUEST', `MCP_DASHBOARD_PORT is not a port: ${wanted}`);
  try {
    await listen(server, { host: '127.0.0.1', port: Number(wanted ?? defaultPort) });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    if (wanted !== undefined)
      throw new Fault('CONFLICT', `Port ${wanted} is taken by another program.`, {
        fix: 'Choose another with MCP_DASHBOARD_PORT, or unset it to take any free one',
      });
    await listen(server, { host: '127.0.0.1', port: 0 });
  }
  return (server.address() as { port: number }).port;
}

export function listen(server: Server, where: { host: string; port: number } | { path: string }): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(where, () => {
    server.off('error', reject);
    resolve();
  });
  return promise;
}
