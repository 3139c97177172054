// Ports of servers that agents started behind walls.

import type { PortsView } from '../protocol/index.ts';
import { type CommandContext, show } from './command-context.ts';

export async function listPorts(context: CommandContext): Promise<void> {
  const view = await context.client.act('list_ports', { cwd: context.cwd });
  show(context, view, textOf(view));
}

export async function openPort(context: CommandContext, port: number): Promise<void> {
  const view = await context.client.act('open_port', { cwd: context.cwd, port });
  const { port: outside = port } = view.open.find(({ inside }) => inside === port) ?? {};
  show(context, view, `http://127.0.0.1:${outside}/ leads to port ${port} of the agent's server, until its session ends.`);
}

export async function closePort(context: CommandContext, port: number): Promise<void> {
  const view = await context.client.act('close_port', { cwd: context.cwd, port });
  show(context, view, `Port ${port} is closed.`);
}

function textOf({ open, listening }: PortsView): string {
  if (listening.length === 0) return 'No server of an agent listens in this work tree.';
  return listening
    .map((inside) => {
      const port = open.find((each) => each.inside === inside)?.port;
      return port === undefined ? `${inside}  closed; countersign port open ${inside}` : `${inside}  http://127.0.0.1:${port}/`;
    })
    .join('\n');
}
