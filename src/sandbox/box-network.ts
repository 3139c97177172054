// The way out of a session's box to hosts that were granted by name: a relay inside the box's network leads to the host filter of the daemon.
// A program that does not use the proxy which its environment names has no network.

import { spawn } from 'node:child_process';
import path from 'node:path';
import { type HostFilter, openHostFilter } from './host-filter.ts';
import type { SessionBox } from './session-box.ts';
import { proxyEnvironment, relayCommand } from './session-net.ts';

export class BoxNetworks {
  private readonly folder: string;
  private filter: Promise<HostFilter> | null = null;
  /** The proxy's port inside, by box. */
  private readonly ports = new WeakMap<SessionBox, Promise<number>>();

  constructor(folder: string) {
    this.folder = folder;
  }

  /** What a command's environment needs to reach these hosts, as words for `env`. */
  async open(box: SessionBox, hosts: readonly string[], program: string): Promise<string[]> {
    const { filter, port } = await this.relayOf(box);
    const { credential } = filter.grant(hosts);
    return [program, ...Object.entries(proxyEnvironment(port, credential)).map(([name, value]) => `${name}=${value}`)];
  }

  /** The socket by which ports inside are reached. */
  async control(box: SessionBox): Promise<string> {
    await this.relayOf(box);
    return this.controlOf(box);
  }

  private async relayOf(box: SessionBox): Promise<{ readonly filter: HostFilter; readonly port: number }> {
    const filter = await (this.filter ??= openHostFilter({ socket: path.join(this.folder, 'hosts.sock'), remedy: REMEDY }));
    const port = this.ports.get(box) ?? this.relay(box, filter.socket);
    this.ports.set(box, port);
    return { filter, port: await port };
  }

  private controlOf({ pid }: SessionBox): string {
    return path.join(this.folder, `net-${pid}.sock`);
  }

  async close(): Promise<void> {
    await (await this.filter)?.close();
  }

  private relay(box: SessionBox, socket: string): Promise<number> {
    const control = this.controlOf(box);
    const [program = '', ...args] = [...box.networkOnly(), ...relayCommand(control, [{ port: 0, socket }])];
    // It ends with its standard input, and so with the daemon.
    const child = spawn(program, args, { cwd: '/', env: {}, stdio: ['pipe', 'pipe', 'ignore'] });
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    child.stdout.once('data', (line: Buffer) => resolve(Number.parseInt(line.toString('latin1'), 10)));
    child.once('error', reject);
    child.once('exit', () => {
      this.ports.delete(box);
      reject(new Error('the relay of the session ended'));
    });
    child.unref();
    return promise;
  }
}

const REMEDY = 'Ask the human to add it to walls.hosts.';
