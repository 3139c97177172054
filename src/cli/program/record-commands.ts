// Commands about what happened: actions, receipts, sessions, violations, blame, stamps, the ledger.

import path from 'node:path';
import type { Command } from 'commander';
import { daemonClient } from '../../client/node.ts';
import type { ListFilter } from '../table.ts';
import type { StampOptions } from '../stamp-commands.ts';
import type { ViolationOptions } from '../violation-commands.ts';
import { Fault } from '../../protocol/plain.ts';
import { type CommandLine, number, OF_ALL } from './command-line.ts';

const lists = () => import('../record-lists.ts');
const readText = async (stream: NodeJS.ReadStream) => (await import('node:stream/consumers')).text(stream);

export function addRecordCommands({ program, connected, home, options, print }: CommandLine): void {
  filtered(program.command('log').description('list actions, oldest first'))
    .option('--follow', 'continue until Ctrl-C')
    .option(...STEPS)
    .action(async ({ follow = false, ...filter }: ListFilter & { follow?: boolean }) =>
      (await lists()).log(await connected(), follow, filter),
    );
  filtered(
    program.command('receipts').description('list receipts, newest first').argument('[id]', 'one of them; the end of its id is enough'),
  )
    .option(...STEPS)
    .action(async (id: string | undefined, filter: ListFilter) => (await lists()).receipts(await connected(), id, filter));
  program
    .command('show')
    .description('show one thing by its id: a receipt with its difference, an approval, session, intent, run, …')
    .argument('<id>', 'its beginning or end is enough')
    .action(async (id: string) => (await import('../show-command.ts')).showOne(await connected(), id));
  filtered(program.command('sessions').description('list the sessions of agents, newest first')).action(async (filter: ListFilter) =>
    (await lists()).sessions(await connected(), filter),
  );
  filtered(program.command('violations').description('list what agents were refused, newest first'))
    .option('--session <id>', 'only of this session')
    .option('--rule <rule>', 'only of this rule, such as R1 or scope')
    .option('--counts', 'counted by rule, agent and session')
    .action(async (wanted: ViolationOptions) => (await import('../violation-commands.ts')).violations(await connected(), wanted));
  program
    .command('stats')
    .description('count what agents did here, what was or would have been refused, and what it cost them')
    .option('--all', 'of every workspace')
    .action(async ({ all = false }: { all?: boolean }) => {
      const { stats } = await import('../stats-command.ts');
      await stats(await connected(), all);
    });
  program
    .command('blame')
    .description('show who wrote each line, and for which intent; FILE:LINE shows all details')
    .argument('<file[:line]>')
    .action(async (place: string) => (await import('../blame-command.ts')).blame(await connected(), place));
  program
    .command('verify')
    .description('check the ledger; needs only its files and the public key')
    .argument('[dir]', "the ledger's folder")
    .option('--head <file>', 'a saved checkpoint of yours: finds records cut off at the end')
    .action(async (dir: string | undefined, { head }: { head?: string }) => {
      const [{ verifyFolder }, { verifyOwn }, { verificationText }] = await Promise.all([
        import('../../ledger/index.ts'),
        import('../../install/verify-own.ts'),
        import('../verify.ts'),
      ]);
      const own = () => verifyOwn(home(), head, daemonClient(home().socket));
      const result = await (dir === undefined ? own() : verifyFolder(path.resolve(dir), head));
      print(options().json ? JSON.stringify(result, null, 2) : verificationText(result));
      if (!result.ok) process.exitCode = 5;
    });
  program
    .command('verify-stamp')
    .description('check whether the compliance stamps in a text are real')
    .argument('[file]', 'without it, or with -, standard input')
    .option('--session <id>', 'the session that the text is said to come from')
    .option('--turn <turn>', 'and its turn')
    .action(async (file: string | undefined, origin: StampOptions) => {
      const text = await textOf(file ?? '-');
      const { verifyStamps } = await import('../stamp-commands.ts');
      if (!(await verifyStamps(await connected(), text, origin))) process.exitCode = 1;
    });
}

/** What `begin_work` and others do within one call is counted, not listed. */
const STEPS = ['--steps', 'also the single steps of calls that the gate performs itself'] as const;

const filtered = (command: Command): Command =>
  command
    .option('--limit <n>', 'how many', number, 50)
    .option('--since <time>', 'not older: 30m, 2h, 1d, or a date')
    .option('--intent <id>', 'only for this intent')
    .option('--agent <name>', 'only of this agent')
    .option('--path <text>', 'only where a path or a command holds this')
    .option('--tool <name>', 'only of this tool')
    .option('--status <word>', 'only with this outcome, such as ran, failed or refused')
    .option(...OF_ALL);

async function textOf(file: string): Promise<string> {
  if (file === '-') return readText(process.stdin);
  const { readFile } = await import('node:fs/promises');
  return readFile(file, 'utf8').catch((cause: unknown) => {
    throw new Fault('NOT_FOUND', `${file} cannot be read (${(cause as NodeJS.ErrnoException).code}).`, { cause });
  });
}
