// Ports of sessions' networks that a human opened: reachable from this machine's loopback address while the session lives.

import { Fault, type PortsView } from '../protocol/index.ts';
import { openPort, type OpenedPort, portsInside } from './session-net.ts';

/** A session with a network of its own, and the socket by which it is reached. */
export interface PortSession {
  readonly key: string;
  readonly control: () => Promise<string>;
}

interface Opened {
  readonly key: string;
  readonly inside: number;
  readonly opened: OpenedPort;
}

export class BoxPorts {
  private opened: readonly Opened[] = [];

  async view(sessions: readonly PortSession[]): Promise<PortsView> {
    const keys = new Set(sessions.map(({ key }) => key));
    const listening = await Promise.all(sessions.map(async ({ control }) => portsInside(await control()).catch(() => [])));
    const open = this.opened.filter(({ key }) => keys.has(key)).map(({ inside, opened }) => ({ inside, port: opened.port }));
    return { open, listening: [...new Set(listening.flat())].toSorted((a, b) => a - b) };
  }

  async open(sessions: readonly PortSession[], inside: number): Promise<PortsView> {
    for (const { key, control } of sessions) {
      if (this.opened.some((each) => each.key === key && each.inside === inside)) return this.view(sessions);
      const socket = await control();
      if (!(await portsInside(socket).catch((): number[] => [])).includes(inside)) continue;
      this.opened = [...this.opened, { key, inside, opened: await openPort(socket, inside) }];
      return this.view(sessions);
    }
    const { listening } = await this.view(sessions);
    throw new Fault('NOT_FOUND', `No server of an agent listens on port ${inside} in this work tree.`, {
      fix: listening.length === 0 ? 'Start the server first' : `Open one of these: ${listening.join(', ')}`,
    });
  }

  async close(sessions: readonly PortSession[], inside: number): Promise<PortsView> {
    const keys = new Set(sessions.map(({ key }) => key));
    await this.drop((each) => keys.has(each.key) && each.inside === inside);
    return this.view(sessions);
  }

  /** Its session has ended. */
  forget(key: string): Promise<void> {
    return this.drop((each) => each.key === key);
  }

  closeAll(): Promise<void> {
    return this.drop(() => true);
  }

  private async drop(isOver: (each: Opened) => boolean): Promise<void> {
    const over = this.opened.filter(isOver);
    this.opened = this.opened.filter((each) => !over.includes(each));
    await Promise.all(over.map(({ opened }) => opened.close()));
  }
}
