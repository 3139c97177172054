// Commands about grounded answers.

import { Fault } from '../../protocol/plain.ts';
import type { CommandLine } from './command-line.ts';

export function addGroundingCommands({ program, print }: CommandLine): void {
  program
    .command('envelope')
    .description('check whether texts of a model are strict tool calls; nothing is run')
    .option('--stdin', 'questions as JSON Lines on standard input, an answer a line')
    .action(async ({ stdin = false }: { stdin?: boolean }) => {
      if (!stdin)
        throw new Fault('BAD_REQUEST', 'envelope reads its questions from standard input.', {
          fix: `echo '{"id":1,"mode":"tool_call","nonce":"n1","raw":"{}"}' | countersign envelope --stdin --json`,
        });
      const [{ envelopeLine }, { linesOf }] = await Promise.all([import('../envelope.ts'), import('../lines-of.ts')]);
      for await (const line of linesOf(process.stdin)) print(JSON.stringify(envelopeLine(line)));
    });
}
