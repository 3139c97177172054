// Where the daemon listens: the port that the settings of a work tree name, or the one it had before, if it is free, so that an open page finds it again; else the default port, else any,
// which `countersign open` finds. A port that was asked for explicitly is never replaced by another.

import { chmod, readFile, rm } from 'node:fs/promises';
import type { Server } from 'node:net';
import type { Home } from '../client/node.ts';
import type { HttpDoor } from '../doors/http/server.ts';
import { type Config, Fault, DEFAULT_PORT } from '../protocol/index.ts';
import { writePrivateFile } from '../workspace/index.ts';

/** `usual`: tried in this order when no port is asked for. */
export async function listenOnLoopback(
  server: Server,
  wanted: string | undefined,
  usual: readonly number[] = [DEFAULT_PORT],
): Promise<number> {
  if (wanted !== undefined && (!/^[0-9]{1,5}$/.test(wanted) || Number(wanted) > 65_535))
    throw new Fault('BAD_REQUEST', `MCP_DASHBOARD_PORT is not a port: ${wanted}`);
  const [port = 0, ...others] = wanted === undefined ? usual : [Number(wanted)];
  try {
    await listen(server, { host: '127.0.0.1', port });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    if (wanted !== undefined)
      throw new Fault('CONFLICT', `Port ${wanted} is taken by another program.`, {
        fix: 'Choose another with MCP_DASHBOARD_PORT, or unset it to take any free one',
      });
    return listenOnLoopback(server, undefined, others);
  }
  return (server.address() as { port: number }).port;
}

/** A port that settings name, then the daemon's last one. Anything unreadable in the file means none. */
export async function listenWhereBefore(
  server: Server,
  wanted: string | undefined,
  file: string,
  named: readonly number[] = [],
): Promise<number> {
  const last = /^([1-9][0-9]{0,4})\n$/.exec(await readFile(file, 'utf8').catch(() => ''))?.[1];
  const port = await listenOnLoopback(server, wanted, [...named, ...(Number(last) <= 65_535 ? [Number(last)] : []), DEFAULT_PORT]);
  await writePrivateFile(file, `${port}\n`);
  return port;
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

/** What `dashboard.port` says in the work trees that the daemon knows. */
export async function namedPorts(roots: Iterable<string>, configOf: (root: string) => Promise<Config>): Promise<number[]> {
  const configs = await Promise.all([...roots].map((root) => configOf(root)));
  return configs.flatMap(({ dashboard }) => dashboard.port ?? []);
}

/** Both listeners, and the address file that hook clients read. */
export async function listenEverywhere(
  http: Pick<HttpDoor, 'loopbackServer' | 'ownerServer'>,
  home: Home,
  hookSecrets: string,
  named: readonly number[],
): Promise<void> {
  const port = await listenWhereBefore(http.loopbackServer, process.env.MCP_DASHBOARD_PORT, home.lastPort, named);
  // We hold the writer's lock, so an existing socket belongs to a daemon that is dead.
  await rm(home.socket, { force: true });
  await listen(http.ownerServer, { path: home.socket });
  await chmod(home.socket, 0o600);
  await writePrivateFile(home.hookFile, `${port} ${hookSecrets}\n`);
}
