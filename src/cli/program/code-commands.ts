// Commands about the code: checks, what a command would do, the index, the graph.

import type { RefOptions, SearchOptions, SymbolOptions } from '../code-commands.ts';
import type { GraphOptions } from '../graph-commands.ts';
import { Fault } from '../../protocol/plain.ts';
import { type CommandLine, collect, number } from './command-line.ts';

export function addCodeCommands({ program, connected, options, print }: CommandLine): void {
  program
    .command('validate')
    .description("run this workspace's own checks, on a copy: format, lint, typecheck, test")
    .argument('[checks...]', 'without them, all')
    .action(async (names: string[]) => {
      const { validate } = await import('../validate-command.ts');
      if (!(await validate(await connected(), names))) process.exitCode = 1;
    });

  program
    .command('explain')
    .description('show how the gate reads a shell command; nothing is run')
    .argument('[command]')
    .option('--stdin', 'questions as JSON Lines on standard input, an answer a line')
    .option('--scope <glob>', 'what may be changed; without it, everything here (repeatable)', collect, [])
    .action(async (command: string | undefined, { stdin = false, scope }: { stdin?: boolean; scope: string[] }) => {
      if (stdin === (command !== undefined))
        throw new Fault('BAD_REQUEST', 'explain takes a command, or --stdin.', { fix: "countersign explain 'npm test > log'" });
      const [{ explain, explainLine, explainParts }, { linesOf }] = await Promise.all([import('../explain.ts'), import('../lines-of.ts')]);
      const cwd = process.cwd();
      if (command === undefined) {
        for await (const line of linesOf(process.stdin)) print(JSON.stringify(explainLine(line, cwd)));
        return;
      }
      const globs = scope.length > 0 ? scope : null;
      print(options().json ? JSON.stringify(explain(command, cwd, globs), null, 2) : explainParts(command, cwd, globs));
    });

  program
    .command('index')
    .description('index the code of this work tree, and show what is in it')
    .option('--watch', 'keep running, and print what changes')
    .option('--refresh', 'read every file again first')
    .action(async ({ watch = false, refresh = false }: { watch?: boolean; refresh?: boolean }) =>
      (await import('../code-commands.ts')).index(await connected(), { watch, refresh }),
    );
  program
    .command('symbols')
    .description('find where something is defined')
    .argument('<name>', 'a name, Outer.name or an id')
    .option('--fuzzy', 'also similar names')
    .option('--kind <kinds>', 'only these kinds, separated by commas: function, class, method, …')
    .option('--glob <glob>', 'only in these files')
    .option('--limit <n>', 'how many', number, 50)
    .action(async (name: string, given: SymbolOptions) => (await import('../code-commands.ts')).symbols(await connected(), name, given));
  program
    .command('refs')
    .description('find where something is used')
    .argument('<name>', 'a name, Outer.name or an id')
    .option('--callers', 'who calls it')
    .option('--callees', 'whom it calls')
    .option('--role <roles>', 'only these roles, separated by commas: call, type, import, …')
    .option('--precise', 'ask the TypeScript compiler; slower')
    .option('--glob <glob>', 'only in these files')
    .option('--limit <n>', 'how many', number, 200)
    .action(async (name: string, given: RefOptions) => (await import('../code-commands.ts')).refs(await connected(), name, given));
  program
    .command('search')
    .description('find lines that contain a text; with --rank, files that fit a question')
    .argument('<words...>')
    .option('--regex', 'a pattern in the syntax of RE2')
    .option('-i, --ignore-case', 'ignore case')
    .option('-w, --word', 'only whole words')
    .option('--glob <glob>', 'only in these files')
    .option('--under <path>', 'only below this folder')
    .option('-C, --context <n>', 'lines around each match')
    .option('--rank', 'list files by how well they fit these words')
    .option('--limit <n>', 'how many', number, 100)
    .action(async (words: string[], given: SearchOptions) => (await import('../code-commands.ts')).search(await connected(), words, given));
  program
    .command('outline')
    .description('list what a file defines')
    .argument('<file>')
    .action(async (file: string) => (await import('../code-commands.ts')).outline(await connected(), file));

  const graph = program
    .command('graph')
    .description('show what is connected to a symbol, a file or words; proof chains; without arguments, the size of the graph')
    .argument('[symbol]', 'a name, Outer.name, or the id of a node')
    .option('--file <path>', 'start at a file')
    .option('--query <words>', 'start at what fits these words best')
    .option('--direction <way>', 'out, in or both')
    .option('--types <types>', 'only edges of these types, separated by commas')
    .option('--depth <n>', 'how many steps (1)')
    .option('--limit <n>', 'how many', number, 100)
    .option('--chain <kind>', 'proof chains of a kind that a pack declares, such as federation')
    .option('--field <name>', 'with --chain: only chains that begin in this column')
    .option('--lanes <question>', 'what five lanes find for a question, and why')
    .action(async (symbol: string | undefined, options: GraphOptions) => {
      const { graph: show } = await import('../graph-commands.ts');
      await show(await connected(), symbol, options);
    });
  graph
    .command('sync')
    .description('rebuild the graph from .ai/graph/seed, the code and memory')
    .action(async () => (await import('../graph-commands.ts')).syncGraph(await connected()));
  graph
    .command('export')
    .description('write the differences between the graph and the seeds to .ai/graph/out')
    .action(async () => (await import('../graph-commands.ts')).exportGraph(await connected()));
}
