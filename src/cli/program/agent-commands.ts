// What agents start. Both are served before the command line is loaded; here they are only named and explained.

import { Fault } from '../../protocol/plain.ts';
import type { CommandLine } from './command-line.ts';

export function addAgentCommands({ program }: CommandLine): void {
  program.command('mcp').description('serve MCP on standard input and output').option('--surface <name>', 'hooked, contract or controller');
  program
    .command('hook')
    .description('pass a hook event to the gate')
    .argument('<agent>')
    .argument('<event>')
    .action(() => {
      // No output would look like success.
      throw new Fault('BAD_REQUEST', 'hook has to be the first word.', { fix: 'countersign hook --home DIR AGENT EVENT' });
    });
}
