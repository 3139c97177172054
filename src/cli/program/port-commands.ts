// Commands about ports of servers that agents started behind walls.

import { InvalidArgumentError } from 'commander';
import type { CommandLine } from './command-line.ts';

export function addPortCommands({ program, connected }: CommandLine): void {
  const port = program.command('port').description('reach a server that an agent started behind walls');
  port
    .command('list', { isDefault: true })
    .description('what agents’ servers listen on, and what is open')
    .action(async () => (await import('../port-commands.ts')).listPorts(await connected()));
  port
    .command('open')
    .description('make a port reachable from this machine, until the agent’s session ends')
    .argument('<port>', 'the server’s own', portNumber)
    .action(async (number: number) => (await import('../port-commands.ts')).openPort(await connected(), number));
  port
    .command('close')
    .description('close it again')
    .argument('<port>', 'the server’s own', portNumber)
    .action(async (number: number) => (await import('../port-commands.ts')).closePort(await connected(), number));
}

function portNumber(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number > 0 && number < 65_536) return number;
  throw new InvalidArgumentError('a number from 1 to 65535');
}
