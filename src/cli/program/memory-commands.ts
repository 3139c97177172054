// Commands about what is remembered.

import type { AddOptions } from '../memory-commands.ts';
import { type CommandLine, collect, number } from './command-line.ts';

const memory = () => import('../memory-commands.ts');

export function addMemoryCommands({ program, connected }: CommandLine): void {
  const remembered = program.command('memory').description('manage what is remembered of this workspace');
  remembered
    .command('query')
    .description('search memories, best match first')
    .argument('<words...>')
    .option('--limit <n>', 'how many', number, 10)
    .action(async (words: string[], { limit }: { limit: number }) => (await memory()).queryMemory(await connected(), words, limit));
  remembered
    .command('recent')
    .description('list the newest memories')
    .option('--limit <n>', 'how many', number, 20)
    .action(async ({ limit }: { limit: number }) => (await memory()).recentMemory(await connected(), limit));
  remembered
    .command('show')
    .description('show one memory with its evidence')
    .argument('<id>')
    .action(async (id: string) => (await memory()).showMemory(await connected(), id));
  remembered
    .command('add')
    .description('add a memory: a fact, decision, constraint, claim or note')
    .argument('<kind>')
    .argument('<statement>')
    .option('--rationale <text>', 'why; a decision or a constraint needs it')
    .option('--cite <lines>', 'lines that say so, as PATH:START-END; a fact needs them (repeatable)', collect, [])
    .option('--scope <glob>', 'files that it applies to; without it, all files (repeatable)', collect, [])
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
    .description('retract a memory; the ledger keeps it')
    .argument('<id>')
    .requiredOption('--reason <text>')
    .action(async (id: string, { reason }: { reason: string }) => (await memory()).retireMemory(await connected(), id, reason));
  remembered
    .command('export')
    .description('print every memory as JSON Lines')
    .argument('[file]', 'a new file; without it, standard output')
    .action(async (file: string | undefined) => (await memory()).exportMemory(await connected(), file));
  remembered
    .command('import')
    .description('import memories that were exported elsewhere; their evidence is checked again here')
    .argument('<file>')
    .action(async (file: string) => (await memory()).importMemory(await connected(), file));
}
