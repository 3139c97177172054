// Ports of servers that agents started behind walls, which a human opens to see them.

import { z } from 'zod';
import { PortsView } from '../walls.ts';
import { ANY_HUMAN, type CommandDeclaration, Here } from './command.ts';

const Port = Here.extend({ port: z.int().min(1).max(65_535) });

export const portCommands = {
  list_ports: { who: ANY_HUMAN, input: Here, output: PortsView },
  open_port: { who: ANY_HUMAN, input: Port, output: PortsView },
  close_port: { who: ANY_HUMAN, input: Port, output: PortsView },
} as const satisfies Record<string, CommandDeclaration>;
