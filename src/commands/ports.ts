// Ports of servers that agents started behind walls. Recorded as allowed first, then opened or closed.

import type { CommandHandlers, Kernel } from '../kernel/index.ts';
import type { PortService } from '../protocol/index.ts';
import type { Locate } from './for-human.ts';

export interface PortDeps {
  readonly kernel: Kernel;
  readonly locate: Locate;
  readonly ports: PortService;
}

export function portHandlers({ kernel: { authority }, locate, ports }: PortDeps) {
  const rootOf = async (cwd: string) => (await locate(cwd)).root;
  return {
    list_ports: {
      act: (caller) => authority.allowHuman(caller, 'port list', () => ({})),
      show: async ({ cwd }) => ports.view(await rootOf(cwd)),
    },
    open_port: {
      act: (caller, { port }) => authority.allowHuman(caller, `port open ${port}`, () => ({})),
      show: async ({ cwd, port }) => ports.open(await rootOf(cwd), port),
    },
    close_port: {
      act: (caller, { port }) => authority.allowHuman(caller, `port close ${port}`, () => ({})),
      show: async ({ cwd, port }) => ports.close(await rootOf(cwd), port),
    },
  } satisfies Partial<CommandHandlers>;
}
