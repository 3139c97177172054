// Completion of the command line, made from its own commands.

import { Argument } from 'commander';
import { COMPLETED_SHELLS } from '../completion.ts';
import type { CommandLine } from './command-line.ts';

export function addCompletionCommand({ program, print }: CommandLine): void {
  program
    .command('completion')
    .description('print a script that completes commands and options in your shell')
    .addArgument(new Argument('<shell>', 'whose script').choices(COMPLETED_SHELLS))
    .action(async (shell: (typeof COMPLETED_SHELLS)[number]) => {
      const { completionFor } = await import('../completion.ts');
      print(completionFor(shell, program));
    });
}
