// Commands about what is remembered.

import type { AddOptions } from '../memory-commands.ts';
import { type CommandLine, collect, number } from './command-line.ts';

const memory = () => import('../memory-commands.ts');

export function addMemoryCommands({ program, connected }: CommandLine): void {
  const remembered = program.command('memory').description('what is remembered of this workspace');
  remembered
    .command('query')
    .description('what is known about something, best first')
    .argument('<words...>')
    .option('--limit <n>', 'how many', number, 10)
    .action(async (words: string[], { limit }: { limit: number }) => (await memory()).queryMemory(await connected(), words, limit));
  remembered
    .command('recent')
    .description('what was said last')
    .option('--limit <n>', 'how many', number, 20)
    .action(async ({ limit }: { limit: number }) => (await memory()).recentMemory(await connected(), limit));
  remembered
    .command('show')
    .description('one memory, with what speaks for it')
    .argument('<id>')
    .action(async (id: string) => (await memory()).showMemory(await connected(), id));
  remembered
    .command('add')
    .description('remember something yourself: a fact, decision, constraint, claim or note')
    .argument('<kind>')
    .argument('<statement>')
    .option('--rationale <text>', 'why; a decision or a constraint needs it')
    .option('--cite <lines>', 'lines that say so, as PATH:START-END; a fact needs them (repeatable)', collect, [])
    .option('--scope <glob>', 'what it is about; without it, everything (repeatable)', collect, [])
    .action(async (kind: string, statement: string, more: AddOptions) =>
      (await memory()).addMemory(await connected(), kind, statement, more),
    );
  remembered
    .command('approve')
    .description('countersign a memory')
    .argument('<id>')
    .action(async (id: string) => (await memory()).approveMemory(await connected(), id));
  remembered
    .command('retire')
    .description('take a memory back; the record keeps it')
    .argument('<id>')
    .requiredOption('--reason <text>')
    .action(async (id: string, { reason }: { reason: string }) => (await memory()).retireMemory(await connected(), id, reason));
  remembered
    .command('export')
    .description('every memory as JSON Lines')
    .argument('[file]', 'a new file; without it, standard output')
    .action(async (file: string | undefined) => (await memory()).exportMemory(await connected(), file));
  remembered
    .command('import')
    .description('take in what was exported elsewhere; evidence is looked at again here')
    .argument('<file>')
    .action(async (file: string) => (await memory()).importMemory(await connected(), file));
}
