// Commands about sealed runs.

import { InvalidArgumentError } from 'commander';
import type { RunOptions } from '../run-command.ts';
import { collect, type CommandLine } from './command-line.ts';

interface Given {
  readonly sealed?: boolean;
  readonly agent?: string;
  readonly modelHost: string[];
  readonly allowHost: string[];
  readonly allowRead: string[];
  readonly env: string[];
  readonly merge: RunOptions['merge'];
}

export function addRunCommands({ program, connected, home }: CommandLine): void {
  const run = program
    .command('run')
    .description(
      'run an agent with its commands behind walls; --sealed: in a tree and walls of its own, from which only what has receipts is merged',
    )
    .argument('[agent...]', 'the program and its arguments, after --')
    .option('--sealed', 'inside walls of the operating system (Linux with bubblewrap)')
    .option('--agent <name>', 'which agent it is, where its program has another name')
    .option('--model-host <host>', 'where its model is, instead of what is known; several times', collect, [])
    .option('--allow-host <host>', 'another host that it may reach; several times', collect, [])
    .option('--allow-read <path>', 'another place that it may read; several times', collect, [])
    .option('--env <name>', 'another variable that it gets; several times', collect, [])
    .option('--merge <when>', 'ask, never, or policy: without asking where everything has receipts', mergeWhen, 'ask')
    .action(async (words: string[], given: Given) => {
      const { runSealed, runWalled } = await import('../run-command.ts');
      if (!given.sealed) return runWalled(home().dir, words, given.agent ?? null);
      await runSealed(connected, words, {
        ...{ agent: given.agent ?? null, modelHosts: given.modelHost, hosts: given.allowHost },
        ...{ reads: given.allowRead, variables: given.env, merge: given.merge, confirm: await asking() },
      });
    });
  run
    .command('list')
    .description('runs that still have a tree')
    .action(async () => (await import('../run-command.ts')).listRuns(await connected()));
  run
    .command('merge')
    .description('merge what a run changed with receipts; shows it first')
    .argument('<id>')
    .option('--yes', 'do it without asking')
    .option('--dry-run', 'show only')
    .action(async (id: string, { yes = false, dryRun = false }: { yes?: boolean; dryRun?: boolean }) =>
      (await import('../run-command.ts')).mergeRun(await connected(), id, { yes, dryRun, confirm: await asking() }),
    );
  run
    .command('discard')
    .description('delete the tree of a run, with what was not merged')
    .argument('<id>')
    .action(async (id: string) => (await import('../run-command.ts')).discardRun(await connected(), id));
}

async function asking(): Promise<RunOptions['confirm']> {
  const { confirm } = await import('../../install/confirm.ts');
  return (question) => confirm(question, 'Run it in a terminal, or with --yes after reading countersign run merge … --dry-run');
}

function mergeWhen(text: string): RunOptions['merge'] {
  if (text === 'ask' || text === 'never' || text === 'policy') return text;
  throw new InvalidArgumentError('ask, never or policy');
}
