// Commands about grounded answers.

import { Fault } from '../../protocol/plain.ts';
import type { CommandLine } from './command-line.ts';

export function addGroundingCommands({ program, connected, print }: CommandLine): void {
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

  const canon = program
    .command('canon')
    .description('what the scenes of a story establish, and which parts of it are stale')
    .action(async () => (await import('../canon-commands.ts')).canonStatus(await connected()));
  canon
    .command('index')
    .description('let a model take out of the changed scenes what they establish; only what they really say is kept')
    .option('--endpoint <id>', 'which model')
    .action(async ({ endpoint }: { endpoint?: string }) => (await import('../canon-commands.ts')).indexCanon(await connected(), endpoint));
}
